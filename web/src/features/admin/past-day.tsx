import { History } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router-dom'
import { usePastDay } from '../../api/as-of.ts'
import { isMissing, sayError } from '../../api/client.ts'
import { Button } from '../../components/ui/button.tsx'
import { LoadError } from '../../components/ui/loaded.tsx'
import { Notice } from '../../components/ui/notice.tsx'
import { AS_OF_FIELD } from './as-of-field.tsx'
import { Attention } from './attention.tsx'
import { Dashboard } from './dashboard.tsx'
import { OrderListPanel } from './order-list-panel.tsx'
import { ReadingLog } from './reading-log.tsx'
import { ToDeliver } from './to-deliver.tsx'
import { UnplacedList } from './unplaced-list.tsx'
import { withAsOf } from './use-as-of.ts'
import { dayName } from './words.ts'

/** Dashboard or Orders as they were at the end of a day. A chunk of its own. */
export function PastDay({ day, tab }: { day: string; tab: 'Dashboard' | 'Orders' }) {
  const { data: state, error, mutate } = usePastDay(day)
  const name = dayName(day)
  const isFolding = state?.is !== 'ready'
  const back = <BackToNow>{isFolding ? 'Cancel' : 'Back to now'}</BackToNow>
  if (isFolding && error !== undefined)
    return (
      <Failed
        title={`The shop cannot be shown as of the end of ${name}`}
        error={error}
        onRetry={() => void mutate().catch(() => undefined)}
      >
        {back}
      </Failed>
    )
  return (
    <>
      <Strip title={`As of the end of ${name}${isFolding ? '' : ', read only'}`} end={back}>
        <p role="status" className="sr-only">
          {isFolding ? 'Reading the log...' : 'Shown as of the end of that day.'}
        </p>
        {isFolding && <ReadingLog progress={state} />}
      </Strip>
      {!isFolding && (
        <>
          <p className="-mt-3 text-muted">
            The day ended at midnight in {state.timeZone}. Buyers are named as they are known today. Providers are of
            now alone and not shown.
          </p>
          <UnplacedList isOneLine={tab !== 'Dashboard'} />
          <Attention isOneLine={tab !== 'Dashboard'} />
          <ToDeliver isOneLine={tab !== 'Dashboard'} endsAt={state.endsAt} />
          {tab === 'Dashboard' ? <Dashboard /> : <OrderListPanel />}
        </>
      )}
    </>
  )
}

function BackToNow({ children }: { children: string }) {
  const [, setAddress] = useSearchParams()
  return (
    <Button
      size="small"
      onClick={() => {
        setAddress((now) => withAsOf(now, undefined), { replace: true })
        // The button is about to go.
        document.getElementById(AS_OF_FIELD)?.focus()
      }}
    >
      {children}
    </Button>
  )
}

interface FailedProps {
  title: string
  error: unknown
  onRetry: () => void
  children: ReactNode
}

/** A day that cannot be shown is not tried again. */
function Failed({ title, error, onRetry, children }: FailedProps) {
  if (!isMissing(error))
    return (
      <LoadError title={title} error={error} onRetry={onRetry}>
        {children}
      </LoadError>
    )
  return (
    <Notice tone="bad" title={title} role="alert">
      <p>{sayError(error)}</p>
      <p>{children}</p>
    </Notice>
  )
}

/** Stays in sight, so that the past is never taken for now. */
function Strip({ title, end, children }: { title: string; end: ReactNode; children: ReactNode }) {
  return (
    <section
      aria-labelledby="past-day-heading"
      className="sticky top-0 z-20 flex items-center gap-3 rounded-surface border border-amber-edge bg-amber-soft px-3 py-2 sm:px-4"
    >
      <History aria-hidden="true" className="size-5 flex-none max-sm:hidden" />
      <div className="min-w-0 flex-1">
        <h2 id="past-day-heading" className="text-base">
          {title}
        </h2>
        {children}
      </div>
      {end}
    </section>
  )
}
