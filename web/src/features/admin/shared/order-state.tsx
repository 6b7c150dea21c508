import type { Order } from '#contract/order.ts'
import { detailOf, statusOf } from './staff-words.ts'

/** One line, to fit a row of 40 px. `isShort`: an urgent detail replaces the status. */
export function OrderState({ order, isShort = false }: { order: Order; isShort?: boolean }) {
  const { text, colour, icon: Icon } = statusOf(order)
  const detail = detailOf(order)
  const isUrgent = order.attention !== null || order.deleted
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-x-1.5 align-middle leading-6">
      <span className={`inline-flex items-center gap-1.5 font-medium ${colour}`}>
        <Icon className="size-4" />
        <span className={isShort && isUrgent ? 'sr-only' : ''}>{text}</span>
      </span>
      {detail !== '' && (
        <span className={`truncate ${isUrgent ? 'font-semibold text-red' : 'text-muted'}`} title={detail}>
          {!(isShort && isUrgent) && <span aria-hidden="true">· </span>}
          {detail}
        </span>
      )}
    </span>
  )
}
