import type { Order } from '#contract/order.ts'
import { Link } from 'react-router-dom'
import { Grouped } from '../../../components/ui/grouped.tsx'
import { type Column, Table } from '../../../components/ui/table.tsx'
import { Time } from '../../../components/ui/time.tsx'
import { centsOf, millions, usd } from '../../../lib/format.ts'
import { type PendingAction, NextAction } from './order-actions.tsx'
import { OrderState } from './order-state.tsx'
import { searchAt, useAsOf } from './use-as-of.ts'
import { openedHere } from './way-back.ts'
import { paidWith } from './staff-words.ts'

const MARKET_IDS_SHOWN = 2

type Ticked = Pick<ReadonlySet<string>, 'has'>

export interface OrderRows {
  readonly orders: readonly Order[]
  /** The query of the list, kept while an order is open. */
  readonly address: string
  readonly onAction: (pending: PendingAction) => void
  /** Undefined if selection is off. */
  readonly ticked: Ticked | undefined
  readonly onTick: (order: Order, isTicked: boolean) => void
}

export const orderNumberColumn: Column<Order> = {
  name: 'Order',
  className: 'w-26',
  cellClassName: 'whitespace-nowrap',
  cell: (order) => <OrderLink order={order} />,
}
const orderIdColumn: Column<Order> = { name: 'Order ID', cell: ({ orderNumber }) => <Grouped text={orderNumber} /> }
const customerColumn: Column<Order> = {
  name: 'Customer',
  title: ({ customerEmail }) => customerEmail,
  cell: ({ customerEmail }) => customerEmail,
}
export const discordColumn: Column<Order> = {
  name: 'Discord',
  cellClassName: 'max-w-36 truncate',
  title: ({ discordUsername }) => discordUsername,
  cell: ({ discordUsername }) => discordUsername,
}
const marketIdColumn: Column<Order> = {
  name: 'Market ID',
  cellClassName: 'py-1',
  cell: (order) => <MarketIds order={order} />,
}
export const pokecoinsColumn: Column<Order> = {
  name: 'Pokecoins',
  className: 'text-right',
  cellClassName: 'tabular',
  cell: ({ pokecoinAmount }) => millions(pokecoinAmount),
}
export const amountColumn: Column<Order> = {
  name: 'Amount',
  className: 'text-right',
  cellClassName: 'tabular',
  cell: ({ totalAmount }) => usd(centsOf(totalAmount)),
}
const paymentColumn: Column<Order> = { name: 'Payment', cell: ({ paymentMethod }) => paidWith(paymentMethod) }
export const statusColumn: Column<Order> = {
  name: 'Status',
  cellClassName: 'min-w-42 max-w-52',
  cell: (order) => <OrderState order={order} />,
}
export const dateColumn: Column<Order> = {
  name: 'Date',
  cellClassName: 'tabular',
  cell: ({ createdAt }) => <Time iso={createdAt} />,
}

/** A column of checkboxes that select orders. */
export function tickColumn(ticked: Ticked, onTick: (order: Order, isTicked: boolean) => void): Column<Order> {
  return {
    name: 'Select',
    isPlain: true,
    head: <span className="sr-only">Select</span>,
    className: 'w-10 pr-0! pl-3! max-[899px]:absolute! max-[899px]:right-2',
    cell: (order) => (
      <label className="grid size-7 flex-none place-items-center">
        <input
          type="checkbox"
          className="size-4.5"
          checked={ticked.has(order.id)}
          onChange={(event) => onTick(order, event.currentTarget.checked)}
        />
        <span className="sr-only">Select order {order.orderNumber}</span>
      </label>
    ),
  }
}

export function OrderTable(rows: OrderRows) {
  const { orders, ticked, onTick } = rows
  const selects = ticked !== undefined
  const columns: Column<Order>[] = [
    orderIdColumn,
    { ...customerColumn, cellClassName: `truncate ${selects ? 'max-w-32' : 'max-w-40'}` },
    { ...discordColumn, cellClassName: `truncate ${selects ? 'max-w-24' : 'max-w-26'}` },
    marketIdColumn,
    pokecoinsColumn,
    amountColumn,
    paymentColumn,
    statusColumn,
    dateColumn,
    {
      name: 'Actions',
      isPlain: true,
      className: 'sticky right-0 shadow-[-1px_0_0_var(--color-line)] [thead_&]:bg-sunk',
      cellClassName: 'bg-surface group-hover:bg-sunk',
      cell: (order) => <Actions rows={rows} order={order} />,
    },
  ]
  if (selects) columns.unshift(tickColumn(ticked, onTick))
  return (
    <Table
      columns={columns}
      rows={orders}
      className="whitespace-nowrap [&_td]:px-3 [&_th]:px-2 min-[900px]:[&_td]:px-2"
    />
  )
}

/** Opens an order over the current page, as of the page's day. */
function OrderLink({ order }: { order: Order }) {
  return (
    <Link
      className="link inline-flex min-h-6 items-center"
      to={{ pathname: `/admin/orders/${order.id}`, search: searchAt(useAsOf()) }}
      state={openedHere}
    >
      <Grouped text={order.orderNumber} />
    </Link>
  )
}

function Actions({ rows: { address, onAction }, order }: { rows: OrderRows; order: Order }) {
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
      <NextAction order={order} name={name} onAction={onAction} className="px-2 py-0.5 min-[900px]:min-h-8" />
    </div>
  )
}

function MarketIds({ order: { marketId: only, marketIds } }: { order: Order }) {
  if (marketIds.length <= 1) return <span className="font-mono">{only}</span>
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
