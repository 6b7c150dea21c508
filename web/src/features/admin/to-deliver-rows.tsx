import { useState } from 'react'
import type { Order } from '#contract/order.ts'
import { CopyIcon } from '../../components/ui/copy-button.tsx'
import { type Column, Table } from '../../components/ui/table.tsx'
import { millions, timeInZone } from '../../lib/format.ts'
import { type Asked, NextAction } from './order-actions.tsx'
import { OrderLink } from './order-link.tsx'
import { OrderTick } from './order-tick.tsx'
import { ageOf } from './words.ts'

/** More than one over these are behind a button. */
const MARKET_IDS_SHOWN = 3

export interface ToDeliverRows {
  readonly orders: readonly Order[]
  readonly now: number
  /** Undefined: there is no second one to tick. */
  readonly ticked: ReadonlySet<string> | undefined
  readonly onTick: (order: Order, isTicked: boolean) => void
  readonly onAsk: (asked: Asked) => void
}

const order: Column<Order> = {
  name: 'Order',
  className: 'w-26',
  cellClassName: 'whitespace-nowrap',
  cell: (one) => <OrderLink order={one} />,
}
const discord: Column<Order> = {
  name: 'Discord',
  className: 'w-52',
  cellClassName: 'py-1',
  cell: (one) => <ChatName order={one} />,
}
const pokecoins: Column<Order> = {
  name: 'Pokecoins',
  className: 'w-24 text-right',
  cellClassName: 'tabular',
  cell: ({ pokecoinAmount }) => millions(pokecoinAmount),
}
const marketId: Column<Order> = {
  name: 'Market ID',
  className: 'w-auto',
  cellClassName: 'py-1',
  cell: (one) => <MarketIds order={one} />,
}

export function ToDeliverTable({ orders, now, ticked, onTick, onAsk }: ToDeliverRows) {
  const columns: Column<Order>[] = [
    order,
    {
      name: 'Waiting',
      className: 'w-24 text-right',
      cellClassName: 'tabular whitespace-nowrap',
      cell: ({ ready }) => <Age ready={ready} now={now} />,
    },
    discord,
    pokecoins,
    marketId,
  ]
  // Nothing can be done in the past.
  if (orders.some(({ may }) => may.deliver || may.approve))
    columns.push({
      name: 'Action',
      isPlain: true,
      className: 'w-43',
      cellClassName: 'py-1 whitespace-nowrap',
      cell: (one) => <Mark order={one} onAsk={onAsk} className="min-h-8 px-2 py-0.5" />,
    })
  if (ticked !== undefined)
    columns.unshift({
      name: 'Select',
      isPlain: true,
      head: <span className="sr-only">Select</span>,
      className: 'w-10 pr-0! pl-3! sm:pl-4!',
      cell: (one) => <OrderTick order={one} isTicked={ticked.has(one.id)} onTick={onTick} />,
    })
  return <Table columns={columns} rows={orders} className="table-fixed [&_td]:px-3 [&_th]:px-3" />
}

function Age({ ready, now }: { ready: Order['ready']; now: number }) {
  if (ready === null) return null
  return (
    <time dateTime={ready.since} title={timeInZone(ready.since)}>
      {ageOf(ready.since, now)}
    </time>
  )
}

function ChatName({ order: { discordUsername, orderNumber, isUnreadable } }: { order: Order }) {
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-0.5 align-middle">
      <span className="min-w-0 wrap-anywhere">{discordUsername}</span>
      {!isUnreadable && <CopyIcon text={discordUsername} what={`chat name of order ${orderNumber}`} />}
    </span>
  )
}

function MarketIds({ order: { marketId: only, marketIds, orderNumber } }: { order: Order }) {
  const [isWhole, setWhole] = useState(false)
  const isShort = marketIds.length <= MARKET_IDS_SHOWN + 1
  const shown = isShort || isWhole ? marketIds : marketIds.slice(0, MARKET_IDS_SHOWN)
  return (
    <span className="flex flex-wrap items-center gap-x-3">
      {marketIds.length === 0 && <span className="font-mono">{only}</span>}
      {shown.map(({ marketId, amount }, index) => (
        <span key={`${index}-${marketId}`} className="tabular inline-flex items-center whitespace-nowrap">
          <span className="font-mono">{marketId}</span>
          <CopyIcon text={marketId} what={`market ID ${marketId}`} />
          <span className="text-muted">{millions(amount)}</span>
        </span>
      ))}
      {!isShort && (
        <button
          type="button"
          className="link inline-flex min-h-7 items-center whitespace-nowrap"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Show fewer' : `+${marketIds.length - MARKET_IDS_SHOWN} more`}
          <span className="sr-only"> market IDs of order {orderNumber}</span>
        </button>
      )}
    </span>
  )
}

function Mark({ order, ...props }: { order: Order; className: string } & Pick<ToDeliverRows, 'onAsk'>) {
  return <NextAction order={order} name={<span className="sr-only"> order {order.orderNumber}</span>} {...props} />
}
