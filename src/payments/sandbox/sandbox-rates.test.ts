import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decimalFrom, decimalText } from '../../domain/decimal.ts'
import { PaymentRejected } from '../payment-provider.ts'
import { sandboxRates } from './sandbox-rates.ts'

const rates = sandboxRates({ inrPerUsd: 86.5, minCents: 5 })

it.for([
  { amount: '25', currency: 'usd', to: 'ltc', estimate: '0.29411765' },
  { amount: '85', currency: 'USD', to: 'LTC', estimate: '1.00000000' },
  { amount: '0.01', currency: 'usd', to: 'btc', estimate: '0.00000010' },
  { amount: '0.001', currency: 'usd', to: 'btc', estimate: '0.00000001' },
  { amount: '25.40', currency: 'usd', to: 'usdttrc20', estimate: '25.400000' },
  { amount: '86.5', currency: 'inr', to: 'usd', estimate: '1.00' },
  { amount: '1', currency: 'usd', to: 'inr', estimate: '86.50' },
  { amount: '2', currency: 'ltc', to: 'usd', estimate: '170.00' },
])('the sandbox turns $amount $currency into $estimate $to', async ({ amount, currency, to, estimate }) => {
  expect(await rates.estimate({ amount, currency }, to)).toBe(estimate)
})

it('sandbox rates round up by less than the smallest unit', async () => {
  await fc.assert(
    fc.asyncProperty(fc.bigInt({ min: 1n, max: 20_000_000n }), async (cents) => {
      const amount = decimalText({ units: cents, decimals: 2 })
      const { units } = decimalFrom(await rates.estimate({ amount, currency: 'usd' }, 'ltc'))
      const exact = cents * 10n ** 8n
      expect(units * 8_500n >= exact && (units - 1n) * 8_500n < exact).toBe(true)
    }),
  )
})

it('sandbox rates have a minimum', async () => {
  expect(await rates.minAmount('ltc', 'ltc')).toBe('0.00058824')
  expect(await rates.minAmount('usdttrc20', 'ltc')).toBe('0.050000')
})

it('sandbox rates reject other currencies and invalid amounts', async () => {
  await expect(rates.estimate({ amount: '1', currency: 'usd' }, 'doge')).rejects.toThrow(PaymentRejected)
  await expect(rates.minAmount('eur', 'ltc')).rejects.toThrow(PaymentRejected)
  await expect(rates.minAmount('ltc', 'doge')).rejects.toThrow(PaymentRejected)
  for (const amount of ['', '0', '-1', '1e3', 'abc'])
    await expect(rates.estimate({ amount, currency: 'usd' }, 'ltc')).rejects.toThrow(PaymentRejected)
})
