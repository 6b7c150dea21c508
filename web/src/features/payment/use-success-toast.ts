import { useEffect, useRef } from 'react'
import type { Order } from '#contract/order.ts'
import { useShop } from '../../api/shop.ts'
import { toast } from '../../components/ui/toast.ts'

/** Shows a toast when the order becomes fully paid while the page is open. */
export function useSuccessToast(order: Order, isDone: boolean): void {
  // An order approved by staff may be done without money.
  const isPaid = isDone && order.paidCents > 0
  const isSandbox = useShop()?.payments === 'sandbox'
  const wasPaid = useRef(isPaid)
  useEffect(() => {
    if (wasPaid.current || !isPaid) return
    wasPaid.current = true
    if (order.paymentMethod === 'paypal') toast('Payment Successful')
    // The sandbox pays after two seconds.
    if (order.paymentMethod === 'upi' && isSandbox) toast('Mock Payment Successful')
  }, [isPaid, isSandbox, order.paymentMethod])
}
