import * as z from 'zod'
import { forSwitches, gatewayNames } from '../payment-methods.ts'
import { packFields } from '../pricing.ts'
import type { EventsOf } from '../typed-events.ts'

/* This is the stored format. Stored events must stay readable for ever: change it only with a new version and an upcast. */

const percent = z.int().min(0).max(100)

const settingsFields = z.strictObject({
  ...packFields(() => ({ amount: z.int().min(1), discount: percent })),
  ...forSwitches(z.boolean()),
  preOrdersEnabled: z.boolean(),
  basePriceCents: z.int().min(0),
  bulkDiscountPercent: percent,
  /** Left out until the owner chooses. */
  upiGateway: z.enum(gatewayNames.upi).optional(),
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
