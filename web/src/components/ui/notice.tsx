import { cva, type VariantProps } from 'class-variance-authority'
import type { LucideIcon } from 'lucide-react'
import { CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { sayError } from '../../api/client.ts'
import { Button } from './button.tsx'

const noticeStyle = cva('flex gap-3 rounded-surface border p-4', {
  variants: {
    tone: {
      info: 'border-line bg-sunk',
      wait: 'border-amber-edge bg-amber-soft',
      good: 'border-green bg-green-soft',
      bad: 'border-red bg-red-soft',
    },
  },
})

type Tone = NonNullable<VariantProps<typeof noticeStyle>['tone']>

const look: Record<Tone, { icon: LucideIcon; colour: string }> = {
  info: { icon: Info, colour: 'text-muted' },
  wait: { icon: TriangleAlert, colour: 'text-ink' },
  good: { icon: CircleCheck, colour: 'text-green' },
  bad: { icon: TriangleAlert, colour: 'text-red' },
}

/** What has to stay on the page: facts that the reader acts on. */
export function Notice({
  tone = 'info',
  title,
  role,
  children,
}: {
  tone?: Tone
  title?: string
  role?: 'alert' | 'status'
  children?: ReactNode
}) {
  const { icon: Icon, colour } = look[tone]
  return (
    <div className={noticeStyle({ tone })} role={role}>
      <Icon aria-hidden="true" className={`mt-0.5 size-5 ${colour}`} />
      <div className="grid min-w-0 flex-1 gap-2">
        {title !== undefined && <p className="font-semibold">{title}</p>}
        {children}
      </div>
    </div>
  )
}

/** The error state of anything that is loaded: the cause, a way on, and what support will ask for. */
export function LoadError({ title, error, onRetry }: { title: string; error: unknown; onRetry: () => void }) {
  return (
    <Notice tone="bad" title={title} role="alert">
      <p>{sayError(error)}</p>
      <p>
        <Button onClick={onRetry}>Try again</Button>
      </p>
    </Notice>
  )
}

/** A quiet word that what stands here may be old. */
export function StaleNote({ error }: { error: unknown }) {
  return (
    <p role="status" className="text-sm text-muted">
      {error === undefined || error === null ? '' : 'Not up to date: the shop does not answer. Trying again by itself.'}
    </p>
  )
}
