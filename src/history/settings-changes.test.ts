import { expect, it } from 'vitest'
import type { ShopEvent } from '../domain/events.ts'
import { placed } from '../domain/testing/order-samples.ts'
import { recorded } from '../projections/testing/clean-fold.ts'
import { settingsFold } from './settings-changes.ts'

const at = '2026-01-31T18:00:00.000Z'
const changed = (changes: Record<string, number>, adminId: string | null = 'owner'): ShopEvent => ({
  type: 'SettingsChanged',
  data: { changes, adminId, at },
})

it('a change of settings has who, from what, to what, and the orders placed until the next one', () => {
  const events = [
    changed({ basePriceCents: 5 }, null),
    placed({ settingsRevision: 0 }),
    changed({ basePriceCents: 7, pack1Amount: 20 }),
    placed({ orderId: 'order-2', settingsRevision: 1 }),
    placed({ orderId: 'order-3', settingsRevision: 1 }),
  ]
  const fold = settingsFold()
  for (const event of recorded(...events)) if (fold.needs(event)) fold.see(event)
  expect(fold.changes()).toEqual([
    { at, adminId: null, setting: 'basePriceCents', from: null, to: 5, orders: 1 },
    { at, adminId: 'owner', setting: 'basePriceCents', from: 5, to: 7, orders: 2 },
    { at, adminId: 'owner', setting: 'pack1Amount', from: 10, to: 20, orders: 2 },
  ])
  expect(fold.now()).toMatchObject({ basePriceCents: 7, pack1Amount: 20 })
})
