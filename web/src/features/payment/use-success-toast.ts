import { useEffect, useRef } from 'react'
import type { Order } from '#contract/order.ts'
import { useShop } from '../../api/shop.ts'
import { toast } from '../../components/ui/toast.ts'

const MOCK_SUCCESS_AFTER_MS = 2_000

/** Once the whole sum is there, and not after a reload: what was only asked for, sent or partly paid is no success. */
export function useSuccessToast(order: Order, isDone: boolean): void {
  // Approved by hand, an order is done without money.
  const isPaid = isDone && order.paidCents > 0
  const isSandbox = useShop()?.payments === 'sandbox'
  const wasPaid = useRef(isPaid)
  const mockSince = useRef<number | undefined>(undefined)
  if (isSandbox && order.payment?.method === 'upi') mockSince.current ??= Date.now()
  useEffect(() => {
    if (wasPaid.current || !isPaid) return
    wasPaid.current = true
    if (order.paymentMethod === 'paypal') toast('Payment Successful')
    if (order.paymentMethod !== 'upi' || mockSince.current === undefined) return
    const passedMs = Date.now() - mockSince.current
    // Also where the confirmation has opened by then.
    setTimeout(() => toast('Mock Payment Successful'), Math.max(0, MOCK_SUCCESS_AFTER_MS - passedMs))
  }, [isPaid, order.paymentMethod])
}
