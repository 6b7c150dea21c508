import type { Order } from '#contract/order.ts'
import { Stages } from '../../components/ui/stages.tsx'

/** How many stages are done. */
function stagesReached(order: Pick<Order, 'status' | 'paymentStatus'>): number {
  if (order.status === 'completed') return 3
  if (order.paymentStatus === 'completed') return 2
  return order.paymentStatus === 'processing' || order.paymentStatus === 'partially_paid' ? 1 : 0
}

export function ProgressLine({ order }: { order: Pick<Order, 'status' | 'paymentStatus'> }) {
  return <Stages names={['Payment seen', 'Confirmed', 'Delivered']} reached={stagesReached(order)} />
}
