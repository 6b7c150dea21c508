import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CrashPoints, crashPoints } from '../testing/crash-points.ts'
import { type EventToAppend, NO_EVENTS } from './event-store.ts'
import { sqliteEventStore } from './sqlite-event-store.ts'
import { temporaryFolder } from './testing/engines.ts'
import { everything, idsOf, someEvents, someStream, wholeStream } from './testing/some-events.ts'

interface Append {
  readonly stream: string
  readonly past: number
  readonly events: readonly EventToAppend[]
}

let folder: string
let crashes: CrashPoints<number>
/** In the order in which they were answered. */
let answered: Append[]
let all: Append[]

beforeEach(async () => {
  folder = temporaryFolder()
  const file = join(folder, 'events.db')
  answered = []
  const [one, other] = [someStream(), someStream()]
  const appends = [
    { stream: one, past: NO_EVENTS, events: someEvents(3) },
    { stream: other, past: NO_EVENTS, events: someEvents(1) },
    { stream: one, past: 2, events: someEvents(2) },
  ]
  const together = Array.from({ length: 4 }, () => ({ stream: someStream(), past: NO_EVENTS, events: someEvents(2) }))
  all = [...appends, ...together]
  crashes = await crashPoints(
    file,
    () => answered.length,
    async () => {
      const store = sqliteEventStore(file)
      const append = async (each: Append): Promise<void> => {
        await store.append(each.stream, each.past, each.events)
        answered.push(each)
      }
      for (const each of appends) await append(each)
      const snapshot = { schemaVersion: 1, revision: 4, eventId: appends[2]?.events[1]?.id ?? '', state: '{}' }
      await store.writeSnapshot(one, snapshot)
      await Promise.all(together.map(append))
      await store.close()
    },
  )
})

afterEach(() => {
  crashes.remove()
  rmSync(folder, { recursive: true })
})

describe('a log whose process died between any two statements', () => {
  it('has every answered append, each one whole, and goes on', async () => {
    expect(crashes.points.length).toBeGreaterThan(15)
    for (const { file, noted } of crashes.points) {
      const store = sqliteEventStore(file)
      const kept = new Set(idsOf(await everything(store)))
      for (const { events } of answered.slice(0, noted)) expect(events.filter(({ id }) => !kept.has(id))).toEqual([])
      for (const { events } of all) expect([0, events.length]).toContain(events.filter(({ id }) => kept.has(id)).length)

      // An append without an answer is repeated.
      for (const { stream, past, events } of all) await store.append(stream, past, events)
      for (const { stream, past, events } of all)
        expect(idsOf(await wholeStream(store, stream)).slice(past + 1, past + 1 + events.length)).toEqual(idsOf(events))
      expect(await everything(store)).toHaveLength(all.flatMap(({ events }) => events).length)
      await store.close()
    }
  })
})
