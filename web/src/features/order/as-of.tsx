import type { Order } from '#contract/order.ts'
import { Notice } from '../../components/ui/notice.tsx'
import { Time } from '../../components/ui/time.tsx'

/** Shown above an order while the shop cannot read its log; disappears by itself. */
export function AsOf({ order: { asOf } }: { order: Order }) {
  if (asOf === undefined) return null
  return (
    <div className="mx-auto -mb-4 w-full max-w-page px-4 pt-10 sm:px-6">
      <Notice tone="wait" role="status">
        <p>
          As of <Time iso={asOf} />. We cannot look further at the moment. This page goes on by itself.
        </p>
      </Notice>
    </div>
  )
}
