import type { PaymentSettings } from '#contract/settings.ts'
import { methodNames } from '../../payment-methods.ts'
import type { NumberRule } from './read-number.ts'
import { providerName } from './provider-words.ts'

export type SettingName = Exclude<keyof PaymentSettings, 'revision'>
export type SettingValue = PaymentSettings[SettingName]
export type NumberName = { [Name in SettingName]: PaymentSettings[Name] extends number ? Name : never }[SettingName]
export type SwitchName = { [Name in SettingName]: PaymentSettings[Name] extends boolean ? Name : never }[SettingName]

export interface NumberSetting {
  readonly name: NumberName
  readonly label: string
  readonly unit: 'M' | '%' | '$'
  readonly hint?: string
  readonly rule: NumberRule
}

const percent: NumberRule = { min: 0, max: 100, decimals: 0 }

export const stockAndPrice: readonly NumberSetting[] = [
  {
    name: 'currentStock',
    label: 'Current stock',
    unit: 'M',
    hint: 'What can still be bought.',
    rule: { min: 0, max: 1_000_000_000, decimals: 0 },
  },
  {
    name: 'basePricePerMillion',
    label: 'Base price per million',
    unit: '$',
    hint: 'Before any discount.',
    rule: { min: 0.01, max: 1000, decimals: 2 },
  },
  { name: 'bulkDiscountPercent', label: 'Bulk discount', unit: '%', hint: 'Off every order.', rule: percent },
]

/** The amount and the discount of each pack. */
export const packs: readonly (readonly NumberSetting[])[] = ([1, 2, 3, 4, 5, 6] as const).map((pack) => [
  {
    name: `pack${pack}Amount`,
    label: `Pack ${pack} amount`,
    unit: 'M',
    rule: { min: 1, max: 50_000, decimals: 0 },
  },
  { name: `pack${pack}Discount`, label: `Pack ${pack} discount`, unit: '%', rule: percent },
])

const numbers = new Map<string, NumberSetting>([...stockAndPrice, ...packs.flat()].map((one) => [one.name, one]))

const otherLabels: Readonly<Record<Exclude<SettingName, NumberName>, string>> = {
  paypalEnabled: methodNames.paypal,
  cryptoEnabled: methodNames.crypto,
  upiEnabled: methodNames.upi,
  preOrdersEnabled: 'Pre-orders',
  upiGateway: 'UPI gateway',
}

export function settingLabel(name: SettingName): string {
  return numbers.get(name)?.label ?? otherLabels[name as keyof typeof otherLabels]
}

export function settingText(name: SettingName, value: number | boolean | string | null | undefined): string {
  if (value === null || value === undefined) return 'not chosen'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  const field = numbers.get(name)
  if (typeof value === 'string' || field === undefined) return providerName(String(value))
  return field.unit === '$' ? `$${numberText(value, field.rule)}` : `${numberText(value, field.rule)}${field.unit}`
}

export function numberText(value: number, { decimals }: NumberRule): string {
  return decimals === 0 ? String(value) : value.toFixed(decimals)
}
