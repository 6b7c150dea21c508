import { type ReactNode, useState } from 'react'
import type { Order } from '#contract/order.ts'
import { Button } from '../../components/ui/button.tsx'
import { CopyIcon } from '../../components/ui/copy-button.tsx'
import { millions } from '../../lib/format.ts'
import { OrderLink } from './order-link.tsx'
import { ageOf } from './words.ts'

/** More than one over these are behind a button. */
const MARKET_IDS_SHOWN = 3

export interface ToDeliverRows {
  readonly orders: readonly Order[]
  readonly now: number
  /** Undefined: there is no second one to tick. */
  readonly ticked: ReadonlySet<string> | undefined
  readonly onTick: (order: Order, isTicked: boolean) => void
  readonly onDeliver: (order: Order) => void
}

interface RowProps {
  rows: ToDeliverRows
  order: Order
}

export function ToDeliverTable(rows: ToDeliverRows) {
  return (
    <table className="w-full table-fixed">
      <thead className="sticky top-0 z-10 bg-sunk text-left whitespace-nowrap text-muted shadow-[0_1px_0_var(--color-line)]">
        <tr>
          {rows.ticked !== undefined && (
            <th scope="col" className="w-10 pl-3 sm:pl-4">
              <span className="sr-only">Select</span>
            </th>
          )}
          <Heading width="w-26">Order</Heading>
          <Heading width="w-24" isNumber>
            Waiting
          </Heading>
          <Heading width="w-52">Discord</Heading>
          <Heading width="w-24" isNumber>
            Pokecoins
          </Heading>
          <Heading width="w-auto">Market ID</Heading>
          <Heading width="w-43">Action</Heading>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {rows.orders.map((order) => (
          <tr key={order.id} className="h-10 hover:bg-sunk">
            {rows.ticked !== undefined && (
              <td className="pl-3 sm:pl-4">
                <Tick rows={rows} order={order} />
              </td>
            )}
            <td className="px-3 whitespace-nowrap">
              <OrderLink order={order} />
            </td>
            <td className="tabular px-3 text-right whitespace-nowrap">
              <Age rows={rows} order={order} />
            </td>
            <td className="px-3 py-1">
              <ChatName order={order} />
            </td>
            <td className="tabular px-3 text-right">{millions(order.pokecoinAmount)}</td>
            <td className="px-3 py-1">
              <MarketIds order={order} />
            </td>
            <td className="px-3 py-1 whitespace-nowrap">
              <Mark rows={rows} order={order} className="min-h-8 px-2 py-0.5" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Heading({ children, width, isNumber = false }: { children: string; width: string; isNumber?: boolean }) {
  return (
    <th scope="col" className={`h-9 px-3 font-medium ${width} ${isNumber ? 'text-right' : ''}`}>
      {children}
    </th>
  )
}

/** The same rows where seven columns do not fit. */
export function ToDeliverCards(rows: ToDeliverRows) {
  return (
    <ul className="divide-y divide-line">
      {rows.orders.map((order) => (
        <li key={order.id} className="flex gap-2 px-3 py-2.5">
          {rows.ticked !== undefined && <Tick rows={rows} order={order} />}
          <div className="grid min-w-0 flex-1 gap-1">
            <div className="flex flex-wrap items-center justify-between gap-x-3">
              <OrderLink order={order} />
              <span className="tabular text-muted">
                <Age rows={rows} order={order} />
              </span>
            </div>
            <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
              <Fact name="Discord">
                <ChatName order={order} />
              </Fact>
              <Fact name="Pokecoins">{millions(order.pokecoinAmount)}</Fact>
              <Fact name="Market ID">
                <MarketIds order={order} />
              </Fact>
            </dl>
            <Mark rows={rows} order={order} className="justify-self-start" />
          </div>
        </li>
      ))}
    </ul>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="flex min-h-7 items-center self-start text-muted">{name}</dt>
      <dd className="tabular flex min-h-7 min-w-0 items-center">{children}</dd>
    </>
  )
}

function Tick({ rows: { ticked, onTick }, order }: RowProps) {
  return (
    <label className="grid size-7 flex-none place-items-center">
      <input
        type="checkbox"
        className="size-4.5"
        checked={ticked?.has(order.id) ?? false}
        onChange={(event) => onTick(order, event.currentTarget.checked)}
      />
      <span className="sr-only">Select order {order.orderNumber}</span>
    </label>
  )
}

function Age({ rows: { now }, order: { ready } }: RowProps) {
  return ready && <time dateTime={ready.since}>{ageOf(ready.since, now)}</time>
}

function ChatName({ order: { discordUsername, orderNumber } }: { order: Order }) {
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-0.5 align-middle">
      <span className="min-w-0 wrap-anywhere">{discordUsername}</span>
      <CopyIcon text={discordUsername} what={`chat name of order ${orderNumber}`} />
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

function Mark({ rows: { onDeliver }, order, className }: RowProps & { className: string }) {
  return (
    <Button size="small" className={className} onClick={() => onDeliver(order)}>
      Mark delivered<span className="sr-only"> order {order.orderNumber}</span>
    </Button>
  )
}
