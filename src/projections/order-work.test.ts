import { describe, expect, it } from 'vitest'
import type { ShopEvent } from '../domain/events.ts'
import {
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
  orderId,
  placed,
  preOrderReserved,
  ready,
  received,
  reinstated,
  requested,
  reversed,
  seen,
  settled,
  started,
  watchEnded,
} from '../domain/testing/order-samples.ts'
import { attemptsIn } from './order-work.ts'
import { shownAfter } from './testing/shown-orders.ts'

const after = (...events: readonly ShopEvent[]) => shownAfter(...events).get(orderId)
const watchedAfter = (...events: readonly ShopEvent[]) => attemptsIn(after(...events)?.watched ?? '')

const open = [placed(), requested(1, 'crypto'), started(1)]
const paid = [...open, received(1, 1000)]
const nothingToDo = {
  expiresAt: undefined,
  callSince: undefined,
  toDeliverSince: undefined,
  owedSince: undefined,
  reinstateSince: undefined,
  captureUntil: undefined,
  deliveryUntil: undefined,
  watchUntil: undefined,
  polled: undefined,
  waitsForStock: undefined,
}

const preOrder = [placed({ preOrder: true }), requested(1, 'crypto'), started(1), received(1, 1000)]
const late = [...open, expired(), received(1, 1000)]
const byStaff = { ...nothingToDo, toDeliverSince: minute(30), owedSince: minute(30), polled: 'open' }
const ended = { ...nothingToDo, polled: 'ended', watchUntil: '2026-03-08T13:00:00.000Z' }

describe('what is to be done about an order', () => {
  it.for<[string, readonly ShopEvent[], object]>([
    ['OrderPlaced: expires in its time', [placed()], { ...nothingToDo, expiresAt: minute(60), paymentIds: undefined }],
    ['PaymentMethodChosen: no one is asked', [placed(), chosen('upi')], { ...nothingToDo, expiresAt: minute(60) }],
    ['PaymentRequested: no one is asked', open.slice(0, 2), { ...nothingToDo, expiresAt: minute(60) }],
    [
      'PaymentStarted: the provider is asked, and the order has more time',
      open,
      { expiresAt: minute(61), polled: 'open', paymentIds: ['payment-1'] },
    ],
    ['PaymentSeen: the order gets a day', [...open, seen(1)], { expiresAt: minute(5 + 24 * 60), polled: 'open' }],
    [
      'CaptureRequested: does not expire while the capture is open',
      [...open, captureRequested(1)],
      { captureUntil: minute(20), expiresAt: undefined },
    ],
    ['PaymentReceived: is to be delivered by staff, and owed to the buyer', paid, byStaff],
    [
      'PaymentReceived: closes a capture, and a part alone delivers nothing',
      [...open, captureRequested(1), received(1, 400)],
      { captureUntil: undefined, toDeliverSince: undefined, owedSince: undefined },
    ],
    ['OrderReady: is delivered by staff', [...paid, ready('staff')], byStaff],
    ['OrderReady: is so as well beside another payment', [...paid, ready('staff'), requested(2, 'upi')], byStaff],
    [
      'OrderReady: is delivered by the webhook',
      [...paid, ready('webhook')],
      { callSince: minute(30), toDeliverSince: undefined, owedSince: minute(30) },
    ],
    ['PaymentFailed: is asked about all the same', [...open, failed(1)], { polled: 'open', expiresAt: minute(61) }],
    [
      'PaymentReversed: is not to be delivered any more',
      [...paid, reversed('receipt-1', 1000)],
      { toDeliverSince: undefined, owedSince: undefined },
    ],
    [
      'DeliveryRequested: is delivered by whoever asks for it',
      [...paid, ready('webhook'), deliveryRequested()],
      { callSince: undefined, toDeliverSince: undefined, owedSince: minute(30), deliveryUntil: minute(100) },
    ],
    ['OrderApproved: is to be delivered', [placed(), approved()], { ...nothingToDo, toDeliverSince: minute(70) }],
    [
      'PreOrderReserved: a paid pre-order has stock, and is to be delivered',
      [...preOrder, preOrderReserved(8)],
      { toDeliverSince: minute(70), waitsForStock: undefined },
    ],
    [
      'OrderCompleted: is watched for a week',
      [...paid, completed()],
      { ...ended, watchUntil: '2026-03-08T12:30:00.000Z' },
    ],
    ['OrderExpired: is watched for a week', [...open, expired()], ended],
    ['OrderCancelled: is watched for a week', [...open, cancelled(minute(60))], ended],
    [
      'OrderExpired: comes back when late money covers it',
      [...open, expired(), received(1, 1000, { at: minute(70) })],
      { reinstateSince: minute(70) },
    ],
    [
      'OrderCancelled: comes back when late money covers it',
      [...open, cancelled(minute(60)), received(1, 1000, { at: minute(70) })],
      { reinstateSince: minute(70) },
    ],
    ['OrderExpired: not for a part', [...open, expired(), received(1, 400)], { reinstateSince: undefined }],
    ['OrderCancelled: not for a part', [...open, cancelled(), received(1, 400)], { reinstateSince: undefined }],
    ['OrderReinstated: is to be delivered', [...late, reinstated(9)], { ...byStaff, toDeliverSince: minute(90) }],
    [
      'OrderNeedsAttention: late money that finds no stock waits for a person',
      [...late, needsAttention(['paid-without-stock'])],
      { reinstateSince: undefined },
    ],
    [
      'OrderNeedsAttention: a delivery that nobody knows of waits for a person',
      [...paid, deliveryRequested(), needsAttention(['delivery-unknown'])],
      { callSince: undefined, toDeliverSince: undefined, owedSince: minute(30), deliveryUntil: undefined },
    ],
    [
      'AttentionSettled: nothing comes back by itself any more',
      [
        ...open,
        expired(),
        needsAttention(['never-confirmed']),
        settled(['never-confirmed']),
        received(1, 1000, { at: day(2) }),
      ],
      { reinstateSince: undefined },
    ],
    [
      'OrderDeleted: is never delivered and never comes back, but is watched',
      [...paid, deleted()],
      { ...ended, watchUntil: '2026-03-08T13:20:00.000Z' },
    ],
    ['PaymentWatchEnded: nobody is asked any more', [...open, expired(), watchEnded(1, day(9))], nothingToDo],
  ])('%s', ([, events, expected]) => {
    expect(after(...events)).toMatchObject(expected)
  })

  it('pre-orders wait for stock in the order of payment, not of what happens to them later', () => {
    const waiting = after(...preOrder)
    expect(waiting).toMatchObject({ toDeliverSince: undefined, owedSince: minute(30) })
    expect(waiting?.waitsForStock).toBe(waiting?.payablePosition)
    expect(after(...preOrder, received(1, 1200), needsAttention(['over']))?.waitsForStock).toBe(waiting?.waitsForStock)
  })

  it('tells by what payments it is watched, which of them it waits for and when they began', () => {
    const first = { attempt: 1, startedAt: minute(1), isAwaited: true }
    expect(watchedAfter(placed())).toEqual([])
    expect(watchedAfter(placed(), requested(1, 'crypto'))).toEqual([{ ...first, startedAt: undefined }])
    expect(watchedAfter(...open)).toEqual([first])
    expect(watchedAfter(...paid)).toEqual([{ ...first, isAwaited: false }])
    expect(watchedAfter(...open, failed(1), requested(2, 'upi'))).toEqual([
      { ...first, isAwaited: false },
      { attempt: 2, startedAt: undefined, isAwaited: true },
    ])
    expect(watchedAfter(...open, requested(2, 'upi'), expired(), watchEnded(1, day(8)))).toEqual([
      { attempt: 2, startedAt: undefined, isAwaited: true },
    ])
    expect(watchedAfter(...open, expired(), watchEnded(1, day(8)))).toEqual([])
  })
})
