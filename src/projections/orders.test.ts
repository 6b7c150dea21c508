import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { OrderEvent } from '../domain/order/events.ts'
import { order } from '../domain/order/order.ts'
import { orderHistories } from '../domain/testing/arbitraries.ts'
import {
  cancelled,
  chosen,
  completed,
  deleted,
  expired,
  needsAttention,
  orderId,
  placed,
  received,
  reinstated,
  requested,
  settled,
  started,
} from '../domain/testing/order-samples.ts'
import type { OrderDocument } from './orders.ts'
import { shownAfter } from './testing/shown-orders.ts'

function after(...events: readonly OrderEvent[]): OrderDocument | undefined {
  return shownAfter(...events).get(orderId)
}

const paidByCrypto = [placed(), requested(1, 'crypto'), started(1), received(1, 1000)]

describe('the orders view', () => {
  it("shows the domain's own order once it is placed, whatever has become of it", () => {
    fc.assert(
      fc.property(orderHistories, ({ events }) => {
        let state = order.initial
        for (const [at, event] of events.entries()) {
          state = order.evolve(state, event)
          const [shown] = shownAfter(...events.slice(0, at + 1)).values()
          expect(shown?.order).toEqual(state.kind === 'placed' ? state : undefined)
        }
      }),
    )
  })

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

  it('PaymentMethodChosen: is found by the method that was chosen last', () => {
    expect(after(placed({ paymentMethod: 'upi' }), chosen('paypal'))?.method).toBe('paypal')
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
    const document = after(...paidByCrypto, needsAttention(['over', 'reversed']))
    expect(document).toMatchObject({ needsAttention: true, reasons: ['over', 'reversed'] })
  })

  it('AttentionSettled: needs nobody any more', () => {
    const document = after(...paidByCrypto, needsAttention(['over']), completed(), settled(['over']))
    expect(document).toMatchObject({ needsAttention: false, reasons: [] })
  })

  it('OrderDeleted: leaves the list, and comes back when money needs a person', () => {
    expect(after(placed(), deleted())).toMatchObject({ isDeleted: true, isListed: false })
    expect(after(placed(), deleted(), needsAttention(['money-on-deleted-order']))).toMatchObject({
      isDeleted: true,
      isListed: true,
    })
  })
})
