import * as z from 'zod/mini'

/** What the owner's bot is sent where coins are delivered by webhook. */
export const deliveryRequest = z.object({
  type: z.literal('order.deliver'),
  orderId: z.string(),
  orderNumber: z.string(),
  /** Millions, as the amounts are; these add up to it. */
  quantityM: z.int(),
  marketIds: z.array(z.object({ marketId: z.string(), amount: z.int() })),
  discordUsername: z.string(),
})
