import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type EventToAppend, NO_EVENTS } from '../event-store/event-store.ts'
import { sqliteEventStore } from '../event-store/sqlite-event-store.ts'
import { everything, idsOf, someEvents, someStream, wholeStream } from '../event-store/testing/some-events.ts'
import { crashPoints } from '../../testing/crash-points.ts'
import { testFolder } from '../../ports/testing/test-folder.ts'
import { sqliteVault } from '../vault/sqlite-vault.ts'
import { type Answered, vaultSteps } from '../vault/testing/vault-steps.ts'

/** What a store is asked to do, and what must be so where it died. */
interface Scene<Noted> {
  /** As many moments at least, so that none is left out unseen. */
  readonly pointsMin: number
  /** What was answered so far. */
  readonly note: () => Noted
  readonly play: (file: string) => Promise<void>
  readonly check: (file: string, noted: Noted) => Promise<void>
}

async function crash<Noted>({ pointsMin, note, play, check }: Scene<Noted>): Promise<void> {
  const file = join(testFolder(), 'store.db')
  const points = await crashPoints(file, note, () => play(file))
  expect(points.length).toBeGreaterThan(pointsMin)
  for (const { file, noted } of points) await check(file, noted)
}

const append = (stream: string, past: number, events: readonly EventToAppend[]) => ({ stream, past, events })

it('a log whose process died between any two statements has every answered append, each one whole, and goes on', async () => {
  const [one, other] = [someStream(), someStream()]
  const alone = [
    append(one, NO_EVENTS, someEvents(3)),
    append(other, NO_EVENTS, someEvents(1)),
    append(one, 2, someEvents(2)),
  ]
  const together = Array.from({ length: 4 }, () => append(someStream(), NO_EVENTS, someEvents(2)))
  const all = [...alone, ...together]
  /** In the order in which they were answered. */
  const answered: typeof all = []
  await crash({
    pointsMin: 15,
    note: () => answered.length,
    async play(file) {
      const store = sqliteEventStore(file)
      const written = async (each: (typeof all)[number]): Promise<void> => {
        await store.append(each.stream, each.past, each.events)
        answered.push(each)
      }
      for (const each of alone) await written(each)
      await Promise.all(together.map(written))
      await store.close()
    },
    async check(file, noted) {
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
    },
  })
})

it('a vault whose process died between any two statements has everything that was answered, and goes on', async () => {
  const steps = vaultSteps()
  const answered: Answered = new Map()
  await crash({
    pointsMin: 25,
    note: () => new Map(answered),
    async play(file) {
      const vault = sqliteVault(file)
      await steps.play(vault, answered)
      await vault.close()
    },
    async check(file, noted) {
      const vault = sqliteVault(file)
      const files = () => [file, `${file}-wal`].map((name) => readFileSync(name))
      await vault.readMark('opened')
      await steps.check(vault, noted, files())
      // What `finish-erasures` does: an erasure is listed until its bytes are wiped.
      await vault.deleteCustomers(await vault.detached({ before: 2_000, limit: 9 }))
      await steps.checkWiped(vault, files())
      await vault.close()
    },
  })
})
