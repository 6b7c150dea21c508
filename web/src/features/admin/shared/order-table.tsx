import type { Order } from '#contract/order.ts'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useSold } from '../../../api/shop.ts'
import { CopyIcon } from '../../../components/ui/copy-button.tsx'
import { Grouped } from '../../../components/ui/grouped.tsx'
import { type Column, Table } from '../../../components/ui/table.tsx'
import { Time } from '../../../components/ui/time.tsx'
import { centsOf, millions, usd } from '../../../lib/format.ts'
import { type PendingAction, NextAction } from './order-actions.tsx'
import { OrderState } from './order-state.tsx'
import { type Place, searchAt, useAsOf } from './use-as-of.ts'
import { openedHere } from './way-back.ts'
import { paidWith } from './staff-words.ts'

type Ticked = Pick<ReadonlySet<string>, 'has'>

export interface Ticks {
  readonly ticked: Ticked
  readonly onTick: (order: Order, isTicked: boolean) => void
}

export interface OrderRows {
  readonly orders: readonly Order[]
  /** The query and search of the list, kept while an order is open. */
  readonly address: Place
  readonly onAction: (pending: PendingAction) => void
  /** Undefined if selection is off. */
  readonly ticked: Ticked | undefined
  readonly onTick: Ticks['onTick']
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
const marketIdColumn: Column<Order> = { name: 'Market ID', cell: (order) => <MarketIds order={order} /> }
function CoinsWord() {
  return useSold().coins
}

export const pokecoinsColumn: Column<Order> = {
  name: 'Pokecoins',
  head: <CoinsWord />,
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
  cellClassName: 'max-w-62',
  cell: (order) => <OrderState order={order} />,
}
export const dateColumn: Column<Order> = {
  name: 'Date',
  cellClassName: 'tabular',
  cell: ({ createdAt }) => <Time iso={createdAt} />,
}

/** A column of checkboxes that select orders. */
export function tickColumn(ticks: Ticks): Column<Order> {
  return {
    name: 'Select',
    head: <span className="sr-only">Select</span>,
    className: 'w-10 pr-0! pl-3!',
    cell: (order) => <Tick order={order} {...ticks} />,
  }
}

function Tick({ order, ticked, onTick }: Ticks & { order: Order }) {
  return (
    <label className="grid size-7 flex-none place-items-center">
      <input
        type="checkbox"
        className="size-4.5"
        checked={ticked.has(order.id)}
        onChange={(event) => onTick(order, event.currentTarget.checked)}
      />
      <span className="sr-only">Select order {order.orderNumber}</span>
    </label>
  )
}

interface OrderLineProps {
  order: Order
  ticks?: Ticks | undefined
  /** The number, and what stands beside it. */
  head: ReactNode
  action?: ReactNode
  children: ReactNode
}

/** An order on a narrow window: three lines, and what can be done with it. */
export function OrderLine({ order, ticks, head, action, children }: OrderLineProps) {
  return (
    <div className="flex min-h-18 items-center gap-2 px-3">
      {ticks && <Tick order={order} {...ticks} />}
      <div className="min-w-0 flex-1">
        <p className="tabular flex h-6 items-center gap-1.5 whitespace-nowrap">{head}</p>
        <div className="flex items-center gap-2">
          <div className="min-w-0 flex-1 [&>p]:h-6 [&>p]:truncate [&>p]:leading-6">{children}</div>
          {action}
        </div>
      </div>
    </div>
  )
}

export function OrderTable(rows: OrderRows) {
  const { orders, ticked, onTick } = rows
  const ticks = ticked && { ticked, onTick }
  const columns: Column<Order>[] = [
    orderIdColumn,
    { ...customerColumn, cellClassName: `truncate ${ticks ? 'max-w-22' : 'max-w-28'}` },
    { ...discordColumn, cellClassName: `truncate ${ticks ? 'max-w-22' : 'max-w-24'}` },
    marketIdColumn,
    pokecoinsColumn,
    amountColumn,
    paymentColumn,
    statusColumn,
    dateColumn,
    {
      name: 'Actions',
      className: 'sticky right-0 shadow-[-1px_0_0_var(--color-line)] [thead_&]:bg-sunk',
      cellClassName: 'bg-surface group-hover:bg-sunk',
      cell: (order) => <Actions rows={rows} order={order} />,
    },
  ]
  if (ticks) columns.unshift(tickColumn(ticks))
  return (
    <Table
      columns={columns}
      rows={orders}
      line={(order) => (
        <OrderLine
          order={order}
          ticks={ticks}
          head={
            <>
              <ViewLink order={order} address={rows.address}>
                <span className="sr-only">View order </span>
                <Grouped text={order.orderNumber} />
              </ViewLink>{' '}
              {usd(centsOf(order.totalAmount))} · {paidWith(order.paymentMethod)}
            </>
          }
          action={<NextAction order={order} onAction={rows.onAction} name={nameOf(order)} className="px-2" />}
        >
          <p>
            {millions(order.pokecoinAmount)} · {order.discordUsername}
          </p>
          <p>
            <OrderState order={order} isShort />
          </p>
        </OrderLine>
      )}
      className="whitespace-nowrap [&_td]:px-1.5 [&_th]:px-1.5 max-[899px]:[&_td]:px-0"
    />
  )
}

/** Opens an order over the current page, as of the page's day. */
export function OrderLink({ order }: { order: Order }) {
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

function nameOf({ orderNumber }: Order): ReactNode {
  return <span className="sr-only"> order {orderNumber}</span>
}

function ViewLink({ order, address, children }: { order: Order; address: Place; children: ReactNode }) {
  return (
    <Link
      className="link inline-flex min-h-6 items-center font-semibold"
      to={{ pathname: `/admin/orders/${order.id}`, ...address }}
      state={openedHere}
    >
      {children}
    </Link>
  )
}

function Actions({ rows: { address, onAction }, order }: { rows: OrderRows; order: Order }) {
  return (
    <div className="flex items-center gap-2.5">
      <ViewLink order={order} address={address}>
        View{nameOf(order)}
      </ViewLink>
      <NextAction order={order} name={nameOf(order)} onAction={onAction} className="min-h-8 px-2 py-0.5" />
    </div>
  )
}

/** The one market ID, or how many there are, which opens the list. `isCopied` adds buttons that copy. */
export function MarketIds({ order, isCopied = false }: { order: Order; isCopied?: boolean }) {
  const { marketId: only, marketIds, orderNumber } = order
  const shown = (marketId: string) => (
    <>
      <span className="font-mono">{marketId}</span>
      {isCopied && <CopyIcon text={marketId} what={`market ID ${marketId}`} />}
    </>
  )
  if (marketIds.length <= 1) return <span className="inline-flex items-center">{shown(only)}</span>
  return (
    <details>
      <summary className="link min-h-6 w-fit">
        {marketIds.length} IDs<span className="sr-only"> of order {orderNumber}</span>
      </summary>
      <ul className="grid pb-1">
        {marketIds.map(({ marketId, amount }, index) => (
          <li key={`${index}-${marketId}`} className="tabular flex items-center gap-1 leading-6">
            {shown(marketId)} <span className="text-muted">({millions(amount)})</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
