import { expect, it } from 'vitest'
import { fold } from '../decider.ts'
import { examplesOf } from '../testing/examples.ts'
import type { SettingsEvent } from './events.ts'
import { chosenGateway, DEFAULT_SETTINGS, DEFAULT_STOCK_M, type Settings, settings } from './settings.ts'

const { emits, ignores, refuses } = examplesOf(settings)

const by = { adminId: 'owner', at: '2026-03-01T12:00:00.000Z' }
const change = (changes: Partial<Settings>) => ({ type: 'ChangeSettings', changes, ...by }) as const
const changed = (changes: Partial<Settings>): SettingsEvent => ({ type: 'SettingsChanged', data: { changes, ...by } })
const opened = changed(DEFAULT_SETTINGS)

it('the settings open with all defaults', () => emits([], change(DEFAULT_SETTINGS), opened))
it('a change of the settings records only what differs', () =>
  emits(
    [opened],
    change({ basePriceCents: 7, upiEnabled: true, pack1Discount: 0 }),
    changed({ basePriceCents: 7, pack1Discount: 0 }),
  ))
it('an undefined setting changes nothing', () =>
  ignores([opened], { ...change({}), changes: { basePriceCents: undefined } }))
it('a base price of 0 is rejected, but a stored one can be read', () => {
  refuses([opened], change({ basePriceCents: 0, upiEnabled: false }), 'settings/price-zero')
  expect(fold(settings, [opened, changed({ basePriceCents: 0 })])?.basePriceCents).toBe(0)
})

it('a setting can be changed back', () =>
  emits([opened, changed({ cryptoEnabled: false })], change({ cryptoEnabled: true }), changed({ cryptoEnabled: true })))
it('a change keeps the settings that it does not name', () =>
  expect(fold(settings, [opened, changed({ basePriceCents: 7 }), changed({ upiEnabled: false })])).toStrictEqual({
    ...DEFAULT_SETTINGS,
    basePriceCents: 7,
    upiEnabled: false,
  }))
it('settings that an older opening lacks have their defaults', () => {
  const { preOrdersEnabled: _unknown, ...older } = { ...DEFAULT_SETTINGS, basePriceCents: 9 }
  expect(fold(settings, [changed(older)])).toStrictEqual({ ...DEFAULT_SETTINGS, basePriceCents: 9 })
})

it('the settings name the UPI gateway once the owner has chosen one', () => {
  expect(chosenGateway(DEFAULT_SETTINGS, 'upi')).toBeUndefined()
  const chosen = fold(settings, [opened, changed({ upiGateway: 'cashfree' })]) ?? DEFAULT_SETTINGS
  expect([chosenGateway(chosen, 'upi'), chosenGateway(chosen, 'crypto')]).toEqual(['cashfree', undefined])
})

it('the settings are undefined before they are opened', () => expect(fold(settings, [])).toBeUndefined())

it('the shop begins with 1000M at 0.05, all payment methods and no pre-orders', () => {
  expect(DEFAULT_STOCK_M).toBe(1000)
  expect(DEFAULT_SETTINGS).toMatchObject({
    basePriceCents: 5,
    bulkDiscountPercent: 0,
    preOrdersEnabled: false,
    paypalEnabled: true,
    cryptoEnabled: true,
    upiEnabled: true,
  })
})
