import type { PaymentSettings, SettingHistoryEntry } from '#contract/settings.ts'
import type { ShopTextName } from '#contract/shop-words.ts'
import { methodNames } from '../../../method-words.ts'
import { providerName } from '../shared/provider-names.ts'

export type SettingName = Exclude<keyof PaymentSettings, 'revision' | 'methods'>
export type SettingValue = PaymentSettings[SettingName]
/** As the history names it. */
export type ChangedSetting = SettingName | SettingHistoryEntry['setting']
type NumberName = { [Name in SettingName]: PaymentSettings[Name] extends number ? Name : never }[SettingName]
export type SwitchName = { [Name in SettingName]: PaymentSettings[Name] extends boolean ? Name : never }[SettingName]

type Unit = 'M' | '%' | '$'

export interface FieldSetting {
  readonly name: NumberName | ShopTextName
  readonly label: string
  /** Left out for a text. */
  readonly unit?: Unit
  readonly hint?: string
  /** Shown while a text is empty. */
  readonly placeholder?: string | undefined
}

type SingleName = Exclude<NumberName, `pack${string}`>

const singles: Readonly<Record<SingleName, Omit<FieldSetting, 'name'>>> = {
  currentStock: { label: 'Current stock', unit: 'M', hint: 'What can still be bought.' },
  lowStockM: { label: 'Low stock line', unit: 'M', hint: 'The dashboard warns at or below it. 0 for never.' },
  basePricePerMillion: { label: 'Base price per million', unit: '$', hint: 'Before any discount.' },
  bulkDiscountPercent: { label: 'Bulk discount', unit: '%', hint: 'Off every order.' },
}
export const stockAndPrice: readonly FieldSetting[] = (Object.keys(singles) as SingleName[]).map((name) => ({
  name,
  ...singles[name],
}))

/** The amount and the discount of each pack. */
export const packs: readonly (readonly FieldSetting[])[] = ([1, 2, 3, 4, 5, 6] as const).map((pack) => [
  { name: `pack${pack}Amount`, label: `Pack ${pack} amount`, unit: 'M' },
  { name: `pack${pack}Discount`, label: `Pack ${pack} discount`, unit: '%' },
])

const numbers = new Map<string, FieldSetting>([...stockAndPrice, ...packs.flat()].map((one) => [one.name, one]))

export const textLabels: Readonly<Record<ShopTextName, string>> = {
  shopName: 'Shop name',
  gameName: 'Game',
  coinName: 'What the coins are called',
  discordDmUrl: 'Discord link for direct messages',
  discordServerUrl: 'Discord link to your server',
  supportEmail: 'E-mail address',
  sellerName: 'Seller’s name',
  sellerAddress: 'Seller’s address',
  sellerTaxNumber: 'Tax number',
  sellerLine: 'A line of your own',
}

const otherLabels: Readonly<Record<Exclude<ChangedSetting, NumberName>, string>> = {
  ...textLabels,
  priceConfirmed: 'Opening price',
  firstDayDismissed: 'List of the first day',
  paypalEnabled: methodNames.paypal,
  cryptoEnabled: methodNames.crypto,
  upiEnabled: methodNames.upi,
  preOrdersEnabled: 'Pre-orders',
  upiGateway: 'UPI gateway',
}

export function settingLabel(name: ChangedSetting): string {
  return numbers.get(name)?.label ?? otherLabels[name as keyof typeof otherLabels]
}

export function settingText(name: ChangedSetting, value: number | boolean | string | null | undefined): string {
  if (name === 'priceConfirmed') return value === true ? 'confirmed' : 'not confirmed'
  if (name === 'firstDayDismissed') return value === true ? 'dismissed' : 'shown'
  if (value === null || value === undefined || value === '') return name in textLabels ? 'not set' : 'not chosen'
  if (name in textLabels) return String(value)
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  const field = numbers.get(name)
  if (typeof value === 'string' || field === undefined) return providerName(String(value))
  const { unit } = field
  return unit === '$' ? `$${numberText(value, unit)}` : `${numberText(value, unit)}${unit}`
}

export function numberText(value: number, unit: Unit | undefined): string {
  return unit === '$' ? value.toFixed(2) : String(value)
}
