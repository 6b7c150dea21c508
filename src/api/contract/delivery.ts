import * as z from 'zod/mini'

/** Sent to the owner's bot when coins are delivered by webhook. */
export const deliveryRequest = z.object({
  type: z.literal('order.deliver'),
  orderId: z.string(),
  orderNumber: z.string(),
  /** In millions; the amounts below add up to it. */
  quantityM: z.int(),
  marketIds: z.array(z.object({ marketId: z.string(), amount: z.int() })),
  discordUsername: z.string(),
})
