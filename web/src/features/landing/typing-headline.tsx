import { useEffect, useState } from 'react'
import { PageHeading } from '../../components/layout/page.tsx'

const PER_CHARACTER_MS = 32

/** Typed once, over room that is already there; read out whole. */
export function TypingHeadline({ text }: { text: string }) {
  const [typed, setTyped] = useState(() =>
    window.matchMedia('(prefers-reduced-motion: reduce)').matches ? text.length : 0,
  )
  const isDone = typed >= text.length
  useEffect(() => {
    if (isDone) return undefined
    const timer = setTimeout(() => setTyped(typed + 1), PER_CHARACTER_MS)
    return () => clearTimeout(timer)
  }, [typed, isDone])
  return (
    <PageHeading title="In-game coins" className="text-3xl tracking-tight sm:text-4xl">
      <span className="sr-only">{text}</span>
      <span aria-hidden="true">
        {text.slice(0, typed)}
        <span className={`relative ${isDone ? 'hidden' : ''}`}>
          <span className="absolute top-[0.1em] left-0.5 h-[0.8em] w-1 bg-amber-edge" />
        </span>
        <span className="opacity-0">{text.slice(typed)}</span>
      </span>
    </PageHeading>
  )
}
