import type { Order } from '#contract/order.ts'
import { useState } from 'react'
import { approveOrder } from '../../api/admin.ts'
import { ApiError, sayError } from '../../api/client.ts'
import { toast } from '../../components/ui/toast.ts'

/** Approves an order once, however often it is pressed meanwhile. */
export function useApprove() {
  const [approving, setApproving] = useState<ReadonlySet<string>>(new Set())
  const approve = async ({ id, orderNumber }: Pick<Order, 'id' | 'orderNumber'>) => {
    setApproving((ids) => new Set([...ids, id]))
    try {
      const { message } = await approveOrder(id)
      toast('Order Approved', message)
    } catch (error) {
      const text = error instanceof ApiError ? sayError(error) : `Failed to approve order ${orderNumber}`
      toast('Approval Failed', text, { destructive: true })
    }
    setApproving((ids) => new Set([...ids].filter((other) => other !== id)))
  }
  return { approving, approve }
}
