import { expect, it } from 'vitest'
import {
  adminId,
  approved,
  blockFound,
  cancelled,
  captureRequested,
  chosen,
  coins,
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
  paidBack,
  placed,
  ready,
  received,
  refunded,
  refundFailed,
  refundRequested,
  reinstated,
  reinstatementRefused,
  requested,
  reversed,
  seen,
  settled,
  started,
  unusable,
  watchEnded,
  watchHeldUp,
} from '../domain/testing/order-samples.ts'
import { isHeldBack } from '../domain/order/causes.ts'
import type { OrderCommand } from '../domain/order/commands.ts'
import type { AttentionReason } from '../domain/words.ts'
import type { OrderEvent } from '../domain/order/events.ts'
import { needsItsBuyer } from '../domain/order/needs-buyer.ts'
import { order } from '../domain/order/order.ts'
import { isDeleted } from '../domain/order/order-state.ts'
import { situationOf } from '../domain/order/situation.ts'
import { dueCents, statusesOf, toPayBackCents } from '../domain/order/standing.ts'
import { buyerSentence } from './cause-words.ts'
import { paymentText } from './payment-text.ts'

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
const settle = (history: History) =>
  decided(history, { type: 'SettleAttention', reason: 'nothing-owed', adminId, at: day(1) })
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

/** Where it stands, its causes and figures, the sentence for the buyer, whether it is held back and whether its buyer may be erased. */
function said(history: History): string {
  const state = orderAfter(...history)
  const { status, paymentStatus } = statusesOf(state)
  const figures = Object.entries({ due: dueCents(state), 'to pay back': toPayBackCents(state) })
  const causes = state.attention.map(({ reason }) => reason)
  // Only staff see a deleted order.
  const sentence = isDeleted(state) ? undefined : buyerSentence(state)
  return [
    `  ${status} / ${paymentStatus}, ${situationOf(state)}, ${paymentText(state)}`,
    ...figures.flatMap(([name, cents]) => (cents > 0 ? [`  ${name}: ${cents}`] : [])),
    ...(causes.length > 0 ? [`  asks: ${causes.join(', ')}`] : []),
    ...(sentence === undefined ? [] : [`  buyer: ${sentence}`]),
    ...(isHeldBack(state) ? ['  held back'] : []),
    ...(needsItsBuyer(state) ? [] : ['  may be erased']),
  ].join('\n')
}

const paypal = [placed(), requested(1, 'paypal'), started(1)]
const inRupees = [placed(), requested(1, 'upi', { askedMinor: 86_500, currency: 'INR' }), started(1)]
const uncertain = [captureRequested(1), failed(1, 'capture-unknown')]
const wrongCoin = unusable('b', 'another-coin')
const reversal = (cents: number) => reversed('receipt-1', cents)

const preOrder = [placed({ preOrder: true }), requested(1, 'crypto'), started(1), received(1, 1000)]
const unwatched = [...crypto, expired(), watchEnded(1, day(9))]
const unknown = [...forBot, deliveryRequested(), deliveryGivenUp()]

/** Histories of an order. Most of them call staff, or did. */
const situations: Readonly<Record<string, History>> = {
  'it was placed': [placed()],
  'a payment is requested of the provider': [placed(), requested(1, 'crypto')],
  'a payment has started': crypto,
  'money is seen': [...crypto, seen(1)],
  'an attempt failed': [...crypto, failed(1)],
  'a payment was cancelled': [...paypal, failed(1, 'cancelled')],
  'a payment was declined': [...paypal, failed(1, 'declined')],
  'a payment went back': [...crypto, failed(1, 'refunded')],
  'a payment failed': [...crypto, failed(1, 'failed')],
  'a method is chosen again after a failed attempt': [...crypto, failed(1), chosen('crypto')],
  'a payment is asked for again after a failed attempt': [...crypto, failed(1), requested(2, 'upi')],
  'money is seen after its attempt had failed': [...crypto, failed(1), seen(1)],
  'an older attempt failed': [...crypto, ...second, failed(1)],
  'its money is being captured': [...crypto, captureRequested(1)],
  'it is paid and not delivered': paid,
  'it is being delivered': [...paid, deliveryRequested()],
  'it was approved': [placed(), approved()],
  'it was approved without money and completed': [placed(), approved(), completed()],
  'it was approved after its end': [placed(), expired(), approved(9)],
  'a pre-order is paid': preOrder,
  'it is completed': done,
  'it is completed and deleted': [...done, deleted()],
  'it is completed and refunded': [...done, refunded(1000)],
  'it was refunded undelivered': [...paid, refunded(1000, { endsOrder: true })],
  'it was cancelled unpaid': [placed(), cancelled()],
  'it was deleted unpaid': [...crypto, deleted()],
  'it expired, and a payment that began may still bring it back': [...crypto, expired()],
  'it expired, and its payments are watched no more': unwatched,
  'money was seen and never came': [...crypto, expired(), seen(1), watchEnded(1, day(9))],
  'money that was seen failed': [...crypto, expired(), seen(1), failed(1), watchEnded(1, day(9))],
  'it was brought back by late money': [...late, reinstated(9)],
  'late money covers it': [...late, watchEnded(1, day(9))],
  'staff have paid back what came late': [...lateAndShort, settled(['unearned']), watchEnded(1, day(9))],
  'it was deleted after its coins were given': [...unknown, deleted({ coinsGiven: true })],
  'less was paid': short,
  'less was paid, and more is on its way': [...short, seen(1, part('1'))],
  'a crypto payment lacks half a percent': [...crypto, received(1, 995)],
  'a crypto payment lacks more than half a percent': [...crypto, received(1, 994)],
  'less came, and staff approved it': [...crypto, approved(), received(1, 400)],
  'the rest came': [...short, received(1, 1000)],
  'more was paid': [...crypto, received(1, 1001)],
  'what was forgiven came later': [...crypto, received(1, 995), completed(), received(1, 1000)],
  'it was paid twice': [...done, ...second, received(2, 1000)],
  'it was paid again after staff had settled': [...settle([...done, unusable('b')]), ...second, received(2, 1000)],
  'it was paid again after it was deleted': [...done, deleted(), ...second, received(2, 1000)],
  'short money is on an expired order': [...short, expired(day(2))],
  'it ends with short and with unconfirmed money': [...short, ...second, seen(2), expired(day(3))],
  'late money does not cover it': lateAndShort,
  'late money does not cover it, and more is on its way': [...lateAndShort, seen(1, part('1'))],
  'late money covers it and may bring it back': [...lateAndShort, received(1, 1000)],
  'late money is refused': [...late, reinstatementRefused()],
  'late money comes after staff had settled': [...settle(lateAndShort), received(1, 500)],
  'late money comes where money was reversed': [
    ...crypto,
    expired(),
    received(1, 500),
    reversal(500),
    ...second,
    received(2, 1000),
  ],
  'money is on a deleted order': [...short, deleted()],
  'a refund that was noted has failed': [
    ...refund(forBot, 1000),
    paidBack('receipt-1', 0, { done: '0', failed: coins(1000) }),
  ],
  'a refund is to be sent': [...forBot, refundRequested(1000)],
  'a refund was refused': [...done, refundRequested(1000), refundFailed('refused')],
  'a refund was refused, and another one was sent': [
    ...refund([...done, refundRequested(1000), refundFailed('refused')], 1000),
  ],
  'a refund has no answer': [...forBot, refundRequested(1000), refundFailed('unknown')],
  'a refund has no answer, of an order in the list of staff': [
    ...inList,
    refundRequested(1000),
    refundFailed('unknown'),
  ],
  'a refund has no answer, and staff approved the order': approve([
    ...inList,
    refundRequested(1000),
    refundFailed('unknown'),
  ]),
  'a refund has no answer, after the hand-over': [...done, refundRequested(1000), refundFailed('unknown')],
  'money came after a refund': [...refund(forBot, 1000), received(1, 2000)],
  'a refund leaves a rest': [...forBot, refunded(960, { endsOrder: true })],
  'a refund ends it with money on its way': [...short, ...second, seen(2), refunded(400, { endsOrder: true })],
  'a payment was reversed': [...forBot, reversal(1000)],
  'a part of a payment was reversed': [...forBot, reversal(400)],
  'a part of a short payment was reversed': [...short, reversal(300)],
  'a payment was reversed after the hand-over': [...done, reversal(400)],
  'one of two payments was reversed after the hand-over': [...done, ...second, received(2, 1000), reversal(400)],
  'it leaves the list of staff by a reversal': [...inList, reversal(400)],
  'it leaves the list of staff by a dispute': [...inList, disputed()],
  'a reversal is undone before the hand-over': [...paid, reversal(1000), undone],
  'a reversal is undone after the hand-over': [...done, reversal(1000), undone],
  'its payer is blocked, and has not paid': [...paypal, blockFound()],
  'its payer is blocked': [...paypal, blockFound(), received(1, 1000)],
  'its payer is blocked, and it was approved': approve([...paypal, blockFound(), received(1, 1000)]),
  'its buyer is blocked while staff may hand it over': [...inList, blockFound()],
  'its payer is blocked, and paid late': [...paypal, blockFound(), expired(), received(1, 1000, { at: minute(70) })],
  'a dispute is open': [...forBot, disputed()],
  'a dispute is lost': [...done, disputed(), disputeClosed('lost')],
  'a dispute is won': [...forBot, disputed(), disputeClosed('won')],
  'a capture has no answer': [...paypal, ...uncertain],
  'a capture has no answer, and late money is short': [...paypal, ...uncertain, expired(), ...second, received(2, 400)],
  'a capture has no answer, and another payment completed it': [
    ...crypto,
    ...uncertain,
    ...second,
    received(2, 1000),
    completed(),
  ],
  'a capture has no answer, and staff approved it': approve([...paypal, ...uncertain]),
  'the money of an unknown capture came': [...paypal, ...uncertain, received(1, 1000)],
  'no delivery call is answered': unknown,
  'staff marked it delivered after a call without an answer': [...unknown, completed()],
  'the buyer cannot be read': [...forBot, deliveryHeld()],
  'an unpaid order was approved, its buyer cannot be read, and it is deleted': [
    ...crypto,
    approved(),
    ready('webhook'),
    deliveryHeld(),
    deleted(),
  ],
  'a receipt pays another order': [...crypto, unusable('receipt-1')],
  'a receipt pays another order, of one that is done': [...done, unusable('b')],
  'money comes in another coin': [...crypto, wrongCoin],
  'money comes in another coin, beside a short payment': [...short, wrongCoin],
  'money comes in another coin, beside the whole': [...forBot, wrongCoin],
  'money comes in another coin, after the end': [...lateAndShort, wrongCoin],
  'money comes in another coin, after the hand-over': [...done, wrongCoin],
  'money comes in another coin, of a deleted order': [...lateAndShort, deleted(), wrongCoin],
  'money in another coin came in the right one': [...crypto, unusable('receipt-1', 'another-coin'), received(1, 1000)],
  'money is seen after the end': [...crypto, expired(), seen(1)],
  'rupees are seen after the end': [...inRupees, seen(1), expired()],
  'money is seen after the watch': [...crypto, expired(), watchEnded(1, day(8)), seen(1)],
  'money is seen, and staff approve it for that': [...approve([...crypto, seen(1), expired()]), completed()],
  'money is seen, and another payment completes it': [...crypto, ...second, seen(1), received(2, 1000), completed()],
  'money is seen on a completed and deleted order': [...done, ...second, deleted(), seen(2)],
  'seen money had outlasted it when it came back': [
    ...crypto,
    ...second,
    seen(1),
    expired(day(2)),
    received(2, 1000),
    reinstated(9),
  ],
  'seen money arrived': [...crypto, expired(), seen(1), received(1, 1000)],
  'seen money failed': [...crypto, expired(), seen(1), failed(1)],
  'a watch ends on a word that is not known': [...crypto, expired(), watchEnded(1, day(30), true)],
  'a watch ends so after the hand-over': [...done, watchEnded(1, day(30), true)],
  'one of two watches ends so': [...crypto, ...second, expired(), watchEnded(1, day(30), true), watchEnded(2, day(30))],
  'errors hold up a watch': [...crypto, expired(), watchHeldUp(1, day(9))],
  'a payment can be read again': [...crypto, expired(), watchHeldUp(1, day(9)), watchEnded(1, day(10))],
  'coins were given after the end, and money came again': [
    ...forBot,
    deliveryRequested(),
    refunded(1000, { endsOrder: true }),
    deliveredAfterEnd(),
    ...second,
    received(2, 1000, { at: minute(99) }),
  ],
  'coins were given after the end': [...crypto, expired(), deliveredAfterEnd()],
}

it('each situation has the words and causes that order-causes.txt records', async () => {
  const lines = Object.entries(situations).map(([situation, history]) => `${situation}\n${said(history)}`)
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('./testing/order-causes.txt')
})

it('causes are listed by rank, with their start', () =>
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

it.for<[what: string, history: History]>([
  ['money of an ended order', lateAndShort],
  ['money that was paid twice', [...done, ...second, received(2, 1000)]],
  ['seen money', [...crypto, expired(), seen(1, part('5'))]],
  ['a reversal', [...done, reversed('receipt-1', 300)]],
  ['a dispute', [...done, disputed()]],
  ['a receipt of another order', [...done, unusable('receipt-2')]],
  ['coins that were given after the end', [...crypto, expired(), deliveredAfterEnd()]],
])('settling answers %s, also after the order is deleted', ([, history]) => {
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
])('%s brings a settled cause back', ([, history, more, reason]) =>
  expect(causesOf([...settle(history), ...more])).toContain(reason),
)

it('a sighting that only progresses does not bring a settled cause back', () =>
  expect(
    causesOf([...settle([...crypto, expired(), seen(1, part('5'))]), seen(1, { ...part('5'), status: 'sending' })]),
  ).toEqual([]))

it('an approval answers what asked for it, but not money that may have to be paid back', () => {
  expect(causesOf(approve(short))).toEqual([])
  expect(causesOf(approve([...forBot, disputed()]))).toEqual([])
  expect(causesOf(approve([...crypto, expired(), deliveredAfterEnd(), received(1, 500)]))).toEqual([])
  expect(causesOf(approve([...crypto, expired(), received(1, 1001), unusable('b'), reinstatementRefused()]))).toEqual([
    'receipt-refused',
    'over',
  ])
})

it('a dispute or a reversal that revokes an approval reopens what it answered', () => {
  const back = approve([...paid, reversed('receipt-1', 1000), ...second, received(2, 1000)])
  expect(causesOf([...back, disputed('PP-D-1', { attempt: 2 })])).toEqual(['reversed', 'disputed'])
  expect(causesOf([...back, disputed('PP-D-1', { attempt: 2 }), disputeClosed('won')])).toEqual(['reversed'])
})

it('a dispute that revokes an approval leaves what staff had settled before it', () => {
  const back = approve([...settle([...crypto, expired(), ...uncertain]), received(1, 400)])
  expect(causesOf([...back, disputed()])).toEqual(['disputed', 'short'])
})

it('settling answers a cause that is not present yet', () => {
  const over = settle([...crypto, expired(), received(1, 1001), reinstatementRefused()])
  expect(causesOf([...over, approved(9), completed()])).toEqual([])
})

it('a settled cause that vanished asks again when it comes back', () => {
  const settledOnce = settle([...paypal, ...uncertain, expired()])
  expect(causesOf(settledOnce)).toEqual([])
  expect(causesOf([...settledOnce, seen(1), failed(1, 'capture-unknown')])).toEqual(['capture-unknown'])
})

it('a refund answers money of which nothing is left', () => {
  const twice = [...done, ...second, received(2, 1000)]
  expect(causesOf(refund(twice, 999))).toEqual(['over'])
  expect(causesOf(refund(twice, 1000))).toEqual([])
  expect(causesOf(refund([...short, reversed('receipt-1', 100)], 300))).toEqual([])
  expect(causesOf(refund(lateAndShort, 300))).toEqual(['unearned'])
})
