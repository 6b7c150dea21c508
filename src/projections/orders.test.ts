import { describe, expect, it } from 'vitest'
import type { OrderEvent } from '../domain/order/events.ts'
import {
  abandoned,
  approved,
  cancelled,
  captureRequested,
  chosen,
  completed,
  deleted,
  deliveryRequested,
  expired,
  failed,
  needsAttention,
  orderId,
  placed,
  preOrderReserved,
  received,
  reinstated,
  requested,
  reversed,
  seen,
  settled,
  started,
  watchEnded,
} from '../domain/testing/order-samples.ts'
import { openCapture, openDelivery, statusesOf } from '../domain/order/order-state.ts'
import type { OrderDocument } from './orders.ts'
import { shownAfter } from './testing/shown-orders.ts'

function after(...events: readonly OrderEvent[]): OrderDocument | undefined {
  return shownAfter(...events).get(orderId)
}

function wordsAfter(...events: readonly OrderEvent[]): string | undefined {
  const document = after(...events)
  return document && Object.values(statusesOf(document.order)).join(' / ')
}

const paidByCrypto = [placed(), requested(1, 'crypto'), started(1), received(1, 1000)]

describe('the orders view', () => {
  it('OrderPlaced: shows the order, findable by all that staff may type, with the buyer sealed', () => {
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

  it('OrderAbandoned: shows nothing of an order that never came about', () => {
    expect(after(abandoned())).toBeUndefined()
  })

  it('OrderAbandoned: keeps the place in the stream, behind a fence and before one', () => {
    expect(after(abandoned(), placed())?.order).toMatchObject({ next: 2, claims: [{ claimAt: 1, serial: 7 }] })
    expect(after(placed(), abandoned())?.order).toMatchObject({ next: 2, life: { kind: 'open' } })
  })

  it('PaymentMethodChosen: is found by the method that was chosen last', () => {
    expect(after(placed({ paymentMethod: 'upi' }), chosen('paypal'))?.method).toBe('paypal')
  })

  it('PaymentRequested: keeps the attempt', () => {
    expect(after(placed(), requested(1, 'crypto'))?.order.attempts).toMatchObject([{ attempt: 1, reference: 'REF-1' }])
  })

  it('PaymentStarted: waits for the payment', () => {
    expect(wordsAfter(placed(), requested(1, 'crypto'), started(1))).toBe('pending / waiting')
  })

  it('PaymentSeen: is being processed', () => {
    expect(wordsAfter(placed(), requested(1, 'crypto'), started(1), seen(1))).toBe('pending / processing')
  })

  it('CaptureRequested: keeps the capture', () => {
    const order = after(placed(), requested(1, 'paypal'), started(1), captureRequested(1))?.order
    expect(order && openCapture(order)).toMatchObject({ attempt: 1, requestId: 'capture-1' })
  })

  it('PaymentReceived: is paid', () => {
    expect(wordsAfter(...paidByCrypto)).toBe('pending / completed')
    expect(wordsAfter(placed(), requested(1, 'crypto'), received(1, 400))).toBe('pending / partially_paid')
  })

  it('PaymentFailed: says so', () => {
    expect(wordsAfter(placed(), requested(1, 'crypto'), started(1), failed(1))).toBe('pending / failed')
  })

  it('PaymentReversed: is not paid any more', () => {
    expect(wordsAfter(...paidByCrypto, reversed('receipt-1', 1000))).toBe('pending / waiting')
  })

  it('PaymentWatchEnded: changes no word', () => {
    const events = [...paidByCrypto, completed()]
    expect(wordsAfter(...events, watchEnded(1, '2026-03-10T00:00:00.000Z'))).toBe(wordsAfter(...events))
  })

  it('OrderApproved: counts as paid', () => {
    expect(wordsAfter(placed(), approved())).toBe('pending / completed')
  })

  it('PreOrderReserved: holds its coins', () => {
    expect(after(placed({ preOrder: true }), preOrderReserved(8))?.order.holding).toEqual({
      kind: 'reserved',
      serial: 8,
      quantityM: 200,
    })
  })

  it('DeliveryRequested: is being delivered', () => {
    const order = after(...paidByCrypto, deliveryRequested())?.order
    expect(order && openDelivery(order)).toMatchObject({ orderId })
  })

  it('OrderCompleted: is found under completed', () => {
    expect(after(...paidByCrypto, completed())?.status).toBe('completed')
  })

  it.for([['OrderExpired', expired()] as const, ['OrderCancelled', cancelled()] as const])(
    '%s: is found under failed',
    ([, event]) => {
      expect(after(placed(), event)?.status).toBe('failed')
    },
  )

  it('OrderReinstated: is pending again', () => {
    expect(after(placed(), requested(1, 'crypto'), expired(), received(1, 1000), reinstated(9))?.status).toBe('pending')
  })

  it('OrderNeedsAttention: is found by each of its reasons', () => {
    const document = after(...paidByCrypto, needsAttention(['receipt-refused', 'reversed']))
    expect(document).toMatchObject({ needsAttention: true, reasons: ['receipt-refused', 'reversed'] })
  })

  it('AttentionSettled: needs no person any more', () => {
    const document = after(...paidByCrypto, needsAttention(['over']), completed(), settled(['over']))
    expect(document).toMatchObject({ needsAttention: false, reasons: [] })
  })

  it('OrderDeleted: leaves the list, and comes back when money needs a person', () => {
    expect(after(placed(), deleted())).toMatchObject({ isDeleted: true, isListed: false })
    expect(after(placed(), deleted(), needsAttention(['wrong-coin']))).toMatchObject({
      isDeleted: true,
      isListed: true,
    })
  })
})
