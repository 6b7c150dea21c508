import { useState } from 'react'
import { Button } from '../../../components/ui/button.tsx'
import { count, usd } from '../../../lib/format.ts'

const BAR_MIN_PERCENT = 10

interface BarsProps {
  title?: string
  head: string
  rows: readonly { readonly name: string; readonly cents: number; readonly orders?: number }[]
  /** How many of the last rows are shown before "Show all". */
  shownMax?: number
}

/** A bar chart as a table, so that screen readers get the figures. Negative bars are red. */
export function Bars({ title, head, rows, shownMax = rows.length }: BarsProps) {
  const [showsAll, setShowsAll] = useState(false)
  const shown = showsAll ? rows : rows.slice(-shownMax)
  const widths = barWidths(shown.map(({ cents }) => cents))
  const hasOrders = rows.some(({ orders }) => orders !== undefined)
  return (
    <div className="@container grid justify-items-start gap-2">
      {title !== undefined && <h4 className="font-medium">{title}</h4>}
      <table className="w-full stacks">
        <thead className="sr-only">
          <tr>
            <th scope="col">{head}</th>
            <td />
            {hasOrders && <th scope="col">Orders</th>}
            <th scope="col">Revenue</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ name, cents, orders = 0 }, index) => (
            <tr key={name}>
              <th scope="row" className="w-px py-1 pr-3 text-left font-normal whitespace-nowrap text-muted">
                {name}
              </th>
              <td className="w-full py-1" aria-hidden="true">
                <span
                  className={`block h-5 rounded-[4px] ${cents < 0 ? 'bg-red' : 'bg-amber-edge'}`}
                  style={{ width: `${widths[index] ?? 0}%` }}
                />
              </td>
              {hasOrders && (
                <td className="tabular-nums w-px py-1 pl-3 text-right whitespace-nowrap text-muted">
                  {count(orders)} {orders === 1 ? 'order' : 'orders'}
                </td>
              )}
              <td className="tabular-nums w-px py-1 pl-3 text-right font-medium whitespace-nowrap">{usd(cents)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shownMax && (
        <Button size="small" kind="quiet" className="-ml-3" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? `Show the last ${shownMax}` : `Show all ${rows.length}`} {head.toLowerCase()}s
        </Button>
      )}
    </div>
  )
}

/** Each bar's width in percent of the largest. */
export function barWidths(figures: readonly number[]): number[] {
  const largest = Math.max(0, ...figures.map(Math.abs))
  return figures.map((figure) =>
    largest === 0 ? BAR_MIN_PERCENT : Math.max(BAR_MIN_PERCENT, Math.round((Math.abs(figure) / largest) * 1000) / 10),
  )
}
