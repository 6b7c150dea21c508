import * as z from 'zod'
import { forSwitches, gatewayNames } from '../payment-methods.ts'
import { packFields } from '../pricing.ts'
import type { EventsOf } from '../typed-events.ts'
import { byShopText } from './shop-texts.ts'

/* This is the stored format. Stored events must stay readable for ever: change it only with a new version and an upcast. */

const percent = z.int().min(0).max(100)

const settingsFields = z.strictObject({
  ...packFields(() => ({ amount: z.int().min(1), discount: percent })),
  ...forSwitches(z.boolean()),
  preOrdersEnabled: z.boolean(),
  basePriceCents: z.int().min(0),
  bulkDiscountPercent: percent,
  /** The dashboard warns of a stock at or below it; 0 for never. */
  lowStockM: z.int().min(0),
  /** Left out until the owner chooses. */
  upiGateway: z.enum(gatewayNames.upi).optional(),
  /** Left out until the owner sets them; an empty one was removed. Never sealed: they are the shop's, not a buyer's. */
  ...byShopText(() => z.string().optional()),
  /** Staff found the opening price right. A change of the price by staff says it, too. */
  priceConfirmed: z.literal(true).optional(),
  /** Staff closed the list of the first day. */
  firstDayDismissed: z.boolean().optional(),
})

export type Settings = Readonly<z.infer<typeof settingsFields>>

export const settingsEvents = {
  /** Only the changed fields. */
  SettingsChanged: z.strictObject({
    changes: settingsFields.partial(),
    adminId: z.string().nullable(),
    at: z.iso.datetime(),
  }),
}

export type SettingsEvent = EventsOf<typeof settingsEvents>
