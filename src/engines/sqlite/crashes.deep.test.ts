import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { type EventToAppend, NO_EVENTS } from '../event-store/event-store.ts'
import { sqliteEventStore } from '../event-store/sqlite-event-store.ts'
import { everything, idsOf, someEvents, someStream, wholeStream } from '../event-store/testing/some-events.ts'
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

interface CrashPoint<Noted> {
  /** Where the file lies as it stood then, beside its write-ahead log. */
  readonly file: string
  /** What `note` said at that moment. */
  readonly noted: Noted
}

interface Files {
  readonly main: Buffer
  readonly log: Buffer
}

/**
 * What a process leaves behind that dies between any two statements, or in the middle of a commit: copies of SQLite's files, taken around each statement
 * that runs while `work` does, and in between with a part of what was added to the write-ahead log. Where the files stayed as they were, the latest note counts.
 */
async function crashPoints<Noted>(
  file: string,
  note: () => Noted,
  work: () => Promise<void>,
): Promise<CrashPoint<Noted>[]> {
  const folder = testFolder()
  const points = new Map<string, CrashPoint<Noted>>()
  let last: Files = { main: Buffer.alloc(0), log: Buffer.alloc(0) }

  function keep({ main, log }: Files): void {
    const content = `${hash('sha256', main)} ${hash('sha256', log)}`
    const known = points.get(content)
    const place = known?.file ?? join(folder, String(points.size), basename(file))
    if (!known) {
      mkdirSync(join(place, '..'))
      writeFileSync(place, main)
      writeFileSync(`${place}-wal`, log)
    }
    points.set(content, { file: place, noted: note() })
  }

  function take(): void {
    if (!statSync(file, { throwIfNoEntry: false })) return
    const now = { main: readFileSync(file), log: bytesOf(`${file}-wal`) }
    const added = now.log.length - last.log.length
    if (added > 0 && now.main.equals(last.main) && now.log.subarray(0, last.log.length).equals(last.log))
      for (const part of [1 / 3, 2 / 3]) keep({ ...now, log: now.log.subarray(0, last.log.length + added * part) })
    keep(now)
    last = now
  }

  const stop = aroundEachStatement(take)
  try {
    await work()
    take()
  } finally {
    stop()
  }
  return [...points.values()]
}

/** Calls `hook` before and after everything that SQLite does in this process; answers how to end that. */
function aroundEachStatement(hook: () => void): () => void {
  const restore: (() => void)[] = []
  const around = (prototype: object, name: string): void => {
    const original = Reflect.get(prototype, name) as (...given: unknown[]) => unknown
    Reflect.set(prototype, name, function (this: unknown, ...given: unknown[]): unknown {
      hook()
      const result = original.apply(this, given)
      hook()
      return result
    })
    restore.push(() => Reflect.set(prototype, name, original))
  }
  around(DatabaseSync.prototype, 'exec')
  for (const name of ['run', 'get', 'all']) around(StatementSync.prototype, name)
  return () => {
    for (const undo of restore) undo()
  }
}

function bytesOf(file: string): Buffer {
  return statSync(file, { throwIfNoEntry: false }) ? readFileSync(file) : Buffer.alloc(0)
}
