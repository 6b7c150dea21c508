import fc from 'fast-check'
import { expect, it } from 'vitest'
import { orderHistories } from '../testing/arbitraries.ts'
import { refusalOf } from '../testing/examples.ts'
import { adminId, day, orderAfter, placed, requested, started } from '../testing/order-samples.ts'
import { paymentMethods } from '../payment-methods.ts'
import { ATTEMPTS_MAX, may } from './may.ts'
import { order as decider } from './order.ts'
import type { OrderCommand, PlacedOrderCommand } from './commands.ts'
import { paidCents } from './order-money.ts'
import { type PlacedOrder } from './order-state.ts'
import { openAttempt } from './standing.ts'

const at = day(30)
const adding: Record<'cancel' | 'approve' | 'settle' | 'deliver' | 'refund', OrderCommand> = {
  cancel: { type: 'CancelOrder', at },
  approve: { type: 'ApproveOrder', serial: 9_999, adminId, deliveryMode: 'webhook', at },
  settle: { type: 'SettleAttention', reason: 'nothing-owed', adminId, at },
  deliver: { type: 'MarkDelivered', at },
  refund: {
    type: 'RecordRefund',
    refundId: 'another',
    requestHash: 'hash',
    amountCents: 1,
    receiptId: null,
    reason: 'other',
    whereTo: null,
    coinsGiven: false,
    adminId,
    at,
  },
}

/** The same answers, derived from the decider. */
function decided(order: PlacedOrder) {
  const adds = (command: OrderCommand): boolean => {
    let count = 0
    refusalOf(() => {
      count = decider.decide(command, order).length
    })
    return count > 0
  }
  return {
    pay: paymentMethods.some((method) => !isRefused(order, paymentBy(method, order))),
    requote: paymentMethods.some((method) => {
      const replaces = openAttempt(order, method)?.attempt
      return replaces !== undefined && adds({ ...paymentBy(method, order), replaces })
    }),
    cancel: adds(adding.cancel),
    approve: adds(adding.approve),
    settle: adds(adding.settle),
    deliver: adds(adding.deliver),
    refund: adds(adding.refund),
  }
}

function isRefused(order: PlacedOrder, command: OrderCommand): boolean {
  return refusalOf(() => decider.decide(command, order)) !== undefined
}

/** Requests what is still owed. Adds nothing while a payment of this method is open. */
function paymentBy(method: (typeof paymentMethods)[number], order: PlacedOrder): PlacedOrderCommand<'RequestPayment'> {
  const attempt = order.attempts.length + 1
  const coversCents = order.placed.totalCents - paidCents(order)
  const asked = { provider: method, reference: 'REF', askedMinor: coversCents, currency: 'USD', coversCents } as const
  return { type: 'RequestPayment', request: { attempt, method, ...asked }, at }
}

it('may() allows exactly what the decider accepts', () => {
  fc.assert(
    fc.property(orderHistories, ({ steps }) => {
      for (const { after } of steps) {
        if (after.kind === 'none') continue
        expect(may(after)).toStrictEqual(decided(after))
      }
    }),
    { numRuns: 400 },
  )
})

it('the random histories allow each action at least once', () => {
  const states = fc
    .sample(orderHistories, { numRuns: 1000, seed: 7 })
    .flatMap(({ steps }) => steps.flatMap(({ after }) => (after.kind === 'none' ? [] : [may(after)])))
  for (const name of Object.keys(decided(orderAfter(placed()))) as (keyof ReturnType<typeof may>)[])
    expect({ name, isDone: states.some((state) => state[name]) }).toEqual({ name, isDone: true })
})

it('an order that has used all its attempts can only be paid by an open one', () => {
  const attempts = Array.from({ length: ATTEMPTS_MAX }, (_, index) => requested(index + 1, 'crypto'))
  const open = orderAfter(placed(), ...attempts, started(ATTEMPTS_MAX))
  expect(may(open)).toMatchObject({ pay: true, requote: false })
  const failed = orderAfter(placed(), ...attempts, {
    type: 'PaymentFailed',
    data: { orderId: open.placed.orderId, attempt: ATTEMPTS_MAX, reason: 'failed', at },
  })
  expect(may(failed).pay).toBe(false)
  for (const order of [open, failed]) expect(may(order)).toStrictEqual(decided(order))
})
