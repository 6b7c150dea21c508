import { useEffect, useRef } from 'react'
import type { Order } from '#contract/order.ts'
import { useSold } from '../../api/shop.ts'
import { toast } from '../../components/ui/toast.ts'
import { isPaid } from './wording.ts'

/** Stays true once the order was paid, even if an older response arrives later. */
export function useWasPaid(order: Pick<Order, 'status' | 'paymentStatus'>): boolean {
  const wasPaid = useRef(false)
  if (isPaid(order)) wasPaid.current = true
  return wasPaid.current
}

/** Announces a change of the status while the page is open, not after a reload. */
export function useOutcomeToast({ status, endedAs }: Pick<Order, 'status' | 'endedAs'>, wasPaid: boolean): void {
  const before = useRef(status)
  const { deliveredCoins } = useSold()
  useEffect(() => {
    if (before.current === status) return
    before.current = status
    if (status === 'completed') toast('Delivered', `Your ${deliveredCoins} have been delivered successfully!`)
    if (endedAs === 'refunded') toast('Refunded', 'A refund of this order was noted.')
    else if (wasPaid && status === 'failed') {
      toast('Processing Error', 'Failed to process your order. Please contact support.', { destructive: true })
    }
  }, [wasPaid, status, endedAs, deliveredCoins])
}
