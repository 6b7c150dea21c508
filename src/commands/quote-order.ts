import { centsToText } from '../domain/money.ts'
import { packsOf, type Quote, quote, unitPrice } from '../domain/pricing.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Settings } from '../domain/settings/settings.ts'

export function quoteBy(settings: Settings, quantityM: number): Quote {
  return quote({ unitPriceTenThousandths: unitPrice(settings), packs: packsOf(settings) }, quantityM)
}

/** Refuses any total other than the shop's own, and names the right one. */
export function assertQuoted(quoted: Quote, clientTotalCents: number | undefined, paisePerUsd: number): void {
  if (quoted.totalCents === 0)
    throw new Refusal('order/total-zero', 'This quantity costs less than one cent. Please choose a larger one.')
  if (clientTotalCents === quoted.totalCents) return
  throw new Refusal('order/price-changed', 'The price has changed. Please look at the new total.', {
    quote: {
      pokecoinAmount: quoted.quantityM,
      unitPrice: quoted.unitPriceTenThousandths / 10_000,
      discountPercent: quoted.discountPercent,
      totalAmount: centsToText(quoted.totalCents),
      inrPerUsd: paisePerUsd / 100,
    },
  })
}
