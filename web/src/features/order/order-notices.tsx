import type { Order, Situation } from '#contract/order.ts'
import type { ReactNode } from 'react'
import { policy } from '../../claims.ts'
import { Deadline } from '../../components/ui/deadline.tsx'
import { Grouped } from '../../components/ui/grouped.tsx'
import { Notice } from '../../components/ui/notice.tsx'
import { inrOf, usd } from '../../lib/format.ts'
import { canPay, holdsUntil } from './wording.ts'
import { useShop } from '../../api/shop.ts'
import { ButtonLink, buttonStyle } from '../../components/ui/button.tsx'

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
          <p>We cannot reach the payment provider right now. We look again by ourselves; your payment is safe.</p>
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
