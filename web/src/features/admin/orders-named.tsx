import { InFours } from '../../components/ui/in-fours.tsx'
import { millions } from '../../lib/format.ts'
import type { OrderChosen } from './each-dialog.tsx'

/** What a question is about, order by order. */
export function OrdersNamed({ orders }: { orders: readonly OrderChosen[] }) {
  return (
    <ul
      aria-label="Orders"
      className="max-h-[40vh] divide-y divide-line overflow-y-auto rounded-surface border border-line bg-surface"
      // What can be scrolled can be reached by keyboard.
      tabIndex={0}
    >
      {orders.map(({ id, orderNumber, discordUsername, pokecoinAmount }) => (
        <li key={id} className="flex flex-wrap items-baseline gap-x-3 px-3 py-2">
          <InFours text={orderNumber} className="font-semibold" />
          <span className="min-w-0 flex-1 wrap-anywhere">{discordUsername}</span>
          <span className="tabular">{millions(pokecoinAmount)}</span>
        </li>
      ))}
    </ul>
  )
}
