import { cva, type VariantProps } from 'class-variance-authority'
import type { Icon } from '../../lib/icon.tsx'

const badgeStyle = cva(
  'inline-flex items-center gap-1.5 rounded-full border px-2.5 py-0.5 text-sm font-medium [&>svg]:size-4',
  {
    variants: {
      tone: {
        calm: 'border-line bg-sunk text-ink',
        wait: 'border-amber-edge bg-amber-soft text-ink',
        good: 'border-green bg-green-soft text-green',
        bad: 'border-red bg-red-soft text-red',
        info: 'border-blue bg-blue-soft text-blue',
      },
    },
    defaultVariants: { tone: 'calm' },
  },
)

export type Tone = NonNullable<VariantProps<typeof badgeStyle>['tone']>

/** A state as icon, word and colour. The colour is never the only sign. */
export function Badge({ tone, icon: Icon, children }: { tone?: Tone; icon?: Icon; children: string }) {
  return (
    <span className={badgeStyle({ tone })}>
      {Icon !== undefined && <Icon />}
      {children}
    </span>
  )
}
