import { expect, it } from 'vitest'
import { fold } from '../decider.ts'
import { refusalOf } from '../testing/examples.ts'
import { adminId, day, deleted, minute, reversed } from '../testing/order-samples.ts'
import { histories } from '../testing/order-situations.ts'
import type { OrderCommand } from './commands.ts'
import type { OrderEvent } from './events.ts'
import { order } from './order.ts'

const { short, completed, 'call unknown': unknown, 'bot called': delivering, 'paid, for the bot': forBot } = histories
const all: Record<string, readonly OrderEvent[]> = {
  ...histories,
  'short, reversed': [...short, reversed('receipt-1', 400)],
  'for the bot, reversed': [...forBot, reversed('receipt-1', 1000)],
  'bot called, reversed': [...delivering, reversed('receipt-1', 1000)],
  'call unknown, reversed': [...unknown, reversed('receipt-1', 1000)],
  'delivered, deleted': [...completed, deleted()],
}

const at = minute(70)
const instant = { deliveryMode: 'instant', at } as const
const approval = { type: 'ApproveOrder', adminId, ...instant } as const
const asked = { provider: 'upi', reference: 'REF-2', askedMinor: 1000, currency: 'USD', coversCents: 1000 } as const
const sent = { refundId: 'refund-2', requestHash: 'hash-2', receiptId: 'receipt-1', amount: '0.04' } as const
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
  settle: { type: 'SettleAttention', reason: 'nothing-owed', adminId, at },
  delete: { type: 'DeleteOrder', coinsGiven: null, adminId, at },
  refund: { type: 'RecordRefund', ...refund, reason: 'asked-for', whereTo: null, coinsGiven: null, adminId, at },
  send: { type: 'RequestRefund', ...sent, reason: 'asked-for', coinsGiven: null, callsUntil: minute(80), adminId, at },
}

/** `ok`: events. `-`: none. Others: the code of the refusal, without its stream. */
function outcome(history: readonly OrderEvent[], command: OrderCommand): string {
  let events: OrderEvent[] = []
  const code = refusalOf(() => (events = order.decide(command, fold(order, history))))
  return code?.replace(/^.*\//, '') ?? (events.length > 0 ? 'ok' : '-')
}

function situationsTable(): string {
  const names = Object.keys(commands)
  const rows = Object.entries(all).map(([situation, history]) => [
    situation,
    ...Object.values(commands).map((command) => outcome(history, command)),
  ])
  // All commands do not fit on one line: two tables.
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

it('each command does in each situation what order-situations.txt records', async () => {
  await expect(situationsTable()).toMatchFileSnapshot('../testing/order-situations.txt')
})
