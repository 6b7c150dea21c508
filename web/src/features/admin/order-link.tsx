import type { Order } from '#contract/order.ts'
import { Link } from 'react-router-dom'
import { inFours } from '../../lib/format.ts'
import { openedHere } from './way-back.ts'

/** `ABCD 2345`, one word for those who hear it or copy it. */
export function OrderNumber({ number }: { number: string }) {
  return (
    <span className="font-mono whitespace-nowrap">
      <span className="sr-only">{number}</span>
      <span aria-hidden="true" className="inline-flex gap-[0.3em] select-none">
        {inFours(number).map((part, index) => (
          <span key={`${index}-${part}`}>{part}</span>
        ))}
      </span>
    </span>
  )
}

/** Opens an order over the page where it stands. `search` keeps the list behind it as it is. */
export function OrderLink({ order, search = '' }: { order: Pick<Order, 'id' | 'orderNumber'>; search?: string }) {
  return (
    <Link
      className="link inline-flex min-h-6 items-center"
      to={{ pathname: `/admin/orders/${order.id}`, search }}
      state={openedHere}
    >
      <OrderNumber number={order.orderNumber} />
    </Link>
  )
}
