import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decimalText } from '../decimal.ts'
import { minute, orderAfter, placed, requested, started } from '../testing/order-samples.ts'
import { methodRows, paymentMethods } from '../payment-methods.ts'
import type { OrderEvent } from './events.ts'
import { order } from './order.ts'
import { isCovered, paidCents } from './order-money.ts'
import { nothingBack } from './order-state.ts'
import { evolveAll } from './readiness.ts'

/** An amount asked for, in units of its last decimal, and how it is split into transfers. */
const payments = fc
  .record({
    method: fc.constantFrom(...paymentMethods),
    totalCents: fc.oneof(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 5_000_000 })),
    decimals: fc.integer({ min: 0, max: 18 }),
    askedUnits: fc.bigInt({ min: 20n, max: 10n ** 18n }),
    cuts: fc.array(fc.bigInt({ min: 1n, max: 1_000_000n }), { maxLength: 19 }),
    order: fc.infiniteStream(fc.nat(1_000)),
    /** Permille of the asked amount that is missing at the end. */
    missing: fc.constantFrom(0n, 0n, 1n, 5n, 6n, 300n),
    reversed: fc.infiniteStream(fc.boolean()),
  })
  .map(({ askedUnits, cuts, missing, order: places, reversed, ...payment }) => {
    const paidUnits = askedUnits - (askedUnits * missing) / 1_000n
    const ends = [...cuts.map((cut) => (paidUnits * cut) / 1_000_001n), paidUnits].toSorted((a, b) => (a < b ? -1 : 1))
    const units = ends.map((end, index) => end - (ends[index - 1] ?? 0n)).filter((one) => one > 0n)
    const transfers = units.map((one, index) => ({
      id: `transfer-${index}`,
      units: one,
      place: places.next().value ?? 0,
      isReversed: reversed.next().value === true,
    }))
    return { ...payment, askedUnits, paidUnits, transfers: transfers.toSorted((a, b) => a.place - b.place) }
  })
type Payment = typeof payments extends fc.Arbitrary<infer Value> ? Value : never

/** Each transfer arrives, and some are reversed and come again. */
function paid({ method, totalCents, decimals, askedUnits, transfers }: Payment) {
  const askedMinor = totalCents + methodRows[method].feeCents
  const events: OrderEvent[] = [
    placed({ totalCents }),
    requested(1, method, { coversCents: totalCents, askedMinor }),
    started(1),
  ]
  let state = orderAfter(...events)
  const text = (units: bigint) => decimalText({ units, decimals })
  const report = (id: string, units: bigint, done: string) => {
    const money = { amount: text(units), askedAmount: text(askedUnits), currency: 'any' }
    const receipt = { attempt: 1, provider: 'any', receiptId: id, ...money }
    const news = { receipt, back: { ...nothingBack, done }, byHolder: true, deliveryMode: 'staff' } as const
    const more = order.decide({ type: 'ReportRefund', ...news, at: minute(30) }, state)
    state = evolveAll(state, more)
    events.push(...more)
  }
  for (const { id, units } of transfers) report(id, units, '0')
  const reversed = transfers.filter(({ isReversed }) => isReversed)
  for (const { id, units } of reversed) report(id, units, text(units))
  for (const { id, units } of reversed) report(id, units, '0')
  return { events, state }
}

const numRuns = Number(process.env['MONEY_RUNS'] ?? 300)

it('any split of an amount, in any order, reversed and undone, covers what its sum covers', () =>
  fc.assert(
    fc.property(payments, (payment) => {
      const { method, totalCents, paidUnits, askedUnits } = payment
      const { events, state } = paid(payment)
      // Written a second time, in whole numbers: what the sum is worth, and what is required.
      expect(paidCents(state)).toBe(Number((BigInt(totalCents) * paidUnits) / askedUnits))
      const isEnough = paidUnits * 10_000n >= askedUnits * BigInt(10_000 - methodRows[method].toleranceBasisPoints)
      expect(isCovered(state)).toBe(isEnough)
      const cents = events.map((event) =>
        event.type === 'PaymentReceived'
          ? event.data.addedCents
          : event.type === 'PaymentReversed'
            ? -event.data.takenCents
            : 0,
      )
      expect(cents.reduce((sum, one) => sum + one, 0)).toBe(paidCents(state))
    }),
    { numRuns },
  ))
