import { usd } from '../../lib/format.ts'
import { barWidths } from './trend.ts'

/** A bar chart as a table, so that screen readers get the same figures. */
export function Bars({ head, rows }: { head: string; rows: readonly { name: string; cents: number }[] }) {
  const widths = barWidths(rows.map(({ cents }) => cents))
  return (
    <div className="@container">
      <table className="w-full stacks">
        <thead className="sr-only">
          <tr>
            <th scope="col">{head}</th>
            <td />
            <th scope="col">Revenue</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, cents }, index) => (
            <tr key={name}>
              <th scope="row" className="w-px py-1 pr-3 text-left font-normal whitespace-nowrap text-muted">
                {name}
              </th>
              <td className="w-full py-1" aria-hidden="true">
                <span className="block h-5 rounded-[4px] bg-amber-edge" style={{ width: `${widths[index] ?? 0}%` }} />
              </td>
              <td className="tabular w-px py-1 pl-3 text-right font-medium whitespace-nowrap">{usd(cents)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
