import { describe, expect, it } from 'vitest'
import { given as givenDecider } from '../testing/given.ts'
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
  needsAttention,
  orderAfter,
  orderId,
  placed,
  preOrderReserved,
  ready,
  received,
  reinstated,
  requested,
  disputeClosed,
  disputed,
  reversed,
  seen,
  settled,
  started,
  watchEnded,
} from '../testing/order-samples.ts'
import type { AttentionReason, DeliveryMode, OrderEventData } from './events.ts'
import { order } from './order.ts'
import { expiryOf, watchUntil } from './deadline.ts'
import type { OrderCommand, PlacedOrderCommand } from './commands.ts'
import { plusMinutes } from '../plus-minutes.ts'
import { ATTEMPTS_MAX, may, METHOD_CHANGES_MAX } from './may.ts'
import { isDeliveryHeld, isToBeDelivered, openAttempt } from './order-state.ts'
import type { PaymentMethod } from '../payment-methods.ts'

const given = givenDecider(order)

const preOrder = placed({ preOrder: true })
const crypto = [requested(1, 'crypto'), started(1)]
const upi = [requested(1, 'upi'), started(1)]
const paypal = [requested(1, 'paypal'), started(1, { payCurrency: 'USD', payAmount: '10.40' })]
const capturing = [placed(), ...paypal, captureRequested(1)]
const paidForStaff = [placed(), ...crypto, received(1, 1000), ready('staff')]
const paidForWebhook = [placed(), ...crypto, received(1, 1000), ready('webhook')]
const delivering = [...paidForWebhook, deliveryRequested()]
const deliveryUnknown = [...delivering, needsAttention(['delivery-unknown'], minute(101))]
const short = [placed(), ...crypto, received(1, 400), needsAttention(['short'], minute(30))]
const done = [placed(), ...crypto, received(1, 1000), completed()]
const paidWithoutStock = [
  placed(),
  ...crypto,
  expired(),
  received(1, 1000, { at: minute(70) }),
  needsAttention(['paid-without-stock'], minute(71)),
]

const at = minute(30)
const lateAndShort = [placed(), ...crypto, expired(), received(1, 400), needsAttention(['late-and-short'], at)]
const instant = { deliveryMode: 'instant', at } as const
const byStaff = { deliveryMode: 'staff', at } as const
const byWebhook = { deliveryMode: 'webhook', at } as const

function receipt(attempt: number, coversCents: number, receiptId = `receipt-${attempt}`) {
  return { attempt, provider: 'crypto', receiptId, amount: '0.1', currency: 'ltc', coversCents }
}

const receive = (attempt: number, coversCents: number, receiptId?: string) =>
  ({ type: 'ReceivePayment', receipt: receipt(attempt, coversCents, receiptId), ...instant }) as const
const reverse = (attempt: number, reversedCents: number, coversCents = 1000) =>
  ({
    type: 'ReversePayment',
    receipt: receipt(attempt, coversCents),
    reversedCents,
    ...instant,
    at: minute(50),
  }) as const
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
const settle = { type: 'SettleAttention', adminId, at: day(1) } as const

const place = (requestHash: string) =>
  ({ type: 'PlaceOrder', placed: placed({ requestHash }).data }) as const satisfies OrderCommand
const abandon = (claimAt: number) =>
  ({ type: 'AbandonOrder', orderId, claimAt, serial: 7, at: minute(1) }) as const satisfies OrderCommand
const see = (status: 'confirming' | 'confirmed' | 'sending' | 'partially_paid', amountPaid: string | null = null) =>
  ({ type: 'SeePayment', attempt: 1, status, amountPaid, deliveryMode: 'instant', at: minute(5) }) as const
const capture = (attempt = 1) =>
  ({ type: 'RequestCapture', attempt, requestId: 'capture-1', callsUntil: minute(20), at: minute(10) }) as const
type RequestData = OrderEventData<'PaymentRequested'>
/** What 400 cents leave to be paid. */
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
  it('places an order', () => given().when(place('hash-1')).emits(placed()))
  it('places an order behind a fence', () => given(abandoned()).when(place('hash-1')).emits(placed()))
  it('places the same request once', () => given(placed()).when(place('hash-1')).changesNothing())
  it('refuses another request under the same key', () =>
    given(placed()).when(place('hash-2')).refuses('order/key-reused'))
  it('answers a repeat with the order even when it was deleted', () =>
    given(placed(), deleted()).when(place('hash-1')).changesNothing())
})

describe('abandoning a claim', () => {
  it('fences the place at which a claim never came', () => given().when(abandon(0)).emits(abandoned()))
  it('fences a place once', () => given(abandoned()).when(abandon(0)).changesNothing())
  it('leaves an order alone that was placed there', () => given(placed()).when(abandon(0)).changesNothing())
  it('fences a later claim of an order that stands', () => given(placed()).when(abandon(1)).emits(abandoned()))
  it('changes nothing in an order that stands', () =>
    expect(orderAfter(placed(), abandoned())).toStrictEqual({ ...orderAfter(placed()), next: 2 }))
})

describe('an order that is not there', () => {
  it.for<OrderCommand>([choose('upi'), cancel, remove(), approve(), expire(day(1)), receive(1, 1000), settle])(
    'refuses $type',
    (command) => given().when(command).refuses('order/not-found'),
  )
  it('is still not there behind a fence', () => given(abandoned()).when(cancel).refuses('order/not-found'))
})

describe('choosing a payment method', () => {
  it('notes the choice', () => given(placed()).when(choose('upi')).emits(chosen('upi')))
  it('notes the same choice once', () => given(placed(), chosen('upi')).when(choose('upi')).changesNothing())
  it('notes another choice while a payment is open', () =>
    given(placed(), ...crypto)
      .when(choose('upi'))
      .emits(chosen('upi')))
  it('notes the same method again after its attempt failed', () =>
    given(placed(), ...upi, failed(1))
      .when(choose('upi'))
      .emits(chosen('upi')))
  it('notes it once after a failed attempt', () =>
    given(placed(), ...upi, failed(1), chosen('upi'))
      .when(choose('upi'))
      .changesNothing())
  it('keeps the method once it is paid', () =>
    given(...paidForStaff)
      .when(choose('upi'))
      .refuses('order/already-paid'))
  it('keeps the method once it is approved', () =>
    given(placed(), approved()).when(choose('upi')).refuses('order/already-paid'))
  it('keeps the method while a capture is open', () =>
    given(...capturing)
      .when(choose('upi'))
      .refuses('order/busy'))
  it('keeps the method when the order has ended', () =>
    given(placed(), expired()).when(choose('upi')).refuses('order/not-pending'))
  it('knows no deleted order', () => given(placed(), deleted()).when(choose('upi')).refuses('order/not-found'))
  it('is bounded, and leaves the standing method to be paid', () => {
    const changes = Array.from({ length: METHOD_CHANGES_MAX }, (_, index) => chosen(index % 2 ? 'upi' : 'crypto'))
    given(placed(), ...changes)
      .when(choose('paypal'))
      .refuses('order/too-many-changes')
    given(placed(), ...changes, requested(1, 'upi'), failed(1))
      .when(choose('upi'))
      .changesNothing()
    given(placed(), ...changes)
      .when(request(1, 'upi'))
      .emits(requested(1, 'upi'))
  })
  it('never leads away from the last payment to a method that cannot be attempted any more', () => {
    const attempts = Array.from({ length: ATTEMPTS_MAX }, (_, index) => requested(index + 1, 'crypto'))
    given(placed(), ...attempts)
      .when(choose('upi'))
      .refuses('order/too-many-changes')
    expect(openAttempt(orderAfter(placed(), ...attempts), 'crypto')?.attempt).toBe(ATTEMPTS_MAX)
  })
})

describe('requesting a payment', () => {
  it('notes the request before the provider is called', () =>
    given(placed()).when(request(1, 'crypto')).emits(requested(1, 'crypto')))
  it('keeps to the open payment of the method', () =>
    given(placed(), ...crypto)
      .when(request(2, 'crypto'))
      .changesNothing())
  it('keeps to a payment whose start was never recorded', () =>
    given(placed(), requested(1, 'crypto')).when(request(2, 'crypto')).changesNothing())
  it('adds nothing under a number that is taken', () =>
    given(placed(), ...crypto)
      .when(request(1, 'upi'))
      .changesNothing())
  it('opens another attempt for another method', () =>
    given(placed(), ...crypto)
      .when(request(2, 'upi'))
      .emits(requested(2, 'upi')))
  it('opens another attempt after a failed one', () =>
    given(placed(), ...upi, failed(1))
      .when(request(2, 'upi'))
      .emits(requested(2, 'upi')))
  it('asks for the rest anew where a bank payment came short', () =>
    given(placed(), ...upi, received(1, 400))
      .when(request(2, 'upi', rest))
      .emits(requested(2, 'upi', rest)))
  it('quotes an open payment afresh, once', () => {
    given(placed(), ...crypto)
      .when(requote(2, 1))
      .emits(requested(2, 'crypto'))
    given(placed(), ...crypto, requested(2, 'crypto'), started(2))
      .when(requote(3, 1))
      .changesNothing()
  })
  it('quotes the rest afresh where the first address received too little', () =>
    given(...short)
      .when(requote(2, 1, rest))
      .emits(requested(2, 'crypto', rest)))
  it('quotes nothing afresh while money is on its way', () =>
    given(placed(), ...crypto, seen(1))
      .when(requote(2, 1))
      .changesNothing())
  it('quotes nothing afresh that was never opened, nor where the amount is fixed', () => {
    given(placed(), requested(1, 'crypto')).when(requote(2, 1)).changesNothing()
    given(placed(), ...upi)
      .when({ ...request(2, 'upi'), replaces: 1 })
      .changesNothing()
  })
  it('asks for nothing that is not owed any more', () =>
    given(placed(), ...upi, received(1, 400))
      .when(request(2, 'upi'))
      .changesNothing())
  it('lets short crypto be topped up at its address', () =>
    given(...short)
      .when(request(2, 'crypto'))
      .changesNothing())
  it('never asks again for what another payment has brought since', () =>
    given(placed(), ...crypto, requested(2, 'upi'), started(2), received(1, 400))
      .when(request(3, 'upi', rest))
      .emits(requested(3, 'upi', rest)))
  it('refuses once it is paid', () =>
    given(...paidForStaff)
      .when(request(2, 'upi'))
      .refuses('order/already-paid'))
  it('refuses while the end of a delivery is unknown, reversed or not', () =>
    given(...deliveryUnknown, reversed('receipt-1', 1000))
      .when(request(2, 'upi'))
      .refuses('order/already-paid'))
  it('refuses while a capture is open', () =>
    given(...capturing)
      .when(request(2, 'upi'))
      .refuses('order/busy'))
  it('refuses on an order that has ended', () =>
    given(placed(), cancelled()).when(request(1, 'upi')).refuses('order/not-pending'))
  it('knows no deleted order', () => given(placed(), deleted()).when(request(1, 'upi')).refuses('order/not-found'))
  it('ends after so many attempts', () => {
    const attempts = Array.from({ length: ATTEMPTS_MAX }, (_, index) => [
      requested(index + 1, 'upi'),
      failed(index + 1),
    ])
    given(placed(), ...attempts.flat())
      .when(request(ATTEMPTS_MAX + 1, 'upi'))
      .refuses('order/too-many-changes')
  })
  it('shows no open payment for another method', () =>
    expect(openAttempt(orderAfter(placed(), ...crypto), 'upi')).toBeUndefined())
})

describe('starting a payment', () => {
  it('moves the deadline to half a time from then', () =>
    given(placed(), requested(1, 'crypto'))
      .when(start(1, minute(50)))
      .emits(started(1, { orderExpiresAt: minute(80), at: minute(50) })))
  it('moves the deadline once', () =>
    given(placed(), requested(1, 'crypto'), started(1, { orderExpiresAt: minute(70) }), requested(2, 'upi'))
      .when(start(2, minute(60)))
      .emits(started(2, { orderExpiresAt: minute(70), at: minute(60) })))
  it('never moves the deadline beyond one and a half times after placing', () =>
    given(placed(), requested(1, 'crypto'))
      .when(start(1, minute(65)))
      .emits(started(1, { orderExpiresAt: minute(90), at: minute(65) })))
  it('never moves the deadline back', () =>
    given(placed(), requested(1, 'crypto'))
      .when(start(1, minute(10)))
      .emits(started(1, { orderExpiresAt: minute(60), at: minute(10) })))
  it('keeps to the order’s own time, which is a quarter for a large one', () =>
    given(placed({ expiresAt: minute(15) }), requested(1, 'crypto'))
      .when(start(1, minute(14)))
      .emits(started(1, { orderExpiresAt: minute(21.5), at: minute(14) })))
  it('records what the provider answered when the order had ended, and moves nothing', () =>
    given(placed(), requested(1, 'crypto'), expired())
      .when(start(1, minute(61)))
      .emits(started(1, { orderExpiresAt: minute(60), at: minute(61) })))
  it('records an older attempt all the same', () =>
    given(placed(), requested(1, 'crypto'), requested(2, 'upi'))
      .when(start(1, minute(1)))
      .emits(started(1, { orderExpiresAt: minute(60) })))
  it('keeps the payment that was recorded first', () =>
    given(placed(), ...crypto)
      .when(start(1, minute(2)))
      .changesNothing())
  it('knows only payments that were requested', () =>
    given(placed())
      .when(start(1, minute(2)))
      .refuses('payment/unknown'))
})

describe('money that is seen', () => {
  it('is noted', () =>
    given(placed(), ...crypto)
      .when(see('confirming'))
      .emits(seen(1)))
  it('is noted once', () =>
    given(placed(), ...crypto, seen(1))
      .when(see('confirming'))
      .changesNothing())
  it('is noted again when it gets further', () =>
    given(placed(), ...crypto, seen(1))
      .when(see('sending'))
      .emits(seen(1, { status: 'sending' })))
  it('is noted again when the amount is known', () =>
    given(placed(), ...crypto, seen(1))
      .when(see('confirming', '0.1'))
      .emits(seen(1, { amountPaid: '0.1' })))
  it('never goes back', () =>
    given(placed(), ...crypto, seen(1, { status: 'sending' }))
      .when(see('confirming', '0.1'))
      .changesNothing())
  it('is old news once the money has arrived', () =>
    given(...short)
      .when(see('confirming'))
      .changesNothing())
  it('is noted after the attempt had failed', () =>
    given(placed(), ...crypto, failed(1))
      .when(see('confirming'))
      .emits(seen(1)))
  it('is noted on an order that has ended, and comes before staff', () =>
    given(placed(), ...crypto, expired())
      .when(see('confirming'))
      .emits(seen(1), needsAttention(['never-confirmed'], minute(5))))
  it('closes an open capture even when it reports nothing new', () =>
    given(placed(), ...paypal, seen(1), captureRequested(1))
      .when(see('confirming'))
      .emits(seen(1)))
  it('belongs to a payment that was requested', () =>
    given(placed()).when(see('confirming')).refuses('payment/unknown'))
})

describe('an attempt that fails', () => {
  const fail = { type: 'FailPayment', attempt: 1, reason: 'expired', deliveryMode: 'instant', at: minute(40) } as const

  it('is noted', () =>
    given(placed(), ...crypto)
      .when(fail)
      .emits(failed(1)))
  it('is noted once', () =>
    given(placed(), ...crypto, failed(1))
      .when(fail)
      .changesNothing())
  it('does not fail once money has come', () =>
    given(...short)
      .when(fail)
      .changesNothing())
  it('is noted when the order has ended', () =>
    given(placed(), ...crypto, expired())
      .when(fail)
      .emits(failed(1)))
  it('was requested', () => given(placed()).when(fail).refuses('payment/unknown'))
})

describe('capturing', () => {
  it('is asked for in the log first', () =>
    given(placed(), ...paypal)
      .when(capture())
      .emits(captureRequested(1)))
  it('is asked for once', () =>
    given(...capturing)
      .when(capture())
      .changesNothing())
  it('is not asked for again when the money has come', () =>
    given(placed(), ...paypal, received(1, 400))
      .when(capture())
      .changesNothing())
  it('waits for another capture', () =>
    given(...capturing, requested(2, 'paypal'), started(2))
      .when(capture(2))
      .refuses('order/busy'))
  it('waits for a delivery that is open', () =>
    given(placed(), ...crypto, requested(2, 'paypal'), started(2), received(1, 1000), deliveryRequested())
      .when(capture(2))
      .refuses('order/busy'))
  it('never happens on an order that is not pending', () => {
    given(placed(), ...paypal, expired())
      .when(capture())
      .refuses('order/not-pending')
    given(placed(), ...paypal, cancelled())
      .when(capture())
      .refuses('order/not-pending')
    given(placed(), ...paypal, deleted())
      .when(capture())
      .refuses('order/not-found')
  })
  it('never happens once another payment covers the order', () =>
    given(placed(), ...crypto, requested(2, 'paypal'), started(2), received(1, 1000))
      .when(capture(2))
      .refuses('order/already-paid'))
  it('never happens on a payment that failed, was given up or was not started', () => {
    given(placed(), ...paypal, failed(1))
      .when(capture())
      .emits()
    given(placed(), ...paypal, failed(1, 'capture-unknown'))
      .when(capture())
      .refuses('order/no-payment')
    given(placed(), requested(1, 'paypal')).when(capture()).refuses('order/no-payment')
    given(placed()).when(capture()).refuses('payment/unknown')
  })
  it('is given up with attention when its time and the time of a call have passed', () =>
    given(...capturing)
      .when(giveUpCapture(minute(21)))
      .emits(failed(1, 'capture-unknown', minute(21)), needsAttention(['capture-unknown'], minute(21))))
  it('is not given up while a call may still be answered, by a clock that is ahead', () =>
    given(...capturing)
      .when(giveUpCapture(minute(20.56)))
      .changesNothing())
  it('is not given up when it was answered', () => {
    given(...capturing, seen(1))
      .when(giveUpCapture(minute(21)))
      .changesNothing()
    given(...capturing, failed(1))
      .when(giveUpCapture(minute(21)))
      .changesNothing()
    given(...capturing, received(1, 400))
      .when(giveUpCapture(minute(21)))
      .changesNothing()
  })
  it('is held for staff while the buyer cannot be named, once, and asked for again when they approve', () => {
    const hold = { type: 'HoldDelivery', at: minute(45) } as const
    const held = [...paidForWebhook, needsAttention(['buyer-unreadable'], minute(45))]
    given(...paidForWebhook)
      .when(hold)
      .emits(needsAttention(['buyer-unreadable'], minute(45)))
    for (const others of [held, delivering, paidForStaff, done, [...held, reversed('receipt-1', 1000)]])
      given(...others)
        .when(hold)
        .changesNothing()
    const approval = approved(null, minute(50))
    expect(isDeliveryHeld(orderAfter(...held))).toBe(true)
    expect(isDeliveryHeld(orderAfter(...held, approval))).toBe(false)
    expect(orderAfter(...held, completed()).attention).toEqual([])
    given(...held, approval, needsAttention(['buyer-unreadable'], minute(51)))
      .when(approve())
      .emits(approved())
  })

  it('keeps the order from every other end while it is open', () => {
    given(...capturing)
      .when(cancel)
      .refuses('order/busy')
    given(...capturing)
      .when(approve())
      .refuses('order/busy')
    given(...capturing)
      .when(remove())
      .refuses('order/busy')
    given(...capturing)
      .when(markDelivered)
      .refuses('order/busy')
    given(...capturing)
      .when(expire(day(9)))
      .changesNothing()
  })
  it('keeps an order that another payment covers from being completed', () => {
    const both = [placed(), requested(1, 'crypto'), requested(2, 'paypal'), started(2), captureRequested(2)]
    given(...both)
      .when(receive(1, 1000))
      .emits(received(1, 1000))
    given(...both, received(1, 1000))
      .when(markDelivered)
      .refuses('order/busy')
    given(...both, received(1, 1000))
      .when(requestDelivery)
      .changesNothing()
    given(...both, received(1, 1000), failed(2))
      .when(markDelivered)
      .emits(completed())
  })
  it('leaves a covered order ready once it is closed by a failure, a sighting, or given up', () => {
    const both = [placed(), requested(1, 'crypto'), requested(2, 'paypal'), started(2), captureRequested(2)]
    const fail = { type: 'FailPayment', attempt: 2, reason: 'failed', ...byStaff } as const
    given(...both, received(1, 1000))
      .when(fail)
      .emits(failed(2, 'failed', at), ready('staff'))
    given(...both, received(1, 1000))
      .when({ ...fail, deliveryMode: 'instant' })
      .emits(failed(2, 'failed', at), completed())
    given(...both, received(1, 1000))
      .when({ ...see('confirming'), attempt: 2, ...byWebhook })
      .emits(seen(2, { at }), ready('webhook'))
    given(...both, received(1, 1000))
      .when({ ...giveUpCapture(minute(21)), attempt: 2, deliveryMode: 'staff' })
      .emits(
        failed(2, 'capture-unknown', minute(21)),
        needsAttention(['capture-unknown'], minute(21)),
        ready('staff', minute(21)),
      )
  })
  it('is closed by its own money, and shows what came twice', () =>
    given(placed(), requested(1, 'crypto'), requested(2, 'paypal'), started(2), captureRequested(2), received(1, 1000))
      .when(receive(2, 1000))
      .emits(received(2, 1000), needsAttention(['double'], at), completed()))
  it('lets an order expire again once it is closed', () =>
    given(...capturing, failed(1, 'capture-unknown'))
      .when(expire(minute(61)))
      .emits(expired(minute(61))))
})

describe('receiving money', () => {
  it('completes a paid order in the same append under instant', () =>
    given(placed(), ...crypto)
      .when(receive(1, 1000))
      .emits(received(1, 1000), completed()))
  it('makes the order ready for staff or for the webhook, whichever is configured', () => {
    given(placed(), ...crypto)
      .when({ ...receive(1, 1000), ...byStaff })
      .emits(received(1, 1000), ready('staff'))
    given(placed(), ...crypto)
      .when({ ...receive(1, 1000), ...byWebhook })
      .emits(received(1, 1000), ready('webhook'))
  })
  it('leaves an order that is ready to the mode in which it became so', () => {
    given(...paidForStaff, requested(2, 'upi'))
      .when(receive(2, 1000))
      .emits(received(2, 1000), needsAttention(['double'], at))
  })
  it('records the same receipt once', () =>
    given(...paidForStaff)
      .when(receive(1, 1000))
      .changesNothing())
  it('records the difference where a receipt grows', () =>
    given(...short)
      .when(receive(1, 1000))
      .emits(received(1, 1000, { addedCents: 600 }), completed()))
  it('records nothing where a receipt shrinks', () =>
    given(...short)
      .when(receive(1, 300))
      .changesNothing())
  it('records nothing that covers not one cent', () =>
    given(placed(), ...crypto)
      .when(receive(1, 0))
      .changesNothing())
  it('shows staff a payment that came short', () =>
    given(placed(), ...crypto)
      .when(receive(1, 400))
      .emits(received(1, 400), needsAttention(['short'], at)))
  it('adds up two methods', () =>
    given(...short, requested(2, 'upi', { coversCents: 600 }))
      .when(receive(2, 600))
      .emits(received(2, 600), completed()))
  it('forgives half a percent of a crypto payment, and no cent more', () => {
    given(placed(), ...crypto)
      .when(receive(1, 995))
      .emits(received(1, 995), completed())
    given(placed(), ...crypto)
      .when(receive(1, 994))
      .emits(received(1, 994), needsAttention(['short'], at))
  })
  it('forgives nothing on the other methods', () =>
    given(placed(), ...upi)
      .when(receive(1, 999))
      .emits(received(1, 999), needsAttention(['short'], at)))
  it('shows staff what is more than the total', () =>
    given(placed(), ...crypto)
      .when(receive(1, 1001))
      .emits(received(1, 1001), needsAttention(['over'], at), completed()))
  it('shows staff a second payment of an order that was covered', () =>
    given(...done, requested(2, 'upi'))
      .when(receive(2, 1000))
      .emits(received(2, 1000), needsAttention(['double'], at)))
  it('takes a forgiven rest without calling it double', () =>
    given(placed(), ...crypto, received(1, 995), completed())
      .when(receive(1, 1000))
      .emits(received(1, 1000, { addedCents: 5 })))
  it('is not short on an order that staff approved', () =>
    given(placed(), ...crypto, approved())
      .when({ ...receive(1, 400), ...byWebhook })
      .emits(received(1, 400)))
  it('keeps a paid pre-order waiting for its stock', () =>
    given(preOrder, ...crypto)
      .when(receive(1, 1000))
      .emits(received(1, 1000)))
  it('records money of an attempt that had failed', () =>
    given(placed(), ...crypto, failed(1))
      .when(receive(1, 1000))
      .emits(received(1, 1000), completed()))
  it('takes nothing from a receipt that another order has', () => {
    const refused = needsAttention(['receipt-refused'], minute(20), { receiptId: 'receipt-1', claimedByOrderId: 'o2' })
    given(placed(), ...crypto, refused)
      .when(receive(1, 1000))
      .changesNothing()
    given(placed(), ...crypto, refused)
      .when(reverse(1, 1000))
      .changesNothing()
  })
})

describe('a receipt that another order has', () => {
  const claim = { receiptId: 'receipt-1', claimedByOrderId: 'o2' }
  const note = { type: 'NoteRefusedReceipt', ...claim, at: minute(50) } as const

  it('is shown to staff', () =>
    given(placed(), ...crypto)
      .when(note)
      .emits(needsAttention(['receipt-refused'], minute(50), claim)))
  it('is shown once, also after staff settled it', () => {
    const told = [...done, needsAttention(['receipt-refused'], minute(50), claim)]
    given(...told)
      .when(note)
      .changesNothing()
    given(...told, settled(['receipt-refused']))
      .when(note)
      .changesNothing()
  })
})

describe('money in another coin', () => {
  const note = { type: 'NoteWrongCoin', receiptId: 'receipt-1', at: minute(50) } as const
  const noted = needsAttention(['wrong-coin'], minute(50), {
    receiptId: 'receipt-1',
    claimedByOrderId: placed().data.orderId,
  })

  it('covers nothing and is shown to staff, once', () => {
    given(placed(), ...crypto)
      .when(note)
      .emits(noted)
    given(placed(), ...crypto, noted)
      .when(note)
      .changesNothing()
    given(placed(), ...crypto, noted)
      .when(receive(1, 1000))
      .changesNothing()
  })
  it('is no news where it was counted', () =>
    given(...done)
      .when(note)
      .changesNothing())
})

describe('late money', () => {
  const reinstate = { type: 'ReinstateOrder', serial: 9, deliveryMode: 'instant', at: minute(90) } as const
  const refuse = { type: 'RefuseReinstatement', at: minute(71) } as const
  const late = [placed(), ...crypto, expired(), received(1, 1000, { at: minute(70) })]

  it('is recorded on an order that has ended, to be reinstated', () => {
    given(placed(), ...crypto, expired())
      .when(receive(1, 1000))
      .emits(received(1, 1000))
    given(placed(), ...crypto, cancelled())
      .when(receive(1, 1000))
      .emits(received(1, 1000))
  })
  it('brings the order back with the coins reserved anew', () =>
    given(...late)
      .when(reinstate)
      .emits(reinstated(9), completed({ serial: 9, at: minute(90) })))
  it('brings it back once', () =>
    given(...late, reinstated(9))
      .when({ ...reinstate, serial: 10 })
      .changesNothing())
  it('is a case for staff when there is no stock', () =>
    given(...late)
      .when(refuse)
      .emits(needsAttention(['paid-without-stock'], minute(71))))
  it('delivers only by approval once stock was lacking', () => {
    given(...paidWithoutStock)
      .when(reinstate)
      .changesNothing()
    given(...paidWithoutStock)
      .when(refuse)
      .changesNothing()
    given(...paidWithoutStock, requested(2, 'upi'))
      .when(receive(2, 1000))
      .emits(received(2, 1000), needsAttention(['double', 'paid-without-stock'], at))
  })
  it('that is short is a case for staff', () =>
    given(placed(), ...crypto, expired())
      .when(receive(1, 400))
      .emits(received(1, 400), needsAttention(['late-and-short'], at)))
  it('that becomes enough brings the order back', () => {
    const grown = [...lateAndShort, received(1, 1000, { addedCents: 600 })]
    given(...grown)
      .when(reinstate)
      .emits(reinstated(9), completed({ serial: 9, at: minute(90) }))
    expect(orderAfter(...grown).attention).toStrictEqual([])
  })
  it('that is more than the total is shown even where it reinstates', () =>
    given(placed(), ...crypto, expired())
      .when(receive(1, 1001))
      .emits(received(1, 1001), needsAttention(['over'], at)))
  it('after staff had settled is a case for staff', () => {
    const closed = [...lateAndShort, settled(['late-and-short'])]
    given(...closed)
      .when(receive(1, 1000))
      .emits(received(1, 1000, { addedCents: 600 }), needsAttention(['paid-after-settling'], at))
    given(...closed, received(1, 1000))
      .when(reinstate)
      .changesNothing()
  })
  it('never brings back what was reversed', () => {
    const back = [...late, reversed('receipt-1', 1000), needsAttention(['reversed'])]
    given(...back)
      .when(reinstate)
      .changesNothing()
    given(...back, requested(2, 'upi'), received(2, 1000))
      .when(reinstate)
      .changesNothing()
    given(...back, requested(2, 'upi'))
      .when(receive(2, 1000))
      .emits(received(2, 1000), needsAttention(['paid-without-stock'], at))
  })
  it('never brings back a deleted order', () => {
    given(placed(), ...crypto, deleted())
      .when(receive(1, 1000))
      .emits(received(1, 1000), needsAttention(['money-on-deleted-order'], at))
    given(placed(), ...crypto, deleted(), received(1, 1000))
      .when(reinstate)
      .changesNothing()
    given(...late, deleted())
      .when(reinstate)
      .changesNothing()
  })
  it('after a completed order was settled is a case for staff', () =>
    given(...done, needsAttention(['over']), settled(['over']), requested(2, 'upi'))
      .when(receive(2, 300))
      .emits(received(2, 300), needsAttention(['double', 'paid-after-settling'], at)))
  it('does not reinstate an order that is not paid', () => given(placed(), expired()).when(reinstate).changesNothing())
})

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
  const raised = [...paidForWebhook, disputed(), needsAttention(['disputed'])]
  it('raise attention once, and never un-complete', () => {
    given(...done)
      .when(note('open'))
      .emits(disputed(), needsAttention(['disputed']))
    given(...done, disputed(), needsAttention(['disputed']))
      .when(note('open'))
      .changesNothing()
    expect(orderAfter(...done, disputed()).life.kind).toBe('completed')
  })
  it('hold back what was not delivered, until they are won', () => {
    expect(isToBeDelivered(orderAfter(...raised))).toBe(false)
    given(...raised)
      .when(requestDelivery)
      .changesNothing()
    given(...raised)
      .when(note('won', 'webhook'))
      .emits(disputeClosed('won', 'PP-D-1', at), ready('webhook', at))
    const won = orderAfter(...raised, disputeClosed('won'))
    expect([won.attention, isToBeDelivered(won)]).toEqual([[], true])
  })
  it('that are lost hold it back still, and leave their cause to staff', () => {
    given(...raised)
      .when(note('lost'))
      .emits(disputeClosed('lost', 'PP-D-1', at))
    const lost = orderAfter(...raised, disputeClosed('lost'))
    expect([lost.attention.map(({ reason }) => reason), isToBeDelivered(lost)]).toEqual([['disputed'], false])
  })
  it('are over when staff approve', () => {
    const after = orderAfter(...raised, approved())
    expect([after.attention, isToBeDelivered(after)]).toEqual([[], true])
    expect(isToBeDelivered(orderAfter(...raised, approved(), disputed('PP-D-2')))).toBe(false)
  })
  it('of an order in the list of staff ask whether the coins were given', () =>
    given(...paidForStaff)
      .when(note('open'))
      .emits(disputed(), needsAttention(['disputed', 'delivery-unknown'])))
  it('that were won before they were heard of change nothing, those that were lost are told', () => {
    given(...done)
      .when(note('won'))
      .changesNothing()
    given(...done)
      .when(note('lost'))
      .emits(disputed(), needsAttention(['disputed']), disputeClosed('lost', 'PP-D-1', at))
  })
  it('bring no ended order back', () => {
    const ended = [
      placed(),
      requested(1, 'paypal'),
      expired(),
      received(1, 1000),
      disputed(),
      needsAttention(['disputed']),
    ]
    given(...ended)
      .when({ type: 'ReinstateOrder', serial: 9, deliveryMode: 'instant', at: minute(90) })
      .changesNothing()
  })
})

describe('reversals', () => {
  it('raise attention and never un-complete', () => {
    given(...done)
      .when(reverse(1, 1000))
      .emits(reversed('receipt-1', 1000), needsAttention(['reversed']))
    expect(orderAfter(...done, reversed('receipt-1', 1000)).life.kind).toBe('completed')
  })
  it('add nothing when they are reported again', () =>
    given(...done, reversed('receipt-1', 1000))
      .when(reverse(1, 1000))
      .changesNothing())
  it('take away the difference where they grow', () =>
    given(...done, reversed('receipt-1', 300))
      .when(reverse(1, 1000))
      .emits(reversed('receipt-1', 1000, { takenCents: 700 }), needsAttention(['reversed'])))
  it('of an unknown receipt record it in the same append, and complete nothing', () =>
    given(placed(), ...crypto)
      .when(reverse(1, 1000))
      .emits(received(1, 1000, { at: minute(50) }), reversed('receipt-1', 1000), needsAttention(['reversed'])))
  it('never take away more than the receipt brought', () => {
    given(...short, requested(2, 'upi'), received(2, 500))
      .when(reverse(1, 1000, 400))
      .emits(reversed('receipt-1', 400), needsAttention(['reversed']))
    given(placed(), ...crypto)
      .when(reverse(1, 40, 0))
      .changesNothing()
  })
  it('bring the receipt alone while nothing of it is taken back', () =>
    given(placed(), ...crypto)
      .when({ ...reverse(1, 0), at })
      .emits(received(1, 1000), completed()))
  it('keep an order that is paid and not delivered from being delivered', () => {
    const back = [...paidForStaff, reversed('receipt-1', 1000)]
    given(...back)
      .when(markDelivered)
      .refuses('order/not-paid')
    given(...back)
      .when(requestDelivery)
      .changesNothing()
  })
  it('outlast another payment: only approval delivers then', () => {
    const again = [...paidForStaff, reversed('receipt-1', 1000), needsAttention(['reversed']), requested(2, 'upi')]
    given(...again)
      .when(receive(2, 1000))
      .emits(received(2, 1000))
    given(...again, received(2, 1000))
      .when(markDelivered)
      .refuses('order/not-paid')
    given(...again, received(2, 1000))
      .when(expire(day(9)))
      .changesNothing()
    given(...again, received(2, 1000))
      .when(approve())
      .emits(approved(), completed({ at: minute(70) }))
  })
  it('of an order in the list of staff ask whether the coins were given, and keep them held', () => {
    const asked = [...paidForStaff, reversed('receipt-1', 1000), needsAttention(['reversed', 'delivery-unknown'])]
    given(...paidForStaff)
      .when(reverse(1, 1000))
      .emits(reversed('receipt-1', 1000), needsAttention(['reversed', 'delivery-unknown']))
    given(...asked)
      .when(expire(day(30)))
      .changesNothing()
    given(...asked)
      .when(markDelivered)
      .refuses('order/busy')
    given(...asked)
      .when(approveByWebhook())
      .emits(approved(), completed({ at: minute(70) }))
    given(...asked)
      .when(remove())
      .refuses('order/coins-given-unknown')
  })
  it('of an order that waits for the webhook ask nothing: no call was made', () =>
    given(...paidForWebhook)
      .when(reverse(1, 1000))
      .emits(reversed('receipt-1', 1000), needsAttention(['reversed'])))
  it('take an approval back', () => {
    const back = [...short, approved(), reversed('receipt-1', 400), needsAttention(['reversed'])]
    given(...back)
      .when(markDelivered)
      .refuses('order/not-paid')
    given(...back)
      .when(approveByWebhook())
      .emits(approved(), ready('webhook', minute(70)))
  })
  it('of a pre-order that waits leave it to staff', () =>
    given(preOrder, ...crypto, received(1, 1000), reversed('receipt-1', 1000))
      .when({ type: 'ReservePreOrder', serial: 9, ...byStaff })
      .changesNothing())
  it('during a delivery call do not unsay that the coins were given', () =>
    given(...delivering, reversed('receipt-1', 1000))
      .when(confirmDelivery)
      .emits(completed({ at: minute(45) })))
})

describe('watching a payment', () => {
  const over = [placed(), ...crypto, expired(day(1))]

  it('goes on as long as the order does', () =>
    given(placed(), ...crypto)
      .when(endWatch(day(29)))
      .changesNothing())
  it('ends after a question that began a week past the end', () =>
    given(...over)
      .when(endWatch(watchUntil(day(1))))
      .emits(watchEnded(1, day(30))))
  it('goes on when the question began before, by a clock four seconds ahead', () =>
    given(...over)
      .when(endWatch(day(8)))
      .changesNothing())
  it('ends once', () =>
    given(...over, watchEnded(1, day(30)))
      .when(endWatch(day(29)))
      .changesNothing())
  it('goes on when the order was brought back', () =>
    given(...over, approved(9, day(2)))
      .when(endWatch(day(29)))
      .changesNothing())
  it('counts from the deletion of an order', () =>
    given(...over, deleted({ at: day(5) }))
      .when(endWatch(day(11)))
      .changesNothing())
  it('still takes money that comes after it', () =>
    given(...over, watchEnded(1, day(30)))
      .when(receive(1, 1000))
      .emits(received(1, 1000)))
  it('is over payments that were requested', () =>
    given(placed())
      .when(endWatch(day(29)))
      .refuses('payment/unknown'))
})

describe('approving', () => {
  it('delivers a pending order with the coins that it holds', () =>
    given(...short)
      .when(approve())
      .emits(approved(), completed({ at: minute(70) })))
  it('asks the bot under webhook', () =>
    given(...short)
      .when(approveByWebhook())
      .emits(approved(), ready('webhook', minute(70))))
  it('completes under staff, and what is in the list of staff under any', () => {
    given(...short)
      .when({ ...approve(), deliveryMode: 'staff' })
      .emits(approved(), completed({ at: minute(70) }))
    given(...paidForStaff)
      .when(approveByWebhook())
      .emits(approved(), completed({ at: minute(70) }))
    given(placed(), approved())
      .when(approveByWebhook())
      .emits(approved(), completed({ at: minute(70) }))
  })
  it('leaves what is ready for the webhook to it', () =>
    given(...paidForWebhook)
      .when(approve())
      .emits(approved()))
  it('happens once', () => {
    given(...short, approved(), ready('webhook'))
      .when(approveByWebhook())
      .changesNothing()
    given(...short, approved(), completed())
      .when(approve())
      .changesNothing()
  })
  it('brings an ended order back with coins reserved anew', () =>
    given(...paidWithoutStock)
      .when(approve(9))
      .emits(approved(9), completed({ serial: 9, at: minute(70) })))
  it('is refused on an ended order for which nothing was reserved', () =>
    given(...paidWithoutStock)
      .when(approve())
      .refuses('inventory/insufficient-stock'))
  it('is refused on a pre-order for which there is no stock yet', () =>
    given(preOrder).when(approve()).refuses('inventory/insufficient-stock'))
  it('takes the stock that was reserved for a pre-order', () =>
    given(preOrder)
      .when(approve(9))
      .emits(approved(9), completed({ serial: 9, at: minute(70) })))
  it('leaves a needless reservation to the sweep when the order holds one by now', () =>
    given(placed())
      .when(approve(9))
      .emits(approved(), completed({ at: minute(70) })))
  it('is not offered for an ended order without attention', () =>
    given(placed(), expired()).when(approve(9)).refuses('order/not-approvable'))
  it('is not offered once staff have settled', () =>
    given(...paidWithoutStock, settled(['paid-without-stock']))
      .when(approve(9))
      .refuses('order/not-approvable'))
  it('knows no deleted order', () => given(placed(), deleted()).when(approve()).refuses('order/not-found'))
  it('never calls twice where the end of a delivery is unknown', () =>
    given(...deliveryUnknown)
      .when(approveByWebhook())
      .emits(approved(), completed({ at: minute(70) })))
  it('completes an approved order whose delivery ended unknown', () =>
    given(placed(), approved(null, minute(20)), deliveryRequested(), needsAttention(['delivery-unknown'], minute(60)))
      .when(approveByWebhook())
      .emits(approved(), completed({ at: minute(70) })))
  it('keeps what may have to be paid back in sight', () => {
    const reasons: AttentionReason[] = ['over', 'receipt-refused', 'late-and-short']
    const paid = [placed(), ...crypto, expired(), received(1, 1001)]
    const after = orderAfter(...paid, needsAttention(reasons), approved(9))
    expect(after.attention.map(({ reason }) => reason)).toStrictEqual(['over', 'receipt-refused'])
  })
  it('is offered for pending orders and for ended ones in need, never for completed or deleted ones', () => {
    expect(may(orderAfter(placed())).approve).toBe(true)
    expect(may(orderAfter(...paidWithoutStock)).approve).toBe(true)
    expect(may(orderAfter(...done, needsAttention(['over']))).approve).toBe(false)
    expect(may(orderAfter(placed(), deleted(), needsAttention(['money-on-deleted-order']))).approve).toBe(false)
  })
})

describe('pre-orders', () => {
  const reserve = { type: 'ReservePreOrder', serial: 9, deliveryMode: 'instant', at: minute(70) } as const

  it('take stock once they are paid, and are delivered', () =>
    given(preOrder, ...crypto, received(1, 1000))
      .when(reserve)
      .emits(preOrderReserved(9), completed({ serial: 9, at: minute(70) })))
  it('are ready once they hold coins', () => {
    for (const deliveryMode of ['staff', 'webhook'] as const)
      given(preOrder, ...crypto, received(1, 1000))
        .when({ ...reserve, deliveryMode })
        .emits(preOrderReserved(9), ready(deliveryMode, minute(70)))
  })
  it('take stock once', () =>
    given(preOrder, ...crypto, received(1, 1000), preOrderReserved(9))
      .when({ ...reserve, serial: 10 })
      .changesNothing())
  it('take none while they are not paid', () =>
    given(preOrder, ...crypto)
      .when(reserve)
      .changesNothing())
  it('cannot be delivered before there is stock', () => {
    given(preOrder, ...crypto, received(1, 1000))
      .when(markDelivered)
      .refuses('inventory/insufficient-stock')
    given(preOrder, ...crypto, received(1, 1000))
      .when(requestDelivery)
      .changesNothing()
  })
  it('never expire once they are paid', () =>
    given(preOrder, ...crypto, received(1, 1000))
      .when(expire(day(30)))
      .changesNothing())
  it('expire like others while they are not', () =>
    given(preOrder)
      .when(expire(minute(60)))
      .emits(expired()))
})

describe('marking as delivered', () => {
  it('completes what is paid', () =>
    given(...paidForStaff)
      .when(markDelivered)
      .emits(completed()))
  it('completes what became ready before the mode was recorded', () =>
    given(placed(), ...crypto, received(1, 1000))
      .when(markDelivered)
      .emits(completed()))
  it('is left to the answer of the bot where that gives the coins', () =>
    given(...paidForWebhook)
      .when(markDelivered)
      .refuses('order/busy'))
  it('happens once', () =>
    given(...done)
      .when(markDelivered)
      .changesNothing())
  it('refuses what is not paid', () => {
    given(placed()).when(markDelivered).refuses('order/not-paid')
    given(placed(), expired()).when(markDelivered).refuses('order/not-paid')
  })
  it('refuses while a call is open or its end unknown', () => {
    given(...delivering)
      .when(markDelivered)
      .refuses('order/busy')
    given(...deliveryUnknown)
      .when(markDelivered)
      .refuses('order/busy')
  })
  it('knows no deleted order', () =>
    given(...done, deleted())
      .when(markDelivered)
      .refuses('order/not-found'))
})

describe('delivering by the webhook', () => {
  it('asks for a call in the log first', () =>
    given(...paidForWebhook)
      .when(requestDelivery)
      .emits(deliveryRequested()))
  it('asks for a call once', () =>
    given(...delivering)
      .when(requestDelivery)
      .changesNothing())
  it('asks for no call for what staff hand over', () => {
    given(...paidForStaff)
      .when(requestDelivery)
      .changesNothing()
    given(placed(), ...crypto, received(1, 1000))
      .when(requestDelivery)
      .changesNothing()
  })
  it('asks for no call where nothing is paid, or the end of the last one is unknown', () => {
    given(placed()).when(requestDelivery).changesNothing()
    given(...deliveryUnknown)
      .when(requestDelivery)
      .changesNothing()
    given(...deliveryUnknown, reversed('receipt-1', 1))
      .when(requestDelivery)
      .changesNothing()
  })

  it('is completed by the answer', () =>
    given(...delivering)
      .when(confirmDelivery)
      .emits(completed({ at: minute(45) })))
  it('is completed by an answer that comes late', () =>
    given(...deliveryUnknown)
      .when(confirmDelivery)
      .emits(completed({ at: minute(45) })))
  it('is completed once', () =>
    given(...done)
      .when(confirmDelivery)
      .changesNothing())
  it('takes no answer to a call that was not requested', () =>
    given(...paidForWebhook)
      .when(confirmDelivery)
      .refuses('order/not-paid'))
  it('raises attention when the answer comes after the end, once', () => {
    const ended = [...deliveryUnknown, deleted({ coinsGiven: false })]
    const late = needsAttention(['delivered-after-end'], minute(45))
    given(...ended)
      .when(confirmDelivery)
      .emits(late)
    given(...ended, late)
      .when(confirmDelivery)
      .changesNothing()
    given(...ended, late, settled(['delivered-after-end']))
      .when(confirmDelivery)
      .changesNothing()
  })
  it('believes staff who said that the coins were given', () =>
    given(...deliveryUnknown, deleted({ coinsGiven: true }))
      .when(confirmDelivery)
      .changesNothing())

  it('becomes a case for staff when its time and the time of a call have passed', () =>
    given(...delivering)
      .when(giveUpDelivery(minute(101)))
      .emits(needsAttention(['delivery-unknown'], minute(101))))
  it('is not given up while a call may still be answered, by a clock that is ahead', () =>
    given(...delivering)
      .when(giveUpDelivery(minute(100.56)))
      .changesNothing())
  it('is given up once', () =>
    given(...deliveryUnknown)
      .when(giveUpDelivery(day(1)))
      .changesNothing())

  it('keeps the order from every other end while it is open', () => {
    given(...delivering)
      .when(cancel)
      .refuses('order/busy')
    given(...delivering)
      .when(approve())
      .refuses('order/busy')
    given(...delivering)
      .when(remove())
      .refuses('order/busy')
    given(...delivering, reversed('receipt-1', 1000))
      .when(expire(day(9)))
      .changesNothing()
  })
  it('keeps the order from expiring and from being cancelled once its end is unknown', () => {
    given(...deliveryUnknown, reversed('receipt-1', 1000))
      .when(expire(day(9)))
      .changesNothing()
    given(...deliveryUnknown, reversed('receipt-1', 1000))
      .when(cancel)
      .refuses('order/money-seen')
  })
})

describe('expiring', () => {
  it('happens at the deadline, not before', () => {
    given(placed())
      .when(expire(minute(60)))
      .emits(expired())
    given(placed())
      .when(expire(minute(59.99)))
      .changesNothing()
  })
  it('happens once', () =>
    given(placed(), expired())
      .when(expire(day(1)))
      .changesNothing())
  it('happens a full time after a payment was started', () => {
    given(placed(), ...crypto)
      .when(expire(minute(60)))
      .changesNothing()
    given(placed(), ...crypto)
      .when(expire(minute(61)))
      .emits(expired(minute(61)))
  })
  it('gives money that was seen a day, then raises attention', () => {
    given(placed(), ...crypto, seen(1))
      .when(expire(minute(24 * 60 + 4)))
      .changesNothing()
    given(placed(), ...crypto, seen(1))
      .when(expire(minute(24 * 60 + 5)))
      .emits(expired(minute(24 * 60 + 5)), needsAttention(['never-confirmed'], minute(24 * 60 + 5)))
  })
  it('gives short money a day, then raises attention', () => {
    given(...short)
      .when(expire(minute(24 * 60 + 29)))
      .changesNothing()
    given(...short)
      .when(expire(minute(24 * 60 + 30)))
      .emits(expired(minute(24 * 60 + 30)), needsAttention(['late-and-short'], minute(24 * 60 + 30)))
  })
  it('names short money and unconfirmed money both', () =>
    given(...short, requested(2, 'upi'), seen(2))
      .when(expire(day(3)))
      .emits(expired(day(3)), needsAttention(['late-and-short', 'never-confirmed'], day(3))))
  it('does not wait for money that was seen and failed', () =>
    given(placed(), ...crypto, seen(1), failed(1))
      .when(expire(minute(61)))
      .emits(expired(minute(61))))
  it('gives a full day to money that is seen again after it had failed', () =>
    expect(expiryOf(orderAfter(placed(), ...crypto, seen(1), failed(1), seen(1, { at: minute(600) })))).toBe(
      minute(600 + 24 * 60),
    ))
  it('follows a reversal of all that was paid', () =>
    given(...paidForStaff, reversed('receipt-1', 1000))
      .when(expire(minute(61)))
      .emits(expired(minute(61))))
  it('happens to an order that was placed by a clock that was ahead and has come back', () => {
    const ahead = placed({ at: day(30), expiresAt: plusMinutes(day(30), 60) })
    given(ahead)
      .when(expire(minute(5)))
      .emits(expired(minute(5)))
    given(placed({ at: minute(50), expiresAt: minute(110) }))
      .when(expire(minute(5)))
      .changesNothing()
    given(ahead, ...crypto, received(1, 1000))
      .when(expire(minute(5)))
      .changesNothing()
  })
  it('never happens to what is paid, approved, completed or deleted', () => {
    given(...paidForStaff)
      .when(expire(day(30)))
      .changesNothing()
    given(placed(), approved())
      .when(expire(day(30)))
      .changesNothing()
    given(...done)
      .when(expire(day(30)))
      .changesNothing()
    given(placed(), deleted())
      .when(expire(day(30)))
      .changesNothing()
  })
  it('is announced, so that the sweep knows when to come', () => {
    expect(expiryOf(orderAfter(placed()))).toBe(minute(60))
    expect(expiryOf(orderAfter(...short))).toBe(minute(24 * 60 + 30))
    expect(expiryOf(orderAfter(...capturing))).toBeUndefined()
  })
})

describe('cancelling', () => {
  it('ends an order at which no money was seen', () => {
    given(placed()).when(cancel).emits(cancelled())
    given(placed(), ...crypto)
      .when(cancel)
      .emits(cancelled())
  })
  it('happens once', () => given(placed(), cancelled()).when(cancel).changesNothing())
  it('is refused once money was seen', () => {
    given(placed(), ...crypto, seen(1))
      .when(cancel)
      .refuses('order/money-seen')
    given(...short)
      .when(cancel)
      .refuses('order/money-seen')
    given(...short, reversed('receipt-1', 400))
      .when(cancel)
      .refuses('order/money-seen')
    given(placed(), approved()).when(cancel).refuses('order/money-seen')
  })
  it('is refused when the order has ended otherwise', () => {
    given(placed(), expired()).when(cancel).refuses('order/not-pending')
    given(...done)
      .when(cancel)
      .refuses('order/not-pending')
  })
  it('knows no deleted order', () => given(placed(), deleted()).when(cancel).refuses('order/not-found'))
})

describe('settling attention', () => {
  it('settles all causes of an ended order', () =>
    given(...done, needsAttention(['receipt-refused']), needsAttention(['reversed'], minute(60)))
      .when(settle)
      .emits(settled(['receipt-refused', 'reversed'])))
  it('happens once', () =>
    given(...done, needsAttention(['over']), settled(['over']))
      .when(settle)
      .changesNothing())
  it('is not offered for a pending order', () =>
    given(...short)
      .when(settle)
      .refuses('order/busy'))
  it('is offered for a deleted order that was pending', () =>
    given(...short, deleted(), needsAttention(['money-on-deleted-order']))
      .when(settle)
      .emits(settled(['money-on-deleted-order'])))
})

describe('deleting', () => {
  it('ends an unpaid pending order', () => given(placed()).when(remove()).emits(deleted()))
  it('happens once', () => given(placed(), deleted()).when(remove()).changesNothing())
  it('keeps money that was received before the eyes of staff', () =>
    given(...short)
      .when(remove())
      .emits(deleted({ receivedCents: 400 }), needsAttention(['money-on-deleted-order'], minute(80))))
  it('keeps money that was only seen before the eyes of staff', () =>
    given(placed(), ...crypto, seen(1))
      .when(remove())
      .emits(deleted(), needsAttention(['never-confirmed'], minute(80))))
  it('carries the figures of a completed order', () =>
    given(...done)
      .when(remove())
      .emits(deleted({ completedAt: minute(30), receivedCents: 1000 })))
  it('asks staff whether the coins were given where the end of a delivery is unknown', () => {
    given(...deliveryUnknown)
      .when(remove())
      .refuses('order/coins-given-unknown')
    given(...deliveryUnknown)
      .when(remove(true))
      .emits(deleted({ coinsGiven: true, receivedCents: 1000 }))
    given(...deliveryUnknown)
      .when(remove(false))
      .emits(
        deleted({ coinsGiven: false, receivedCents: 1000 }),
        needsAttention(['money-on-deleted-order'], minute(80)),
      )
  })
  it('asks staff whether the coins were given where the order is in their list', () => {
    given(...paidForStaff)
      .when(remove())
      .refuses('order/coins-given-unknown')
    given(...paidForStaff)
      .when(remove(true))
      .emits(deleted({ coinsGiven: true, receivedCents: 1000 }))
    given(...paidForStaff)
      .when(remove(false))
      .emits(
        deleted({ coinsGiven: false, receivedCents: 1000 }),
        needsAttention(['money-on-deleted-order'], minute(80)),
      )
  })
  it('does not ask while the webhook has not been called', () =>
    given(...paidForWebhook)
      .when(remove())
      .emits(deleted({ receivedCents: 1000 }), needsAttention(['money-on-deleted-order'], minute(80))))
  it('does not ask where the answer is known', () => given(placed()).when(remove(true)).emits(deleted()))
})
