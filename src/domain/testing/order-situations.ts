import type { OrderEvent } from '../order/events.ts'
import * as sample from './order-samples.ts'

const { minute, placed, received, requested, started } = sample
const crypto = [placed(), requested(1, 'crypto'), started(1)]
const paypal = [placed(), requested(1, 'paypal'), started(1, { payCurrency: 'USD', payAmount: '10.40' })]
const preOrdered = [placed({ preOrder: true }), requested(1, 'crypto'), started(1)]
const paid = [...crypto, received(1, 1000)]
const paidForWebhook = [...paid, sample.ready('webhook')]
const delivering = [...paidForWebhook, sample.deliveryRequested()]

/** Histories of an order by situation. */
export const histories = {
  none: [],
  fenced: [sample.abandoned()],
  placed: [placed()],
  'to be paid': crypto,
  seen: [...crypto, sample.seen(1)],
  failed: [...crypto, sample.failed(1)],
  short: [...crypto, received(1, 400)],
  capturing: [...paypal, sample.captureRequested(1)],
  'in the list of staff': [...paid, sample.ready('staff')],
  'paid, for the bot': paidForWebhook,
  'bot called': delivering,
  'call unknown': [...delivering, sample.deliveryGivenUp()],
  'pre-order': preOrdered,
  'pre-order, paid': [...preOrdered, received(1, 1000)],
  approved: [placed(), sample.approved(), sample.ready('staff')],
  completed: [...paid, sample.completed()],
  expired: [...paypal, sample.expired()],
  cancelled: [...paypal, sample.cancelled()],
  'paid without stock': [
    ...crypto,
    sample.expired(),
    received(1, 1000, { at: minute(70) }),
    sample.reinstatementRefused(),
  ],
  refunded: [...paidForWebhook, sample.refunded(1000, { endsOrder: true })],
  'refund to be sent': [...paidForWebhook, sample.refundRequested(1000)],
  'refund to be sent, after the end': [...crypto, sample.expired(), received(1, 400), sample.refundRequested(400)],
  'refund unknown': [...paidForWebhook, sample.refundRequested(1000), sample.refundFailed('unknown')],
  deleted: [...paypal, sample.deleted()],
} as const satisfies Record<string, OrderEvent[]>
