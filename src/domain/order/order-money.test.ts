import { describe, expect, it } from 'vitest'
import { decimalText } from '../decimal.ts'
import { adminId, expired, minute, orderAfter, placed, requested, started } from '../testing/order-samples.ts'
import { methodRows, type PaymentMethod } from '../payment-methods.ts'
import type { OrderCommand } from './commands.ts'
import type { OrderEvent } from './events.ts'
import { order } from './order.ts'
import { centsByReceipt, chargedOf, isCovered, paidCents } from './order-money.ts'
import { nothingBack, type PaidBack } from './order-state.ts'
import { mayBeReinstated } from './standing.ts'

type History = readonly OrderEvent[]

const at = minute(30)
const decided = (history: History, command: OrderCommand): History => [
  ...history,
  ...order.decide(command, orderAfter(...history)),
]

interface Transfer {
  readonly amount: string
  readonly asked: string
  readonly attempt?: number
  readonly receiptId?: string
  readonly back?: Partial<PaidBack>
}

function arrive(history: History, { amount, asked, attempt = 1, receiptId, back }: Transfer, index: number): History {
  const receipt = { attempt, provider: 'any', amount, askedAmount: asked, currency: 'any' }
  const named = { ...receipt, receiptId: receiptId ?? `transfer-${index}` }
  const report = { type: 'ReportRefund', receipt: named, back: { ...nothingBack, ...back }, byHolder: true } as const
  return decided(history, { ...report, deliveryMode: 'staff', at })
}

const opened = (totalCents: number, method: PaymentMethod = 'crypto', coversCents = totalCents): History => {
  const askedMinor = coversCents + methodRows[method].feeCents
  return [placed({ totalCents }), requested(1, method, { coversCents, askedMinor }), started(1)]
}

const text = (units: bigint) => decimalText({ units, decimals: 8 })

const paidBy = (history: History, transfers: readonly Transfer[]) =>
  orderAfter(...transfers.reduce((events, transfer, index) => arrive(events, transfer, index), history))

/** A total in cents, the amount asked for, and what arrived. */
const exactly: readonly [totalCents: number, asked: string, arrived: readonly string[]][] = [
  [25, '0.00294118', ['0.00147059', '0.00147059']],
  [119, '0.014', ['0.007', '0.007']],
  [157, '0.01847059', ['0.00923529', '0.0092353']],
  ...Array.from({ length: 28 }, (_, index): [number, string, string[]] => [
    234 + index,
    '0.03',
    ['0.01', '0.01', '0.01'],
  ]),
]

it.for(exactly)('a total of %i cents is paid by %s in parts of %j', ([totalCents, asked, arrived]) => {
  const transfers = arrived.map((amount) => ({ amount, asked }))
  const state = paidBy(opened(totalCents), transfers)
  expect([isCovered(state), paidCents(state), state.receivedCents]).toEqual([true, totalCents, totalCents])
})

it.for<[totalCents: number, share: string, heldCents: number, covered: boolean]>([
  [25, '0.997', 24, true],
  [95, '0.997', 94, true],
  [143, '0.997', 142, true],
  [185, '0.997', 184, true],
  [225, '0.9955', 223, true],
  [270, '0.9951', 268, true],
  [1000, '0.995', 995, true],
  [1000, '0.9949999999', 994, false],
  [5, '0.995', 4, true],
  [5, '0.994', 4, false],
])('of %i cents in crypto, %s is worth %i; paid: %s', ([totalCents, share, heldCents, covered]) => {
  const state = paidBy(opened(totalCents), [{ amount: share, asked: '1' }])
  expect([paidCents(state), isCovered(state)]).toEqual([heldCents, covered])
})

it('nothing is forgiven where no crypto holds money', () =>
  expect(isCovered(paidBy(opened(1000, 'upi'), [{ amount: '0.9999', asked: '1' }]))).toBe(false))

it('an order that is paid in two halves after it expired is brought back', () => {
  const half = { amount: '0.007', asked: '0.014' }
  const state = paidBy([...opened(119), expired()], [half, half])
  expect([mayBeReinstated(state), state.attention]).toEqual([true, []])
})

it('two quotes of one order pay it together, less what crypto forgives', () => {
  const both = [...opened(1000, 'crypto', 500), requested(2, 'crypto', { coversCents: 500, askedMinor: 500 })]
  const first = { amount: '0.05', asked: '0.05' }
  const state = paidBy(both, [first, { amount: '0.0496', asked: '0.05', attempt: 2 }])
  expect([paidCents(state), isCovered(state)]).toEqual([996, true])
})

it('two asked amounts of one attempt are shares of one sum', () => {
  const state = paidBy(opened(119), [
    { amount: '0.007', asked: '0.014' },
    { amount: '0.5', asked: '1' },
  ])
  expect([paidCents(state), isCovered(state)]).toEqual([119, true])
})

it('the fee of PayPal is a share of what was charged', () => {
  const state = paidBy(opened(270, 'paypal'), [
    { amount: '1.03', asked: '3.10' },
    { amount: '2.07', asked: '3.10' },
  ])
  expect([paidCents(state), isCovered(state)]).toEqual([270, true])
  expect(chargedOf(state)).toEqual({ amountMinor: 310, currency: 'USD', feeCents: 40 })
})

it('rupees are shown as they were charged, also rounded up to whole ones', () => {
  const state = paidBy(opened(270, 'upi'), [{ amount: '234', asked: '234.00' }])
  expect([paidCents(state), isCovered(state)]).toEqual([270, true])
  expect(chargedOf(state)).toEqual({ amountMinor: 23_400, currency: 'INR', feeCents: 0 })
})

it('twenty transfers of dust are recorded, and count once they make a cent', () => {
  const dust = { amount: '0.00001', asked: '0.014' }
  const some = paidBy(
    opened(119),
    Array.from({ length: 11 }, () => dust),
  )
  expect([some.receipts.length, paidCents(some), some.attention]).toEqual([11, 0, []])
  expect(order.decide({ type: 'CancelOrder', at }, some)).toHaveLength(1)
  const more = paidBy(
    opened(119),
    Array.from({ length: 20 }, () => dust),
  )
  expect(paidCents(more)).toBe(1)
})

describe('a refund of one of two halves', () => {
  const half = { amount: '0.00147059', asked: '0.00294118' }
  const paid = [half, half].reduce((events, transfer, index) => arrive(events, transfer, index), opened(25))
  const noted = { refundId: 'refund-1', requestHash: 'hash-1', reason: 'other', whereTo: null, adminId } as const
  const refund = { type: 'RecordRefund', ...noted, amountCents: 13, receiptId: null, coinsGiven: false, at } as const

  it('the cents of two halves add up', () =>
    expect([...centsByReceipt(orderAfter(...paid)).values()]).toEqual([13, 12]))

  it('a refund of the larger half leaves the other, whatever the provider says of it', () => {
    const refunded = decided(paid, { ...refund, receiptId: 'transfer-0' })
    expect(paidCents(orderAfter(...refunded))).toBe(12)
    const reported = arrive(refunded, { ...half, back: { done: half.amount } }, 0)
    expect(orderAfter(...reported).wasReversed).toBe(false)
    expect(Object.fromEntries(centsByReceipt(orderAfter(...reported)))).toEqual({ 'transfer-0': 0, 'transfer-1': 12 })
  })

  it('more than the sum of the halves cannot be refunded', () =>
    expect(() => decided(paid, { ...refund, amountCents: 26 })).toThrow('More cannot be paid back'))
})

it('a reversal of less than a cent holds the order back', () => {
  const paid = arrive(opened(119), { amount: '0.014', asked: '0.014' }, 0)
  const state = orderAfter(...arrive(paid, { amount: '0.014', asked: '0.014', back: { done: '0.00000001' } }, 0))
  expect([paidCents(state), state.wasReversed]).toEqual([118, true])
})

it.for([5, 25, 48, 119, 190, 225, 999, 10_000, 5_000_000])('%i cents are paid by any split into two', (totalCents) => {
  const askedUnits = BigInt(Math.ceil((totalCents * 1_000_000) / 85))
  for (let index = 1n; index <= 40n; index += 1n) {
    const first = (askedUnits * index) / 41n
    const asked = text(askedUnits)
    const split = [first, askedUnits - first].map((units) => ({ amount: text(units), asked }))
    expect(isCovered(paidBy(opened(totalCents), split))).toBe(true)
  }
})
