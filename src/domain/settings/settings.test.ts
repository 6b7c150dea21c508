import { describe, expect, it } from 'vitest'
import { fold } from '../decider.ts'
import { examplesOf } from '../testing/examples.ts'
import type { SettingsEvent } from './events.ts'
import {
  chosenGateway,
  DEFAULT_SETTINGS,
  DEFAULT_STOCK_M,
  ownText,
  sellingSettings,
  type Settings,
  settings,
} from './settings.ts'

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
    priceConfirmed: true,
  }))
it('settings that an older opening lacks have their defaults', () => {
  const { preOrdersEnabled: _unknown, ...older } = { ...DEFAULT_SETTINGS, basePriceCents: 9 }
  expect(fold(settings, [{ ...changed(older), data: { ...changed(older).data, adminId: null } }])).toStrictEqual({
    ...DEFAULT_SETTINGS,
    basePriceCents: 9,
  })
})

it('the settings name the UPI gateway once the owner has chosen one', () => {
  expect(chosenGateway(DEFAULT_SETTINGS, 'upi')).toBeUndefined()
  const chosen = fold(settings, [opened, changed({ upiGateway: 'cashfree' })]) ?? DEFAULT_SETTINGS
  expect([chosenGateway(chosen, 'upi'), chosenGateway(chosen, 'crypto')]).toEqual(['cashfree', undefined])
})

it('a text that is not set cannot be removed, and a removed one is not set', () => {
  ignores([opened], change({ gameName: '' }))
  ignores([opened, changed({ gameName: 'Game' }), changed({ gameName: '' })], change({ gameName: '' }))
  emits([opened, changed({ gameName: 'Game' })], change({ gameName: '' }), changed({ gameName: '' }))
  const named = fold(settings, [opened, changed({ gameName: 'Game' })]) ?? DEFAULT_SETTINGS
  const removed = fold(settings, [opened, changed({ gameName: 'Game' }), changed({ gameName: '' })]) ?? DEFAULT_SETTINGS
  const texts = [DEFAULT_SETTINGS, named, removed].map((state) => ownText(state, 'gameName'))
  expect(texts).toEqual([undefined, 'Game', undefined])
})

describe('the opening price', () => {
  const byShop = { ...opened, data: { ...opened.data, adminId: null } }
  const isConfirmed = (...later: SettingsEvent[]) => fold(settings, [byShop, ...later])?.priceConfirmed === true

  it('is confirmed by staff, or by a change of theirs, and stays so', () => {
    expect([isConfirmed(), isConfirmed(changed({ upiEnabled: false, gameName: 'Game' }))]).toEqual([false, false])
    expect(isConfirmed(changed({ priceConfirmed: true }))).toBe(true)
    expect(isConfirmed(changed({ basePriceCents: 7 }))).toBe(true)
    expect(isConfirmed(changed({ basePriceCents: 7 }), changed({ basePriceCents: 5 }))).toBe(true)
  })
  it('is confirmed once', () => {
    emits([byShop], change({ priceConfirmed: true }), changed({ priceConfirmed: true }))
    ignores([byShop, changed({ basePriceCents: 7 })], change({ priceConfirmed: true }))
  })
})

it('what buyers may read of the settings has no text and no mark of the owner', () => {
  const set = { shopName: 'Shop', sellerTaxNumber: '29ABC', priceConfirmed: true, firstDayDismissed: true } as const
  expect(sellingSettings({ ...DEFAULT_SETTINGS, ...set, upiGateway: 'cashfree' })).toStrictEqual({
    ...DEFAULT_SETTINGS,
    upiGateway: 'cashfree',
  })
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
