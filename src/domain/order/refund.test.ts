import { describe, expect, it } from 'vitest'
import { examplesOf } from '../testing/examples.ts'
import {
  adminId,
  approved,
  coins,
  completed,
  deleted,
  deliveryRequested,
  expired,
  minute,
  deliveryGivenUp,
  orderAfter,
  paidBack,
  placed,
  ready,
  received,
  refundFailed,
  refundRequested,
  refunded,
  reinstatementRefused,
  requested,
  reversed,
  settled,
  started,
  withoutAnswers,
} from '../testing/order-samples.ts'
import type { OrderCommand } from './commands.ts'
import type { OrderEvent } from './events.ts'
import { may } from './may.ts'
import { order } from './order.ts'
import { paidCents } from './order-money.ts'
import { nothingBack, type PaidBack } from './order-state.ts'
import { isToBeDelivered, isToPayBack, mayBeReinstated } from './standing.ts'

const { emits, refuses } = examplesOf(order, withoutAnswers)

const paid = [placed(), requested(1, 'crypto'), started(1), received(1, 1000)]
const inList = [...paid, ready('staff')]
const forBot = [...paid, ready('webhook')]
const delivering = [...forBot, deliveryRequested()]
const unknown = [...delivering, deliveryGivenUp()]
const done = [...paid, completed()]
const second = received(1, 1000, { receiptId: 'receipt-2' })
const twice = [...paid, ready('staff'), second]
const late = [placed(), requested(1, 'crypto'), started(1), expired(), received(1, 1000, { at: minute(70) })]
const noStock = [...late, reinstatementRefused()]

type RecordRefund = Extract<OrderCommand, { type: 'RecordRefund' }>

function refund(amountCents: number, changes: Partial<RecordRefund> = {}): RecordRefund {
  return {
    type: 'RecordRefund',
    refundId: 'refund-1',
    requestHash: 'hash-1',
    amountCents,
    receiptId: null,
    reason: 'asked-for',
    whereTo: null,
    coinsGiven: null,
    adminId,
    at: minute(60),
    ...changes,
  }
}

const receipt = (cents: number) => {
  const money = { receiptId: 'receipt-1', amount: coins(cents), askedAmount: '0.1', currency: 'ltc' }
  return { attempt: 1, provider: 'crypto', ...money } as const
}
const report = (back: Partial<PaidBack>) =>
  ({
    type: 'ReportRefund',
    receipt: receipt(1000),
    back: { ...nothingBack, ...back },
    byHolder: true,
    deliveryMode: 'staff',
    at: minute(65),
  }) as const
const receive = (cents: number) =>
  ({ type: 'ReceivePayment', receipt: receipt(cents), deliveryMode: 'staff', at: minute(80) }) as const
const ends = { endsOrder: true } as const

const heldAfter = (...events: OrderEvent[]) => paidCents(orderAfter(...events))

function after(events: OrderEvent[], command: OrderCommand) {
  const state = orderAfter(...events)
  return orderAfter(...events, ...order.decide(command, state))
}

it('a refund after the hand-over leaves the order completed and lowers the revenue', () =>
  emits(done, refund(400), refunded(400, { revenueCents: 400 })))
it('a refund of an overpayment does not lower the revenue', () =>
  emits(
    [...done, second],
    refund(1200),
    refunded(1200, {
      revenueCents: 200,
      parts: [
        { receiptId: 'receipt-2', amountCents: 1000 },
        { receiptId: 'receipt-1', amountCents: 200 },
      ],
    }),
  ))
it('deleting a refunded order subtracts only the rest of its revenue', () =>
  emits(
    [...done, refunded(400, { revenueCents: 400 })],
    { type: 'DeleteOrder', coinsGiven: null, adminId, at: minute(80) },
    deleted({ totalCents: 600, completedAt: minute(30), receivedCents: 1000 }),
  ))

it('a refund requires an answer about the coins when staff hand over or a call had no answer', () => {
  for (const events of [inList, unknown]) {
    refuses(events, refund(1000), 'order/coins-given-unknown')
    emits(events, refund(1000, { coinsGiven: false }), refunded(1000, { ...ends, coinsGiven: false }))
    emits(
      events,
      refund(1000, { coinsGiven: true }),
      approved(null, minute(60)),
      completed({ at: minute(60) }),
      refunded(1000, { coinsGiven: true, revenueCents: 1000 }),
    )
  }
})

it('a refund of an overpayment leaves the order to be delivered', () => {
  emits(twice, refund(1000), refunded(1000, { parts: [{ receiptId: 'receipt-2', amountCents: 1000 }] }))
  const state = after(twice, refund(1000))
  expect([isToBeDelivered(state), state.attention]).toEqual([true, []])
})

it('a refund of an ended order settles it', () =>
  expect(after(noStock, refund(1000))).toMatchObject({
    attention: [],
    life: { kind: 'ended', as: 'refunded', at: minute(60) },
  }))
it('a refund of the excess alone leaves an ended order to be reinstated', () =>
  expect(mayBeReinstated(after([...late, second], refund(1000)))).toBe(true))
it('a deleted order can be refunded, which settles its money', () => {
  const gone = [...paid, deleted()]
  emits(gone, refund(1000), refunded(1000))
  expect(after(gone, refund(1000)).attention).toEqual([])
  expect(after(gone, refund(900)).attention).toMatchObject([{ reason: 'unearned' }])
})

describe('an order that was refunded', () => {
  const gone = [...paid, refunded(1000, ends)]
  it('late money does not bring a refunded order back: staff may approve or refund it', () => {
    const again = after(gone, receive(2000))
    expect(again.attention).toMatchObject([{ reason: 'unearned' }])
    expect([mayBeReinstated(again), may(again).approve, may(again).refund]).toEqual([false, true, true])
  })
})

it('a reversal records only what the provider took beyond the refund', () =>
  emits(
    [...done, refunded(400, { revenueCents: 400 })],
    report({ done: coins(1000) }),
    paidBack('receipt-1', 1000, { at: minute(65) }),
    reversed('receipt-1', 1000, { refundedCents: 400, takenCents: 600, at: minute(65) }),
  ))
describe('what the provider says of refunds', () => {
  const half = [...late.slice(0, 4), received(1, 600)]
  const noted = [...half, refunded(300, { endsOrder: true }), paidBack('receipt-1', 300)]

  it('a chargeback that is cancelled after a refund leaves what was not refunded', () => {
    const short = { ...report({ done: coins(600) }), receipt: receipt(600) }
    const back = [...noted, ...order.decide(short, orderAfter(...noted))]
    expect(heldAfter(...back)).toBe(0)
    const again = { ...report({ done: coins(300) }), receipt: receipt(600) }
    expect(heldAfter(...back, ...order.decide(again, orderAfter(...back)))).toBe(300)
  })
  it('a refund that is noted and then fails calls staff, until another one made up for it', () => {
    const gone = [...paid, refunded(1000, ends)]
    const told = (back: Partial<PaidBack>) => after(gone, report(back)).attention.map(({ reason }) => reason)
    expect(told({ failed: coins(1000) })).toEqual(['refund-failed'])
    expect(told({ failed: coins(1000), pending: coins(1000) })).toEqual([])
    expect(told({ failed: coins(1000), done: coins(999) })).toEqual(['refund-failed'])
    expect(told({ failed: coins(1000), done: coins(1000) })).toEqual([])
    expect(told({ pending: coins(1000) })).toEqual([])
  })
  it('a refund that is under way holds an order back', () =>
    emits(
      forBot,
      report({ pending: coins(400) }),
      paidBack('receipt-1', 0, { done: '0', pending: coins(400), at: minute(65) }),
      reversed('receipt-1', 400, { at: minute(65) }),
    ))
  it('a failed refund that was never noted calls no person', () =>
    expect(after(paid, report({ failed: coins(1000) })).attention).toEqual([]))
})

it('reversed money cannot be refunded', () => {
  refuses([...done, reversed('receipt-1', 1000)], refund(1), 'order/refund-too-large')
  refuses([...done, reversed('receipt-1', 300)], refund(701), 'order/refund-too-large')
})

it('a refund takes from the receipt that staff name', () => {
  emits(twice, refund(1000, { receiptId: 'receipt-1' }), refunded(1000))
  refuses(twice, refund(1001, { receiptId: 'receipt-1' }), 'order/refund-too-large')
})

it.for([
  ['an order paid once', inList, false],
  ['an order paid twice', twice, true],
  ['late money that is not reinstated', noStock, true],
  ['money that staff settled as to be paid back', [...twice, settled(['over'], { reason: 'to-pay-back' })], true],
  ['money that staff let stay', [...twice, settled(['over'], { reason: 'left-to-shop' })], false],
  ['more money after that', [...twice, settled(['over']), received(1, 500, { receiptId: 'receipt-3' })], true],
  ['a refund under way', [...twice, refundRequested(1000)], false],
  ['a refund that failed', [...twice, refundRequested(1000), refundFailed('refused')], true],
  ['a refund in full', [...twice, refunded(1000)], false],
] as const)('whether %s is to be paid back', ([, events, expected]) =>
  expect(isToPayBack(orderAfter(...events))).toBe(expected),
)
