import * as z from 'zod/mini'

export const pricing = z.object({
  /** Dollars for one million coins, the bulk discount taken off; packs come on top. */
  pokecoinPriceUSDPerMillion: z.number(),
  inrPerUsd: z.number(),
})
export type Pricing = z.infer<typeof pricing>

/** Sent with a 409 `order/price-changed`. */
export const quote = z.object({
  pokecoinAmount: z.number(),
  /** Dollars for one million coins. */
  unitPrice: z.number(),
  discountPercent: z.number(),
  totalAmount: z.string(),
  inrPerUsd: z.number(),
})
export type Quote = z.infer<typeof quote>
