import { centsToText } from '../../domain/money.ts'
import { decimalFrom, isPositiveDecimal, shareUp } from '../../domain/decimal.ts'
import { type CryptoRates, PaymentRejected } from '../payment-provider.ts'

interface SandboxCoin {
  readonly code: string
  readonly network: string
  /** Its addresses are shared: a payment names its payee by a memo. */
  readonly hasMemo?: boolean
  /** Of the coin's smallest unit. */
  readonly decimals: number
  /** Fixed, so that all screens agree. */
  readonly centsPerCoin: bigint
}

export const sandboxCoins: readonly SandboxCoin[] = [
  { code: 'ltc', network: 'ltc', decimals: 8, centsPerCoin: 8_500n },
  { code: 'btc', network: 'btc', decimals: 8, centsPerCoin: 10_000_000n },
  { code: 'eth', network: 'eth', decimals: 8, centsPerCoin: 350_000n },
  { code: 'usdttrc20', network: 'trx', decimals: 6, centsPerCoin: 100n },
  { code: 'usdterc20', network: 'eth', decimals: 6, centsPerCoin: 100n },
  { code: 'usdtbsc', network: 'bsc', decimals: 6, centsPerCoin: 100n },
  { code: 'xrp', network: 'xrp', decimals: 6, centsPerCoin: 60n, hasMemo: true },
  { code: 'xlm', network: 'xlm', decimals: 7, centsPerCoin: 12n, hasMemo: true },
]

/** One unit is worth cents / per. */
interface Worth {
  readonly decimals: number
  readonly cents: bigint
  readonly per: bigint
}

/** Fixed exchange rates. Results are rounded up, so that the shop never asks too little. */
export function sandboxRates(options: { inrPerUsd: number; minCents: number }): CryptoRates {
  const rupee = decimalFrom(String(options.inrPerUsd))
  const worths = new Map<string, Worth>([
    ['usd', { decimals: 2, cents: 100n, per: 1n }],
    ['inr', { decimals: 2, cents: 100n * 10n ** BigInt(rupee.decimals), per: rupee.units }],
    ...sandboxCoins.map(({ code, decimals, centsPerCoin }): [string, Worth] => [
      code,
      { decimals, cents: centsPerCoin, per: 1n },
    ]),
  ])
  const worthOf = (currency: string): Worth => {
    const worth = worths.get(currency.toLowerCase())
    if (!worth) throw new PaymentRejected('The sandbox does not know this currency.')
    return worth
  }
  const minText = centsToText(options.minCents)
  const convert = (amount: string, from: Worth, to: Worth): string => {
    if (!isPositiveDecimal(amount)) throw new PaymentRejected('An amount is needed, like 25.40.')
    const [by, of] = [String(from.cents * to.per), String(from.per * to.cents)]
    return shareUp(amount, { by, of, decimals: to.decimals })
  }
  return {
    async currencies() {
      return sandboxCoins.map(({ code }) => code)
    },
    async estimate({ amount, currency }, to) {
      return convert(amount, worthOf(currency), worthOf(to))
    },
    async minAmount(from, to) {
      worthOf(to)
      return convert(minText, worthOf('usd'), worthOf(from))
    },
  }
}
