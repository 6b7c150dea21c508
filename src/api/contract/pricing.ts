import * as z from 'zod/mini'

export const pricing = z.object({
  /** Dollars per million coins, after the bulk discount but before pack discounts. */
  pokecoinPriceUSDPerMillion: z.number(),
  inrPerUsd: z.number(),
})
export type Pricing = z.infer<typeof pricing>

/** Sent with a 409 `order/price-changed`. */
const freshQuote = z.object({
  pokecoinAmount: z.number(),
  /** Dollars per million coins. */
  unitPrice: z.number(),
  discountPercent: z.number(),
  totalAmount: z.string(),
  inrPerUsd: z.number(),
})
export type FreshQuote = z.infer<typeof freshQuote>
