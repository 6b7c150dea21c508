import type { PaymentSettings, SettingHistoryEntry } from '#contract/settings.ts'
import type { ShopTextName } from '#contract/shop-words.ts'
import { packFields } from '#pricing'
import { methodNames } from '../../../method-words.ts'
import { providerName } from '../shared/provider-names.ts'

export type SettingName = Exclude<keyof PaymentSettings, 'revision' | 'methods'>
export type SettingValue = PaymentSettings[SettingName]
/** As the history names it. */
export type ChangedSetting = SettingName | SettingHistoryEntry['setting']
type NumberName = { [Name in SettingName]: PaymentSettings[Name] extends number ? Name : never }[SettingName]
export type SwitchName = { [Name in SettingName]: PaymentSettings[Name] extends boolean ? Name : never }[SettingName]

export type FieldName = NumberName | ShopTextName
export type Unit = 'M' | '%' | '$'

interface FieldWords {
  readonly label: string
  /** Left out for a text. */
  readonly unit?: Unit
  readonly hint?: string
}

const singles: Readonly<Record<Exclude<NumberName, `pack${string}`>, FieldWords>> = {
  currentStock: { label: 'Current stock', unit: 'M', hint: 'What can still be bought.' },
  lowStockM: { label: 'Low stock line', unit: 'M', hint: 'The dashboard warns at or below it. 0 for never.' },
  basePricePerMillion: { label: 'Base price per million', unit: '$', hint: 'Before any discount.' },
  bulkDiscountPercent: { label: 'Bulk discount', unit: '%', hint: 'Off every order.' },
}
export const stockAndPrice = Object.keys(singles) as readonly (keyof typeof singles)[]

/** The settings that are typed. */
export const fields: Readonly<Record<FieldName, FieldWords>> = {
  ...singles,
  ...packFields((index) => ({
    amount: { label: `Pack ${index + 1} amount`, unit: 'M' as const },
    discount: { label: `Pack ${index + 1} discount`, unit: '%' as const },
  })),
  shopName: { label: 'Shop name' },
  gameName: { label: 'Game' },
  coinName: { label: 'What the coins are called' },
  discordDmUrl: { label: 'Discord link for direct messages' },
  discordServerUrl: { label: 'Discord link to your server' },
  supportEmail: { label: 'E-mail address' },
  sellerName: { label: 'Seller’s name' },
  sellerAddress: { label: 'Seller’s address' },
  sellerTaxNumber: { label: 'Tax number' },
  sellerLine: { label: 'A line of your own' },
}

const otherLabels: Readonly<Record<Exclude<ChangedSetting, FieldName>, string>> = {
  priceConfirmed: 'Opening price',
  firstDayDismissed: 'List of the first day',
  paypalEnabled: methodNames.paypal,
  cryptoEnabled: methodNames.crypto,
  upiEnabled: methodNames.upi,
  preOrdersEnabled: 'Pre-orders',
  upiGateway: 'UPI gateway',
}

function isTyped(name: ChangedSetting): name is FieldName {
  return name in fields
}

export function settingLabel(name: ChangedSetting): string {
  return isTyped(name) ? fields[name].label : otherLabels[name]
}

export function settingText(name: ChangedSetting, value: number | boolean | string | null | undefined): string {
  if (name === 'priceConfirmed') return value === true ? 'confirmed' : 'not confirmed'
  if (name === 'firstDayDismissed') return value === true ? 'dismissed' : 'shown'
  const unit = isTyped(name) ? fields[name].unit : undefined
  const isText = isTyped(name) && unit === undefined
  if (value === null || value === undefined || value === '') return isText ? 'not set' : 'not chosen'
  if (isText) return String(value)
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (typeof value === 'string' || unit === undefined) return providerName(String(value))
  return unit === '$' ? `$${numberText(value, unit)}` : `${numberText(value, unit)}${unit}`
}

export function numberText(value: number, unit: Unit | undefined): string {
  return unit === '$' ? value.toFixed(2) : String(value)
}
