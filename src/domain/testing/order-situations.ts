import { fold } from '../decider.ts'
import type { OrderCommand } from '../order/commands.ts'
import type { OrderEvent } from '../order/events.ts'
import { order } from '../order/order.ts'
import { refusalOf } from './examples.ts'
import * as sample from './order-samples.ts'

const { adminId, day, minute, placed, received, requested, reversed, started } = sample
const crypto = [placed(), requested(1, 'crypto'), started(1)]
const paypal = [placed(), requested(1, 'paypal'), started(1, { payCurrency: 'USD', payAmount: '10.40' })]
const preOrdered = [placed({ preOrder: true }), requested(1, 'crypto'), started(1)]
const paid = [...crypto, received(1, 1000)]
const paidForWebhook = [...paid, sample.ready('webhook')]
const delivering = [...paidForWebhook, sample.deliveryRequested()]

/** What an order may have been through. */
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
  deleted: [...paypal, sample.deleted()],
} as const satisfies Record<string, OrderEvent[]>

const { short, completed, 'call unknown': unknown } = histories
const all: Record<string, readonly OrderEvent[]> = {
  ...histories,
  'short, reversed': [...short, reversed('receipt-1', 400)],
  'for the bot, reversed': [...paidForWebhook, reversed('receipt-1', 1000)],
  'bot called, reversed': [...delivering, reversed('receipt-1', 1000)],
  'call unknown, reversed': [...unknown, reversed('receipt-1', 1000)],
  'delivered, deleted': [...completed, sample.deleted()],
}

const at = minute(70)
const instant = { deliveryMode: 'instant', at } as const
const approval = { type: 'ApproveOrder', adminId, ...instant } as const
const asked = { provider: 'upi', reference: 'REF-2', askedMinor: 1000, currency: 'USD', coversCents: 1000 } as const
const refund = { refundId: 'refund-1', requestHash: 'hash-1', amountCents: 400, receiptId: null } as const

const commands: Record<string, OrderCommand> = {
  choose: { type: 'ChoosePaymentMethod', paymentMethod: 'upi', at },
  pay: { type: 'RequestPayment', request: { attempt: 2, method: 'upi', ...asked }, at },
  capture: { type: 'RequestCapture', attempt: 1, requestId: 'capture-1', callsUntil: minute(20), at: minute(10) },
  cancel: { type: 'CancelOrder', at },
  expire: { type: 'ExpireOrder', at: day(30) },
  call: { type: 'RequestDelivery', callsUntil: minute(100), at: minute(40) },
  confirm: { type: 'ConfirmDelivery', at },
  hold: { type: 'HoldDelivery', at },
  reserve: { type: 'ReservePreOrder', serial: 9, ...instant },
  reinstate: { type: 'ReinstateOrder', serial: 9, ...instant },
  approve: { ...approval, serial: null },
  'with stock': { ...approval, serial: 9 },
  deliver: { type: 'MarkDelivered', at },
  settle: { type: 'SettleAttention', adminId, at },
  delete: { type: 'DeleteOrder', coinsGiven: null, adminId, at },
  refund: { type: 'RecordRefund', ...refund, reason: 'asked-for', whereTo: null, coinsGiven: null, adminId, at },
}

/** `ok`: events. `-`: none. Others: the code of the refusal, without its stream. */
function outcome(history: readonly OrderEvent[], command: OrderCommand): string {
  let events: OrderEvent[] = []
  const code = refusalOf(() => (events = order.decide(command, fold(order, history))))
  return code?.replace(/^.*\//, '') ?? (events.length > 0 ? 'ok' : '-')
}

/** What each command does in each situation: `node src/run.js src/testing/situations.ts >src/domain/testing/order-situations.txt` records it anew. */
export function situationsTable(): string {
  const names = Object.keys(commands)
  const rows = Object.entries(all).map(([situation, history]) => [
    situation,
    ...Object.values(commands).map((command) => outcome(history, command)),
  ])
  // So many columns fit beside each other.
  return [names.slice(0, 10), names.slice(10)]
    .map((some) => {
      const columns = [0, ...some.map((name) => names.indexOf(name) + 1)]
      return aligned([['situation', ...names], ...rows].map((cells) => columns.map((column) => cells[column] ?? '')))
    })
    .join('\n')
}

function aligned(lines: readonly (readonly string[])[]): string {
  const widthOf = (column: number): number => Math.max(...lines.map((cells) => cells[column]?.length ?? 0))
  const lineOf = (cells: readonly string[]) => cells.map((cell, column) => cell.padEnd(widthOf(column))).join('  ')
  return lines.map((cells) => `${lineOf(cells).trimEnd()}\n`).join('')
}
