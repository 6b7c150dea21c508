import type { Order } from '#contract/order.ts'
import { detailOf, statusOf } from './words.ts'

/** One line high, so that it fits a row of 40 px. */
export function Status({ order }: { order: Order }) {
  const { text, colour, icon: Icon } = statusOf(order)
  const detail = detailOf(order)
  const isUrgent = order.attention !== null || order.deleted
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1.5 align-middle">
      <Icon aria-hidden="true" className={`size-4 ${colour}`} />
      <span className={`font-medium ${colour}`}>{text}</span>
      {detail !== '' && (
        <span className={`truncate ${isUrgent ? 'font-semibold text-red' : 'text-muted'}`} title={detail}>
          <span aria-hidden="true">· </span>
          {detail}
        </span>
      )}
    </span>
  )
}
