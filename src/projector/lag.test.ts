import { expect, it } from 'vitest'
import { START } from '../event-store/event-store.ts'
import { memoryViewStore } from '../view-store/testing/memory-view-store.ts'
import { LAG_EVENTS_MAX, lagText, viewLags } from './lag.ts'
import { projectionRunner } from './runner.ts'
import { samples } from '../projections/testing/samples.ts'
import { shopLog } from '../projections/testing/shop-log.ts'
import { tally } from './testing/tally.ts'

const MINUTE_MS = 60_000

function fixture() {
  const shop = shopLog()
  const store = memoryViewStore()
  const clock = { now: () => 0, sleep: async () => undefined }
  let broken = 0
  const projection = tally(1, {
    evolve({ body }, { type }) {
      if (type === 'SettingsChanged' && broken > 0) throw new Error('broken')
      return { events: (body?.events ?? 0) + 1 }
    },
  })
  const runner = projectionRunner({ log: shop.log, store, projections: [projection], clock, pageSize: 1 })
  let lookedAt = 0
  return {
    ...shop,
    runner,
    breakNext: () => (broken += 1),
    at: (ms: number) => (lookedAt = ms),
    lag: async () => (await viewLags({ log: shop.log, store, projections: [projection], now: () => lookedAt }))[0],
    recordedAt: async (index: number) =>
      (await shop.log.readAllStored({ after: START, limit: 100 }))[index]?.recordedAt ?? 0,
  }
}

it('is what the log has and the view has not, and how long the oldest of it has waited', async () => {
  const shop = fixture()
  await shop.record(samples.StockSet, samples.StockReserved, samples.StockReleased)
  shop.at((await shop.recordedAt(0)) + MINUTE_MS)
  expect(await shop.lag()).toEqual({ name: 'tally', isServing: false, events: 3, seconds: 60, broken: 0 })
  await shop.runner.runOnce()
  shop.at((await shop.recordedAt(1)) + 2 * MINUTE_MS)
  expect(await shop.lag()).toEqual({ name: 'tally', isServing: false, events: 2, seconds: 120, broken: 0 })
  while (await shop.runner.runOnce());
  expect(await shop.lag()).toEqual({ name: 'tally', isServing: true, events: 0, seconds: 0, broken: 0 })
  await shop.record(samples.StockSet)
  shop.at(await shop.recordedAt(0))
  expect(await shop.lag()).toMatchObject({ isServing: true, events: 1, seconds: 0 })
})

it('counts the documents that are broken', async () => {
  const shop = fixture()
  await shop.record(samples.StockSet, samples.SettingsChanged)
  shop.breakNext()
  while (await shop.runner.runOnce());
  expect(await shop.lag()).toMatchObject({ events: 0, broken: 1 })
})

it('is reported in one line', () => {
  const standing = { name: 'orders', isServing: true, events: 0, seconds: 0, broken: 0 }
  expect(lagText(standing)).toBeUndefined()
  expect(lagText({ ...standing, isServing: false })).toBe('is being built')
  expect(lagText({ ...standing, events: 1, seconds: 2.04 })).toBe('behind the log by 1 event, 2.0 s')
  expect(lagText({ ...standing, events: LAG_EVENTS_MAX, seconds: 9 })).toBe(
    'behind the log by 1000 events or more, 9.0 s',
  )
})
