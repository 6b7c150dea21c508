import type { Order } from '#contract/order.ts'
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { Button } from '../../components/ui/button.tsx'
import { InFours } from '../../components/ui/in-fours.tsx'
import { centsOf, millions, time, usd } from '../../lib/format.ts'
import type { OrderChosen } from './each-dialog.tsx'
import { Status } from './status.tsx'
import { openedHere } from './way-back.ts'
import { paidWith } from './words.ts'

const MARKET_IDS_SHOWN = 2

type Sort = 'createdAt' | 'totalAmount'
type Direction = 'asc' | 'desc'

export interface OrderRows {
  readonly orders: readonly Order[]
  /** Of the list, so that it stands behind an order as it was. */
  readonly address: string
  readonly onApprove: (order: Order) => void
  readonly onDeliver: (order: Order) => void
  /** Undefined: nothing is being selected. */
  readonly chosen: ReadonlyMap<string, OrderChosen> | undefined
  readonly onChoose: (order: Order, isChosen: boolean) => void
  readonly sort: { readonly field: Sort; readonly direction: Direction }
  readonly onSort: (field: Sort, direction: Direction) => void
}

export function OrderTable(rows: OrderRows) {
  const { orders, chosen } = rows
  return (
    <table className="w-full">
      <thead className="sticky top-0 z-10 bg-sunk text-left whitespace-nowrap text-muted shadow-[0_1px_0_var(--color-line)]">
        <tr>
          {chosen !== undefined && (
            <th scope="col" className="w-10 pl-3 font-medium">
              <span className="sr-only">Select</span>
            </th>
          )}
          <Heading>Order ID</Heading>
          <Heading>Customer</Heading>
          <Heading>Discord</Heading>
          <Heading>Market ID</Heading>
          <Heading isNumber>Pokecoins</Heading>
          <SortHeading rows={rows} field="totalAmount" isNumber>
            Amount
          </SortHeading>
          <Heading>Payment</Heading>
          <Heading>Status</Heading>
          <SortHeading rows={rows} field="createdAt">
            Date
          </SortHeading>
          <th scope="col" className="sticky right-0 h-9 bg-sunk px-2 shadow-[-1px_0_0_var(--color-line)] font-medium">
            Actions
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {orders.map((order) => (
          <tr key={order.id} className="group h-10 whitespace-nowrap hover:bg-sunk">
            {chosen !== undefined && (
              <td className="pl-3">
                <Chooser rows={rows} order={order} />
              </td>
            )}
            <td className="px-2">
              <InFours text={order.orderNumber} />
            </td>
            <td
              className={`truncate px-2 ${chosen === undefined ? 'max-w-40' : 'max-w-32'}`}
              title={order.customerEmail}
            >
              {order.customerEmail}
            </td>
            <td
              className={`truncate px-2 ${chosen === undefined ? 'max-w-26' : 'max-w-24'}`}
              title={order.discordUsername}
            >
              {order.discordUsername}
            </td>
            <td className="px-2 py-1">
              <MarketIds order={order} />
            </td>
            <td className="tabular px-2 text-right">{millions(order.pokecoinAmount)}</td>
            <td className="tabular px-2 text-right">{usd(centsOf(order.totalAmount))}</td>
            <td className="px-2">{paidWith(order.paymentMethod)}</td>
            <td className="max-w-52 px-2">
              <Status order={order} />
            </td>
            <td className="tabular px-2">{time(order.createdAt)}</td>
            <td className="sticky right-0 bg-surface px-2 shadow-[-1px_0_0_var(--color-line)] group-hover:bg-sunk">
              <Actions rows={rows} order={order} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Heading({ children, isNumber = false }: { children: string; isNumber?: boolean }) {
  return (
    <th scope="col" className={`h-9 px-2 font-medium ${isNumber ? 'text-right' : ''}`}>
      {children}
    </th>
  )
}

function SortHeading({
  rows: { sort, onSort },
  field,
  isNumber = false,
  children,
}: {
  rows: OrderRows
  field: Sort
  isNumber?: boolean
  children: string
}) {
  const isSorted = sort.field === field
  const next = isSorted && sort.direction === 'desc' ? 'asc' : 'desc'
  const Arrow = sort.direction === 'desc' ? ArrowDown : ArrowUp
  return (
    <th
      scope="col"
      className={`h-9 px-1 font-medium ${isNumber ? 'text-right' : ''}`}
      aria-sort={isSorted ? (sort.direction === 'desc' ? 'descending' : 'ascending') : undefined}
    >
      <button
        type="button"
        className="inline-flex h-8 items-center gap-1 rounded-control px-1.5 hover:text-ink"
        onClick={() => onSort(field, next)}
      >
        {children}
        {isSorted && <Arrow aria-hidden="true" className="size-4" />}
      </button>
    </th>
  )
}

/** The same rows where ten columns do not fit. */
export function OrderCards(rows: OrderRows) {
  return (
    <ul className="divide-y divide-line">
      {rows.orders.map((order) => (
        <li key={order.id} className="flex gap-3 px-3 py-3">
          {rows.chosen !== undefined && <Chooser rows={rows} order={order} />}
          <div className="grid min-w-0 flex-1 gap-1.5">
            <div className="flex flex-wrap items-baseline justify-between gap-x-3">
              <strong>
                <InFours text={order.orderNumber} />
              </strong>
              <strong className="tabular">{usd(centsOf(order.totalAmount))}</strong>
            </div>
            <Status order={order} />
            <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
              <Fact name="Customer">{order.customerEmail}</Fact>
              <Fact name="Discord">{order.discordUsername}</Fact>
              <Fact name="Pokecoins">{millions(order.pokecoinAmount)}</Fact>
              <Fact name="Market ID">
                <MarketIds order={order} />
              </Fact>
              <Fact name="Payment">{paidWith(order.paymentMethod)}</Fact>
              <Fact name="Date">{time(order.createdAt)}</Fact>
            </dl>
            <Actions rows={rows} order={order} />
          </div>
        </li>
      ))}
    </ul>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="tabular min-w-0 wrap-anywhere">{children}</dd>
    </>
  )
}

function Chooser({ rows: { chosen, onChoose }, order }: { rows: OrderRows; order: Order }) {
  return (
    <label className="grid size-7 flex-none place-items-center">
      <input
        type="checkbox"
        className="size-4.5"
        checked={chosen?.has(order.id) ?? false}
        onChange={(event) => onChoose(order, event.currentTarget.checked)}
      />
      <span className="sr-only">Select order {order.orderNumber}</span>
    </label>
  )
}

const actionStyle = 'px-2 py-0.5 min-[900px]:min-h-8'

function Actions({ rows: { address, onApprove, onDeliver }, order }: { rows: OrderRows; order: Order }) {
  const name = <span className="sr-only"> order {order.orderNumber}</span>
  return (
    <div className="flex items-center gap-2.5">
      <Link
        className="link inline-flex min-h-8 items-center font-semibold"
        to={{ pathname: `/admin/orders/${order.id}`, search: address }}
        state={openedHere}
      >
        View{name}
      </Link>
      {order.may.deliver ? (
        <Button size="small" className={actionStyle} onClick={() => onDeliver(order)}>
          Mark delivered{name}
        </Button>
      ) : (
        order.may.approve && (
          <Button size="small" className={actionStyle} onClick={() => onApprove(order)}>
            Approve{name}
          </Button>
        )
      )}
    </div>
  )
}

function MarketIds({ order: { marketId, marketIds } }: { order: Order }) {
  if (marketIds.length <= 1) return <span className="font-mono">{marketId}</span>
  const more = marketIds.length - MARKET_IDS_SHOWN
  return (
    <span className="inline-grid leading-snug">
      <span className="text-muted">{marketIds.length} market IDs</span>
      {marketIds.slice(0, MARKET_IDS_SHOWN).map((one, index) => (
        <span key={`${index}-${one.marketId}`}>
          <span className="font-mono">{one.marketId}</span> ({millions(one.amount)})
        </span>
      ))}
      {more > 0 && <span className="text-muted">+{more} more...</span>}
    </span>
  )
}
