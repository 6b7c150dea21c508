import * as z from 'zod/mini'
import { byShopText } from '../../domain/settings/shop-texts.ts'
import { deliveryMode } from './order.ts'

/** `GET /api/shop`: what the owner says of the shop, and its configuration, which is fixed while a process runs. */
export const shopInfo = z.object({
  name: z.string(),
  /** The game, and what its coins are called; null until the owner says it. */
  game: z.nullable(z.string()),
  coin: z.nullable(z.string()),
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
  /** Whether buyers are mailed about their orders. */
  mailsBuyers: z.boolean(),
})
export type ShopInfo = z.infer<typeof shopInfo>

/** `GET /api/admin/shop`: what remains to be done before the first buyer comes. */
export const shopForStaff = z.object({
  /** What counts while a text is empty; null for none. */
  otherwise: z.object(byShopText(() => z.nullable(z.string()))),
  /** Each is true once it is done. */
  firstDay: z.object({
    price: z.boolean(),
    seller: z.boolean(),
    contact: z.boolean(),
    /** A provider is configured, and each one whose method is on has sent a webhook. */
    payments: z.boolean(),
    password: z.boolean(),
    order: z.boolean(),
  }),
  isDismissed: z.boolean(),
  /** Strangers can buy at the price that the shop opened with, and staff have neither changed nor confirmed it. */
  isOpeningPriceOnSale: z.boolean(),
})
export type ShopForStaff = z.infer<typeof shopForStaff>
