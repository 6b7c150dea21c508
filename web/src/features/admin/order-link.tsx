import type { Order } from '#contract/order.ts'
import { Link } from 'react-router-dom'
import { Grouped } from '../../components/ui/grouped.tsx'
import { searchAt, useAsOf } from './use-as-of.ts'
import { openedHere } from './way-back.ts'

/** Opens an order over the current page, as of the same day. */
export function OrderLink({ order }: { order: Order }) {
  const asOf = useAsOf()
  return (
    <Link
      className="link inline-flex min-h-6 items-center"
      to={{ pathname: `/admin/orders/${order.id}`, search: searchAt(asOf) }}
      state={openedHere}
    >
      <Grouped text={order.orderNumber} />
    </Link>
  )
}
