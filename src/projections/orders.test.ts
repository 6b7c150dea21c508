import { expect, it } from 'vitest'
import {
  abandoned,
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
  deliveryGivenUp,
  deliveryHeld,
  orderId,
  placed,
  preOrderReserved,
  ready,
  received,
  reinstated,
  reinstatementRefused,
  requested,
  reversed,
  seen,
  settled,
  started,
  unusable,
  watchEnded,
} from '../domain/testing/order-samples.ts'
import type { OrderEvent } from '../domain/order/events.ts'
import { openCapture, openDelivery } from '../domain/order/order-state.ts'
import { statusesOf } from '../domain/order/standing.ts'
import { shownAfter } from '../projector/testing/shown-orders.ts'

type Events = readonly OrderEvent[]

const after = (...events: Events) => shownAfter(...events).get(orderId)

/** The document of an order, with its statuses as words. */
function shown(...events: Events) {
  const document = after(...events)
  return document && { ...document, words: Object.values(statusesOf(document.order)).join(' / ') }
}

const open = [placed(), requested(1, 'crypto'), started(1)]
const paid = [...open, received(1, 1000)]
const called = [...paid, ready('webhook'), deliveryRequested()]
const late = [...open, expired(), received(1, 1000, { at: minute(70) })]
const preOrder = [placed({ preOrder: true }), requested(1, 'crypto'), started(1), received(1, 1000)]
const nothingToDo = {
  expiresAt: undefined,
  callSince: undefined,
  toDeliverSince: undefined,
  owedSince: undefined,
  reinstateSince: undefined,
  deliveryUntil: undefined,
  watchUntil: undefined,
  polled: undefined,
  waitsForStock: undefined,
}
const ofStaff = { ...nothingToDo, toDeliverSince: minute(30), owedSince: minute(30), polled: 'open' }
const owed = { callSince: undefined, toDeliverSince: undefined, owedSince: minute(30) }
const ended = { ...nothingToDo, status: 'failed', polled: 'ended', watchUntil: '2026-03-08T13:00:04.000Z' }

/** Fields after the last of the events. */
const rows: readonly [is: string, events: Events, shows: object][] = [
  ['expires in its time', [placed()], { ...nothingToDo, expiresAt: minute(60) }],
  [
    'is found by the method chosen last',
    [placed(), chosen('upi')],
    { method: 'upi', ...nothingToDo, expiresAt: minute(60) },
  ],
  ['waits for no provider yet', [placed(), requested(1, 'crypto')], { ...nothingToDo, expiresAt: minute(60) }],
  ['is asked about, and has more time', open, { words: 'pending / waiting', expiresAt: minute(61), polled: 'open' }],
  [
    'is processed, and has a day',
    [...open, seen(1)],
    { words: 'pending / processing', expiresAt: minute(5 + 24 * 60), polled: 'open' },
  ],
  [
    'does not expire while it is captured',
    [...open, captureRequested(1)],
    { awaitedSince: minute(10), expiresAt: undefined },
  ],
  ['is owed', paid, { words: 'pending / completed', ...ofStaff, toDeliverSince: undefined }],
  [
    'delivers nothing for a part',
    [...open, captureRequested(1), received(1, 400)],
    { words: 'pending / partially_paid', awaitedSince: undefined, toDeliverSince: undefined, owedSince: undefined },
  ],
  [
    'is asked about after it failed',
    [...open, failed(1)],
    { words: 'pending / failed', polled: 'open', expiresAt: minute(61) },
  ],
  [
    'is not paid any more',
    [...paid, reversed('receipt-1', 1000)],
    { words: 'pending / waiting', toDeliverSince: undefined, owedSince: undefined },
  ],
  ['is delivered by staff', [...paid, ready('staff')], ofStaff],
  ['is delivered by the webhook', [...paid, ready('webhook')], { ...owed, callSince: minute(30) }],
  [
    'stays with staff when another method is chosen',
    [...paid, ready('staff'), requested(2, 'upi')],
    { toDeliverSince: minute(30) },
  ],
  ['may be delivered by any worker', called, { ...owed, deliveryUntil: minute(100) }],
  ['counts as paid', [placed(), approved()], { words: 'pending / completed', ...nothingToDo }],
  ['holds the coins of a pre-order', [...preOrder, preOrderReserved(8)], { waitsForStock: undefined }],
  [
    'is completed, and watched for a week',
    [...paid, completed()],
    { status: 'completed', ...nothingToDo, polled: 'ended', watchUntil: '2026-03-08T12:30:04.000Z' },
  ],
  [
    'is watched no more, and keeps its words',
    [...paid, completed(), watchEnded(1, day(10))],
    { words: 'completed / completed', ...nothingToDo },
  ],
  ['is expired, and watched for a week', [...open, expired()], ended],
  ['is cancelled, and watched for a week', [...open, cancelled(minute(60))], ended],
  ['is watched no more after it ended', [...open, expired(), watchEnded(1, day(9))], nothingToDo],
  ['comes back for late money that covers it', late, { reinstateSince: minute(70) }],
  ['does not come back for a part', [...open, cancelled(minute(60)), received(1, 400)], { reinstateSince: undefined }],
  [
    'is pending again, and owed',
    [...open, expired(), received(1, 1000), reinstated(9)],
    { status: 'pending', ...nothingToDo, owedSince: minute(30), polled: 'open' },
  ],
  [
    'is found by each reason that needs a person',
    [...paid, unusable('receipt-2'), reversed('receipt-1', 1000)],
    { needsAttention: true, reasons: ['reversed', 'receipt-refused'] },
  ],
  ['is not called for while its buyer cannot be named', [...paid, ready('webhook'), deliveryHeld()], owed],
  [
    'is called for once it is approved',
    [...paid, ready('webhook'), deliveryHeld(), approved()],
    { callSince: minute(30) },
  ],
  ['waits for a person where no stock is left', [...late, reinstatementRefused()], { reinstateSince: undefined }],
  [
    'waits for a person where the delivery is unknown',
    [...called, deliveryGivenUp()],
    { ...owed, deliveryUntil: undefined },
  ],
  [
    'needs no person any more',
    [...paid, received(1, 1200), completed(), settled(['over'])],
    { needsAttention: false, reasons: [] },
  ],
  [
    'does not come back by itself after a person settled it',
    [...open, expired(), seen(1), settled(['never-confirmed']), received(1, 1000, { at: day(2) })],
    { reinstateSince: undefined },
  ],
  [
    'leaves the list, but is watched',
    [...open, deleted()],
    { isDeleted: true, isListed: false, ...nothingToDo, polled: 'ended', watchUntil: '2026-03-08T13:20:04.000Z' },
  ],
  [
    'is listed though it is deleted, since money needs a person',
    [placed(), deleted(), unusable('receipt-1', 'another-coin')],
    { isDeleted: true, isListed: true },
  ],
]

it.each(rows.map(([is, events, shows]) => ({ type: events.at(-1)?.type, is, events, shows })))(
  'an order after $type $is',
  ({ events, shows }) => expect(shown(...events)).toMatchObject(shows),
)

it('an order after OrderPlaced is findable by number, customer, method, amount and date, with its buyer sealed', () => {
  const late = placed({ orderNumber: 'ABCDEFG1', at: '2026-03-01T20:00:00.000Z', paymentMethod: 'upi' })
  expect(after(late)).toMatchObject({
    order: expect.objectContaining({ placed: late.data }) as unknown,
    orderId,
    number: 'abcdefg1',
    customerId: 'customer-1',
    method: 'upi',
    amount: '00000001000 2026-03-01T20:00:00.000Z',
    createdAt: '2026-03-01T20:00:00.000Z',
    status: 'pending',
    isDeleted: false,
    isListed: true,
    needsAttention: false,
    reasons: [],
  })
})

it('an order that was abandoned and never placed is not shown', () => {
  expect(after(abandoned())).toBeUndefined()
  expect(after(abandoned(), placed())?.order).toMatchObject({ next: 2, claims: [{ claimAt: 1, serial: 7 }] })
  expect(after(placed(), abandoned())?.order).toMatchObject({ next: 2, life: { kind: 'open' } })
})

it('an order in the view keeps its attempts, capture, delivery and coins', () => {
  expect(after(placed(), requested(1, 'crypto'))?.order.attempts).toMatchObject([{ attempt: 1, reference: 'REF-1' }])
  const [captured, delivered] = [after(...open, captureRequested(1))?.order, after(...called)?.order]
  expect(captured && openCapture(captured)).toMatchObject({ attempt: 1, requestId: 'capture-1' })
  expect(delivered && openDelivery(delivered)).toMatchObject({ orderId })
  const holding = { kind: 'reserved', serial: 8, quantityM: 200 }
  expect(after(placed({ preOrder: true }), preOrderReserved(8))?.order.holding).toEqual(holding)
})

it('a paid pre-order waits for stock in the order of payment', () => {
  const waiting = after(...preOrder)
  expect(waiting).toMatchObject({ ...owed, waitsForStock: waiting?.payablePosition })
  const more = [...preOrder, received(1, 1200)]
  expect(after(...more)?.waitsForStock).toBe(waiting?.waitsForStock)
  expect(waiting?.waitsForStock).toBeDefined()
})
