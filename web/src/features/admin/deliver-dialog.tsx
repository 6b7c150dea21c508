import type { Order } from '#contract/order.ts'
import { markDelivered } from '../../api/admin.ts'
import { toast } from '../../components/ui/toast.ts'
import { count } from '../../lib/format.ts'
import { EachDialog } from './each-dialog.tsx'
import { OrdersNamed } from './orders-named.tsx'

/** Asks once for all orders whether their coins were given. */
export function DeliverDialog({ orders, onClose }: { orders: readonly Order[]; onClose: () => void }) {
  const isOne = orders.length === 1
  const what = isOne ? `Order ${orders[0]?.orderNumber} was` : `${count(orders.length)} orders were`
  return (
    <EachDialog
      orders={orders}
      title={isOne ? 'Mark this order delivered?' : `Mark ${count(orders.length)} orders delivered?`}
      action="Mark delivered"
      kind="primary"
      doing="Marking"
      did="marked as delivered"
      call={async ({ id }) => markDelivered(id)}
      onEnd={(_, failed) => failed.length === 0 && toast('Marked delivered', `${what} marked as delivered.`)}
      reportTitle={isOne ? 'The order was not marked' : 'Not every order was marked'}
      onClose={onClose}
    >
      <OrdersNamed orders={orders} />
      <p>
        {isOne
          ? 'Its buyer is told that the coins were delivered.'
          : 'Their buyers are told that the coins were delivered.'}{' '}
        There is no way back.
      </p>
    </EachDialog>
  )
}
