import { hash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ViewFileUnusable } from './sqlite-view-file.ts'
import { type SqliteViewStore, sqliteViewStore } from './sqlite-view-store.ts'
import { writeOver } from './testing/write-over.ts'
import { type Collection, is, type Query, type ViewDocument, ViewStoreAway } from './view-store.ts'

const orders: Collection = {
  name: 'orders@1',
  fields: { status: 'text', createdAt: 'text', totalCents: 'number', dueAt: 'text', tags: 'terms' },
  indexes: [['status', 'createdAt'], ['createdAt'], ['totalCents'], ['dueAt']],
}
const people: Collection = { name: 'people@1', fields: { called: 'terms' }, indexes: [], isPersonal: true }

let folder: string
let files: { views: string; people: string }
let stores: SqliteViewStore[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'view-store-'))
  files = { views: join(folder, 'views.db'), people: join(folder, 'people.db') }
  stores = []
})

afterEach(async () => {
  await Promise.all(stores.map((store) => store.close()))
  await rm(folder, { recursive: true })
})

async function opened(options?: Parameters<typeof sqliteViewStore>[1]): Promise<SqliteViewStore> {
  const store = sqliteViewStore(files, options)
  stores.push(store)
  await store.open(orders)
  await store.open(people)
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
  await writeOver(store, orders, documents)
}

async function everyByte(): Promise<string> {
  const names = await readdir(folder)
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'latin1')))).join('')
}

describe('a query', () => {
  it.for<[string, Query, string]>([
    ['sorted by date', { where: [], sort: { field: 'createdAt', direction: 'desc' } }, 'by createdAt id'],
    [
      'of one status, sorted',
      { where: [is('status', 'paid')], sort: { field: 'createdAt', direction: 'asc' } },
      'by status createdAt id',
    ],
    [
      'of a range',
      { where: [{ field: 'dueAt', below: '3' }], sort: { field: 'dueAt', direction: 'asc' } },
      'by dueAt id',
    ],
    ['by the beginning of an id', { where: [{ field: 'id', beginsWith: 'a' }] }, 'by id'],
    ['by a term', { where: [is('tags', 'new')] }, 'by term'],
  ])('%s is answered from its index', async ([, query, index]) => {
    const steps = await (await opened()).explain(orders, query)
    expect(steps.join('; ')).toContain(`INDEX orders@1 ${index}`)
    expect(steps.filter((step) => step.startsWith('SCAN orders') && !step.includes('INDEX'))).toEqual([])
  })

  it('has nothing in an index of documents that lack its first field', async () => {
    const store = await opened()
    await write(store, ...Array.from({ length: 2_000 }, (_, at) => order(`o-${at}`, at === 7 ? { dueAt: '2026' } : {})))
    const database = new DatabaseSync(files.views)
    const pages = database.prepare(`SELECT count(*) AS pages FROM dbstat WHERE name = 'orders@1 by dueAt id'`).get()
    database.close()
    expect(pages).toEqual({ pages: 1 })
  })
})

describe('a view file', () => {
  it('is named when a document in it is no JSON any more', async () => {
    const store = await opened()
    await write(store, order('a', { status: 'paid' }))
    const spoiler = new DatabaseSync(files.views)
    spoiler.exec(`UPDATE "orders@1 bodies" SET body = '{"status'`)
    spoiler.close()
    await expect(store.load(orders, ['a'])).rejects.toThrow(ViewFileUnusable)
  })
})

describe('the file of an older release', () => {
  const secret = 'alice-the-buyer@example.org'

  /** As release 0.1 wrote it: all views in one file, customers among them. */
  async function older(): Promise<void> {
    const database = new DatabaseSync(files.views)
    database.exec(`
      PRAGMA journal_mode = WAL;
      CREATE TABLE "collections of format 3" (name TEXT PRIMARY KEY, fields TEXT NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE "marks of format 3" (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE "customers@2000001" (seq INTEGER PRIMARY KEY, id TEXT NOT NULL, position TEXT NOT NULL) STRICT;
      CREATE TABLE "customers@2000001 terms" (doc INTEGER, field TEXT, term TEXT) STRICT;
      INSERT INTO "marks of format 3" VALUES ('serving:customers', 'customers@2000001');
      PRAGMA application_id = 1129535063;
      PRAGMA user_version = 3;
    `)
    const insert = database.prepare(`INSERT INTO "customers@2000001 terms" VALUES (?, 'terms', ?)`)
    for (let at = 0; at < 500; at += 1) insert.run(at, `${at} ${secret}`)
    database.exec(`DELETE FROM "customers@2000001 terms" WHERE doc < 250`)
    database.close()
  }

  it('is emptied, and holds no byte of a person after it was opened', async () => {
    await older()
    expect(await everyByte()).toContain(secret)
    const store = await opened()
    expect(await store.marks().read('serving:customers')).toBeUndefined()
    expect((await store.collections()).map(({ name }) => name)).toEqual(['orders@1', 'people@1'])
    expect(await everyByte()).not.toContain(secret)
  })
})

describe('who was taken out of a personal collection', () => {
  const secret = 'alice-the-buyer@example.org'
  it('lies about where SQLite has moved documents, until the file is wiped', async () => {
    const store = await opened()
    const COUNT = 2_000
    // In no order, and again and again, so that pages are split and filled anew.
    for (let round = 1; round <= 8; round += 1) {
      const documents = Array.from({ length: COUNT }, (_, at) => {
        const index = (at * 7_919) % COUNT
        const terms = Array.from({ length: round }, (_, name) => `${termOf(index)} ${name}`)
        return person(String(index), terms, String(round))
      })
      for (let from = 0; from < COUNT; from += 100) await writeOver(store, people, documents.slice(from, from + 100))
    }
    const erased = Array.from({ length: COUNT / 5 }, (_, index) => index * 5)
    await writeOver(
      store,
      people,
      erased.map((index) => person(String(index), undefined, '9')),
    )
    const left = async (): Promise<number> => {
      const bytes = await everyByte()
      return erased.filter((index) => bytes.includes(termOf(index))).length
    }
    expect(await left()).toBeGreaterThan(0)
    await store.wipe()
    expect(await left()).toBe(0)
    expect(await store.count(people, { where: [] }, COUNT)).toBe(COUNT - erased.length)
  })

  it('is wiped when the collection is dropped', async () => {
    const store = await opened()
    await store.write([{ collection: people, documents: [person('a', [secret], '1')] }])
    expect(await everyByte()).toContain(secret)
    await store.drop(people)
    await store.wipe()
    expect(await everyByte()).not.toContain(secret)
  })
})

describe('a file that others hold', () => {
  it('is away for a moment for who reads what another process drops', async () => {
    const [store, another] = [await opened(), await opened()]
    await another.drop(orders)
    await expect(store.find(orders, { where: [] }, { limit: 1 })).rejects.toThrow(ViewStoreAway)
    await expect(store.load(orders, ['o-1'])).rejects.toThrow(ViewStoreAway)
  })
})

it('has no mark without the documents it speaks of, wherever a power cut ends the write-ahead log', async () => {
  const store = await opened()
  for (let at = 1; at <= 8; at += 1) {
    const documents = [order(`o-${at}`, { status: 'x'.repeat(300) })]
    await writeOver(store, orders, documents, { name: 'checkpoint', value: String(at).padStart(3, '0') })
  }
  const names = ['views.db', 'views.db-wal']
  const bytes = await Promise.all(names.map((name) => readFile(join(folder, name))))
  const [, log] = bytes
  for (let length = log?.length ?? 0; length >= 0; length -= 4_099) {
    const cut = await mkdtemp(join(folder, 'cut-'))
    for (const [at, name] of names.entries()) await writeFile(join(cut, name), bytes[at] ?? '')
    await truncate(join(cut, 'views.db-wal'), length)
    const after = sqliteViewStore({ views: join(cut, 'views.db'), people: join(cut, 'people.db') })
    await after.open(orders)
    const checkpoint = Number((await after.marks(orders).read('checkpoint')) ?? 0)
    const ids = Array.from({ length: checkpoint }, (_, at) => `o-${at + 1}`)
    expect((await after.load(orders, ids)).size).toBe(checkpoint)
    await after.close()
  }
})
