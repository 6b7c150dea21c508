import type { Progress } from '#contract/as-of.ts'
import { count, timeInZone } from '../../lib/format.ts'

const barStyle =
  'h-2.5 w-full max-w-md appearance-none overflow-hidden rounded-full border border-amber-edge bg-surface [&::-moz-progress-bar]:bg-amber-edge [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-amber-edge'

const nothing: Progress = { events: 0, upTo: null, part: 0 }

/** How far the shop has read its log. */
export function ReadingLog({ progress: { events, upTo, part } = nothing }: { progress?: Progress | undefined }) {
  return (
    <div className="grid gap-1.5 py-1">
      <p className="tabular">
        Reading the log{upTo !== null && `: ${count(events)} events, up to ${timeInZone(upTo)}`}
      </p>
      <progress aria-label="Reading the log" className={barStyle} max={1} value={part} />
    </div>
  )
}
