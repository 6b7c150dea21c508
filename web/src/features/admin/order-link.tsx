import type { Order } from '#contract/order.ts'
import { Link } from 'react-router-dom'
import { InFours } from '../../components/ui/in-fours.tsx'
import { openedHere } from './way-back.ts'

/** Opens an order over the current page. `search` keeps the list behind it as it is. */
export function OrderLink({ order, search = '' }: { order: Pick<Order, 'id' | 'orderNumber'>; search?: string }) {
  return (
    <Link
      className="link inline-flex min-h-6 items-center"
      to={{ pathname: `/admin/orders/${order.id}`, search }}
      state={openedHere}
    >
      <InFours text={order.orderNumber} />
    </Link>
  )
}
