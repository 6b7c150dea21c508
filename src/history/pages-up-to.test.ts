import { expect, it } from 'vitest'
import type { StoredEvent } from '../engines/event-store/event-store.ts'
import { positionOf } from '../engines/event-store/limits.ts'
import type { Moment } from './moment.ts'
import { pagesUpTo } from './pages-up-to.ts'

/** A log whose events were recorded at these times, read in pages of three. */
function logOf(...times: readonly number[]) {
  const events = times.map((recordedAt, index) => ({ position: positionOf(index + 1), recordedAt }) as StoredEvent)
  let read = 0
  return {
    reads: () => read,
    async readAll({ after }: { after: string }) {
      read += 1
      return events.filter(({ position }) => position > after).slice(0, 3)
    },
  }
}

async function timesOf(log: ReturnType<typeof logOf>, moment: Moment): Promise<number[]> {
  const times: number[] = []
  for await (const page of pagesUpTo(log, moment, { limit: 3 })) times.push(...page.map(({ recordedAt }) => recordedAt))
  return times
}

it('the log up to a moment ends at the last event before it', async () => {
  expect(await timesOf(logOf(1, 2, 3, 3, 4), { beforeMs: 4 })).toEqual([1, 2, 3, 3])
  expect(await timesOf(logOf(1, 2, 3, 3, 4), { position: positionOf(2) })).toEqual([1, 2])
  expect(await timesOf(logOf(5), { beforeMs: 4 })).toEqual([])
  expect(await timesOf(logOf(), { beforeMs: 4 })).toEqual([])
})

it('the log up to a moment includes an event recorded in time after one recorded too late', async () => {
  expect(await timesOf(logOf(1, 5, 6, 5, 3, 7), { beforeMs: 4 })).toEqual([1, 5, 6, 5, 3])
})

it('the log is not read further than clocks may differ', async () => {
  const log = logOf(1, 2, 20_000, 20_001, 20_002, 20_003, 20_004)
  expect(await timesOf(log, { beforeMs: 3 })).toEqual([1, 2])
  expect(log.reads()).toBe(1)
})
