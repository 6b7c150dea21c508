import type { Order } from '#contract/order.ts'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useSold } from '../../../api/shop.ts'
import { CopyIcon } from '../../../components/ui/copy-button.tsx'
import { Check } from '../../../components/ui/field.tsx'
import { Grouped } from '../../../components/ui/grouped.tsx'
import { type Column, Table } from '../../../components/ui/table.tsx'
import { Time } from '../../../components/ui/timeline.tsx'
import { centsOf, millions, usd } from '../../../lib/format.ts'
import { type PendingAction, NextAction } from './order-actions.tsx'
import { OrderState } from './order-state.tsx'
import { openedHere, placeOf, useAddress } from './use-as-of.ts'
import { paidWith } from './staff-words.ts'

export interface Ticks {
  readonly ticked: Pick<ReadonlySet<string>, 'has'>
  readonly onTick: (order: Order, isTicked: boolean) => void
}

/** The columns of the lists of orders. */
export const orderColumns = {
  number: {
    name: 'Order',
    className: 'w-26',
    cellClassName: 'whitespace-nowrap',
    cell: (order) => <OrderLink order={order} />,
  },
  id: { name: 'Order ID', cell: ({ orderNumber }) => <Grouped text={orderNumber} /> },
  customer: {
    name: 'Customer',
    title: ({ customerEmail }) => customerEmail,
    cell: ({ customerEmail }) => customerEmail,
  },
  discord: {
    name: 'Discord',
    cellClassName: 'max-w-36 truncate',
    title: ({ discordUsername }) => discordUsername,
    cell: ({ discordUsername }) => discordUsername,
  },
  marketId: { name: 'Market ID', cell: (order) => <MarketIds order={order} /> },
  coins: {
    name: 'Pokecoins',
    head: <CoinsWord />,
    className: 'text-right',
    cellClassName: 'tabular-nums',
    cell: ({ pokecoinAmount }) => millions(pokecoinAmount),
  },
  amount: {
    name: 'Amount',
    className: 'text-right',
    cellClassName: 'tabular-nums',
    cell: ({ totalAmount }) => usd(centsOf(totalAmount)),
  },
  payment: { name: 'Payment', cell: ({ paymentMethod }) => paidWith(paymentMethod) },
  status: { name: 'Status', cellClassName: 'max-w-62', cell: (order) => <OrderState order={order} /> },
  date: { name: 'Date', cellClassName: 'tabular-nums', cell: ({ createdAt }) => <Time iso={createdAt} /> },
} as const satisfies Readonly<Record<string, Column<Order>>>

function CoinsWord() {
  return useSold().coins
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
    <Check
      className="size-7 min-h-7! flex-none justify-center gap-0!"
      checked={ticked.has(order.id)}
      onChange={(event) => onTick(order, event.currentTarget.checked)}
    >
      <span className="sr-only">Select order {order.orderNumber}</span>
    </Check>
  )
}

interface OrderLineProps {
  order: Order
  ticks?: Ticks | undefined
  action?: ReactNode
  /** Two lines, in place of the buyer's name and the state. */
  children?: ReactNode
}

/** An order on a narrow window: its number, coins and amount, two more lines, and what can be done with it. */
export function OrderLine({ order, ticks, action, children }: OrderLineProps) {
  return (
    <div className="flex min-h-18 items-center gap-2 px-3">
      {ticks && <Tick order={order} {...ticks} />}
      <div className="min-w-0 flex-1">
        <p className="flex h-6 items-center gap-1.5 whitespace-nowrap tabular-nums">
          <OrderLink order={order} className="font-semibold">
            <span className="sr-only">View order </span>
            <Grouped text={order.orderNumber} />
          </OrderLink>{' '}
          {millions(order.pokecoinAmount)} · {amountOf(order)}
        </p>
        <div className="flex flex-wrap items-center gap-x-2">
          <div className="min-w-28 flex-1 [&>p]:h-6 [&>p]:truncate [&>p]:leading-6">
            {children ?? (
              <>
                <p>{order.discordUsername}</p>
                <p>
                  <OrderState order={order} isShort />
                </p>
              </>
            )}
          </div>
          {action}
        </div>
      </div>
    </div>
  )
}

/** `$2.25 · PayPal`. */
export function amountOf({ totalAmount, paymentMethod }: Order): string {
  return `${usd(centsOf(totalAmount))} · ${paidWith(paymentMethod)}`
}

/** The line of a list that only shows its orders. */
export const orderLine = (order: Order) => <OrderLine order={order} />

interface OrderTableProps {
  orders: readonly Order[]
  onAction: (pending: PendingAction) => void
  /** Undefined if selection is off. */
  ticks: Ticks | undefined
}

export function OrderTable({ orders, onAction, ticks }: OrderTableProps) {
  const columns: readonly Column<Order>[] = [
    ...(ticks ? [tickColumn(ticks)] : []),
    orderColumns.id,
    { ...orderColumns.customer, cellClassName: `truncate ${ticks ? 'max-w-22' : 'max-w-28'}` },
    { ...orderColumns.discord, cellClassName: `truncate ${ticks ? 'max-w-22' : 'max-w-24'}` },
    orderColumns.marketId,
    orderColumns.coins,
    orderColumns.amount,
    orderColumns.payment,
    orderColumns.status,
    orderColumns.date,
    {
      name: 'Actions',
      className: 'sticky right-0 shadow-[-1px_0_0_var(--color-line)] [thead_&]:bg-sunk',
      cellClassName: 'bg-surface group-hover:bg-sunk',
      cell: (order) => (
        <div className="flex items-center gap-2.5">
          <OrderLink order={order} className="font-semibold">
            View<span className="sr-only"> order {order.orderNumber}</span>
          </OrderLink>
          <NextAction order={order} isNamed onAction={onAction} className="min-h-8 px-2 py-0.5" />
        </div>
      ),
    },
  ]
  return (
    <Table
      columns={columns}
      rows={orders}
      line={(order) => (
        <OrderLine
          order={order}
          ticks={ticks}
          action={<NextAction order={order} isNamed onAction={onAction} className="px-2" />}
        />
      )}
      className="whitespace-nowrap [&_td]:px-1.5 [&_th]:px-1.5"
    />
  )
}

interface OrderLinkProps {
  order: Order
  className?: string
  children?: ReactNode
}

/** Opens an order over the current page, whose query and search are kept. */
export function OrderLink({ order, className = '', children }: OrderLinkProps) {
  const { address } = useAddress()
  return (
    <Link
      className={`link inline-flex min-h-6 items-center ${className}`}
      to={{ pathname: `/admin/orders/${order.id}`, ...placeOf(address) }}
      state={openedHere}
    >
      {children ?? <Grouped text={order.orderNumber} />}
    </Link>
  )
}

/** The one market ID, or how many there are, which opens the list. `canCopy` adds copy buttons. */
export function MarketIds({ order, canCopy = false }: { order: Order; canCopy?: boolean }) {
  const { marketId: only, marketIds, orderNumber } = order
  const shown = (marketId: string) => (
    <>
      <span className="font-mono">{marketId}</span>
      {canCopy && <CopyIcon text={marketId} what={`market ID ${marketId}`} />}
    </>
  )
  if (marketIds.length <= 1) return <span className="flex h-6 items-center">{shown(only)}</span>
  return (
    <details>
      <summary className="link min-h-6 w-fit">
        {marketIds.length} IDs<span className="sr-only"> of order {orderNumber}</span>
      </summary>
      <ul className="grid pb-1">
        {marketIds.map(({ marketId, amount }, index) => (
          <li key={`${index}-${marketId}`} className="tabular-nums flex items-center gap-1 leading-6">
            {shown(marketId)} <span className="text-muted">({millions(amount)})</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
