import type { Order } from '#contract/order.ts'
import { useState } from 'react'
import { useShop } from '../../api/shop.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { approve } from './order-actions.ts'
import { OrdersNamed } from './orders-named.tsx'
import { approvalSentence } from './words.ts'

/** Says what approving does before it is done. */
export function ApproveDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const deliveryMode = useShop()?.deliveryMode ?? 'staff'
  const [isPending, setPending] = useState(false)
  const confirm = async () => {
    setPending(true)
    if (await approve(order)) onClose()
    else setPending(false)
  }
  return (
    <ConfirmDialog
      title="Approve this order?"
      action="Approve"
      kind="primary"
      pending={isPending && 'Approving...'}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <OrdersNamed orders={[order]} />
      <p>{approvalSentence(order, deliveryMode)}</p>
    </ConfirmDialog>
  )
}
