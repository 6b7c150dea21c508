import { assertSettingsSeen, changeSettings } from '../../commands/change-settings.ts'
import { setStock } from '../../commands/set-stock.ts'
import type { Changes } from '../../domain/changed-fields.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { SettingsEvent } from '../../domain/settings/events.ts'
import { type SettingChange, settingChanges } from '../../domain/settings/setting-changes.ts'
import { sellingSettings, type Settings } from '../../domain/settings/settings.ts'
import { byShopText } from '../../domain/settings/shop-texts.ts'
import { SETTINGS_STREAM } from '../../domain/stream-names.ts'
import { paymentMethods } from '../../domain/payment-methods.ts'
import { isMethodOn } from '../../shop/providers.ts'
import type { Api } from '../api.ts'
import {
  methodStates,
  type PaymentSettings,
  paymentSettings,
  type SettingHistory,
  settingHistory,
  type SettingsChange,
  settingsChange,
} from '../contract/settings.ts'
import { wrongField } from '../http/errors.ts'
import { idempotencyKeyOf } from '../http/idempotency-key.ts'
import { type Call, type Route, route, type StaffCall, staffRoute } from '../http/route.ts'

const CHANGES_MAX = 200

export function paymentSettingsRoutes(api: Api): Route[] {
  return [
    route({
      id: 'getSettings',
      method: 'get',
      path: '/api/payment-settings',
      summary: 'Stock, packs, switches and prices; for staff also what they say of the shop.',
      answers: paymentSettings,
      reads: 'hot-states',
      headers: ['ETag'],
      handle: async ({ session }) => settingsAnswer(api, session !== undefined),
    }),

    staffRoute({
      id: 'changeSettings',
      method: 'patch',
      path: '/api/payment-settings',
      summary: 'Change some settings, then the stock by its difference to `currentStockSeen`.',
      body: settingsChange,
      answers: paymentSettings,
      headers: ['Idempotency-Key', 'If-Match', 'ETag'],
      handle: async (call) => change(api, call),
    }),

    staffRoute({
      id: 'listSettingChanges',
      method: 'get',
      path: '/api/admin/setting-changes',
      summary: 'Changes of settings by staff, newest first, without the stock.',
      answers: settingHistory,
      handle: async () => ({ body: await changesOf(api) }),
    }),

    staffRoute({
      id: 'getMethodStates',
      method: 'get',
      path: '/api/admin/payment-methods',
      summary: 'Why a payment method cannot be used, even if it is switched on.',
      answers: methodStates,
      handle: async () => ({ body: api.payments.unusableMethods }),
    }),
  ]
}

async function changesOf({ context }: Api): Promise<SettingHistory> {
  const events = (await context.log.readStream(SETTINGS_STREAM)) as readonly SettingsEvent[]
  const changes = settingChanges(events).flatMap((change) => {
    const { adminId, at } = change
    return adminId === null ? [] : [{ ...onTheWire(change), adminId, at }]
  })
  return { changes: changes.slice(-CHANGES_MAX).reverse(), isWhole: changes.length <= CHANGES_MAX }
}

function onTheWire({ setting, from, to }: SettingChange) {
  if (setting !== 'basePriceCents') return { setting, from: from ?? null, to: to ?? null }
  return { setting: 'basePricePerMillion' as const, from: Number(from) / 100, to: Number(to) / 100 }
}

/** First the settings, then the stock: two appends under one Idempotency-Key. If the second fails, a repeat finds the first done. */
async function change(api: Api, call: StaffCall<SettingsChange>) {
  const { currentStock: stockM, currentStockSeen: seenM, ...settings } = call.body
  const changes = changesIn(settings)
  const seenRevision = revisionOf(call.header('if-match'))
  const editKey = idempotencyKeyOf(call) ?? null
  const { adminId } = call.session
  const change = async () => {
    if (changes) return changeSettings(api.context, call.caller, { changes, adminId, seenRevision })
    await assertSettingsSeen(api.context, seenRevision)
    return undefined
  }
  const changed = await change().catch((error: unknown) => {
    throw withCurrent(error, api)
  })
  if (stockM === undefined) return { ...settingsAnswer(api, true), ...(changed && { position: changed.position }) }
  const stock = await setStock(api.context, call.caller, { stockM, seenM, editKey, adminId }).catch(
    (error: unknown) => {
      throw changed ? withSettingsDone(error, api) : error
    },
  )
  const position = changed && changed.position > stock.position ? changed.position : stock.position
  return { ...settingsAnswer(api, true), position }
}

function changesIn({
  revision: _ignored,
  methods: _ignoredToo,
  basePricePerMillion,
  ...same
}: SettingsChange): Changes<Settings> | undefined {
  const basePriceCents = basePricePerMillion === undefined ? undefined : Math.round(basePricePerMillion * 100)
  const changes = { ...same, basePriceCents }
  return Object.values(changes).some((value) => value !== undefined) ? changes : undefined
}

function withSettingsDone(error: unknown, api: Api): unknown {
  if (!(error instanceof Refusal)) return error
  const message = `${error.message} The other settings were changed; only the stock was not.`
  return new Refusal(error.code, message, { ...error.details, current: settingsView(api, true) })
}

function withCurrent(error: unknown, api: Api): unknown {
  if (!(error instanceof Refusal) || error.code !== 'settings/changed') return error
  const current = settingsView(api, true)
  return new Refusal(error.code, error.message, { current, revision: current.revision })
}

function settingsAnswer(api: Api, isStaff: boolean) {
  const body = settingsView(api, isStaff)
  return { body, headers: { ETag: `"${body.revision}"` } }
}

function settingsView({ context }: Pick<Api, 'context'>, isStaff: boolean): PaymentSettings {
  const settings = context.hot.currentSettings()
  const { basePriceCents, ...same } = sellingSettings(settings)
  return {
    ...same,
    ...(isStaff && byShopText((name) => settings[name] ?? '')),
    basePricePerMillion: basePriceCents / 100,
    currentStock: context.hot.inventory.state.freeM,
    methods: paymentMethods.filter((method) => isMethodOn(context, method)),
    revision: Math.max(context.hot.settings.revision, 0),
  }
}

function revisionOf(ifMatch: ReturnType<Call['header']>): number | undefined {
  if (ifMatch === undefined || ifMatch === '*') return undefined
  // Some clients leave out the quotes.
  const revision = /^(?:W\/)?"?([0-9]{1,15})"?$/.exec(ifMatch)?.[1]
  if (revision !== undefined) return Number(revision)
  throw wrongField('If-Match', 'The ETag of the settings, in quotes')
}
