import { describe, expect, it } from 'vitest'
import { recorded } from '../projections/testing/clean-fold.ts'
import { placed } from '../domain/testing/order-samples.ts'
import { batchingReads } from './batching-reads.ts'

const LIMIT = 100

/** How long each page was waited for, where pages hold so many events and take so long to fold. */
async function restsBetween(pages: readonly { events: number; foldedMs: number }[]): Promise<number[]> {
  const clock = { ms: 1_000, now: () => clock.ms, sleep: async (ms: number) => void (clock.ms += ms) }
  const [event] = recorded(placed())
  if (!event) throw new Error('there is an event')
  const left = pages.map(({ events }) => Array.from({ length: events }, () => event))
  const readAll = batchingReads({ readAll: async () => left.shift() ?? [] }, clock)
  const rests: number[] = []
  for (const { foldedMs } of pages) {
    const began = clock.ms
    await readAll({ after: '', limit: LIMIT })
    rests.push(clock.ms - began)
    clock.ms += foldedMs
  }
  return rests
}

describe('reading the log for the views', () => {
  it('rests between pages of many orders for twice as long as the last one took', async () => {
    expect(
      await restsBetween([
        { events: 40, foldedMs: 5 },
        { events: 60, foldedMs: 7 },
        { events: 16, foldedMs: 3 },
        { events: 2, foldedMs: 1 },
      ]),
    ).toEqual([0, 10, 14, 6])
  })

  it('never rests for long', async () => {
    const page = { events: 40, foldedMs: 500 }
    expect(await restsBetween([page, page])).toEqual([0, 30])
  })

  it('delays no reader where little happens', async () => {
    const page = { events: 15, foldedMs: 5 }
    expect(await restsBetween([page, { events: 0, foldedMs: 5 }, page])).toEqual([0, 0, 0])
  })

  it('goes through a long log without a rest', async () => {
    const page = { events: LIMIT, foldedMs: 5 }
    expect(await restsBetween([page, page, page])).toEqual([0, 0, 0])
  })
})
