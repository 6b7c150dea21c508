import { cva, type VariantProps } from 'class-variance-authority'
import CircleCheck from 'lucide:circle-check'
import Info from 'lucide:info'
import TriangleAlert from 'lucide:triangle-alert'
import type { ReactNode } from 'react'
import type { Icon } from '../../lib/icon.tsx'

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

const look: Record<Tone, { icon: Icon; colour: string }> = {
  info: { icon: Info, colour: 'text-muted' },
  wait: { icon: TriangleAlert, colour: 'text-ink' },
  good: { icon: CircleCheck, colour: 'text-green' },
  bad: { icon: TriangleAlert, colour: 'text-red' },
}

/** A message that stays on the page, unlike a toast. */
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
      <Icon className={`mt-0.5 size-5 ${colour}`} />
      <div className="grid min-w-0 flex-1 gap-2">
        {title !== undefined && <p className="font-semibold">{title}</p>}
        {children}
      </div>
    </div>
  )
}
