import type { Order } from '#contract/order.ts'
import { approveOrder } from '../../api/admin.ts'
import { ApiError, sayError } from '../../api/client.ts'
import { useShop } from '../../api/shop.ts'
import { toast } from '../../components/ui/toast.ts'
import { useAction } from '../../components/ui/use-action.ts'
import { ConfirmDialog } from '../../components/ui/confirm-dialog.tsx'
import { OrdersNamed } from './orders-named.tsx'
import { approvalSentence, lackSentence } from './words.ts'

/** Asks before approving, and says what it does. */
export function ApproveDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const lacks = lackSentence(order)
  const deliveryMode = useShop()?.deliveryMode ?? 'staff'
  const approve = useAction(
    async () => {
      const { message } = await approveOrder(order.id)
      toast('Order Approved', message)
      onClose()
    },
    (error) => {
      const text = error instanceof ApiError ? sayError(error) : `Failed to approve order ${order.orderNumber}`
      toast('Approval Failed', text, { destructive: true })
    },
  )
  return (
    <ConfirmDialog
      title="Approve this order?"
      action="Approve"
      kind="primary"
      pending={approve.isBusy && 'Approving...'}
      onConfirm={approve.run}
      onClose={onClose}
    >
      <OrdersNamed orders={[order]} />
      {lacks !== undefined && <p className="font-medium text-red">{lacks}</p>}
      <p>{approvalSentence(order, deliveryMode)}</p>
    </ConfirmDialog>
  )
}
