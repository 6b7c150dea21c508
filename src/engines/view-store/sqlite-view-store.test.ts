import { hash } from 'node:crypto'
import { copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { testFolder } from '../../ports/testing/test-folder.ts'
import { ViewFileUnusable } from './sqlite-set-files.ts'
import { type SqliteViewStore, sqliteViewStore } from './sqlite-view-store.ts'
import { begun, put } from './testing/put.ts'
import { type Collection, type Query, SetGone, type ViewDocument } from './view-store.ts'

const orders: Collection = {
  name: 'orders',
  fields: { status: 'text', createdAt: 'text', totalCents: 'number', dueAt: 'text', tags: 'terms' },
  indexes: [['status', 'createdAt'], ['createdAt'], ['totalCents'], ['dueAt']],
}
const people: Collection = { name: 'people', fields: { called: 'terms' }, indexes: [], isPersonal: true }
const SET = 'a1'
const source = { set: SET, collection: orders }
const ofPeople = { set: SET, collection: people }

let folder: string
let main: string
let stores: SqliteViewStore[]
/** Of all stores. */
let nowMs: number

beforeEach(() => {
  folder = testFolder()
  main = join(folder, `${SET}.sqlite`)
  stores = []
  nowMs = 0
})

afterEach(async () => Promise.all(stores.map((store) => store.close())))

function another(): SqliteViewStore {
  const store = sqliteViewStore(folder, { now: () => nowMs })
  stores.push(store)
  return store
}

async function opened(): Promise<SqliteViewStore> {
  const store = another()
  await store.create(SET, begun, [orders, people])
  await store.index(SET, [orders, people])
  return store
}

function order(id: string, body?: Readonly<Record<string, unknown>>, position = '1'): ViewDocument {
  return { id, position, body }
}

function person(id: string, terms: readonly string[] | undefined, position: string): ViewDocument {
  return { id, position, body: terms && { called: terms } }
}

const termOf = (index: number): string => `${hash('sha256', `person ${index}`)}@example.test`

async function write(store: SqliteViewStore, ...documents: readonly ViewDocument[]): Promise<void> {
  await put(store, SET, [{ collection: orders, documents }])
}

async function everyByte(): Promise<string> {
  const names = await readdir(folder)
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'latin1')))).join('')
}

it.for<[string, Query, string]>([
  ['sorted by date', { range: { field: 'createdAt' }, direction: 'desc' }, 'by createdAt id'],
  ['of one status, sorted', { equal: { status: 'paid' }, range: { field: 'createdAt' } }, 'by status createdAt id'],
  ['of a range', { range: { field: 'dueAt', below: '3' } }, 'by dueAt id'],
  ['by the beginning of an id', { range: { beginsWith: 'a' } }, 'by id'],
  ['by a term', { range: { field: 'tags', beginsWith: 'new' } }, 'by term'],
])('a query is answered from its index: %s', async ([, query, index]) => {
  const steps = await (await opened()).explain(source, query)
  expect(steps.join('; ')).toContain(`INDEX orders ${index}`)
  expect(steps.filter((step) => step.startsWith('SCAN orders') && !step.includes('INDEX'))).toEqual([])
})

it('an index has no documents without its first field', async () => {
  const store = await opened()
  await write(store, ...Array.from({ length: 2_000 }, (_, at) => order(`o-${at}`, at === 7 ? { dueAt: '2026' } : {})))
  const database = new DatabaseSync(main)
  const pages = database.prepare(`SELECT count(*) AS pages FROM dbstat WHERE name = 'orders by dueAt id'`).get()
  database.close()
  expect(pages).toEqual({ pages: 1 })
})

it('the files of a set are private, and the error of a damaged document names them', async () => {
  const store = await opened()
  await write(store, order('a', { status: 'paid' }))
  if (process.platform !== 'win32')
    for (const name of await readdir(folder)) expect(statSync(join(folder, name)).mode & 0o077).toBe(0)
  const spoiler = new DatabaseSync(main)
  spoiler.exec(`UPDATE "orders bodies" SET body = '{"status'`)
  spoiler.close()
  await expect(store.load(source, ['a'])).rejects.toThrow(ViewFileUnusable)
})

it('a damaged file of a set stays unchanged, and the error says what to do', async () => {
  await writeFile(main, 'Buy milk. '.repeat(1_000))
  await writeFile(join(folder, `${SET}-people.sqlite`), '')
  await expect(another().load(source, ['a'])).rejects.toThrow(/a1.sqlite .*stop the shop and remove it/)
  expect((await readFile(main, 'utf8')).slice(0, 9)).toBe('Buy milk.')
})

it.for(['the main file', 'the file of people', 'the folder'])(
  'a set is gone within 5 s of the removal of %s, and not created again',
  async (what) => {
    const store = await opened()
    await write(store, order('a', { status: 'paid' }))
    const removed =
      { 'the main file': main, 'the file of people': join(folder, `${SET}-people.sqlite`) }[what] ?? folder
    for (const ending of ['', '-wal', '-shm']) rmSync(removed + ending, { recursive: true, force: true })
    nowMs += 5_000
    expect(await store.stateOf(SET)).toBeUndefined()
    await expect(store.find(source, {}, { limit: 1 })).rejects.toThrow(SetGone)
    await expect(store.fold(SET, { after: '', to: '1', parts: [] })).rejects.toThrow(SetGone)
    expect(existsSync(removed === folder ? main : removed)).toBe(false)
    await mkdir(folder, { recursive: true })
    expect(await store.texts.replace('t', { from: undefined, to: '1' })).toBe(true)
  },
)

it('files of another set are not used', async () => {
  const store = await opened()
  await store.create('b2', begun, [orders, people])
  await Promise.all(stores.map((one) => one.close()))
  for (const file of ['.sqlite', '-people.sqlite'])
    copyFileSync(join(folder, `b2${file}`), join(folder, `${SET}${file}`))
  expect(await another().stateOf(SET)).toBeUndefined()
})

it('the lower of the two checkpoints counts, and folding continues from it', async () => {
  const store = await opened()
  await put(store, SET, [{ collection: people, documents: [person('p', ['ann'], '1')] }])
  await store.close()
  const kept = join(folder, 'kept')
  copyFileSync(main, kept)
  const later = another()
  const after = await put(later, SET, [
    { collection: orders, documents: [order('a', { status: 'paid' }, '2')] },
    { collection: people, documents: [person('p', ['ann', 'anna'], '2')] },
  ])
  await later.close()
  renameSync(kept, main)
  const cut = another()
  const before = (await cut.stateOf(SET))?.checkpoint ?? ''
  expect(Number(before)).toBe(Number(after) - 1)
  await put(cut, SET, [{ collection: orders, documents: [order('a', { status: 'paid' }, '2')] }])
  expect((await cut.stateOf(SET))?.checkpoint).toBe(after)
  expect(await cut.count(ofPeople, { range: { field: 'called', beginsWith: 'anna' } }, 9)).toBe(1)
})

it('a removed personal document leaves bytes until its file is wiped', async () => {
  const store = await opened()
  const COUNT = 2_000
  // In no order, and again and again, so that pages are split and filled anew.
  for (let round = 1; round <= 8; round += 1) {
    const documents = Array.from({ length: COUNT }, (_, at) => {
      const index = (at * 7_919) % COUNT
      const terms = Array.from({ length: round }, (_each, name) => `${termOf(index)} ${name}`)
      return person(String(index), terms, String(round))
    })
    for (let from = 0; from < COUNT; from += 100)
      await put(store, SET, [{ collection: people, documents: documents.slice(from, from + 100) }])
  }
  const erased = Array.from({ length: COUNT / 5 }, (_, index) => index * 5)
  const documents = erased.map((index) => person(String(index), undefined, '9'))
  await put(store, SET, [{ collection: people, documents }])
  const left = async (): Promise<number> => {
    const bytes = await everyByte()
    return erased.filter((index) => bytes.includes(termOf(index))).length
  }
  expect(await left()).toBeGreaterThan(0)
  await store.wipe(SET)
  expect(await left()).toBe(0)
  expect(await store.count(ofPeople, {}, COUNT)).toBe(COUNT - erased.length)
})

it('dropping a set removes its files', async () => {
  const store = await opened()
  await put(store, SET, [{ collection: people, documents: [person('a', ['alice@example.org'], '1')] }])
  expect(await everyByte()).toContain('alice@example.org')
  await store.drop(SET)
  expect(await everyByte()).not.toContain('alice@example.org')
})

it('a checkpoint never outlives its documents, wherever a power cut ends the write-ahead log', async () => {
  const store = await opened()
  for (let at = 1; at <= 8; at += 1) await write(store, order(`o-${at}`, { status: 'x'.repeat(300) }))
  const names = [`${SET}.sqlite`, `${SET}.sqlite-wal`, `${SET}-people.sqlite`, `${SET}-people.sqlite-wal`]
  const bytes = await Promise.all(names.map((name) => readFile(join(folder, name))))
  const [, log] = bytes
  for (let length = log?.length ?? 0; length >= 0; length -= 4_099) {
    const cut = await mkdtemp(join(folder, 'cut-'))
    for (const [at, name] of names.entries()) await writeFile(join(cut, name), bytes[at] ?? '')
    await truncate(join(cut, `${SET}.sqlite-wal`), length)
    const after = sqliteViewStore(cut)
    const checkpoint = Number((await after.stateOf(SET))?.checkpoint ?? 0)
    const ids = Array.from({ length: checkpoint }, (_, at) => `o-${at + 1}`)
    if (checkpoint > 0) expect((await after.load(source, ids)).size).toBe(checkpoint)
    await after.close()
  }
})
