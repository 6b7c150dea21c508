import { expect, it } from 'vitest'
import { START } from '../engines/event-store/event-store.ts'
import { samples } from '../projections/testing/samples.ts'
import { shopLog } from '../projections/testing/shop-log.ts'
import { temporaryViewStore } from '../engines/view-store/sqlite-view-store.ts'
import { LAG_EVENTS_MAX, lagText, viewLag } from './lag.ts'
import { projectionRunner } from './runner.ts'
import { tally } from './testing/tally.ts'
import { viewReader } from './view-reader.ts'

const MINUTE_MS = 60_000

it('the lag is the number of unfolded events, the wait of the oldest, and the broken documents', async () => {
  const shop = shopLog()
  const { log } = shop
  const store = temporaryViewStore()
  const projections = [
    tally({
      evolve({ body }, { type }) {
        if (type === 'SettingsChanged') throw new Error('broken')
        return { events: (body?.events ?? 0) + 1 }
      },
    }),
  ]
  const shape = 'shape'
  const clock = { now: () => 0, sleep: async () => undefined }
  const runner = projectionRunner({ log, logId: 'log', store, shape, projections, clock, pageSize: 2 })
  let now = 0
  const views = viewReader({ store, shape, projections, now: () => now })
  const lag = async () => viewLag({ log, views, projections, now: () => now })
  const recordedAt = async (index: number) =>
    (await log.readAllStored({ after: START, limit: 9 }))[index]?.recordedAt ?? 0

  await shop.record(samples.StockSet, samples.StockReserved, samples.StockReleased)
  now = (await recordedAt(0)) + MINUTE_MS
  expect(await lag()).toEqual({ isServing: false, events: 3, seconds: 60, broken: new Map([['tally', 0]]) })
  while (await runner.runOnce());
  expect(await lag()).toEqual({ isServing: true, events: 0, seconds: 0, broken: new Map([['tally', 0]]) })
  await shop.record(samples.SettingsChanged)
  now = (await recordedAt(3)) + 2 * MINUTE_MS
  expect(await lag()).toMatchObject({ events: 1, seconds: 120 })
  while (await runner.runOnce());
  expect(await lag()).toMatchObject({ events: 0, broken: new Map([['tally', 1]]) })
})

it('the lag is reported in one line', () => {
  const standing = { isServing: true, events: 0, seconds: 0, broken: new Map<string, number>() }
  expect(lagText(standing)).toBeUndefined()
  expect(lagText({ ...standing, isServing: false })).toBe('is being built')
  expect(lagText({ ...standing, events: 1, seconds: 2.04 })).toBe('behind the log by 1 event, 2.0 s')
  expect(lagText({ ...standing, events: LAG_EVENTS_MAX, seconds: 9 })).toBe(
    'behind the log by 1000 events or more, 9.0 s',
  )
})
