import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ShopEvent } from '../domain/events.ts'
import { projectionRunner } from '../projector/runner.ts'
import { viewReader } from '../projector/view-reader.ts'
import type { Projection } from '../projections/projection.ts'
import { shopProjections } from '../projections/shop-projections.ts'
import { shopHistories } from '../projections/testing/histories.ts'
import { type ShopLog, shopLog } from '../projections/testing/shop-log.ts'
import { all, type Views } from '../projections/shop-views.ts'
import { temporaryViewStore } from '../engines/view-store/sqlite-view-store.ts'
import { shopAsOf } from './shop-as-of.ts'

const projections = shopProjections({ timeZone: 'Asia/Kolkata' }).filter(({ isPersonal }) => isPersonal !== true)

const HOUR_MS = 3_600_000
/** Events, the hours that pass before each, and the share of the events after which the shop is stopped. */
const timedHistories = fc.record({
  events: shopHistories,
  pauses: fc.array(fc.constantFrom(0, 1, 30), { minLength: 5, maxLength: 20 }),
  stop: fc.double({ min: 0, max: 1, noNaN: true }),
})

/** Records the events and returns when each was recorded. */
async function recordedIn(events: readonly ShopEvent[], pauses: readonly number[]): Promise<[ShopLog, number[]]> {
  let nowMs = Date.parse('2026-01-01T00:00:00.000Z')
  const log = shopLog({ now: () => nowMs })
  const times: number[] = []
  for (const [index, event] of events.entries()) {
    nowMs += (pauses[index % pauses.length] ?? 0) * HOUR_MS
    await log.record(event)
    times.push(nowMs)
  }
  return [log, times]
}

/** The views of a running shop that have caught up. */
async function liveViews({ log }: ShopLog): Promise<Views> {
  const store = temporaryViewStore()
  const clock = { now: () => 0, sleep: async () => undefined }
  const runner = projectionRunner({ log, logId: 'log', store, shape: 'shape', projections, clock })
  while (await runner.runOnce());
  return viewReader({ store, shape: 'shape', projections, now: () => 0 })
}

/** The whole content of the views as text. */
async function bytesOf(views: Views): Promise<string> {
  const lines: string[] = []
  for (const { name } of projections as readonly Projection[]) {
    for await (const { id } of all(views, name, {})) {
      const document = (await views.load(name, [id])).get(id)
      lines.push(
        `${name} ${id} ${document?.position} ${JSON.stringify(document?.body)} ${JSON.stringify(document?.broken)}`,
      )
    }
  }
  return lines.join('\n')
}

it('a shop as of a moment has the views that it had then, at every replay', async () => {
  await fc.assert(
    fc.asyncProperty(timedHistories, async ({ events, pauses, stop }) => {
      const [whole, times] = await recordedIn(events, pauses)
      const atMs = times[Math.floor(stop * (times.length - 1))] ?? 0
      const [stopped] = await recordedIn(
        events.filter((_, index) => (times[index] ?? 0) <= atMs),
        pauses,
      )
      const asOf = { store: whole.store, moment: { beforeMs: atMs + 1 }, projections }
      const [one, another] = [await shopAsOf(asOf), await shopAsOf(asOf)]
      try {
        const bytes = await bytesOf(one.views)
        expect(bytes).toBe(await bytesOf(await liveViews(stopped)))
        expect(await bytesOf(another.views)).toBe(bytes)
        expect(one.reached.position).toBe(await stopped.store.head())
      } finally {
        await one.close()
        await another.close()
      }
    }),
    { numRuns: 60 },
  )
})
