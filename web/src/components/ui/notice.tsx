import CircleCheck from 'lucide:circle-check'
import Info from 'lucide:info'
import TriangleAlert from 'lucide:triangle-alert'
import type { ReactNode } from 'react'

const tones = {
  info: { icon: Info, colour: 'text-muted', box: 'border-line bg-sunk' },
  wait: { icon: TriangleAlert, colour: 'text-ink', box: 'border-amber-edge bg-amber-soft' },
  good: { icon: CircleCheck, colour: 'text-green', box: 'border-green bg-green-soft' },
  bad: { icon: TriangleAlert, colour: 'text-red', box: 'border-red bg-red-soft' },
}

interface NoticeProps {
  tone?: keyof typeof tones
  title?: string
  role?: 'alert' | 'status'
  /** Plain text becomes a paragraph. */
  children?: ReactNode
}

/** A message that stays on the page, unlike a toast. */
export function Notice({ tone = 'info', title, role, children }: NoticeProps) {
  const { icon: Icon, colour, box } = tones[tone]
  return (
    <div className={`flex gap-3 rounded-surface border p-4 ${box}`} role={role}>
      <Icon className={`mt-0.5 size-5 ${colour}`} />
      <div className="grid min-w-0 flex-1 gap-2">
        {title !== undefined && <p className="font-semibold">{title}</p>}
        {typeof children === 'string' ? <p>{children}</p> : children}
      </div>
    </div>
  )
}
