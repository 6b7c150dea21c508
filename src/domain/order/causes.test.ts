import { describe, expect, it } from 'vitest'
import {
  adminId,
  approved,
  captureRequested,
  completed,
  day,
  deleted,
  deliveredAfterEnd,
  deliveryGivenUp,
  deliveryHeld,
  deliveryRequested,
  disputeClosed,
  disputed,
  expired,
  failed,
  minute,
  orderAfter,
  placed,
  ready,
  received,
  refunded,
  reinstated,
  reinstatementRefused,
  requested,
  reversed,
  seen,
  started,
  unusable,
  watchEnded,
  watchHeldUp,
} from '../testing/order-samples.ts'
import { buyerSentence, isHeldBack, wordsOf } from './causes.ts'
import type { OrderCommand } from './commands.ts'
import type { AttentionReason, OrderEvent } from './events.ts'
import { order } from './order.ts'

const crypto = [placed(), requested(1, 'crypto'), started(1)]
const second = [requested(2, 'upi'), started(2)]
const short = [...crypto, received(1, 400)]
const paid = [...crypto, received(1, 1000)]
const inList = [...paid, ready('staff')]
const forBot = [...paid, ready('webhook')]
const done = [...paid, completed()]
const late = [...crypto, expired(), received(1, 1000, { at: minute(70) })]
const lateAndShort = [...crypto, expired(), received(1, 400, { at: minute(70) })]
const part = (amount: string, id = 'part-1') => ({ parts: [{ id, amount, currency: 'ltc' }] })
const undone = reversed('receipt-1', 0, { takenCents: -1000 })

type History = readonly OrderEvent[]

const causesOf = (history: History) => orderAfter(...history).attention.map(({ reason }) => reason)
const decided = (history: History, command: OrderCommand): OrderEvent[] => [
  ...history,
  ...order.decide(command, orderAfter(...history)),
]
const settle = (history: History) => decided(history, { type: 'SettleAttention', adminId, at: day(1) })
const approve = (history: History) =>
  decided(history, { type: 'ApproveOrder', serial: 9, adminId, deliveryMode: 'webhook', at: day(1) })
const refund = (history: History, amountCents: number) => {
  const noted = {
    refundId: 'refund-1',
    requestHash: 'hash-1',
    receiptId: null,
    reason: 'other',
    whereTo: null,
  } as const
  return decided(history, { type: 'RecordRefund', ...noted, amountCents, coinsGiven: false, adminId, at: day(1) })
}

const nameOf = (history: History, reason: AttentionReason) => wordsOf(orderAfter(...history), reason).name
const adviceOn = (history: History, reason: AttentionReason) => wordsOf(orderAfter(...history), reason).advice
const sentence = (history: History) => buyerSentence(orderAfter(...history))
const isBack = (...history: OrderEvent[]) => isHeldBack(orderAfter(...history))

describe('a person has to look', () => {
  it.for<[why: string, history: History, reasons: AttentionReason[]]>([
    ['less was paid', short, ['short']],
    ['a crypto payment lacks more than half a percent', [...crypto, received(1, 994)], ['short']],
    ['more was paid', [...crypto, received(1, 1001)], ['over']],
    ['it was paid twice', [...done, ...second, received(2, 1000)], ['over']],
    ['short money is on an expired order', [...short, expired(day(2))], ['unearned']],
    [
      'it ends with short and with unconfirmed money',
      [...short, ...second, seen(2), expired(day(3))],
      ['unearned', 'never-confirmed'],
    ],
    ['late money does not cover it', lateAndShort, ['unearned']],
    ['late money is refused', [...late, reinstatementRefused()], ['unearned']],
    [
      'late money comes where money was reversed',
      [...crypto, expired(), received(1, 500), reversed('receipt-1', 500), ...second, received(2, 1000)],
      ['reversed', 'unearned'],
    ],
    ['money is on a deleted order', [...short, deleted()], ['unearned']],
    ['a refund leaves a rest', [...forBot, refunded(960, { endsOrder: true })], ['unearned']],
    [
      'a refund ends it with money on its way',
      [...short, ...second, seen(2), refunded(400, { endsOrder: true })],
      ['never-confirmed'],
    ],
    ['a payment was reversed', [...forBot, reversed('receipt-1', 1000)], ['reversed']],
    ['a part of it is left after that', [...short, reversed('receipt-1', 300)], ['short', 'reversed']],
    [
      'it leaves the list of staff by a reversal',
      [...inList, reversed('receipt-1', 1000)],
      ['reversed', 'delivery-unknown'],
    ],
    ['it leaves the list of staff by a dispute', [...inList, disputed()], ['disputed', 'delivery-unknown']],
    ['a reversal is undone before the hand-over', [...paid, reversed('receipt-1', 1000), undone], ['reversed']],
    ['a dispute is lost', [...done, disputed(), disputeClosed('lost')], ['disputed']],
    ['a capture has no answer', [...crypto, captureRequested(1), failed(1, 'capture-unknown')], ['capture-unknown']],
    ['no delivery call is answered', [...forBot, deliveryRequested(), deliveryGivenUp()], ['delivery-unknown']],
    ['the buyer cannot be read', [...forBot, deliveryHeld()], ['buyer-unreadable']],
    ['a receipt pays another order', [...crypto, unusable('receipt-1')], ['receipt-refused']],
    ['money comes in another coin', [...crypto, unusable('receipt-1', 'another-coin')], ['wrong-coin']],
    ['money is seen after the end', [...crypto, expired(), seen(1)], ['never-confirmed']],
    ['money is seen after the watch', [...crypto, expired(), watchEnded(1, day(8)), seen(1)], ['never-confirmed']],
    [
      'money is seen, and another payment completes it',
      [...crypto, ...second, seen(1), received(2, 1000), completed()],
      ['never-confirmed'],
    ],
    ['money is seen on a completed and deleted order', [...done, ...second, deleted(), seen(2)], ['never-confirmed']],
    [
      'seen money had outlasted it when it came back',
      [...crypto, ...second, seen(1), expired(day(2)), received(2, 1000), reinstated(9)],
      ['never-confirmed'],
    ],
    [
      'a watch ends on a word that is not known',
      [...crypto, expired(), watchEnded(1, day(30), true)],
      ['payment-unclear'],
    ],
    ['errors hold up a watch', [...crypto, expired(), watchHeldUp(1, day(9))], ['payment-unclear']],
    ['coins were given after the end', [...crypto, expired(), deliveredAfterEnd()], ['delivered-after-end']],
  ])('where %s', ([, history, reasons]) => expect(causesOf(history)).toStrictEqual(reasons))

  it.for<[why: string, history: History]>([
    ['half a percent of a crypto payment lacks', [...crypto, received(1, 995)]],
    ['less came, and staff approved it', [...crypto, approved(), received(1, 400)]],
    ['the rest came', [...short, received(1, 1000)]],
    ['late money covers it and may bring it back', [...lateAndShort, received(1, 1000)]],
    ['what was forgiven came later', [...crypto, received(1, 995), completed(), received(1, 1000)]],
    ['a dispute is won', [...forBot, disputed(), disputeClosed('won')]],
    ['a reversal is undone after the hand-over', [...done, reversed('receipt-1', 1000), undone]],
    [
      'the money of an unknown capture came',
      [...crypto, captureRequested(1), failed(1, 'capture-unknown'), received(1, 1000)],
    ],
    [
      'money in another coin came in the right one',
      [...crypto, unusable('receipt-1', 'another-coin'), received(1, 1000)],
    ],
    ['seen money arrived', [...crypto, expired(), seen(1), received(1, 1000)]],
    ['seen money failed', [...crypto, expired(), seen(1), failed(1)]],
    ['a payment can be read again', [...crypto, expired(), watchHeldUp(1, day(9)), watchEnded(1, day(10))]],
    [
      'an order with an unreadable buyer is deleted',
      [...crypto, approved(), ready('webhook'), deliveryHeld(), deleted()],
    ],
    [
      'staff marked it delivered after a call without an answer',
      [...forBot, deliveryRequested(), deliveryGivenUp(), completed()],
    ],
  ])('no longer where %s', ([, history]) => expect(causesOf(history)).toStrictEqual([]))

  it('since the cause began, the oldest first', () =>
    expect(
      orderAfter(
        ...crypto,
        unusable('a', 'another-coin', minute(20)),
        received(1, 400),
        unusable('b', 'another-coin', minute(40)),
      ).attention,
    ).toStrictEqual([
      { reason: 'wrong-coin', since: minute(20) },
      { reason: 'short', since: minute(30) },
    ]))
})

describe('what staff have answered', () => {
  it.for<[what: string, history: History]>([
    ['money of an ended order', lateAndShort],
    ['money that was paid twice', [...done, ...second, received(2, 1000)]],
    ['seen money', [...crypto, expired(), seen(1, part('5'))]],
    ['a reversal', [...done, reversed('receipt-1', 300)]],
    ['a dispute', [...done, disputed()]],
    ['a receipt of another order', [...done, unusable('receipt-2')]],
    ['coins that were given after the end', [...crypto, expired(), deliveredAfterEnd()]],
  ])('is answered by settling %s, also when the order is deleted', ([, history]) => {
    expect(causesOf(history)).not.toEqual([])
    expect(causesOf(settle(history))).toEqual([])
    expect(causesOf([...settle(history), deleted()])).toEqual([])
  })

  it.for<[what: string, history: History, more: OrderEvent[], reason: AttentionReason]>([
    ['money', lateAndShort, [received(1, 500)], 'unearned'],
    [
      'money that came again after a refund',
      refund(lateAndShort, 400),
      [received(1, 400, { receiptId: 'receipt-2' })],
      'unearned',
    ],
    [
      'a reversal that was undone',
      [...lateAndShort, reversed('receipt-1', 400)],
      [reversed('receipt-1', 0, { takenCents: -400 })],
      'unearned',
    ],
    ['a third payment', [...done, ...second, received(2, 1000)], [received(2, 2000)], 'over'],
    ['a larger sighting', [...crypto, expired(), seen(1, part('5'))], [seen(1, part('6'))], 'never-confirmed'],
    ['another sighting', [...crypto, expired(), seen(1, part('5'))], [seen(1, part('1', 'part-2'))], 'never-confirmed'],
    [
      'a sighting that had failed',
      [...crypto, expired(), seen(1, part('5'))],
      [failed(1), seen(1, part('5'))],
      'never-confirmed',
    ],
    [
      'a larger reversal',
      [...done, reversed('receipt-1', 300)],
      [reversed('receipt-1', 400, { takenCents: 100 })],
      'reversed',
    ],
    ['a dispute that is opened again', [...done, disputed()], [disputeClosed('won'), disputed()], 'disputed'],
    ['another receipt', [...done, unusable('receipt-2')], [unusable('receipt-3')], 'receipt-refused'],
  ])('is asked about again with %s', ([, history, more, reason]) =>
    expect(causesOf([...settle(history), ...more])).toContain(reason),
  )

  it('is not asked about again with a sighting that only gets further', () =>
    expect(
      causesOf([...settle([...crypto, expired(), seen(1, part('5'))]), seen(1, { ...part('5'), status: 'sending' })]),
    ).toEqual([]))

  it('by an approval is what only asked for it; what may have to be paid back stays', () => {
    expect(causesOf(approve(short))).toEqual([])
    expect(causesOf(approve([...forBot, disputed()]))).toEqual([])
    expect(causesOf(approve([...crypto, expired(), deliveredAfterEnd(), received(1, 500)]))).toEqual([])
    expect(causesOf(approve([...crypto, expired(), received(1, 1001), unusable('b'), reinstatementRefused()]))).toEqual(
      ['receipt-refused', 'over'],
    )
  })

  it('by an approval is open again when a dispute or a reversal revokes it', () => {
    const back = approve([...paid, reversed('receipt-1', 1000), ...second, received(2, 1000)])
    expect(causesOf([...back, disputed('PP-D-1', { attempt: 2 })])).toEqual(['reversed', 'disputed'])
    expect(causesOf([...back, disputed('PP-D-1', { attempt: 2 }), disputeClosed('won')])).toEqual(['reversed'])
  })

  it('by a refund is money of which nothing is left', () => {
    const twice = [...done, ...second, received(2, 1000)]
    expect(causesOf(refund(twice, 999))).toEqual(['over'])
    expect(causesOf(refund(twice, 1000))).toEqual([])
    expect(causesOf(refund([...short, reversed('receipt-1', 100)], 300))).toEqual([])
    expect(causesOf(refund(lateAndShort, 300))).toEqual(['unearned'])
  })
})

describe('the words of', () => {
  it('money follow from what became of the order', () => {
    expect(nameOf([...crypto, received(1, 1001)], 'over')).toBe('Paid too much')
    expect(nameOf([...done, ...second, received(2, 1000)], 'over')).toBe('Paid twice')
    expect(nameOf([...settle([...done, unusable('b')]), ...second, received(2, 1000)], 'over')).toBe(
      'Paid after settling',
    )
    expect(nameOf([...done, deleted(), ...second, received(2, 1000)], 'over')).toBe('Money on a deleted order')
    expect(nameOf(lateAndShort, 'unearned')).toBe('Ended uncovered')
    expect(nameOf([...late, reinstatementRefused()], 'unearned')).toBe('Paid after its end')
    expect(nameOf([...settle(lateAndShort), received(1, 500)], 'unearned')).toBe('Paid after settling')
    expect(nameOf([...refund(forBot, 1000), received(1, 2000)], 'unearned')).toBe('Paid after settling')
    expect(nameOf([...short, deleted()], 'unearned')).toBe('Money on a deleted order')
  })

  it.for(['never-confirmed', 'capture-unknown', 'wrong-coin', 'payment-unclear'] as const)(
    '%s advise no delivery of what is delivered or deleted',
    (reason) => {
      expect(adviceOn(crypto, reason)).toMatch(
        /If \$10\.00 or more, .* is confirmed there, approve the order to deliver it\. If it is not to be delivered, delete the order, .* then pay back at the provider what came\. Where/,
      )
      expect(adviceOn(lateAndShort, reason)).toMatch(
        /settle this first, and then pay back at the provider what came, as well as the \$4\.00 that is held, and note that refund\. Where/,
      )
      for (const history of [done, [...lateAndShort, deleted()]])
        expect(adviceOn(history, reason)).not.toMatch(/approve|deliver it/)
    },
  )

  it('a payment name what its method asked for', () => {
    const paypal = [placed(), requested(1, 'paypal'), started(1), captureRequested(1), failed(1, 'capture-unknown')]
    expect(adviceOn(paypal, 'capture-unknown')).toMatch(/If \$10\.40 or more, .* is confirmed there/)
    const inRupees = { askedMinor: 86_500, currency: 'INR' } as const
    const upi = [placed(), requested(1, 'upi', inRupees), started(1), seen(1), expired()]
    expect(adviceOn(upi, 'never-confirmed')).toMatch(/If ₹865\.00 or more, .* is confirmed there/)
  })

  it('a reversal call an order undelivered only where it is', () => {
    expect(adviceOn([...forBot, reversed('receipt-1', 1000)], 'reversed')).toMatch(
      /stays undelivered until it is approved/,
    )
    expect(adviceOn([...inList, reversed('receipt-1', 400)], 'reversed')).toMatch(
      /\$6\.00 of \$10\.00 is held\. Where the coins were given, contest it there/,
    )
    expect(adviceOn([...done, reversed('receipt-1', 400)], 'reversed')).toMatch(/^The coins were given\./)
  })

  it('a short order say that more money is on its way', () => {
    expect(adviceOn(short, 'short')).toMatch(/^\$4\.00 of \$10\.00 is held\. The buyer can pay the rest\./)
    expect(adviceOn([...short, seen(1, part('1'))], 'short')).toMatch(/^More money was seen/)
  })
})

describe('the buyer reads', () => {
  it('that a person will look, unless there is only the rest to be paid', () => {
    expect(sentence(short)).toBeUndefined()
    for (const history of [
      lateAndShort,
      [...short, unusable('b', 'another-coin')],
      [...short, reversed('receipt-1', 1)],
    ])
      expect(sentence(history)).toMatch(/a person at the shop will look at/i)
  })

  it('to pay nothing more while it is not known whether a payment went through', () => {
    const unknown = [...crypto, captureRequested(1), failed(1, 'capture-unknown')]
    expect(sentence(unknown)).toMatch(/please pay nothing more now/)
    expect(sentence([...crypto, unusable('b', 'another-coin')])).toMatch(/please send nothing more now/)
  })

  it('how much is held only where money is', () => {
    expect(sentence([...crypto, expired(), seen(1)])).not.toMatch(/holds/)
    expect(sentence([...lateAndShort, seen(1, part('1'))])).toMatch(
      /The shop holds \$4\.00 for this order\. Please have/,
    )
    expect(sentence([...forBot, reversed('receipt-1', 400)])).toMatch(/went back at .* The shop holds \$6\.00/)
    expect(sentence([...done, unusable('b')])).not.toMatch(/holds/)
  })
})

it('holds an order back until a person decides', () => {
  expect(isBack(...forBot, deliveryRequested(), deliveryGivenUp())).toBe(true)
  expect(isBack(...forBot, reversed('receipt-1', 1000))).toBe(true)
  expect(isBack(...forBot, disputed())).toBe(true)
  expect(isBack(...forBot, deliveryHeld())).toBe(true)
  expect(isBack(...crypto, unusable('b', 'another-coin'))).toBe(true)
  expect(isBack(...forBot, unusable('b', 'another-coin'))).toBe(false)
  expect(isBack(...done, ...second, received(2, 1000))).toBe(false)
})
