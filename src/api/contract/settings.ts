import * as z from 'zod/mini'
import { byMethod, forSwitches, type GatewayName, gatewayNames, paymentMethods } from '../../domain/payment-methods.ts'
import { packFields, QUANTITY_MAX_M } from '../../domain/pricing.ts'
import { byShopText, type ShopTextName, shopTexts } from '../../domain/settings/shop-texts.ts'
import { charsMax, optionalEmailPattern, optionalNamePattern } from './formats.ts'
import { emailIn, emailProblem, isVisibleName, trimmed } from './typed-text.ts'

const stock = z.int().check(z.minimum(0), z.maximum(1_000_000_000))
const packAmount = z.int().check(z.minimum(1), z.maximum(QUANTITY_MAX_M))
const percent = z.int().check(z.minimum(0), z.maximum(100))
const basePrice = z
  .number()
  .check(
    z.minimum(0.01, 'The base price must be at least 0.01: at 0 nothing could be sold.'),
    z.maximum(1000),
    z.refine(isWholeCents, 'A price has at most two decimals.'),
    z.meta({ multipleOf: 0.01 }),
  )

function isWholeCents(value: number): boolean {
  // A client may compute 3 * 0.01.
  return Math.abs(value * 100 - Math.round(value * 100)) < 1e-6
}

const methods = z.array(z.enum(paymentMethods))

const changeable = {
  ...packFields(() => ({ amount: packAmount, discount: percent })),
  ...forSwitches(z.boolean()),
  preOrdersEnabled: z.boolean(),
  basePricePerMillion: basePrice,
  bulkDiscountPercent: percent,
  /** The dashboard warns of a stock at or below it; 0 for never. */
  lowStockM: stock,
}

/** The gateway of new UPI payments, if its keys are set. */
const upiGateway = z.enum(gatewayNames.upi)
export const gatewaysOfUpi = gatewayNames.upi
export type { GatewayName }

const nameOrNone = (name: ShopTextName) =>
  z.string().check(
    ...charsMax(shopTexts[name]),
    z.overwrite(trimmed),
    optionalNamePattern,
    z.refine((text) => text === '' || isVisibleName(text), 'This has characters that cannot be seen.'),
  )

const emailOrNone = z.string().check(
  ...charsMax(shopTexts.supportEmail),
  z.overwrite(emailIn),
  optionalEmailPattern,
  z.check(({ value, issues }) => {
    const message = value === '' ? undefined : emailProblem(value)
    if (message !== undefined) issues.push({ code: 'custom', input: value, message: `${message}.` })
  }),
)

/** The whole rule is this pattern, which the API's description says. The last part of the host begins with a letter, which excludes IP addresses. */
const LINK =
  /^(?:https:\/\/(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?::[0-9]{1,5})?(?:[/?#][A-Za-z0-9._~:/?#@!$&'()*+,;=%-]*)?)?$/
const linkOrNone = (name: ShopTextName) =>
  z
    .string()
    .check(
      ...charsMax(shopTexts[name]),
      z.overwrite(trimmed),
      z.regex(LINK, 'Enter a whole address that begins with https://, such as https://discord.gg/name.'),
    )

/** What the owner says of the shop. An empty text removes it: the variable, or else the default, counts again. */
export const shopTextsChange = {
  ...byShopText(nameOrNone),
  discordDmUrl: linkOrNone('discordDmUrl'),
  discordServerUrl: linkOrNone('discordServerUrl'),
  supportEmail: emailOrNone,
}

export const settingsChange = z.partial(
  z.strictObject({
    ...changeable,
    ...shopTextsChange,
    upiGateway,
    /** The opening price is right as it is. */
    priceConfirmed: z.literal(true),
    firstDayDismissed: z.boolean(),
    currentStock: stock,
    /** The stock that the form showed: only the difference is applied. */
    currentStockSeen: stock,
    /** These are ignored, so that the object of `GET` can be sent back: `If-Match` is what counts. */
    revision: z.number(),
    methods,
  }),
)
export type SettingsChange = z.infer<typeof settingsChange>

/** `GET /api/admin/payment-methods`: why a method cannot be used even if it is switched on; null if it can. */
export const methodStates = z.object(byMethod(() => z.nullable(z.string())))
export type MethodStates = z.infer<typeof methodStates>

export const paymentSettings = z.object({
  ...changeable,
  upiGateway: z.optional(upiGateway),
  /** What the owner says of the shop, only for staff; empty where nothing is set. */
  ...byShopText(() => z.optional(z.string())),
  /** Available quantity in millions. */
  currentStock: z.number(),
  /** Methods that take payments now: switched on, with keys. */
  methods,
  /** Covers all but the stock; also the ETag. */
  revision: z.number(),
})
export type PaymentSettings = z.infer<typeof paymentSettings>

const settingValue = z.nullable(z.union([z.number(), z.boolean(), z.string()]))

/** `GET /api/admin/setting-changes`: changes by staff, newest first, without the stock. */
export const settingHistory = z.object({
  changes: z.array(
    z.object({
      /** As in a change of the settings. */
      setting: z.keyof(
        z.omit(settingsChange, { currentStock: true, currentStockSeen: true, methods: true, revision: true }),
      ),
      /** Null if it had no value. */
      from: settingValue,
      to: settingValue,
      adminId: z.string(),
      at: z.string(),
    }),
  ),
  /** False if older changes are left out. */
  isWhole: z.boolean(),
})
export type SettingHistory = z.infer<typeof settingHistory>
export type SettingHistoryEntry = SettingHistory['changes'][number]
