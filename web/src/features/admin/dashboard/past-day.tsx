import RotateCcwClock from 'lucide:rotate-ccw-clock'
import type { ReactNode } from 'react'
import { usePastDay } from '../../../api/admin.ts'
import { isMissing } from '../../../api/client.ts'
import { Button } from '../../../components/ui/button.tsx'
import { LoadError } from '../../../components/ui/loaded.tsx'
import { focusAsOfField } from '../shared/as-of-field.tsx'
import { useAddress } from '../shared/use-as-of.ts'
import { dayName } from '../shared/staff-words.ts'

const barStyle =
  'h-2.5 w-full max-w-md appearance-none overflow-hidden rounded-full border border-amber-edge bg-surface [&::-moz-progress-bar]:bg-amber-edge [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-amber-edge'

/** Shows a tab as of the end of a past day. */
export function PastDay({ day, children }: { day: string; children: (endsAt: string) => ReactNode }) {
  const { data: state, error, mutate } = usePastDay(day)
  const { change } = useAddress()
  const isFolding = state?.is !== 'ready'
  const back = (
    <Button
      size="small"
      onClick={() => {
        // The button disappears.
        focusAsOfField()
        change({ asOf: undefined })
      }}
    >
      {isFolding ? 'Cancel' : 'Back to now'}
    </Button>
  )
  if (isFolding && error !== undefined)
    return (
      <LoadError
        title={`The shop cannot be shown as of the end of ${dayName(day)}`}
        error={error}
        onRetry={isMissing(error) ? undefined : async () => mutate().catch(() => undefined)}
      >
        {back}
      </LoadError>
    )
  return (
    <>
      {/* Sticky, so that staff do not mistake the past for now. */}
      <section
        aria-labelledby="past-day-heading"
        className="sticky top-0 z-20 flex items-center gap-3 rounded-surface border border-amber-edge bg-amber-soft px-3 py-2 sm:px-4"
      >
        <RotateCcwClock className="size-5 flex-none max-sm:hidden" />
        <div className="min-w-0 flex-1">
          <h2 id="past-day-heading" className="text-base">
            As of the end of {dayName(day)}
            {!isFolding && ', read only'}
          </h2>
          <p role="status">
            {isFolding
              ? 'Reading the log...'
              : `The day ended at midnight in ${state.timeZone}. Buyers are named as they are known today.`}
          </p>
          {isFolding && <progress aria-label="Reading the log" className={barStyle} max={1} value={state?.part ?? 0} />}
        </div>
        {back}
      </section>
      {!isFolding && children(state.endsAt)}
    </>
  )
}
