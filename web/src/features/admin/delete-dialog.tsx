import { deleteOrder } from '../../api/admin.ts'
import { ApiError, sayError } from '../../api/client.ts'
import { toast } from '../../components/ui/toast.ts'
import { count } from '../../lib/format.ts'
import type { Failed } from './call-each.ts'
import { EachDialog, type OrderChosen } from './each-dialog.tsx'
import { OrdersNamed } from './orders-named.tsx'

interface DeleteDialogProps {
  orders: readonly OrderChosen[]
  note: string | undefined
  /** Those that were deleted, also when others were not. */
  onDeleted: (orders: readonly OrderChosen[]) => void
  onClose: () => void
}

export function DeleteDialog({ orders, note, onDeleted, onClose }: DeleteDialogProps) {
  const onEnd = (deleted: readonly OrderChosen[], failed: readonly Failed<OrderChosen>[]) => {
    if (deleted.length > 0) onDeleted(deleted)
    if (failed.length === 0) toast('Orders Deleted', `Successfully deleted ${count(deleted.length)} order(s)`)
    else toast('Delete Failed', failureText(failed, deleted.length + failed.length), { destructive: true })
  }
  return (
    <EachDialog
      orders={orders}
      title={orders.length === 1 ? 'Delete this order?' : `Delete ${count(orders.length)} orders?`}
      action="Delete"
      kind="danger"
      doing="Deleting"
      did="deleted"
      call={async ({ id }) => deleteOrder(id)}
      onEnd={onEnd}
      reportTitle="Not every order was deleted"
      failure="Failed to delete order"
      choicesFor={(failed) =>
        isAboutCoins(failed) ? { text: coinsQuestion, choices: coinChoices(failed.of) } : undefined
      }
      onClose={onClose}
    >
      <p>
        Are you sure you want to delete {count(orders.length)} selected order(s)? This will also update revenue
        analytics.
      </p>
      <OrdersNamed orders={orders} />
      {note !== undefined && orders.length > 1 && <p className="tabular text-muted">{note}</p>}
    </EachDialog>
  )
}

const coinsQuestion = 'Its coins may have been given. Were they?'

function isAboutCoins({ error }: Failed<unknown>): boolean {
  return error instanceof ApiError && error.code === 'order/coins-given-unknown'
}

function coinChoices({ orderNumber }: OrderChosen) {
  const given = (
    <>
      Given: delete<span className="sr-only"> order {orderNumber}</span>
    </>
  )
  const notGiven = (
    <>
      Not given: delete, back to stock<span className="sr-only">, order {orderNumber}</span>
    </>
  )
  return [
    { name: given, call: async ({ id }: OrderChosen) => deleteOrder(id, true) },
    { name: notGiven, call: async ({ id }: OrderChosen) => deleteOrder(id, false) },
  ]
}

function failureText(failed: readonly Failed<OrderChosen>[], tried: number): string {
  const [first] = failed
  if (tried > 1 || first === undefined) return `Failed to delete selected orders: ${failed.length} of ${tried}`
  const why = isAboutCoins(first) ? coinsQuestion : sayError(first.error)
  return `Failed to delete order ${first.of.orderNumber}. ${why}`
}
