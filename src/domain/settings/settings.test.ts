import { describe, expect, it } from 'vitest'
import { fold } from '../decider.ts'
import { examplesOf } from '../testing/examples.ts'
import type { SettingsEvent } from './events.ts'
import { chosenGateway, DEFAULT_SETTINGS, DEFAULT_STOCK_M, type Settings, settings } from './settings.ts'

const { emits, ignores, refuses } = examplesOf(settings)

const by = { adminId: 'owner', at: '2026-03-01T12:00:00.000Z' }
const change = (changes: Partial<Settings>) => ({ type: 'ChangeSettings', changes, ...by }) as const
const changed = (changes: Partial<Settings>): SettingsEvent => ({ type: 'SettingsChanged', data: { changes, ...by } })
const opened = changed(DEFAULT_SETTINGS)

describe('settings', () => {
  it('open with everything that the shop begins with', () => emits([], change(DEFAULT_SETTINGS), opened))
  it('note only what is different now', () =>
    emits(
      [opened],
      change({ basePriceCents: 7, upiEnabled: true, pack1Discount: 0 }),
      changed({ basePriceCents: 7, pack1Discount: 0 }),
    ))
  it('take no notice of what is not given', () =>
    ignores([opened], { ...change({}), changes: { basePriceCents: undefined } }))
  it('refuse a base price of 0, and read one that an older release has stored', () => {
    refuses([opened], change({ basePriceCents: 0, upiEnabled: false }), 'settings/price-zero')
    expect(fold(settings, [opened, changed({ basePriceCents: 0 })])?.basePriceCents).toBe(0)
  })
  it('can go back to what they were', () =>
    emits(
      [opened, changed({ cryptoEnabled: false })],
      change({ cryptoEnabled: true }),
      changed({ cryptoEnabled: true }),
    ))
  it('keep what a change does not name', () =>
    expect(fold(settings, [opened, changed({ basePriceCents: 7 }), changed({ upiEnabled: false })])).toStrictEqual({
      ...DEFAULT_SETTINGS,
      basePriceCents: 7,
      upiEnabled: false,
    }))
  it('fill what an older opening did not know', () => {
    const { preOrdersEnabled: _unknown, ...older } = { ...DEFAULT_SETTINGS, basePriceCents: 9 }
    expect(fold(settings, [changed(older)])).toStrictEqual({ ...DEFAULT_SETTINGS, basePriceCents: 9 })
  })
  it('name the gateway of UPI once the owner has chosen one', () => {
    expect(chosenGateway(DEFAULT_SETTINGS, 'upi')).toBeUndefined()
    const chosen = fold(settings, [opened, changed({ upiGateway: 'cashfree' })]) ?? DEFAULT_SETTINGS
    expect([chosenGateway(chosen, 'upi'), chosenGateway(chosen, 'crypto')]).toEqual(['cashfree', undefined])
  })
  it('are unknown before they were opened', () => expect(fold(settings, [])).toBeUndefined())
})

describe('what the shop begins with', () => {
  it('sells 1000M at 0.05 by every method, and no pre-orders', () => {
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
})
