import { describe, expect, it } from 'vitest'
import { examplesOf } from '../testing/examples.ts'
import {
  adminId,
  approved,
  captureRequested,
  completed,
  day,
  deleted,
  deliveryRequested,
  disputed,
  disputeClosed,
  expired,
  failed,
  minute,
  needsAttention,
  orderAfter,
  orderId,
  placed,
  ready,
  received,
  refunded,
  requested,
  reversed,
  seen,
  settled,
  started,
  watchEnded,
} from '../testing/order-samples.ts'
import type { OrderEvent } from './events.ts'
import { order } from './order.ts'
import { paidCents, statusesOf } from './order-state.ts'

const { emits, ignores } = examplesOf(order)
const at = minute(5)
const webhook = { deliveryMode: 'webhook', at } as const
const staff = { deliveryMode: 'staff', at } as const
const crypto = [requested(1, 'crypto'), started(1)]
const upi = [requested(2, 'upi'), started(2)]
const paypal = [requested(1, 'paypal'), started(1)]
const part = { id: 'part-1', amount: '0.05', currency: 'ltc' }
const other = { id: 'part-2', amount: '0.02', currency: 'ltc' }
const see = (parts: (typeof part)[] = [], ended: string[] = []) =>
  ({ type: 'SeePayment', attempt: 1, status: 'confirming', amountPaid: null, parts, ended, ...staff }) as const
const fail = (reason: 'expired' | 'declined' | 'failed' | 'refunded', ended: string[] = []) =>
  ({ type: 'FailPayment', attempt: 1, reason, ended, ...staff }) as const
const receive = (attempt: number, coversCents: number, receiptId = `receipt-${attempt}`) => ({
  receipt: { attempt, provider: 'crypto', receiptId, amount: '0.1', currency: 'ltc', coversCents },
  ...staff,
})
const reverse = (reversedCents: number) => ({ type: 'ReversePayment', ...receive(1, 1000), reversedCents }) as const
const approve = (serial: number | null = null) =>
  ({ type: 'ApproveOrder', serial, adminId, deliveryMode: 'webhook', at: minute(70) }) as const
const causesOf = (...events: OrderEvent[]) => orderAfter(...events).attention.map(({ reason }) => reason)
const never = needsAttention(['never-confirmed'], at)

const heldUp = (when: string) => ({ type: 'NoteHeldUpWatch', attempt: 1, at: when }) as const

describe('money that is seen and never confirmed', () => {
  const twice = [placed(), ...crypto, ...upi, seen(1)]

  it('comes before staff when another payment completes the order', () =>
    emits(
      twice,
      { type: 'ReceivePayment', ...receive(2, 1000), deliveryMode: 'instant' },
      received(2, 1000, { provider: 'crypto', at }),
      completed({ at }),
      needsAttention(['never-confirmed'], at),
    ))
  it('comes before staff when staff mark the order as delivered', () =>
    emits([...twice, received(2, 1000), ready('staff')], { type: 'MarkDelivered', at }, completed({ at }), never))
  it('comes before staff when the order was deleted after delivery', () =>
    emits([placed(), ...crypto, ...upi, received(2, 1000), completed(), deleted()], see(), seen(1), never))
  it('comes before staff when a webhook brings it after the watch', () =>
    emits([placed(), ...crypto, expired(), watchEnded(1, day(8))], see(), seen(1), never))
  it('stays before staff when another payment covers the order, and when the order is approved and delivered', () => {
    const ended = [...twice, expired(), never]
    expect(causesOf(...ended, received(2, 1000))).toStrictEqual(['never-confirmed'])
    expect(causesOf(...ended, approved(9), completed({ serial: 9 }))).toStrictEqual(['never-confirmed'])
  })
  it('is settled by staff, and comes again with more', () => {
    const dealt = [placed(), ...crypto, expired(), seen(1), never, settled(['never-confirmed'])]
    ignores(dealt, see())
    emits(dealt, see([part]), seen(1, { parts: [part] }), never)
  })
  it('needs nobody any more once it arrives', () =>
    expect(causesOf(placed(), ...crypto, expired(), seen(1), never, received(1, 1000))).toStrictEqual([]))
})

describe('money that is seen beside a receipt', () => {
  const short = [placed(), ...crypto, received(1, 500), needsAttention(['short'])]
  const beside = [...short, seen(1, { parts: [part] })]

  it('is kept by its id, and is on its way', () => {
    emits(short, see([part]), seen(1, { parts: [part] }))
    expect(statusesOf(orderAfter(...beside)).paymentStatus).toBe('processing')
  })
  it('is noted once', () => ignores(beside, see([part])))
  it('is kept where a report does not name it', () => emits(beside, see([other]), seen(1, { parts: [part, other] })))
  it('comes before staff when the order ends', () =>
    emits(
      beside,
      { type: 'ExpireOrder', at: day(3) },
      expired(day(3)),
      needsAttention(['late-and-short', 'never-confirmed'], day(3)),
    ))
  it('is on its way until it is a receipt', () =>
    expect(statusesOf(orderAfter(...beside, received(1, 500, { receiptId: 'part-1' }))).paymentStatus).toBe(
      'completed',
    ))
  it('is on its way until it fails by the provider’s word', () => {
    const ended = { type: 'EndParts', attempt: 1, ended: ['part-1'], ...staff } as const
    emits(beside, ended, failed(1, 'failed', at))
    ignores(short, ended)
    expect(statusesOf(orderAfter(...beside, failed(1, 'failed'))).paymentStatus).toBe('partially_paid')
    expect(paidCents(orderAfter(...beside, failed(1, 'failed')))).toBe(500)
  })
  it('is not on its way where it has paid another order', () => {
    const refused = { receiptId: 'part-1', claimedByOrderId: 'another' }
    const noted = {
      type: 'OrderNeedsAttention',
      data: { orderId, reasons: ['receipt-refused'], refusedReceipt: refused, at },
    } as const satisfies OrderEvent
    expect(statusesOf(orderAfter(...beside, noted)).paymentStatus).toBe('partially_paid')
  })
})

describe('seen money that fails', () => {
  it.for(['expired', 'declined', 'failed'] as const)('is still seen where it only %s', (reason) =>
    ignores([placed(), ...crypto, seen(1, { parts: [part] })], fail(reason)),
  )
  it('is still seen where the provider had not named it', () =>
    ignores([placed(), ...crypto, seen(1, { status: 'confirmed' })], fail('failed')))
  it('has failed where the provider says so of it', () =>
    emits([placed(), ...crypto, seen(1, { parts: [part] })], fail('declined', ['part-1']), failed(1, 'declined', at)))
  it('has failed where the provider has sent it back', () =>
    emits([placed(), ...crypto, seen(1)], fail('refunded'), failed(1, 'refunded', at)))
  it('is not captured again', () =>
    ignores([placed(), ...paypal, seen(1)], {
      type: 'RequestCapture',
      attempt: 1,
      requestId: 'capture-1',
      callsUntil: minute(20),
      at: minute(10),
    }))
})

describe('a watch', () => {
  const end = { type: 'EndPaymentWatch', attempt: 1, pollBeganAt: day(30), at: day(30) } as const
  it('that ends on a word that is not known comes before staff', () =>
    emits(
      [placed(), ...crypto, expired()],
      { ...end, isUnclear: true },
      watchEnded(1, day(30), true),
      needsAttention(['payment-unclear'], day(30)),
    ))
  it('that ends otherwise does not', () => emits([placed(), ...crypto, expired()], end, watchEnded(1, day(30))))
})

describe('a watch that errors hold up', () => {
  const end = { type: 'EndPaymentWatch', attempt: 1, pollBeganAt: day(30), at: day(30) } as const
  const ended = [placed(), ...crypto, expired()]
  const told = [...ended, needsAttention(['payment-unclear'], day(9))]

  it('comes before staff after a day, once', () => {
    ignores(ended, heldUp(day(8)))
    emits(ended, heldUp(day(9)), needsAttention(['payment-unclear'], day(9)))
    ignores(told, heldUp(day(10)))
  })
  it('needs nobody once the payment can be read', () => {
    emits(told, end, watchEnded(1, day(30)))
    expect(causesOf(...told, watchEnded(1, day(30)))).toStrictEqual([])
  })
  it('ends when staff settle it', () =>
    emits(
      told,
      { type: 'SettleAttention', adminId, at: day(10) },
      settled(['payment-unclear'], day(10)),
      watchEnded(1, day(10)),
    ))
})

describe('a dispute of an approved order', () => {
  it('takes back what the approval had answered: a won one leaves the reversal before staff', () => {
    const answered = [
      placed(),
      ...crypto,
      ...upi,
      received(1, 1000),
      reversed('receipt-1', 1000),
      needsAttention(['reversed']),
      received(2, 1000),
      approved(null),
      ready('webhook'),
    ]
    emits(
      answered,
      {
        type: 'NoteDispute',
        attempt: 2,
        disputeId: 'PP-D-1',
        receiptId: 'receipt-2',
        outcome: 'open',
        ...webhook,
      },
      disputed('PP-D-1', { attempt: 2, receiptId: 'receipt-2', at }),
      needsAttention(['disputed', 'reversed'], at),
    )
    const won = [...answered, disputed(), needsAttention(['disputed', 'reversed']), disputeClosed('won')]
    expect(causesOf(...won)).toStrictEqual(['reversed'])
  })
})

describe('a reversal that is undone', () => {
  const paid = [placed(), ...crypto, received(1, 1000)]
  const back = [...paid, reversed('receipt-1', 1000), needsAttention(['reversed'])]

  it('is heard: the money is there again, and the order waits for an approval', () => {
    const undone = reversed('receipt-1', 0, { takenCents: -1000, at })
    emits(back, reverse(0), undone, needsAttention(['reversed'], at))
    expect(paidCents(orderAfter(...back, undone))).toBe(1000)
    expect(causesOf(...back, undone)).toStrictEqual(['reversed'])
  })
  it('is heard in part', () =>
    emits(
      back,
      reverse(300),
      reversed('receipt-1', 300, { takenCents: -700, at }),
      needsAttention(['short', 'reversed'], at),
    ))
  it('leaves nothing to do once the order is completed', () =>
    expect(
      causesOf(
        ...paid,
        completed(),
        reversed('receipt-1', 1000),
        needsAttention(['reversed']),
        reversed('receipt-1', 0, { takenCents: -1000 }),
      ),
    ).toStrictEqual([]))
  it('puts money of an ended order before staff again', () =>
    emits(
      [...back, expired(), settled(['reversed'])],
      reverse(0),
      reversed('receipt-1', 0, { takenCents: -1000, at }),
      needsAttention(['paid-after-settling'], at),
    ))
  it('is heard from the payment alone that told of it, where several report one receipt', () => {
    const told = [...paid, ...upi, reversed('receipt-1', 1000, { attempt: 2 })]
    ignores(told, reverse(0))
    ignores([...paid, ...upi, reversed('receipt-1', 1000, { attempt: null })], reverse(0))
  })
  it('is told from a refund that staff have noted', () =>
    ignores([...paid, completed(), refunded(400), reversed('receipt-1', 300)], reverse(500)))
})

describe('a cause that is no longer so', () => {
  it('is an excess that the provider has paid back', () => {
    const over = [placed(), ...crypto, received(1, 1400), needsAttention(['over']), ready('staff')]
    expect(causesOf(...over, reversed('receipt-1', 400), needsAttention(['reversed']))).toStrictEqual(['reversed'])
  })
  it('is money after settling that an approval has delivered for', () => {
    const late = [placed(), ...crypto, expired(), needsAttention(['reversed']), settled(['reversed'])]
    const paid = [...late, received(1, 1000), needsAttention(['paid-after-settling'])]
    expect(causesOf(...paid, approved(9), completed({ serial: 9 }))).toStrictEqual([])
  })
  it('is a capture that is unknown once its money is there', () => {
    const unknown = [placed(), ...paypal, captureRequested(1), failed(1, 'capture-unknown')]
    expect(causesOf(...unknown, needsAttention(['capture-unknown']), received(1, 1000))).toStrictEqual([])
  })
  it('is too little on an order that has ended, where what came stays before staff', () => {
    const short = [placed(), ...crypto, received(1, 400), needsAttention(['short'])]
    expect(causesOf(...short, expired(), needsAttention(['late-and-short']))).toStrictEqual(['late-and-short'])
  })
  it('is an unreadable buyer of a deleted order', () => {
    const held = [placed(), ...crypto, received(1, 1000), ready('webhook'), needsAttention(['buyer-unreadable'])]
    expect(causesOf(...held, deleted())).toStrictEqual([])
  })
  it('is not said again: what pays a delivered order exactly is nothing to pay back', () =>
    emits(
      [placed(), ...crypto, approved(null), completed(), settled(['reversed'])],
      { type: 'ReceivePayment', ...receive(1, 1000) },
      received(1, 1000, { at }),
    ))
})

describe('coins that were given after the end', () => {
  const lateAnswer = [
    placed(),
    ...crypto,
    received(1, 1000),
    ready('webhook'),
    deliveryRequested(),
    needsAttention(['delivery-unknown']),
    refunded(1000, { endsOrder: true, coinsGiven: false }),
    needsAttention(['delivered-after-end']),
  ]
  it('are not asked of the bot again: an approval completes the order', () =>
    emits(lateAnswer, approve(9), approved(9, minute(70)), completed({ serial: 9, at: minute(70) })))
  it('need nobody once the order is completed', () =>
    expect(causesOf(...lateAnswer, approved(9), completed({ serial: 9 }))).toStrictEqual([]))
})
