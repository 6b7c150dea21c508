import fc from 'fast-check'
import { expect, it } from 'vitest'
import { amountDue, decimalFrom, decimalText, isPositiveDecimal, shareUp } from './decimal.ts'
import { floorOf, shareOf } from './fraction.ts'

const decimal = fc
  .record({ units: fc.bigInt({ min: 1n, max: 10n ** 24n }), decimals: fc.integer({ min: 0, max: 18 }) })
  .map(decimalText)
const cents = fc.integer({ min: 0, max: 5_000_000_000 })

type Share = Parameters<typeof amountDue>[0]
const coversCents = (share: Share, amount: string) => floorOf(shareOf(share.coversCents, amount, share.askedAmount))

it('an amount is read back from its text', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 0, max: 18 }), (units, decimals) => {
      const text = decimalText({ units, decimals })
      expect(decimalFrom(text)).toEqual({ units, decimals })
      expect(isPositiveDecimal(text)).toBe(units > 0n)
    }),
  )
})

it('exactly the requested amount covers exactly everything', () => {
  fc.assert(
    fc.property(decimal, cents, (askedAmount, covers) => {
      expect(coversCents({ coversCents: covers, askedAmount }, askedAmount)).toBe(covers)
    }),
  )
})

it('the requested rest covers what is due to within a unit', () => {
  const due = fc.record({ covers: cents, share: fc.double({ min: 0, max: 1, noNaN: true }) })
  fc.assert(
    fc.property(decimal, due, (askedAmount, { covers, share }) => {
      const dueCents = Math.floor(covers * share)
      const rest = amountDue({ coversCents: covers, askedAmount }, dueCents)
      if (covers === 0) return
      expect(coversCents({ coversCents: covers, askedAmount }, rest)).toBeGreaterThanOrEqual(dueCents)
      const { units, decimals } = decimalFrom(rest)
      if (units === 0n) return
      const less = decimalText({ units: units - 1n, decimals })
      if (dueCents < covers)
        expect(coversCents({ coversCents: covers, askedAmount }, less)).toBeLessThanOrEqual(dueCents)
    }),
  )
})

it('less than the requested amount never covers everything and loses less than a cent', () => {
  const paidOfAsked = fc
    .record({ asked: fc.bigInt({ min: 1n, max: 10n ** 20n }), decimals: fc.integer({ min: 0, max: 18 }) })
    .chain(({ asked, decimals }) =>
      fc.record({
        asked: fc.constant(asked),
        decimals: fc.constant(decimals),
        paid: fc.bigInt({ min: 0n, max: asked - 1n }),
      }),
    )
  fc.assert(
    fc.property(paidOfAsked, cents, ({ asked, paid, decimals }, covers) => {
      const askedAmount = decimalText({ units: asked, decimals })
      const covered = BigInt(coversCents({ coversCents: covers, askedAmount }, decimalText({ units: paid, decimals })))
      expect(covered * asked <= BigInt(covers) * paid).toBe(true)
      expect((covered + 1n) * asked > BigInt(covers) * paid).toBe(true)
    }),
  )
})

it('trailing zeros do not change what an amount covers', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 10 ** 9 }),
      fc.integer({ min: 0, max: 20 }),
      cents,
      (minor, zeros, covers) => {
        const share = { coversCents: covers, askedAmount: '10000000.00' }
        const paid = decimalText({ units: BigInt(minor), decimals: 2 })
        expect(coversCents(share, paid + '0'.repeat(zeros))).toBe(coversCents(share, paid))
      },
    ),
  )
})

it('a share is rounded up by less than one', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.bigInt({ min: 1n, max: 10n ** 20n }), (value, divisor) => {
      const rounded = BigInt(shareUp(String(value), { by: '1', of: String(divisor), decimals: 0 }))
      expect(rounded * divisor >= value && rounded * divisor - value < divisor).toBe(true)
    }),
  )
})
