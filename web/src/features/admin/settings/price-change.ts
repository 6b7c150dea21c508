import type { PaymentSettings } from '#contract/settings.ts'
import { packsOf, quote } from '#pricing'
import { unitPriceIn } from '../../../api/offer.ts'
import { millions, usd } from '../../../lib/format.ts'

/** Says which price moves by more than half, of 1M or of a pack's amount. Undefined if none does, or if the server refuses it. */
export function largePriceChange(before: PaymentSettings, after: PaymentSettings): string | undefined {
  const packs = [before, after].flatMap(packsOf)
  for (const quantityM of [1, ...packs.map(({ amountM }) => amountM)]) {
    const [was, is] = [priceOf(before, quantityM), priceOf(after, quantityM)]
    if (is >= 0 && 2 * Math.abs(is - was) > was)
      return `${millions(quantityM)} then cost ${usd(is)} instead of ${usd(was)}.`
  }
  return undefined
}

function priceOf(settings: PaymentSettings, quantityM: number): number {
  return quote({ unitPriceTenThousandths: unitPriceIn(settings), packs: packsOf(settings) }, quantityM).totalCents
}
