import { describe, expect, it } from 'vitest'
import { examplesOf } from '../testing/examples.ts'
import {
  abandoned,
  adminId,
  approved,
  cancelled,
  captureRequested,
  chosen,
  completed,
  day,
  deleted,
  deliveryRequested,
  expired,
  failed,
  minute,
  deliveredAfterEnd,
  deliveryGivenUp,
  deliveryHeld,
  coins,
  orderAfter,
  paidBack,
  orderId,
  placed,
  preOrderReserved,
  ready,
  received,
  refunded,
  reinstated,
  reinstatementRefused,
  requested,
  blockFound,
  disputeClosed,
  disputed,
  reversed,
  seen,
  settled,
  started,
  unusable,
  watchEnded,
  watchHeldUp,
  withoutAnswers,
} from '../testing/order-samples.ts'
import { histories } from '../testing/order-situations.ts'
import type { DeliveryMode } from '../words.ts'
import type { OrderEvent, OrderEventData } from './events.ts'
import { order } from './order.ts'
import { watchUntil } from './deadline.ts'
import type { OrderCommand, PlacedOrderCommand } from './commands.ts'
import { plusMinutes } from '../plus-minutes.ts'
import { ATTEMPTS_MAX } from './may.ts'
import { paidBackOf, paidCents } from './order-money.ts'
import { answerDueAt, isApproved, isDeliveryHeld, nothingBack } from './order-state.ts'
import { isToBeDelivered, openAttempt, statusesOf } from './standing.ts'
import type { PaymentMethod } from '../payment-methods.ts'

const { emits, ignores, refuses } = examplesOf(order, withoutAnswers)

const preOrder = placed({ preOrder: true })
const upi = [placed(), requested(1, 'upi'), started(1)]
const paypal = [placed(), requested(1, 'paypal'), started(1, { payCurrency: 'USD', payAmount: '10.40' })]
const { 'to be paid': crypto, short, capturing, completed: done } = histories
const { 'pre-order, paid': paidPreOrder } = histories
const { 'in the list of staff': paidForStaff, 'paid, for the bot': paidForWebhook } = histories
const { 'bot called': delivering, 'call unknown': deliveryUnknown, 'paid without stock': paidWithoutStock } = histories

const at = minute(30)
const lateAndShort = [...crypto, expired(), received(1, 400)]
const instant = { deliveryMode: 'instant', at } as const
const byStaff = { deliveryMode: 'staff', at } as const
const byWebhook = { deliveryMode: 'webhook', at } as const

function receipt(attempt: number, cents: number, receiptId = `receipt-${attempt}`) {
  return { attempt, provider: 'crypto', receiptId, amount: coins(cents), askedAmount: '0.1', currency: 'ltc' }
}

const receive = (attempt: number, coversCents: number, receiptId?: string) =>
  ({ type: 'ReceivePayment', receipt: receipt(attempt, coversCents, receiptId), ...instant }) as const
const reverse = (attempt: number, reversedCents: number, cents = 1000) => {
  const back = { done: coins(reversedCents), pending: '0', failed: '0' }
  return {
    type: 'ReportRefund',
    receipt: receipt(attempt, cents),
    back,
    byHolder: true,
    ...instant,
    at: minute(50),
  } as const
}
/** A reversal as its provider reports it. */
const reversal = (receiptId: string, cents: number, changes: Parameters<typeof reversed>[2] = {}) =>
  [paidBack(receiptId, cents), reversed(receiptId, cents, changes)] as const
const choose = (paymentMethod: PaymentMethod, when = minute(1)) =>
  ({ type: 'ChoosePaymentMethod', paymentMethod, at: when }) as const
const approve = (serial: number | null = null) =>
  ({ type: 'ApproveOrder', serial, adminId, deliveryMode: 'instant', at: minute(70) }) as const
const approveByWebhook = (serial: number | null = null) => ({ ...approve(serial), deliveryMode: 'webhook' }) as const
const expire = (when: string) => ({ type: 'ExpireOrder', at: when }) as const
const remove = (coinsGiven: boolean | null = null) =>
  ({ type: 'DeleteOrder', coinsGiven, adminId, at: minute(80) }) as const
const cancel = { type: 'CancelOrder', at } as const
const markDelivered = { type: 'MarkDelivered', at } as const
const requestDelivery = { type: 'RequestDelivery', callsUntil: minute(100), at: minute(40) } as const
const confirmDelivery = { type: 'ConfirmDelivery', at: minute(45) } as const
const settle = { type: 'SettleAttention', reason: 'nothing-owed', adminId, at: day(1) } as const

const hold = { type: 'HoldDelivery', at: minute(45) } as const
const reserve = { type: 'ReservePreOrder', serial: 9, deliveryMode: 'instant', at: minute(70) } as const
const reinstate = { type: 'ReinstateOrder', serial: 9, deliveryMode: 'instant', at: minute(90) } as const
const fail = { type: 'FailPayment', attempt: 1, reason: 'expired', deliveryMode: 'instant', at: minute(40) } as const

const place = (requestHash: string) =>
  ({ type: 'PlaceOrder', placed: placed({ requestHash }).data }) as const satisfies OrderCommand
const abandon = (claimAt: number) =>
  ({ type: 'AbandonOrder', orderId, claimAt, serial: 7, at: minute(1) }) as const satisfies OrderCommand
const see = (status: 'confirming' | 'confirmed' | 'sending' | 'partially_paid', amountPaid: string | null = '0.1') =>
  ({ ...sighting, status, amountPaid, deliveryMode: 'instant', at: minute(5) }) as const
const sighting = { type: 'SeePayment', attempt: 1 } as const
const capture = (attempt = 1) =>
  ({ type: 'RequestCapture', attempt, requestId: 'capture-1', callsUntil: minute(20), at: minute(10) }) as const
type RequestData = OrderEventData<'PaymentRequested'>
/** The rest after a payment of 400 cents. */
const rest = { askedMinor: 600, coversCents: 600 }
const giveUpCapture = (when: string) =>
  ({ type: 'GiveUpCapture', attempt: 1, deliveryMode: 'instant', at: when }) as const
const endWatch = (pollBeganAt: string) => ({ type: 'EndPaymentWatch', attempt: 1, pollBeganAt, at: day(30) }) as const
const giveUpDelivery = (when: string) => ({ type: 'GiveUpDelivery', at: when }) as const

function request(
  attempt: number,
  method: PaymentMethod,
  changes: Partial<RequestData> = {},
): PlacedOrderCommand<'RequestPayment'> {
  const { data } = requested(attempt, method, changes)
  const { orderId: _id, at: _at, ...asked } = data
  return { type: 'RequestPayment', request: asked, at: minute(1) }
}

function requote(attempt: number, replaces: number, changes: Partial<RequestData> = {}): OrderCommand {
  return { ...request(attempt, 'crypto', changes), replaces }
}

function start(attempt: number, when: string): OrderCommand {
  const { orderId: _id, at: _at, orderExpiresAt: _expires, ...facts } = started(attempt).data
  return { type: 'StartPayment', started: facts, at: when }
}

describe('placing', () => {
  it('an order is placed', () => emits([], place('hash-1'), placed()))
  it('an order is placed behind a fence', () => emits([abandoned()], place('hash-1'), placed()))
  it('another request under the same key is rejected', () => refuses([placed()], place('hash-2'), 'order/key-reused'))
  it('a repeated request places nothing, even after the order is deleted', () =>
    ignores([placed(), deleted()], place('hash-1')))
})

describe('abandoning a claim', () => {
  it('the revision of a claim that never came is fenced', () => emits([], abandon(0), abandoned()))
  it('a placed order cannot be fenced', () => ignores([placed()], abandon(0)))
  it('a later claim of a placed order is fenced', () => emits([placed()], abandon(1), abandoned()))
  it('a fence changes nothing in a placed order', () =>
    expect(orderAfter(placed(), abandoned())).toStrictEqual({ ...orderAfter(placed()), next: 2 }))
})

it('a payment that was never requested is unknown', () => {
  for (const command of [start(1, at), see('confirming'), fail, capture(), endWatch(day(29))])
    refuses([placed()], command, 'payment/unknown')
})

describe('choosing a payment method', () => {
  it('a chosen payment method is recorded', () => emits([placed()], choose('upi'), chosen('upi')))
  it('the same method is recorded again after its attempt failed', () =>
    emits([...upi, failed(1)], choose('upi'), chosen('upi')))
  it('an order that changed its method too often can be paid by its current method', () => {
    const changes = Array.from({ length: ATTEMPTS_MAX }, (_, index) => chosen(index % 2 ? 'upi' : 'crypto'))
    refuses([placed(), ...changes], choose('paypal'), 'order/too-many-changes')
    ignores([placed(), ...changes, requested(1, 'upi'), failed(1)], choose('upi'))
    emits([placed(), ...changes], request(1, 'upi'), requested(1, 'upi'))
  })
  it('after the last attempt the method cannot be changed and the open payment stays', () => {
    const attempts = Array.from({ length: ATTEMPTS_MAX }, (_, index) => requested(index + 1, 'crypto'))
    refuses([placed(), ...attempts], choose('upi'), 'order/too-many-changes')
    expect(openAttempt(orderAfter(placed(), ...attempts), 'crypto')?.attempt).toBe(ATTEMPTS_MAX)
  })
})

describe('requesting a payment', () => {
  it('a requested payment is recorded', () => emits([placed()], request(1, 'crypto'), requested(1, 'crypto')))
  it('a payment that was never started is not requested twice', () =>
    ignores([placed(), requested(1, 'crypto')], request(2, 'crypto')))
  it('the number of an earlier attempt is not requested again', () => ignores(crypto, request(1, 'upi')))
  it('the rest of a short payment gets a new quote', () =>
    emits(short, requote(2, 1, rest), requested(2, 'crypto', rest)))
  it('nothing is quoted again while money is on its way', () => ignores([...crypto, seen(1)], requote(2, 1)))
  it('the rest of a short bank payment is requested', () =>
    emits([...upi, received(1, 400)], request(2, 'upi', rest), requested(2, 'upi', rest)))
  it('a new request does not include what another payment has brought', () =>
    emits(
      [...crypto, requested(2, 'upi'), started(2), received(1, 400)],
      request(3, 'upi', rest),
      requested(3, 'upi', rest),
    ))
  it('a request for more than is owed adds nothing', () => ignores([...upi, received(1, 400)], request(2, 'upi')))
  it('the number of attempts is limited', () => {
    const attempts = Array.from({ length: ATTEMPTS_MAX }, (_, index) => [
      requested(index + 1, 'upi'),
      failed(index + 1),
    ])
    refuses([placed(), ...attempts.flat()], request(ATTEMPTS_MAX + 1, 'upi'), 'order/too-many-changes')
  })
})

describe('starting a payment', () => {
  const asked = [placed(), requested(1, 'crypto')]
  const large = [placed({ expiresAt: minute(15) }), requested(1, 'crypto')]

  it.for<[what: string, history: OrderEvent[], startedAt: number, expiresAt: number]>([
    ['moves the deadline to half a time from then', asked, 50, 80],
    ['never moves the deadline beyond one and a half times after placing', asked, 65, 90],
    ['never moves the deadline back', asked, 10, 60],
    ['keeps to the order’s own time, which is a quarter for a large one', large, 14, 21.5],
    ['records what the provider answered when the order had ended, and moves nothing', [...asked, expired()], 61, 60],
  ])('starting a payment %s', ([, history, at, expiresAt]) =>
    emits(history, start(1, minute(at)), started(1, { orderExpiresAt: minute(expiresAt), at: minute(at) })),
  )
  it('the deadline moves only once', () =>
    emits(
      [placed(), requested(1, 'crypto'), started(1, { orderExpiresAt: minute(70) }), requested(2, 'upi')],
      start(2, minute(60)),
      started(2, { orderExpiresAt: minute(70), at: minute(60) }),
    ))
  it('the payment that was recorded first stays', () => ignores(crypto, start(1, minute(2))))
})

describe('money that is seen', () => {
  it('money that is seen is recorded', () => emits(crypto, see('confirming'), seen(1)))
  it('seen money is recorded again when its status advances', () =>
    emits([...crypto, seen(1)], see('sending'), seen(1, { status: 'sending' })))
  it('seen money is recorded again when its amount is known', () =>
    emits([...crypto, seen(1, { amountPaid: null, seenCents: null })], see('confirming'), seen(1)))
  it('the status of seen money never goes back', () =>
    ignores([...crypto, seen(1, { status: 'sending' })], see('confirming', '0.1')))
  it('seen money that has arrived is not recorded', () => ignores(short, see('confirming')))
  it('money is seen after its attempt failed', () => emits([...crypto, failed(1)], see('confirming'), seen(1)))
})

it('an attempt cannot fail once money has arrived', () => ignores(short, fail))

describe('capturing', () => {
  it('a capture is recorded before the provider is called', () => emits(paypal, capture(), captureRequested(1)))
  it('a payment that failed, was given up or never started is not captured', () => {
    ignores([...paypal, failed(1)], capture())
    refuses([...paypal, failed(1, 'capture-unknown')], capture(), 'order/no-payment')
    refuses([placed(), requested(1, 'paypal')], capture(), 'order/no-payment')
    refuses([placed()], capture(), 'payment/unknown')
  })
  it('a capture is not given up while a call may still be answered, even by a clock that is ahead', () =>
    ignores(capturing, giveUpCapture(minute(20.56))))
  it('an answered capture is not given up', () => {
    ignores([...capturing, seen(1)], giveUpCapture(minute(21)))
    ignores([...capturing, failed(1)], giveUpCapture(minute(21)))
    ignores([...capturing, received(1, 400)], giveUpCapture(minute(21)))
  })
  it('a covered order is ready once its capture fails, is seen or is given up', () => {
    const both = [placed(), requested(1, 'crypto'), requested(2, 'paypal'), started(2), captureRequested(2)]
    const fail = { type: 'FailPayment', attempt: 2, reason: 'failed', ...byStaff } as const
    emits([...both, received(1, 1000)], fail, failed(2, 'failed', at), ready('staff'))
    emits(
      [...both, received(1, 1000)],
      { ...fail, deliveryMode: 'instant' },
      failed(2, 'failed', at),
      completed({ paymentMethod: 'paypal' }),
    )
    emits(
      [...both, received(1, 1000)],
      { ...see('confirming'), attempt: 2, ...byWebhook },
      seen(2, { at }),
      ready('webhook'),
    )
    emits(
      [...both, received(1, 1000)],
      { ...giveUpCapture(minute(21)), attempt: 2, deliveryMode: 'staff' },
      failed(2, 'capture-unknown', minute(21)),
      ready('staff', minute(21)),
    )
  })
  it('an order can expire once its capture is closed', () =>
    emits([...capturing, failed(1, 'capture-unknown')], expire(minute(61)), expired(minute(61))))
})

describe('receiving money', () => {
  it('instant delivery completes a paid order in the same append', () =>
    emits(crypto, receive(1, 1000), received(1, 1000), completed()))
  it('a paid order becomes ready for staff or for the webhook, as configured', () => {
    emits(crypto, { ...receive(1, 1000), ...byStaff }, received(1, 1000), ready('staff'))
    emits(crypto, { ...receive(1, 1000), ...byWebhook }, received(1, 1000), ready('webhook'))
  })
  it('half a percent of a crypto payment is forgiven, and not a cent more', () => {
    emits(crypto, receive(1, 995), received(1, 995), completed())
    emits(crypto, receive(1, 994), received(1, 994))
  })
  it('nothing is forgiven on the other methods', () => emits(upi, receive(1, 999), received(1, 999)))
  it('a receipt that pays another order is ignored', () => {
    const refused = unusable('receipt-1')
    ignores([...crypto, refused], receive(1, 1000))
    ignores([...crypto, refused], reverse(1, 1000))
  })
})

describe('money in another coin', () => {
  const why = 'another-coin'
  const stray = { attempt: 1, receiptId: 'receipt-1', why, isGone: false, endsSighting: false } as const
  const note = { type: 'NoteUnusableReceipt', ...stray, at: minute(50) } as const
  const noted = unusable('receipt-1', why)

  it('money in another coin covers nothing and is recorded once', () => {
    emits(crypto, note, noted)
    ignores([...crypto, noted], note)
  })
  it('money in another coin counts once it is reported in the requested coin', () =>
    emits([...crypto, noted], receive(1, 1000), received(1, 1000), completed()))
  it('money that was counted is not recorded as another coin', () => ignores(done, note))
})

describe('late money', () => {
  const refuse = { type: 'RefuseReinstatement', at: minute(71) } as const
  const late = [...crypto, expired(), received(1, 1000, { at: minute(70) })]
  it('late money reinstates the order with newly reserved coins', () =>
    emits(late, reinstate, reinstated(9), completed({ serial: 9, at: minute(90) })))
  it('late money reinstates an order once', () => ignores([...late, reinstated(9)], { ...reinstate, serial: 10 }))
  it('late money without stock refuses the reinstatement', () => emits(late, refuse, reinstatementRefused()))
  it('after a refused reinstatement only an approval delivers', () => {
    ignores(paidWithoutStock, reinstate)
    ignores(paidWithoutStock, refuse)
    emits([...paidWithoutStock, requested(2, 'upi')], receive(2, 1000), received(2, 1000))
  })
  it('late money that grows to the total reinstates the order', () => {
    const grown = [...lateAndShort, received(1, 1000, { addedCents: 600 })]
    emits(grown, reinstate, reinstated(9), completed({ serial: 9, at: minute(90) }))
    expect(orderAfter(...grown).attention).toStrictEqual([])
  })
  it('reversed late money never reinstates an order', () => {
    const back = [...late, reversed('receipt-1', 1000)]
    ignores(back, reinstate)
    ignores([...back, requested(2, 'upi'), received(2, 1000)], reinstate)
    emits([...back, requested(2, 'upi')], receive(2, 1000), received(2, 1000))
  })
})

describe('a blocked payer', () => {
  const blocked = [...crypto, blockFound()]
  it('is noted once, and not of an order that is over', () => {
    emits(crypto, { type: 'NoteBlock', at }, blockFound(at))
    ignores(blocked, { type: 'NoteBlock', at })
    ignores(done, { type: 'NoteBlock', at })
  })
  it('gets no coins for what is paid until staff approve', () => {
    emits(blocked, receive(1, 1000), received(1, 1000))
    const paid = [...blocked, received(1, 1000)]
    expect(orderAfter(...paid).attention.map(({ reason }) => reason)).toEqual(['buyer-blocked'])
    expect(orderAfter(...paid, approved()).attention).toEqual([])
  })
  it('brings back no ended order by late money', () =>
    expect(orderAfter(...blocked, expired(), received(1, 1000)).attention.map(({ reason }) => reason)).toEqual([
      'unearned',
    ]))
})

const due = (respondBy: string) => disputed('PP-D-1', { respondBy })

describe('disputes', () => {
  const at = minute(50)
  const note = (outcome: 'open' | 'won' | 'lost', deliveryMode: DeliveryMode = 'staff') =>
    ({
      type: 'NoteDispute',
      attempt: 1,
      disputeId: 'PP-D-1',
      receiptId: 'receipt-1',
      outcome,
      deliveryMode,
      at,
    }) as const
  const raised = [...paidForWebhook, disputed()]
  it('a dispute of a completed order is recorded once and changes nothing else', () => {
    emits(done, note('open'), disputed())
    ignores([...done, disputed()], note('open'))
  })
  it('a dispute is recorded again once its answer is due at another time, which revokes no approval', () => {
    emits(done, { ...note('open'), respondBy: minute(90) }, due(minute(90)))
    ignores([...done, due(minute(90))], { ...note('open'), respondBy: minute(90) })
    ignores([...done, due(minute(90))], note('open'))
    emits([...done, due(minute(90))], { ...note('open'), respondBy: minute(99) }, due(minute(99)))
    const approvedSince = orderAfter(...raised, approved(), due(minute(99)))
    expect([isApproved(approvedSince), answerDueAt(approvedSince)]).toEqual([true, minute(99)])
    expect(answerDueAt(orderAfter(...done, due(minute(90)), disputeClosed('lost')))).toBeUndefined()
  })
  it('an open dispute holds back an undelivered order until it is won', () => {
    expect(isToBeDelivered(orderAfter(...raised))).toBe(false)
    ignores(raised, requestDelivery)
    emits(raised, note('won', 'webhook'), disputeClosed('won', 'PP-D-1', at), ready('webhook', at))
    const won = orderAfter(...raised, disputeClosed('won'))
    expect([won.attention, isToBeDelivered(won)]).toEqual([[], true])
  })
  it('a dispute of money that has not been received yet is recorded, and holds back what that money pays for', () => {
    emits(crypto, note('open'), disputed())
    emits([...crypto, disputed()], receive(1, 1000), received(1, 1000))
  })
  it('a dispute of an order in the list of staff is recorded', () => emits(paidForStaff, note('open'), disputed()))
  it('a dispute that is first reported as won changes nothing, and one first reported as lost is recorded', () => {
    ignores(done, note('won'))
    emits(done, note('lost'), disputed(), disputeClosed('lost', 'PP-D-1', at))
  })
  it('a disputed payment reinstates no ended order', () => {
    const ended = [placed(), requested(1, 'paypal'), expired(), received(1, 1000), disputed()]
    ignores(ended, { type: 'ReinstateOrder', serial: 9, deliveryMode: 'instant', at: minute(90) })
  })
})

describe('reversals', () => {
  it('a reversal of an unknown receipt records the receipt too, and completes nothing', () =>
    emits(crypto, reverse(1, 1000), received(1, 1000, { at: minute(50) }), ...reversal('receipt-1', 1000)))
  it('a reversal never takes more than the receipt brought', () => {
    emits(
      [...short, requested(2, 'upi'), received(2, 500)],
      reverse(1, 1000, 400),
      paidBack('receipt-1', 1000),
      reversed('receipt-1', 1000, { takenCents: 400 }),
    )
  })
  it('what arrives by a receipt of which more went back is reversed at once', () => {
    const back = [...short, paidBack('receipt-1', 1000), reversed('receipt-1', 1000, { takenCents: 400 })]
    emits(back, reverse(1, 1000, 700), received(1, 700, { addedAmount: coins(300), addedCents: 0, at: minute(50) }))
  })
  it('a reversal beyond what has arrived is recorded, and counts once more arrives', () => {
    const back = [...short, ...reversal('receipt-1', 400)]
    const more = [paidBack('receipt-1', 600), reversed('receipt-1', 600, { takenCents: 0 })] as const
    emits(back, reverse(1, 600, 400), ...more)
    const { grewAt } = orderAfter(...back, ...more)
    expect(grewAt.reversed).toBe(back.length + 1)
  })
  it('after a reversal another payment does not deliver, only an approval does', () => {
    const again = [...paidForWebhook, reversed('receipt-1', 1000), requested(2, 'upi')]
    emits(again, receive(2, 1000), received(2, 1000))
    refuses([...again, received(2, 1000)], markDelivered, 'order/not-paid')
    ignores([...again, received(2, 1000)], expire(day(9)))
    emits([...again, received(2, 1000)], approve(), approved(), completed({ paymentMethod: 'upi', at: minute(70) }))
  })
  it('after a reversal an order in the list of staff keeps its coins until staff say whether they were given', () => {
    const asked = [...paidForStaff, reversed('receipt-1', 1000)]
    emits(paidForStaff, reverse(1, 1000), ...reversal('receipt-1', 1000))
    ignores(asked, expire(day(30)))
    refuses(asked, markDelivered, 'order/busy')
    emits(asked, approveByWebhook(), approved(), completed({ at: minute(70) }))
    refuses(asked, remove(), 'order/coins-given-unknown')
  })
  it('a reversal revokes an approval', () => {
    const back = [...short, approved(), reversed('receipt-1', 400)]
    refuses(back, markDelivered, 'order/not-paid')
    emits(back, approveByWebhook(), approved(), ready('webhook', minute(70)))
  })
  it('a reversed pre-order reserves no coins', () =>
    ignores([...paidPreOrder, reversed('receipt-1', 1000)], { type: 'ReservePreOrder', serial: 9, ...byStaff }))
})

describe('watching a payment', () => {
  const over = [...crypto, expired(day(1))]
  it('the watch of a payment ends with a check that began a week after the end of the order', () =>
    emits(over, endWatch(watchUntil(day(1))), watchEnded(1, day(30))))
  it('the watch goes on after a check that began too early, even by a clock that is ahead', () =>
    ignores(over, endWatch(day(8))))
  it('the watch goes on when the order is brought back', () =>
    ignores([...over, approved(9, day(2))], endWatch(day(29))))
  it('the watch counts from the deletion of an order', () =>
    ignores([...over, deleted({ at: day(5) })], endWatch(day(11))))
})

describe('approving', () => {
  it('an approval completes an order under staff delivery, and an order in the list of staff under any', () => {
    emits(short, { ...approve(), deliveryMode: 'staff' }, approved(), completed({ at: minute(70) }))
    emits(paidForStaff, approveByWebhook(), approved(), completed({ at: minute(70) }))
    emits(histories.approved, approveByWebhook(), approved(), completed({ paymentMethod: null, at: minute(70) }))
  })
  it('an approval brings an ended order back with newly reserved coins', () =>
    emits(paidWithoutStock, approve(9), approved(9), completed({ serial: 9, at: minute(70) })))
  it('an approval uses the stock that was reserved for a pre-order', () =>
    emits([preOrder], approve(9), approved(9), completed({ paymentMethod: null, serial: 9, at: minute(70) })))
  it('an approval leaves a needless reservation to the sweep', () =>
    emits([placed()], approve(9), approved(), completed({ paymentMethod: null, at: minute(70) })))
  it('an order that staff have settled cannot be approved', () =>
    refuses([...paidWithoutStock, settled(['unearned'])], approve(9), 'order/not-approvable'))
  it('an approval never calls the bot twice when the result of a delivery is unknown', () =>
    emits(deliveryUnknown, approveByWebhook(), approved(), completed({ at: minute(70) })))
})

describe('pre-orders', () => {
  it('a paid pre-order reserves stock and is delivered', () =>
    emits(paidPreOrder, reserve, preOrderReserved(9), completed({ serial: 9, at: minute(70) })))
  it('a paid pre-order is ready once it holds coins', () => {
    for (const deliveryMode of ['staff', 'webhook'] as const)
      emits(paidPreOrder, { ...reserve, deliveryMode }, preOrderReserved(9), ready(deliveryMode, minute(70)))
  })
  it('a pre-order reserves stock once', () =>
    ignores([...paidPreOrder, preOrderReserved(9)], { ...reserve, serial: 10 }))
})

describe('delivering by the webhook', () => {
  it('a delivery is held once while its buyer cannot be read, and an approval releases it', () => {
    const held = [...paidForWebhook, deliveryHeld()]
    emits(paidForWebhook, hold, deliveryHeld())
    for (const others of [held, delivering, paidForStaff, done, [...held, reversed('receipt-1', 1000)]])
      ignores(others, hold)
    const approval = approved(null, minute(50))
    expect(isDeliveryHeld(orderAfter(...held))).toBe(true)
    expect(isDeliveryHeld(orderAfter(...held, approval))).toBe(false)
    expect(orderAfter(...held, completed()).attention).toEqual([])
    emits([...held, approval, deliveryHeld(minute(51))], approve(), approved())
  })
  it('a delivery call is recorded first', () => emits(paidForWebhook, requestDelivery, deliveryRequested()))
  it('a delivery that is confirmed after the end of the order is recorded once', () => {
    const ended = [...deliveryUnknown, deleted({ coinsGiven: false })]
    emits(ended, confirmDelivery, deliveredAfterEnd())
    ignores([...ended, deliveredAfterEnd()], confirmDelivery)
  })
  it('a late confirmation adds nothing when staff said that the coins were given', () =>
    ignores([...deliveryUnknown, deleted({ coinsGiven: true })], confirmDelivery))

  it('a delivery is given up when its time and the time of a call have passed', () =>
    emits(delivering, giveUpDelivery(minute(101)), deliveryGivenUp()))
  it('a delivery is not given up while a call may still be answered, even by a clock that is ahead', () =>
    ignores(delivering, giveUpDelivery(minute(100.56))))
})

const DAY = 24 * 60
const largeHold = [placed({ isLargeHold: true }), ...crypto.slice(1)]

describe('expiring', () => {
  it('an order expires at its deadline, not before', () => {
    emits([placed()], expire(minute(60)), expired())
    ignores([placed()], expire(minute(59.99)))
  })
  it.for<[what: string, end: number, history: readonly OrderEvent[]]>([
    ['a day after half of the total was received', DAY + 30, [...crypto, received(1, 500)]],
    ['at its deadline where less was received', 61, short],
    [
      'a day after all parts together were half',
      DAY + 40,
      [...short, received(1, 100, { receiptId: 'r-2', at: minute(40) })],
    ],
    ['a day after half of the total was seen', DAY + 5, [...crypto, seen(1, { seenCents: 500 })]],
    ['at its deadline where less was seen', 61, [...crypto, seen(1, { seenCents: 499 })]],
    ['an hour after half of a large hold was seen', 65, [...largeHold, seen(1)]],
    ['a day after half of a large hold was received', DAY + 30, [...largeHold, received(1, 500)]],
    ['an hour after money of no known amount was seen', 65, [...crypto, seen(1, { seenCents: null })]],
    [
      'a day after the amount was known to be half',
      DAY + 20,
      [...crypto, seen(1, { seenCents: null }), seen(1, { seenCents: 500, at: minute(20) })],
    ],
    ['no later for what is seen again', DAY + 5, [...crypto, seen(1), seen(1, { status: 'sending', at: minute(50) })]],
    ['at the end that was granted, also where the money failed', DAY + 5, [...crypto, seen(1), failed(1)]],
  ])('an order expires %s', ([, end, history]) => {
    ignores(history, expire(minute(end - 0.01)))
    emits(history, expire(minute(end)), expired(minute(end)))
  })
  it('an order that was placed by a clock far ahead expires', () => {
    const ahead = placed({ at: day(30), expiresAt: plusMinutes(day(30), 60) })
    emits([ahead], expire(minute(5)), expired(minute(5)))
    ignores([placed({ at: minute(50), expiresAt: minute(110) })], expire(minute(5)))
    ignores([ahead, ...crypto.slice(1), received(1, 1000)], expire(minute(5)))
  })
})

it('an order without seen money can be cancelled', () => {
  emits([placed()], cancel, cancelled())
  emits(crypto, cancel, cancelled())
})

it('attention can be settled once an order has ended, also by deletion', () => {
  emits([...done, unusable('receipt-2')], settle, settled([]))
  emits([...short, deleted()], settle, settled([]))
})

describe('deleting', () => {
  it('deleting an order records its figures', () =>
    emits(done, remove(), deleted({ completedAt: minute(30), receivedCents: 1000 })))
  it.for([
    ['the end of a delivery is unknown', deliveryUnknown],
    ['the order is in their list', paidForStaff],
  ] as const)('deleting records what staff say of the coins when %s', ([, history]) => {
    emits(history, remove(true), deleted({ coinsGiven: true, receivedCents: 1000 }))
    emits(history, remove(false), deleted({ coinsGiven: false, receivedCents: 1000 }))
  })
  it('deleting records no answer when none is needed', () =>
    emits([placed()], remove(true), deleted({ paymentMethod: null })))
})

const part = { id: 'part-1', amount: '0.05', currency: 'ltc' }
const other = { id: 'part-2', amount: '0.02', currency: 'ltc' }
const seeParts = (...parts: (typeof part)[]) => ({ ...see('confirming'), parts })
const secondUpi = [requested(2, 'upi'), started(2)]
const failing = (reason: OrderEventData<'PaymentFailed'>['reason'], ended: string[] = []) =>
  ({ ...fail, reason, ended }) as const
const heldUp = (when: string) => ({ type: 'NoteHeldUpWatch', attempt: 1, at: when }) as const

it('settled seen money is recorded again only when it grows', () => {
  const dealt = [...crypto, expired(), seen(1), settled(['never-confirmed'])]
  ignores(dealt, seeParts())
  emits(dealt, seeParts(part), seen(1, { parts: [part], seenCents: 500 }))
})

describe('money that is seen beside a receipt', () => {
  const half = [...crypto, received(1, 500)]
  const beside = [...half, seen(1, { parts: [part] })]
  const statusAfter = (event: OrderEvent) => statusesOf(orderAfter(...beside, event)).paymentStatus

  it('seen money next to a receipt is kept by its id and is on its way', () => {
    emits(half, seeParts(part), seen(1, { parts: [part], seenCents: 500 }))
    expect(statusesOf(orderAfter(...beside)).paymentStatus).toBe('processing')
  })
  it('seen money is kept when a report does not name it', () =>
    emits(beside, seeParts(other), seen(1, { parts: [part, other], seenCents: 700 })))
  it('what is seen under the id of a receipt is the amount beyond what is held of it', () => {
    const beyond = { id: 'receipt-1', amount: coins(1000), currency: 'ltc' }
    const shown = { id: 'receipt-1', amount: coins(500), currency: 'ltc' }
    emits(half, seeParts(beyond), seen(1, { parts: [shown], seenCents: 500 }))
    ignores(half, seeParts(shown))
    const late = orderAfter(...half, seen(1, { parts: [shown] }), expired(day(3)))
    expect(late.attention.map(({ reason }) => reason)).toEqual(['never-confirmed', 'unearned'])
  })
  it('seen money is on its way until the provider reports that it failed', () => {
    const ended = { type: 'EndParts', attempt: 1, ended: ['part-1'], ...byStaff } as const
    emits(beside, ended, failed(1, 'failed', at))
    ignores(half, ended)
    expect(statusAfter(failed(1, 'failed'))).toBe('partially_paid')
    expect(paidCents(orderAfter(...beside, failed(1, 'failed')))).toBe(500)
  })
  it('a sighting that a receipt of another order had ended does not come back by a late answer', () => {
    const ends = { attempt: 1, receiptId: 'receipt-1', why: 'pays-another-order', endsSighting: true } as const
    const note = { type: 'NoteUnusableReceipt', ...ends, isGone: false, at: minute(50) } as const
    const noted = unusable('receipt-1', 'pays-another-order', minute(50), { endsSighting: true })
    emits([...crypto, seen(1)], note, noted)
    ignores([...crypto, seen(1), noted], note)
    emits([...crypto, seen(1), noted, seen(1)], note, noted)
    expect(orderAfter(...crypto, seen(1), noted).attempts).toMatchObject([{ money: { kind: 'awaited' } }])
  })
  it('seen money that paid another order is not on its way', () => {
    expect(statusAfter(unusable('part-1'))).toBe('partially_paid')
  })
})

describe('seen money that fails', () => {
  it.for(['expired', 'declined', 'failed'] as const)('seen money stays when its payment only %s', (reason) =>
    ignores([...crypto, seen(1, { parts: [part] })], failing(reason)),
  )
  it.for(['failed', 'declined', 'cancelled'] as const)('seen money without an id ends when its payment %s', (reason) =>
    emits([...crypto, seen(1, { status: 'confirmed' })], failing(reason), failed(1, reason)),
  )
  it('seen money without an id stays when its payment expires', () =>
    ignores([...crypto, seen(1, { status: 'confirmed' })], failing('expired')))
  it('seen money fails when the provider says so of it', () =>
    emits([...crypto, seen(1, { parts: [part] })], failing('declined', ['part-1']), failed(1, 'declined')))
  it('seen money fails when the provider has sent it back', () =>
    emits([...crypto, seen(1)], failing('refunded'), failed(1, 'refunded')))
  it('seen money is not captured again', () => ignores([...paypal, seen(1)], capture()))
})

describe('a watch that errors hold up', () => {
  const ended = [...crypto, expired()]
  const held = [...ended, watchHeldUp(1, day(9))]
  it('a watch that errors hold up is recorded once, after a day', () => {
    ignores(ended, heldUp(day(8)))
    emits(ended, heldUp(day(9)), watchHeldUp(1, day(9)))
    ignores(held, heldUp(day(10)))
  })
  it('a watch that errors held up ends once the payment can be read or staff settle it', () => {
    emits(held, endWatch(day(30)), watchEnded(1, day(30)))
    emits(held, { ...settle, at: day(10) }, settled([], { at: day(10) }), watchEnded(1, day(10)))
  })
})

describe('a reversal that is undone', () => {
  const paid = [...crypto, received(1, 1000)]
  const back = [...paid, ...reversal('receipt-1', 1000)]
  const undone = reversal('receipt-1', 0, { takenCents: -1000 })

  it('undoing a reversal puts the money back', () => {
    emits(back, reverse(1, 0), ...undone)
    expect(paidCents(orderAfter(...back, ...undone))).toBe(1000)
  })
  it('undoing a part of a reversal puts that part back', () =>
    emits(back, reverse(1, 300), ...reversal('receipt-1', 300, { takenCents: -700 })))
  it('the payment that holds the receipt undoes what another one reported, and no other does', () => {
    const byOther = [...paid, ...secondUpi, paidBack('receipt-1', 1000, { byHolder: false }), back.at(-1) ?? placed()]
    ignores(byOther, { ...reverse(1, 0), byHolder: false })
    emits(byOther, reverse(1, 0), ...undone)
    ignores([...byOther, ...undone], { ...reverse(1, 1000), byHolder: false })
  })
  it('a check that began before the reversal does not undo it', () =>
    ignores(back, { ...reverse(1, 0), backBefore: nothingBack }))
  it('the watch goes on until a check knows all reversed money', () => {
    const end = { type: 'EndPaymentWatch', attempt: 1, pollBeganAt: day(9), at: day(9) } as const
    ignores([...back, expired()], { ...end, backBefore: paidBackOf(orderAfter(...paid)) })
    emits([...back, expired()], { ...end, backBefore: paidBackOf(orderAfter(...back)) }, watchEnded(1, day(9)))
  })
  it('a recorded refund is not counted as a reversal', () =>
    emits([...done, refunded(400)], reverse(1, 400), paidBack('receipt-1', 400)))
})

describe('coins that were given after the end', () => {
  const ended = refunded(1000, { endsOrder: true, coinsGiven: false })
  const lateAnswer = [...deliveryUnknown, ended, deliveredAfterEnd()]
  it('coins that were given after the end are not delivered again: an approval completes the order', () =>
    emits(lateAnswer, approveByWebhook(9), approved(9), completed({ serial: 9, at: minute(70) })))
  it('late money does not bring back an order whose coins were given after its end', () => {
    const paidLate = [...crypto, expired(), deliveredAfterEnd(), received(1, 1000)]
    ignores(paidLate, { type: 'ReinstateOrder', serial: 9, deliveryMode: 'webhook', at: minute(90) })
  })
})
