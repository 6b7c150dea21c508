import type { Order } from '#contract/order.ts'
import { Notice } from '../../components/ui/notice.tsx'

/** To a buyer whose payment cannot be looked at now. Goes by itself. */
export function ProviderAway({ order }: { order: Order }) {
  if (order.providerIsAway !== true) return null
  return (
    <Notice tone="wait" role="status">
      <p>We cannot reach the payment provider right now. We look again by ourselves; your payment is safe.</p>
    </Notice>
  )
}
