import type { Decider } from '../decider.ts'
import { type Changes, changedFields, withChanges } from '../changed-fields.ts'
import { forSwitches, type MethodOfSeveral, type PaymentMethod } from '../payment-methods.ts'
import { packFields } from '../pricing.ts'
import { Refusal } from '../refusal.ts'
import type { Settings, SettingsEvent } from './events.ts'
import { byShopText, type ShopTextName, shopTexts } from './shop-texts.ts'

export type { Settings }

export type SettingsCommand = {
  type: 'ChangeSettings'
  changes: Changes<Settings>
  adminId: string | null
  at: string
}

export const DEFAULT_STOCK_M = 1000

export const DEFAULT_SETTINGS: Settings = {
  ...packFields((index) => ({ amount: [10, 50, 100, 200, 300, 500][index] ?? 0, discount: 5 * (index + 1) })),
  ...forSwitches(true),
  preOrdersEnabled: false,
  basePriceCents: 5,
  bulkDiscountPercent: 0,
  lowStockM: 0,
}

const noTexts = byShopText(() => '')

/** Undefined until the opening SettingsChanged. */
export type SettingsState = Settings | undefined

function decide({ changes, adminId, at }: SettingsCommand, settings: SettingsState): SettingsEvent[] {
  if (changes.basePriceCents === 0)
    throw new Refusal('settings/price-zero', 'The base price must be at least 0.01: at 0 nothing could be sold.')
  const changed = changedFields<Settings>({ ...noTexts, ...settings }, changes)
  return changed ? [{ type: 'SettingsChanged', data: { changes: changed, adminId, at } }] : []
}

function evolve(settings: SettingsState, event: SettingsEvent): SettingsState {
  // The opening event has every field; defaults only fill fields that a later release adds.
  const { changes, adminId } = event.data
  const isPriceChosen = adminId !== null && changes.basePriceCents !== undefined
  const before = { ...DEFAULT_SETTINGS, ...settings, ...(isPriceChosen && { priceConfirmed: true as const }) }
  return withChanges<Settings>(before, changes)
}

export const settings: Decider<SettingsCommand, SettingsState, SettingsEvent> = { initial: undefined, decide, evolve }

/** The setting by which the owner chooses a method's gateway. */
const gatewaySettings: Partial<Record<PaymentMethod, 'upiGateway'>> = {
  upi: 'upiGateway',
} satisfies Record<MethodOfSeveral, keyof Settings>

/** Each buyer reads them, and a settings object never changes. */
const sellingOf = new WeakMap<Settings, SellingSettings>()

/** What buyers may see: all but the owner's texts and marks. */
export function sellingSettings(settings: Settings): SellingSettings {
  const known = sellingOf.get(settings)
  if (known) return known
  const shown = Object.entries(settings).filter(([name]) => !isOfOwner(name))
  const selling = Object.fromEntries(shown) as SellingSettings
  sellingOf.set(settings, selling)
  return selling
}

function isOfOwner(name: string): boolean {
  return name in shopTexts || name === 'priceConfirmed' || name === 'firstDayDismissed'
}

type SellingSettings = Omit<Settings, ShopTextName | 'priceConfirmed' | 'firstDayDismissed'>

export function chosenGateway(settings: Settings, method: PaymentMethod): string | undefined {
  const field = gatewaySettings[method]
  return field && settings[field]
}

/** Undefined if the owner has not set it. */
export function ownText(settings: Settings, name: ShopTextName): string | undefined {
  const text = settings[name]
  return text === '' ? undefined : text
}
