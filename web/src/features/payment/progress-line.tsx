import Check from 'lucide:check'
import type { Order } from '#contract/order.ts'

const stages = ['Payment seen', 'Confirmed', 'Delivered'] as const

/** How many stages are done. */
function stagesReached(order: Pick<Order, 'status' | 'paymentStatus'>): number {
  if (order.status === 'completed') return 3
  if (order.paymentStatus === 'completed') return 2
  return order.paymentStatus === 'processing' || order.paymentStatus === 'partially_paid' ? 1 : 0
}

export function ProgressLine({ order }: { order: Pick<Order, 'status' | 'paymentStatus'> }) {
  const reached = stagesReached(order)
  return (
    <div className="@container">
      <ol aria-label="Progress" className="grid grid-cols-1 gap-2 @min-[15rem]:grid-cols-3">
        {stages.map((stage, index) => {
          const isReached = index < reached
          return (
            <li
              key={stage}
              aria-current={index === reached ? 'step' : undefined}
              className="grid content-start gap-1.5 text-sm"
            >
              <span aria-hidden="true" className={`milled h-2 ${isReached ? 'text-green' : 'text-line'}`} />
              <span className={`flex items-center gap-1 ${isReached ? 'font-medium text-green' : 'text-muted'}`}>
                {isReached && <Check className="size-4" />}
                {stage}
                <span className="sr-only">{isReached ? ': done' : ': not yet'}</span>
              </span>
            </li>
          )
        })}
      </ol>
    </div>
  )
}
