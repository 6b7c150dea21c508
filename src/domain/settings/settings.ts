import type { Decider } from '../decider.ts'
import { forSwitches, type MethodSwitch, type PaymentMethod, type UpiGateway } from '../payment-methods.ts'
import { Refusal } from '../refusal.ts'
import type { SettingsEvent } from './events.ts'

export interface Settings extends Readonly<Record<MethodSwitch, boolean>> {
  readonly pack1Amount: number
  readonly pack1Discount: number
  readonly pack2Amount: number
  readonly pack2Discount: number
  readonly pack3Amount: number
  readonly pack3Discount: number
  readonly pack4Amount: number
  readonly pack4Discount: number
  readonly pack5Amount: number
  readonly pack5Discount: number
  readonly pack6Amount: number
  readonly pack6Discount: number
  readonly preOrdersEnabled: boolean
  readonly basePriceCents: number
  readonly bulkDiscountPercent: number
  /** Left out until the owner chooses: older releases cannot read it. */
  readonly upiGateway?: UpiGateway
}

export type SettingsCommand = {
  type: 'ChangeSettings'
  changes: { readonly [Field in keyof Settings]?: Settings[Field] | undefined }
  adminId: string | null
  at: string
}

export const DEFAULT_STOCK_M = 1000

export const DEFAULT_SETTINGS: Settings = {
  pack1Amount: 10,
  pack1Discount: 5,
  pack2Amount: 50,
  pack2Discount: 10,
  pack3Amount: 100,
  pack3Discount: 15,
  pack4Amount: 200,
  pack4Discount: 20,
  pack5Amount: 300,
  pack5Discount: 25,
  pack6Amount: 500,
  pack6Discount: 30,
  ...forSwitches(true),
  preOrdersEnabled: false,
  basePriceCents: 5,
  bulkDiscountPercent: 0,
}

/** Undefined until the opening SettingsChanged. */
export type SettingsState = Settings | undefined

function decide({ changes, adminId, at }: SettingsCommand, settings: SettingsState): SettingsEvent[] {
  if (changes.basePriceCents === 0)
    throw new Refusal('settings/price-zero', 'The base price must be at least 0.01: at 0 nothing could be sold.')
  const current: Partial<Settings> = settings ?? {}
  const different = Object.fromEntries(
    Object.entries(changes).filter(
      ([field, value]) => value !== undefined && current[field as keyof Settings] !== value,
    ),
  )
  if (Object.keys(different).length === 0) return []
  return [{ type: 'SettingsChanged', data: { changes: different, adminId, at } }]
}

function evolve(settings: SettingsState, event: SettingsEvent): SettingsState {
  // The opening event carries every field; the defaults only fill what a later release adds.
  return { ...DEFAULT_SETTINGS, ...settings, ...withoutUndefined(event.data.changes) }
}

function withoutUndefined(changes: SettingsEvent['data']['changes']): Partial<Settings> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
}

export const settings: Decider<SettingsCommand, SettingsState, SettingsEvent> = { initial: undefined, decide, evolve }

/** The name of the gateway that the owner has chosen for a method. */
export function chosenGateway(settings: Settings, method: PaymentMethod): string | undefined {
  return method === 'upi' ? settings.upiGateway : undefined
}
