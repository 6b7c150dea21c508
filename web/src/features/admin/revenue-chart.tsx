import type { Revenue } from '#contract/admin.ts'
import { useState } from 'react'
import { useRevenue } from '../../api/admin.ts'
import { Button } from '../../components/ui/button.tsx'
import { Loaded } from '../../components/ui/loaded.tsx'
import { count, usd } from '../../lib/format.ts'
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
      {(revenue) => <Charts {...revenue} />}
    </Loaded>
  )
}

function Charts({ days, methods }: Revenue) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <h4 className="font-medium">By day</h4>
        <DayBars days={upToNewest(days)} />
        <DayTable days={days} />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
        <h4 className="font-medium">By method, all time</h4>
        <Bars
          head="Method"
          rows={methods.map(({ method, revenue }) => ({
            name: method === null ? 'No method' : methodNames[method],
            cents: Math.round(revenue * 100),
          }))}
        />
      </div>
    </div>
  )
}

/** The days up to the newest one, also those on which nothing was sold. */
function upToNewest(days: Revenue['days']): { day: string; revenue: number }[] {
  const newest = Date.parse(days.at(-1)?.day ?? '')
  const revenueOn = new Map(days.map(({ day, revenue }) => [day, revenue]))
  return Array.from({ length: DAYS_SHOWN }, (_, index) => {
    const day = new Date(newest - (DAYS_SHOWN - 1 - index) * DAY_MS).toISOString().slice(0, 10)
    return { day, revenue: revenueOn.get(day) ?? 0 }
  })
}

const DAY_MS = 86_400_000
const WIDTH = 310
const HEIGHT = 100

/** Hidden from screen readers: the table below has the same figures. */
function DayBars({ days }: { days: readonly { day: string; revenue: number }[] }) {
  const revenues = days.map(({ revenue }) => revenue)
  const top = Math.max(0, ...revenues)
  const bottom = Math.min(0, ...revenues)
  const heightOf = (revenue: number) => (top === bottom ? 0 : (Math.abs(revenue) / (top - bottom)) * HEIGHT)
  const zero = heightOf(top)
  const step = WIDTH / days.length
  return (
    <div aria-hidden="true">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT + 1}`} preserveAspectRatio="none" className="h-40 w-full" focusable="false">
        {days.map(({ day, revenue }, index) => (
          <rect
            key={day}
            x={index * step}
            y={revenue < 0 ? zero : zero - heightOf(revenue)}
            width={step * 0.8}
            height={heightOf(revenue)}
            className={revenue < 0 ? 'fill-red' : 'fill-amber-edge'}
          >
            <title>{`${dayName(day)}: ${usd(Math.round(revenue * 100))}`}</title>
          </rect>
        ))}
        <line x1="0" x2={WIDTH} y1={zero} y2={zero} className="stroke-edge" vectorEffect="non-scaling-stroke" />
      </svg>
      <p className="tabular flex justify-between gap-3 text-muted">
        <span>{dayName(days[0]?.day ?? '')}</span>
        <span>{dayName(days.at(-1)?.day ?? '')}</span>
      </p>
    </div>
  )
}

function DayTable({ days }: { days: Revenue['days'] }) {
  const [showsAll, setShowsAll] = useState(false)
  const shown = (showsAll ? days : days.slice(-DAYS_SHOWN)).toReversed()
  return (
    <details>
      <summary className="min-h-9 cursor-pointer content-center rounded-control font-medium">
        Days with sales, as a table
      </summary>
      <div className="@container grid justify-items-start gap-2 pt-2">
        <table className="w-full max-w-md stacks">
          <thead className="text-left text-muted">
            <tr>
              <th scope="col" className="pb-1 font-medium">
                Day
              </th>
              <th scope="col" className="pb-1 text-right font-medium">
                Orders
              </th>
              <th scope="col" className="pb-1 text-right font-medium">
                Revenue
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line border-t border-line">
            {shown.map(({ day, orders, revenue }) => (
              <tr key={day}>
                <th scope="row" className="py-1 text-left font-normal">
                  {dayName(day)}
                </th>
                <td className="tabular py-1 text-right">{count(orders)}</td>
                <td className="tabular py-1 text-right font-medium">{usd(Math.round(revenue * 100))}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {days.length > DAYS_SHOWN && (
          <Button size="small" kind="quiet" className="-ml-3" onClick={() => setShowsAll(!showsAll)}>
            {`Show ${showsAll ? DAYS_SHOWN : days.length} days`}
          </Button>
        )}
      </div>
    </details>
  )
}
