import type { Order } from '#contract/order.ts'
import { markDelivered } from '../../api/admin.ts'
import { sayError } from '../../api/client.ts'
import { toast } from '../../components/ui/toast.ts'
import { count } from '../../lib/format.ts'
import type { Failed } from './call-each.ts'
import { EachDialog, type OrderChosen } from './each-dialog.tsx'
import { OrdersNamed } from './orders-named.tsx'

/** Asks once for all orders whether their coins were given. */
export function DeliverDialog({ orders, onClose }: { orders: readonly Order[]; onClose: () => void }) {
  const isOne = orders.length === 1
  const onEnd = (done: readonly OrderChosen[], failed: readonly Failed<OrderChosen>[]) => {
    const [first] = failed
    const what = isOne ? `Order ${orders[0]?.orderNumber} was` : `${count(orders.length)} orders were`
    if (first === undefined) toast('Marked delivered', `${what} marked as delivered.`)
    else toast('Not marked', failureText(first, done.length + failed.length, failed.length), { destructive: true })
  }
  return (
    <EachDialog
      orders={orders}
      title={isOne ? 'Mark this order delivered?' : `Mark ${count(orders.length)} orders delivered?`}
      action="Mark delivered"
      kind="primary"
      doing="Marking"
      did="marked as delivered"
      call={async ({ id }) => markDelivered(id)}
      onEnd={onEnd}
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

function failureText({ of, error }: Failed<OrderChosen>, tried: number, failed: number): string {
  if (tried > 1) return `${count(failed)} of ${count(tried)} orders were not marked as delivered.`
  return `Order ${of.orderNumber} was not marked as delivered. ${sayError(error)}`
}
