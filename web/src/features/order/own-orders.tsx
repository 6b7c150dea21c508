import { useEffect, useRef } from 'react'
import { Link } from 'react-router-dom'
import type { Order, Situation } from '#contract/order.ts'
import { isMissing } from '../../api/client.ts'
import { useOrder } from '../../api/orders.ts'
import { forgetOrder, type OwnOrder, useOwnOrders } from '../../api/own-orders.ts'
import { Grouped } from '../../components/ui/grouped.tsx'
import { isPaid, wording } from './wording.ts'
import { useSold } from '../../api/shop.ts'
import { toast } from '../../components/ui/use-action.ts'

const CHECKED_EVERY_MS = 30_000

/** Forgets an order once its buyer has seen that it is done. */
export function useSeen({ id, status, attention }: Order): void {
  const isDone = status !== 'pending' && attention === null
  useEffect(() => {
    if (isDone) forgetOrder(id)
  }, [isDone, id])
}

/** The orders that this browser has placed and not yet seen done, each with where it stands. */
export function OwnOrders() {
  const orders = useOwnOrders()
  if (orders.length === 0) return null
  return (
    <ul aria-label="Your orders" className="grid gap-1 rounded-surface border border-line bg-sunk px-4 py-2.5">
      {orders.map((order) => (
        <OwnOrderLine key={order.id} {...order} />
      ))}
    </ul>
  )
}

function OwnOrderLine({ id, orderNumber }: OwnOrder) {
  const { data, error } = useOrder(id, CHECKED_EVERY_MS)
  const isGone = isMissing(error)
  useEffect(() => {
    if (isGone) forgetOrder(id)
  }, [isGone, id])
  return (
    <li>
      Your order{' '}
      <Link className="link inline-flex min-h-6 items-center" to={`/order/${id}`}>
        <Grouped text={orderNumber} />
      </Link>
      {data && `: ${short[data.situation] ?? wording[data.situation].badge.toLowerCase()}`}
    </li>
  )
}

const short: Partial<Record<Situation, string>> = {
  'to-pay': 'not paid yet',
  'pre-order-to-pay': 'not paid yet',
  delivering: 'paid, being handed over',
  approved: 'approved, being handed over',
}

/** Stays true once the order was paid, even if an older response arrives later. */
export function useWasPaid(order: Pick<Order, 'status' | 'paymentStatus'>): boolean {
  const wasPaid = useRef(false)
  if (isPaid(order)) wasPaid.current = true
  return wasPaid.current
}

/** Announces a change of the status while the page is open, not after a reload. */
export function useOutcomeToast({ status, endedAs }: Pick<Order, 'status' | 'endedAs'>, wasPaid: boolean): void {
  const before = useRef(status)
  const { deliveredCoins } = useSold()
  useEffect(() => {
    if (before.current === status) return
    before.current = status
    if (status === 'completed') toast('Delivered', `Your ${deliveredCoins} have been delivered successfully!`)
    if (endedAs === 'refunded') toast('Refunded', 'A refund of this order was noted.')
    else if (wasPaid && status === 'failed') {
      toast('Processing Error', 'Failed to process your order. Please contact support.', { destructive: true })
    }
  }, [wasPaid, status, endedAs, deliveredCoins])
}
