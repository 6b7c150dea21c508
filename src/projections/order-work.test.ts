import { describe, expect, it } from 'vitest'
import type { ShopEvent } from '../domain/events.ts'
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

describe('what is to be done about an order', () => {
  it('OrderPlaced: expires in its time', () => {
    expect(after(placed())).toMatchObject({ ...nothingToDo, expiresAt: minute(60), paymentIds: undefined })
  })

  it('OrderAbandoned: there is nothing to do for an order that never came about', () => {
    expect(after(abandoned())).toBeUndefined()
  })

  it.for([['PaymentMethodChosen', chosen('upi')] as const, ['PaymentRequested', requested(1, 'crypto')] as const])(
    '%s: there is nothing yet to ask the provider about',
    ([, event]) => {
      expect(after(placed(), event)).toMatchObject({ ...nothingToDo, expiresAt: minute(60) })
    },
  )

  it('PaymentStarted: the provider is asked, and the order has more time', () => {
    expect(after(...open)).toMatchObject({ expiresAt: minute(61), polled: 'open', paymentIds: ['payment-1'] })
  })

  it('lists its payments that are polled, which of them it waits for and when they began', () => {
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

  it('PaymentSeen: the order gets a day', () => {
    expect(after(...open, seen(1))).toMatchObject({ expiresAt: minute(5 + 24 * 60), polled: 'open' })
  })

  it('CaptureRequested: does not expire while the capture is open', () => {
    expect(after(...open, captureRequested(1))).toMatchObject({ captureUntil: minute(20), expiresAt: undefined })
  })

  it('PaymentReceived: is to be delivered by staff, and owed to the buyer', () => {
    const toDo = { ...nothingToDo, toDeliverSince: minute(30), owedSince: minute(30), polled: 'open' }
    expect(after(...paid)).toMatchObject(toDo)
    expect(after(...paid, ready('staff'))).toMatchObject(toDo)
  })

  it('OrderReady: is delivered by staff or by the webhook', () => {
    const byWebhook = { callSince: minute(30), toDeliverSince: undefined, owedSince: minute(30) }
    expect(after(...paid, ready('webhook'))).toMatchObject(byWebhook)
    expect(after(...paid, ready('staff'), requested(2, 'upi'))).toMatchObject({ toDeliverSince: minute(30) })
  })

  it('OrderNeedsAttention: is not delivered by the webhook while its buyer cannot be named', () => {
    const held = [...paid, ready('webhook'), needsAttention(['buyer-unreadable'])]
    expect(after(...held)).toMatchObject({ callSince: undefined, owedSince: minute(30) })
    expect(after(...held, approved())).toMatchObject({ callSince: minute(30) })
  })

  it('PaymentReceived: closes a capture, and a part alone delivers nothing', () => {
    expect(after(...open, captureRequested(1), received(1, 400))).toMatchObject({
      captureUntil: undefined,
      toDeliverSince: undefined,
      owedSince: undefined,
    })
  })

  it('PaymentFailed: is asked about all the same', () => {
    expect(after(...open, failed(1))).toMatchObject({ polled: 'open', expiresAt: minute(61) })
  })

  it('PaymentReversed: is not to be delivered any more', () => {
    expect(after(...paid, reversed('receipt-1', 1000))).toMatchObject({
      toDeliverSince: undefined,
      owedSince: undefined,
    })
  })

  it('DeliveryRequested: may be delivered by any worker', () => {
    expect(after(...paid, ready('webhook'), deliveryRequested())).toMatchObject({
      callSince: undefined,
      toDeliverSince: undefined,
      owedSince: minute(30),
      deliveryUntil: minute(100),
    })
  })

  it('OrderApproved: is to be delivered', () => {
    expect(after(placed(), approved())).toMatchObject({ ...nothingToDo, toDeliverSince: minute(70) })
  })

  it('PreOrderReserved: a paid pre-order waits for stock, then it is to be delivered', () => {
    const preOrder = [placed({ preOrder: true }), requested(1, 'crypto'), started(1), received(1, 1000)]
    const waiting = after(...preOrder)
    expect(waiting).toMatchObject({
      toDeliverSince: undefined,
      owedSince: minute(30),
      waitsForStock: waiting?.payablePosition,
    })
    expect(after(...preOrder, preOrderReserved(8))).toMatchObject({
      toDeliverSince: minute(70),
      waitsForStock: undefined,
    })
  })

  it('PreOrderReserved: pre-orders wait in the order of payment, not of what happens to them later', () => {
    const preOrder = [placed({ preOrder: true }), requested(1, 'crypto'), received(1, 1000)]
    expect(after(...preOrder, received(1, 1200), needsAttention(['over']))?.waitsForStock).toBe(
      after(...preOrder)?.waitsForStock,
    )
  })

  it('OrderCompleted: is watched for a week', () => {
    expect(after(...paid, completed())).toMatchObject({
      ...nothingToDo,
      polled: 'ended',
      watchUntil: '2026-03-08T12:30:04.000Z',
    })
  })

  it.for([['OrderExpired', expired()] as const, ['OrderCancelled', cancelled(minute(60))] as const])(
    '%s: is watched for a week, and comes back when late money covers it',
    ([, event]) => {
      expect(after(...open, event)).toMatchObject({
        ...nothingToDo,
        polled: 'ended',
        watchUntil: '2026-03-08T13:00:04.000Z',
      })
      expect(after(...open, event, received(1, 1000, { at: minute(70) }))).toMatchObject({ reinstateSince: minute(70) })
      expect(after(...open, event, received(1, 400))).toMatchObject({ reinstateSince: undefined })
    },
  )

  it('OrderReinstated: is to be delivered', () => {
    expect(after(...open, expired(), received(1, 1000), reinstated(9))).toMatchObject({
      ...nothingToDo,
      toDeliverSince: minute(90),
      owedSince: minute(30),
      polled: 'open',
    })
  })

  it('OrderNeedsAttention: late money that finds no stock waits for a person', () => {
    const late = [...open, expired(), received(1, 1000)]
    expect(after(...late, needsAttention(['paid-without-stock']))).toMatchObject({ reinstateSince: undefined })
    expect(after(...paid, deliveryRequested(), needsAttention(['delivery-unknown']))).toMatchObject({
      callSince: undefined,
      toDeliverSince: undefined,
      owedSince: minute(30),
      deliveryUntil: undefined,
    })
  })

  it('AttentionSettled: nothing comes back by itself any more', () => {
    const late = [...open, expired(), needsAttention(['never-confirmed']), settled(['never-confirmed'])]
    expect(after(...late, received(1, 1000, { at: day(2) }))).toMatchObject({ reinstateSince: undefined })
  })

  it('OrderDeleted: is never delivered and never comes back, but is watched', () => {
    expect(after(...paid, deleted())).toMatchObject({
      ...nothingToDo,
      polled: 'ended',
      watchUntil: '2026-03-08T13:20:04.000Z',
    })
  })

  it('PaymentWatchEnded: no provider is polled any more', () => {
    expect(after(...open, expired(), watchEnded(1, day(9)))).toMatchObject(nothingToDo)
  })
})
