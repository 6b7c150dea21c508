import * as z from 'zod/mini'
import { deliveryMode } from './order.ts'

/** `GET /api/shop`: the shop's configuration for the screens, fixed while a process runs. */
export const shopInfo = z.object({
  name: z.string(),
  /** `test`: a provider is called at another address than its own, where no real money moves. */
  payments: z.enum(['sandbox', 'test', 'live']),
  discordDmUrl: z.nullable(z.string()),
  discordServerUrl: z.nullable(z.string()),
  supportEmail: z.nullable(z.string()),
  inrPerUsd: z.number(),
  orderTtlMinutes: z.number(),
  /** Its midnight ends a day of the shop. */
  timeZone: z.string(),
  /** For orders that become ready from now on. */
  deliveryMode,
})
export type ShopInfo = z.infer<typeof shopInfo>
