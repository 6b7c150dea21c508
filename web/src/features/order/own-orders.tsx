import { useEffect } from 'react'
import { Link } from 'react-router-dom'
import type { Order, Situation } from '#contract/order.ts'
import { isMissing } from '../../api/client.ts'
import { useOrder } from '../../api/orders.ts'
import { forgetOrder, type OwnOrder, useOwnOrders } from '../../api/own-orders.ts'
import { Grouped } from '../../components/ui/grouped.tsx'
import { wording } from './wording.ts'

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
