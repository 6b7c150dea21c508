import type { Order } from '#contract/order.ts'
import { detailOf, statusOf } from './staff-words.ts'

/** Two lines at most, to fit a row of 40 px. */
export function OrderState({ order }: { order: Order }) {
  const { text, colour, icon: Icon } = statusOf(order)
  const detail = detailOf(order)
  const isUrgent = order.attention !== null || order.deleted
  return (
    <span className="inline-flex max-w-full min-w-0 flex-wrap items-center gap-x-1.5 align-middle leading-[1.125rem]">
      <span className={`inline-flex items-center gap-1.5 font-medium ${colour}`}>
        <Icon className="size-4" />
        {text}
      </span>
      {detail !== '' && (
        <span className={`truncate ${isUrgent ? 'font-semibold text-red' : 'text-muted'}`} title={detail}>
          <span aria-hidden="true">· </span>
          {detail}
        </span>
      )}
    </span>
  )
}
