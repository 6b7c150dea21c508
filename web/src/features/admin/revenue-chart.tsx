import { useRevenue } from '../../api/admin.ts'
import { Loaded } from '../../components/ui/loaded.tsx'
import { methodNames } from '../../payment-methods.ts'
import { Bars } from './bars.tsx'
import { useAsOf } from './use-as-of.ts'
import { dayName } from './words.ts'

const DAYS_SHOWN = 31

/** Loaded as a separate chunk: few sessions open it. */
export function RevenueChart() {
  const answer = useRevenue(useAsOf())
  return (
    <Loaded
      answer={answer}
      loading="Loading revenue..."
      failure="Revenue could not be loaded"
      empty={answer.data?.days.length === 0 ? <p className="text-muted">No order was completed yet.</p> : undefined}
    >
      {({ days, methods }) => (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
          <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
            <h4 className="font-medium">By day with sales</h4>
            <Bars
              head="Day"
              rows={days.map(({ day, orders, revenue }) => ({ name: dayName(day), orders, cents: centsIn(revenue) }))}
              shownMax={DAYS_SHOWN}
            />
          </div>
          <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
            <h4 className="font-medium">By method, all time</h4>
            <Bars
              head="Method"
              rows={methods.map(({ method, revenue }) => ({
                name: method === null ? 'No method' : methodNames[method],
                cents: centsIn(revenue),
              }))}
            />
          </div>
        </div>
      )}
    </Loaded>
  )
}

function centsIn(dollars: number): number {
  return Math.round(dollars * 100)
}
