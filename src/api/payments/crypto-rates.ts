import type { CryptoRates } from '../../payments/payment-provider.ts'

const FRESH_MS = 60_000
/** Answers kept; bounded, since callers choose amounts and currencies. */
const REMEMBERED_MAX = 500

/** The provider's rates; an answer is used for a minute. */
export function rememberedRates(rates: CryptoRates, now: () => number): CryptoRates {
  const known = new Map<string, { readonly answer: Promise<unknown>; readonly until: number }>()

  async function remembered<T>(key: string, ask: () => Promise<T>): Promise<T> {
    const old = known.get(key)
    if (old && now() < old.until) return old.answer as Promise<T>
    const answer = ask()
    known.delete(key)
    known.set(key, { answer, until: now() + FRESH_MS })
    const [oldest] = known.keys()
    if (known.size > REMEMBERED_MAX && oldest !== undefined) known.delete(oldest)
    try {
      return await answer
    } catch (error) {
      if (known.get(key)?.answer === answer) known.delete(key)
      throw error
    }
  }

  return {
    currencies: async () => remembered('currencies', async () => rates.currencies()),
    estimate: async (from, to) =>
      remembered(`estimate ${from.amount} ${from.currency} ${to}`, async () => rates.estimate(from, to)),
    minAmount: async (from, to) => remembered(`minimum ${from} ${to}`, async () => rates.minAmount(from, to)),
  }
}
