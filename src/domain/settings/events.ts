import * as z from 'zod'
import { forSwitches, gatewayNames } from '../payment-methods.ts'

/* This is the stored format. What is written once must be readable for ever: change it only with a new version and an upcast. */

const packAmountM = z.int().min(1)
const percent = z.int().min(0).max(100)

const settingsFields = z.strictObject({
  pack1Amount: packAmountM,
  pack1Discount: percent,
  pack2Amount: packAmountM,
  pack2Discount: percent,
  pack3Amount: packAmountM,
  pack3Discount: percent,
  pack4Amount: packAmountM,
  pack4Discount: percent,
  pack5Amount: packAmountM,
  pack5Discount: percent,
  pack6Amount: packAmountM,
  pack6Discount: percent,
  ...forSwitches(z.boolean()),
  preOrdersEnabled: z.boolean(),
  basePriceCents: z.int().min(0),
  bulkDiscountPercent: percent,
  upiGateway: z.enum(gatewayNames.upi),
})

export const settingsEvents = {
  /** Only the changed fields. */
  SettingsChanged: z.strictObject({
    changes: settingsFields.partial(),
    adminId: z.string().nullable(),
    at: z.iso.datetime(),
  }),
}

export type SettingsEvent = { type: 'SettingsChanged'; data: z.infer<(typeof settingsEvents)['SettingsChanged']> }
