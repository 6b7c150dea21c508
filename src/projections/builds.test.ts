import { hash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { memoryViewStore } from '../view-store/testing/memory-view-store.ts'
import { sqliteViewStore } from '../view-store/sqlite-view-store.ts'
import type { ViewStore } from '../view-store/view-store.ts'
import {
  askForCopy,
  type Build,
  checkpointOf,
  copyBuild,
  currentBuild,
  dropForeignViews,
  finishBuild,
  isReady,
  isToBeCopied,
  openBuild,
  raiseCheckpoint,
} from './builds.ts'
import { customersProjection } from './customers.ts'
import { ordersProjection } from './orders.ts'

const PEOPLE = 450
const HEAD = '00000000000000000450'
const log = { head: async () => HEAD, now: () => 1_000 }
const uncut = { signal: new AbortController().signal, now: log.now }

let store: ViewStore
let build: Build

const positionOf = (count: number): string => String(count).padStart(20, '0')
const termOf = (index: number): string => `${hash('sha256', `person ${index}`)}@example.test`
const nameOf = (index: number): string => `person-${String(index).padStart(3, '0')}`

beforeEach(async () => {
  store = memoryViewStore()
  build = (await openBuild(store, customersProjection, log)).build
  const documents = Array.from({ length: PEOPLE }, (_, index) => ({
    id: nameOf(index),
    position: positionOf(index + 1),
    body: { terms: [nameOf(index)] },
  }))
  await store.write(build.collection, documents)
  await raiseCheckpoint(store, build, HEAD)
  await finishBuild(store, build, log.now())
  await store.write(build.collection, [{ id: nameOf(7), position: positionOf(451), body: undefined }])
  await askForCopy(store, build)
})

async function idsIn({ collection }: Build): Promise<string[]> {
  const page = await store.find(collection, { sort: { direction: 'asc' }, limit: 2_000 })
  return page.map(({ id }) => id)
}

/** Lets something happen right before the page of this number is read. */
function atPage(number: number, happens: () => Promise<unknown>): ViewStore {
  let pages = 0
  return {
    ...store,
    async find(...asked) {
      pages += 1
      if (pages === number) await happens()
      return store.find(...asked)
    },
  }
}

describe('a view that somebody was taken out of', () => {
  it('is copied into a new one, which takes over at once, and is dropped', async () => {
    const before = await idsIn(build)
    expect(await copyBuild(store, build, uncut)).toBe(true)
    const copy = await currentBuild(store, customersProjection)
    expect(await store.collections()).toEqual([copy.collection.name])
    expect(await idsIn(copy)).toEqual(before)
    expect(before).toHaveLength(PEOPLE - 1)
    expect(await isReady(store, copy)).toBe(true)
    expect(await checkpointOf(store, copy)).toBe(HEAD)
    expect(await isToBeCopied(store, copy)).toBe(false)
  })

  it('goes on in the copy from where it stood when the copy began, so that nothing folded meanwhile is lost', async () => {
    const meanwhile = atPage(2, () => raiseCheckpoint(store, build, positionOf(999)))
    await copyBuild(meanwhile, build, uncut)
    expect(await checkpointOf(store, await currentBuild(store, customersProjection))).toBe(HEAD)
  })

  it('is served as it is when the copy is given up, and copied the next time', async () => {
    const stopping = new AbortController()
    const stopped = atPage(2, async () => stopping.abort())
    expect(await copyBuild(stopped, build, { ...uncut, signal: stopping.signal })).toBe(false)
    expect((await currentBuild(store, customersProjection)).collection.name).toBe(build.collection.name)
    expect(await isToBeCopied(store, build)).toBe(true)
    expect(await copyBuild(store, build, uncut)).toBe(true)
    expect(await idsIn(await currentBuild(store, customersProjection))).toHaveLength(PEOPLE - 1)
  })

  it('is not copied by half where another projector was faster', async () => {
    const overtaken = atPage(2, async () => {
      expect(await copyBuild(store, build, uncut)).toBe(true)
      const copy = await currentBuild(store, customersProjection)
      await store.write(copy.collection, [{ id: nameOf(400), position: positionOf(500), body: { terms: ['new'] } }])
    })
    await raiseCheckpoint(store, build, positionOf(470))
    // An engine may answer nothing of what was dropped, or refuse.
    expect(await copyBuild(overtaken, build, uncut).catch(() => false)).toBe(false)
    const copy = await currentBuild(store, customersProjection)
    expect(await idsIn(copy)).toHaveLength(PEOPLE - 1)
    const documents = await store.load(copy.collection, [nameOf(400)])
    expect(documents.get(nameOf(400))?.body).toEqual({ terms: ['new'] })
  })
})

describe('a view of which one copy after another is cut short', () => {
  const aborted = { ...uncut, signal: AbortSignal.abort() }
  const CUT_SHORT = 20

  it('leaves none of them behind once it is copied', async () => {
    for (let cut = 1; cut < CUT_SHORT; cut += 1) expect(await copyBuild(store, build, aborted)).toBe(false)
    expect(await store.collections()).toHaveLength(CUT_SHORT)
    expect(await copyBuild(store, build, uncut)).toBe(true)
    const copy = await currentBuild(store, customersProjection)
    expect(await store.collections()).toEqual([copy.collection.name])
    expect(await idsIn(copy)).toHaveLength(PEOPLE - 1)
  })

  it('is built anew in the end, so that they do not fill the disk', async () => {
    for (let cut = 0; cut < CUT_SHORT; cut += 1) await copyBuild(store, build, aborted)
    expect(await copyBuild(store, build, uncut)).toBe(false)
    expect(await store.collections()).toEqual([])
    const anew = await openBuild(store, customersProjection, log)
    expect(await checkpointOf(store, anew.build)).toBe('')
    expect(await isReady(store, anew.build)).toBe(false)
  })
})

describe('views of another log', () => {
  const ours = { ...log, id: 'ours' }

  it('are dropped, and begun anew', async () => {
    expect(await dropForeignViews(store, ours)).toBe(true)
    expect(await store.collections()).toEqual([])
    expect(await dropForeignViews(store, ours)).toBe(false)
    const anew = await openBuild(store, customersProjection, ours)
    expect(await checkpointOf(store, anew.build)).toBe('')
  })

  it('are this one too, where it reaches less far than they do', async () => {
    await dropForeignViews(store, ours)
    const { build: again } = await openBuild(store, customersProjection, ours)
    await raiseCheckpoint(store, again, HEAD)
    expect(await dropForeignViews(store, ours)).toBe(false)
    expect(await dropForeignViews(store, { ...ours, head: async () => positionOf(449) })).toBe(true)
  })
})

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'builds-'))
  file = join(folder, 'views.sqlite')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('makes the indexes of a view last, but those over names of people while there are none to sort', async () => {
  const sqlite = sqliteViewStore(file)
  const { build: orders } = await openBuild(sqlite, ordersProjection, log)
  const { build: customers } = await openBuild(sqlite, customersProjection, log)
  const byNumber = { beginsWith: { field: 'number', text: 'ord' }, limit: 1 }
  const byName = { beginsWith: { field: 'terms', text: 'ann' }, limit: 1 }
  expect((await sqlite.explainFind(orders.collection, byNumber)).join()).not.toContain('by number')
  expect((await sqlite.explainFind(customers.collection, byName)).join()).toContain('by term')
  await finishBuild(sqlite, orders, log.now())
  expect((await sqlite.explainFind(orders.collection, byNumber)).join()).toContain('by number')
  await sqlite.close()
})

it('copies a view that another process copies and drops meanwhile, not by half', async () => {
  const [one, other] = [sqliteViewStore(file), sqliteViewStore(file)]
  const { build: shared } = await openBuild(one, customersProjection, log)
  await finishBuild(one, shared, log.now())
  const documents = Array.from({ length: PEOPLE }, (_, index) => {
    return { id: nameOf(index), position: positionOf(index + 1), body: { terms: [nameOf(index)] } }
  })
  await one.write(shared.collection, documents)
  await openBuild(other, customersProjection, log)
  let pages = 0
  const overtaken: ViewStore = {
    ...one,
    async find(...asked) {
      pages += 1
      if (pages === 2) expect(await copyBuild(other, shared, uncut)).toBe(true)
      return one.find(...asked)
    },
  }
  await expect(copyBuild(overtaken, shared, uncut)).rejects.toThrow('was dropped')
  const { build: copy } = await openBuild(one, customersProjection, log)
  expect(await one.count(copy.collection, {}, PEOPLE * 2)).toBe(PEOPLE)
  expect(await other.collections()).toEqual([copy.collection.name])
  await Promise.all([one.close(), other.close()])
})

describe('the bytes of a person who was taken out', () => {
  const COUNT = 2_000
  const CHAT_NAMES = 12
  const ERASED_EVERY = 5

  it('lie about where the engine has moved them, until the view is copied', async () => {
    const sqlite = sqliteViewStore(file)
    const { build: filled } = await openBuild(sqlite, customersProjection, log)
    await finishBuild(sqlite, filled, log.now())
    // In no order, and again and again, so that pages are split and filled anew.
    for (let round = 1; round <= CHAT_NAMES; round += 1)
      for (let from = 0; from < COUNT; from += 100)
        await sqlite.write(
          filled.collection,
          Array.from({ length: 100 }, (_, index) => {
            const person = ((from + index) * 7_919) % COUNT
            const terms = Array.from({ length: round }, (_, name) => `${termOf(person)} ${name}`)
            return { id: nameOf(person), position: positionOf(round * COUNT + from + index), body: { terms } }
          }),
        )
    const erased = Array.from({ length: COUNT / ERASED_EVERY }, (_, index) => index * ERASED_EVERY)
    const position = positionOf(CHAT_NAMES * COUNT * 2)
    await sqlite.write(
      filled.collection,
      erased.map((person) => ({ id: nameOf(person), position, body: undefined })),
    )
    await sqlite.raiseMark('after', 'the burial')
    const left = (): number[] => {
      const bytes = readdirSync(folder).map((name) => readFileSync(join(folder, name)))
      return erased.filter((person) => bytes.some((file) => file.includes(termOf(person))))
    }
    expect(left().length).toBeGreaterThan(0)

    expect(await copyBuild(sqlite, filled, uncut)).toBe(true)
    expect(left()).toEqual([])
    const kept = await sqlite.count((await currentBuild(sqlite, customersProjection)).collection, {}, COUNT)
    expect(kept).toBe(COUNT - erased.length)
    await sqlite.close()
    expect(left()).toEqual([])
  })
})
