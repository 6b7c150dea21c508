import type { ReactNode } from 'react'
import { buyerTextNames, buyerTexts, personalDataOfOrder } from '#contract/buyer.ts'
import type { Order, Situation } from '#contract/order.ts'
import { CoinGlyph } from '../../components/coins/coin-stack.tsx'
import { Figure, Line } from '../../components/ui/figure.tsx'
import { centsOf, inrOf, millions, money, usd } from '../../lib/format.ts'
import { methodNames } from '../../method-words.ts'
import { canPay, feeText, holdsUntil, isPaid } from './wording.ts'
import { policy } from '../../claims.ts'
import { Deadline } from '../../components/ui/deadline.tsx'
import { Grouped } from '../../components/ui/grouped.tsx'
import { Notice } from '../../components/ui/notice.tsx'
import { feeCentsIn } from '../../api/orders.ts'
import { useShop } from '../../api/shop.ts'
import { ButtonLink, buttonStyle } from '../../components/ui/button.tsx'

const MARKET_IDS_SHOWN_MAX = 4

interface OrderTotalProps {
  order: Order
  label?: string
  /** Replaces the total in dollars; `also` then replaces the rupees below it. */
  amount?: string
  also?: string
}

/** The total beside a stack of coins. */
export function OrderTotal({ order, label = 'Total', amount, also }: OrderTotalProps) {
  const cents = centsOf(order.totalAmount)
  const below = amount === undefined ? inrOf(cents, order.inrPerUsd) : also
  return (
    <div className="min-w-0">
      <p className="text-sm text-muted">
        {label} for {millions(order.pokecoinAmount)}
      </p>
      <p className="flex items-baseline gap-2.5">
        <CoinGlyph quantityM={order.pokecoinAmount} className="h-10 w-7 flex-none" />
        <Figure className="text-2xl sm:text-3xl">{amount ?? usd(cents)}</Figure>
      </p>
      {below !== undefined && <p className="tabular-nums text-sm text-muted">{below}</p>}
    </div>
  )
}

/** What was paid, else what the chosen method charges, else the total: of an order approved without money, too. */
export function ChargedTotal({ order }: { order: Order }) {
  const { paid, paidCents, refundedCents, inrPerUsd } = order
  const isDone = isPaid(order)
  const chosen = order.methods?.find(({ method }) => method === order.paymentMethod)
  const asked = chosen && paidCents === 0 ? { amount: chosen.payable, currency: chosen.currency } : null
  const charge = isDone ? paid : asked
  if (charge === null) return <OrderTotal order={order} />
  const cents = isDone ? paidCents + refundedCents : centsOf(order.totalAmount)
  const inTheOther = charge.currency === 'INR' ? usd(cents) : inrOf(cents, inrPerUsd)
  const also = feeText(feeCentsIn(order)) ?? inTheOther
  return <OrderTotal order={order} label={isDone ? 'Total paid' : 'Total'} amount={money(charge)} also={also} />
}

/** Who sells, a line for each fact. */
export function SellerText({ seller }: { seller: NonNullable<Order['seller']> }) {
  return <span className="whitespace-pre-line">{Object.values(seller).filter(Boolean).join('\n')}</span>
}

interface OrderDetailsProps {
  order: Order
  change?: ((step: 1 | 2 | 3, what: string) => ReactNode) | undefined
}

export function OrderDetails({ order, change }: OrderDetailsProps) {
  const { seller } = order
  return (
    <>
      <dl className="divide-y divide-line">
        <Line label="Coins">
          {millions(order.pokecoinAmount)} {change?.(1, 'quantity')}
        </Line>
        {buyerTextNames
          .filter((name) => order[name] !== '')
          .map((name) => (
            <Line key={name} label={buyerTexts[name].label}>
              {order[name]} {change?.(2, buyerTexts[name].named)}
            </Line>
          ))}
        <Line label={order.marketIds.length > 1 ? `Market IDs (${order.marketIds.length})` : 'Market ID'}>
          <span className="inline-flex flex-wrap items-baseline justify-end gap-x-1">
            <span>
              <MarketIds order={order} />
            </span>
            {change?.(3, 'market ID')}
          </span>
        </Line>
        {order.paymentMethod !== null && <Line label="Payment method">{methodNames[order.paymentMethod]}</Line>}
        {seller !== undefined && (
          <Line label="Sold by">
            <SellerText seller={seller} />
          </Line>
        )}
        {order.deliveryNote !== undefined && <Line label="Delivery note">{order.deliveryNote.text}</Line>}
        {order.refundTexts[0] && <Line label="Refunded">{order.refundTexts.join('; ')}</Line>}
      </dl>
      {order.isMasked && (
        <p className="text-sm text-muted">
          The {personalDataOfOrder} are shown in full only in the browser that placed this order.
        </p>
      )}
    </>
  )
}

function MarketIds({ order }: { order: Order }) {
  if (order.marketIds.length <= 1) return <span className="font-mono">{order.marketId}</span>
  const rows = order.marketIds.map(({ marketId, amount }, index) => (
    <span key={`${index}-${marketId}`} className="block font-mono">
      {marketId} <span className="font-sans text-muted">{millions(amount)}</span>
    </span>
  ))
  if (rows.length <= MARKET_IDS_SHOWN_MAX) return rows
  return (
    <details>
      <summary className="link min-h-6">Show all {rows.length}</summary>
      {rows}
    </details>
  )
}

const awaitsCoins: ReadonlySet<Situation> = new Set(['approved', 'delivering', 'pre-ordered'])

/** Notices on every screen of an order. `children` are actions for an order that needs attention. */
export function OrderNotices({ order, children }: { order: Order; children?: ReactNode }) {
  const over = overText(order)
  const others = over === undefined || order.attention?.reasons.length !== 1 ? order.attention?.forBuyer : undefined
  const attention = [over ?? '', others ?? ''].join(' ').trim()
  return (
    <>
      {order.providerIsAway === true && (
        <Notice tone="wait" role="status">
          We cannot reach the payment provider right now. We look again by ourselves; your payment is safe.
        </Notice>
      )}
      {awaitsCoins.has(order.situation) && <p>{policy.keepListing}</p>}
      {attention !== '' && (
        <Notice tone="wait">
          <p>{attention}</p>
          {children}
        </Notice>
      )}
    </>
  )
}

function overText({ attention, status, toPayBackCents, paid, inrPerUsd }: Order): string | undefined {
  if (attention?.reasons.includes('over') !== true || status === 'failed' || toPayBackCents === 0) return undefined
  const much = paid?.currency === 'INR' ? inrOf(toPayBackCents, inrPerUsd) : usd(toPayBackCents)
  return `You paid ${much} too much. The shop pays it back.`
}

/** The deadline of an order that is open for payment. */
export function OrderDeadline({ order }: { order: Order }) {
  const isSeen = order.situation === 'seen'
  if (!isSeen && !canPay(order)) return null
  const words = isSeen ? { left: 'left for it', over: 'The time for it is over.' } : {}
  return <Deadline until={order.expiresAt} what={holdsUntil(order)} {...words} />
}

export function OrderNumber({ order, isStacked = false }: { order: Order; isStacked?: boolean }) {
  return (
    <p className={`text-lg ${isStacked ? 'grid sm:text-right' : ''}`}>
      <span className="text-sm text-muted">Order </span>
      <Grouped text={order.orderNumber} className="font-semibold" />
    </p>
  )
}

/** Links to a direct message, or to the contact page if the shop has none. */
export function ContactSupport({ order }: { order: Pick<Order, 'orderNumber'> }) {
  const url = useShop()?.discordDmUrl
  if (url === undefined || url === null)
    return <ButtonLink to={`/contact?order=${order.orderNumber}`}>Contact Support</ButtonLink>
  return (
    <a className={buttonStyle()} href={url} target="_blank" rel="noreferrer">
      Contact Support<span className="sr-only"> about order {order.orderNumber} (opens a new tab)</span>
    </a>
  )
}
