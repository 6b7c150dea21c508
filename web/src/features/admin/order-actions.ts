import type { Order } from '#contract/order.ts'
import { approveOrder } from '../../api/admin.ts'
import { ApiError, sayError } from '../../api/client.ts'
import { toast } from '../../components/ui/toast.ts'

export type OrderChosen = Pick<Order, 'id' | 'orderNumber'>

/** Approves, and says how it went: true where it did. */
export async function approve({ id, orderNumber }: OrderChosen): Promise<boolean> {
  try {
    const { message } = await approveOrder(id)
    toast('Order Approved', message)
    return true
  } catch (error) {
    const text = error instanceof ApiError ? sayError(error) : `Failed to approve order ${orderNumber}`
    toast('Approval Failed', text, { destructive: true })
    return false
  }
}
