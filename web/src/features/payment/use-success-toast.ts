import { useEffect, useRef } from 'react'
import type { Order } from '#contract/order.ts'
import { useShop } from '../../api/shop.ts'
import { toast } from '../../components/ui/toast.ts'

/** Once the whole sum is there, and not after a reload: what was only asked for, sent or partly paid is no success. */
export function useSuccessToast(order: Order, isDone: boolean): void {
  // Approved by hand, an order is done without money.
  const isPaid = isDone && order.paidCents > 0
  const isSandbox = useShop()?.payments === 'sandbox'
  const wasPaid = useRef(isPaid)
  useEffect(() => {
    if (wasPaid.current || !isPaid) return
    wasPaid.current = true
    if (order.paymentMethod === 'paypal') toast('Payment Successful')
    // The sandbox itself pays after the two seconds of the spec.
    if (order.paymentMethod === 'upi' && isSandbox) toast('Mock Payment Successful')
  }, [isPaid, isSandbox, order.paymentMethod])
}
