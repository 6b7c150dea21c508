import type { Icon } from '../../lib/icon.tsx'

const tones = {
  calm: 'border-line bg-sunk text-ink',
  wait: 'border-amber-edge bg-amber-soft text-ink',
  good: 'border-green bg-green-soft text-green',
  bad: 'border-red bg-red-soft text-red',
  info: 'border-blue bg-blue-soft text-blue',
}

export type Tone = keyof typeof tones

/** A state as icon, word and colour. The colour is never the only sign. */
export function Badge({ tone = 'calm', icon: Icon, children }: { tone?: Tone; icon?: Icon; children: string }) {
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-full border px-2.5 py-0.5 text-sm font-medium [&>svg]:size-4 ${tones[tone]}`}
    >
      {Icon !== undefined && <Icon />}
      {children}
    </span>
  )
}
