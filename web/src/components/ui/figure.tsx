import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'

/** A figure that animates briefly when it changes. */
export function Figure({ children, className = '' }: { children: string; className?: string }) {
  const first = useRef(true)
  useEffect(() => {
    first.current = false
  }, [])
  return (
    <span className={`figure inline-block ${className}`}>
      <span key={children} className={`inline-block ${first.current ? '' : 'animate-roll [--enter-from:0.35em]'}`}>
        {children}
      </span>
    </span>
  )
}

/** A label and its value. */
export function Line({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0 py-1.5">
      <dt className="text-muted">{label}</dt>
      <dd className="tabular-nums ml-auto min-w-0 text-right font-medium wrap-anywhere">{children}</dd>
    </div>
  )
}
