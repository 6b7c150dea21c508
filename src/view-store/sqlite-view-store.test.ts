import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as othersTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkedConditions } from './fields.ts'
import { memoryViewStore } from './testing/memory-view-store.ts'
import { ViewFileUnusable } from './sqlite-view-file.ts'
import { countStatement } from './sqlite-view-query.ts'
import type { Statement } from './sqlite-view-query.ts'
import { sqliteViewStore } from './sqlite-view-store.ts'
import type { SqliteViewStore } from './sqlite-view-store.ts'
import { ViewStoreAway } from './view-store.ts'
import type { Collection, Query, ViewDocument } from './view-store.ts'

const orders: Collection = {
  name: 'orders@1',
  fields: { status: 'text', method: 'text', createdAt: 'text', totalCents: 'number', search: 'terms' },
  indexes: [['status', 'createdAt'], ['method', 'createdAt'], ['createdAt'], ['totalCents'], ['method'], ['search']],
}

let folder: string
let file: string
let stores: SqliteViewStore[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'view-store-'))
  file = join(folder, 'views.db')
  stores = []
})

afterEach(async () => {
  await Promise.all(stores.map((store) => store.close()))
  await rm(folder, { recursive: true })
})

async function opened(options?: Parameters<typeof sqliteViewStore>[1]): Promise<SqliteViewStore> {
  const store = sqliteViewStore(file, options)
  stores.push(store)
  await store.open(orders)
  return store
}

function order(id: string, body?: Readonly<Record<string, unknown>>, position = '1'): ViewDocument {
  return { id, position, body }
}

async function everyByte(): Promise<string> {
  const names = await readdir(folder)
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'latin1')))).join('')
}

/** Another process, which runs these statements; `store` is its own store on the same file, opened. */
function otherProcess(statements: string) {
  const source = `
    import { sqliteViewStore } from ${JSON.stringify(new URL('sqlite-view-store.ts', import.meta.url).href)}
    const orders = ${JSON.stringify(orders)}
    const store = sqliteViewStore(${JSON.stringify(file)})
    await store.open(orders)
    ${statements}`
  return spawn(process.execPath, ['--input-type=module', '--eval', source], { stdio: ['ignore', 'pipe', 'inherit'] })
}

/** The fields of the index that a statement names. */
function indexIn({ text }: Statement): string {
  return /INDEXED BY "\S+ by ([^"]+)"/.exec(text)?.[1] ?? ''
}

describe('how a find is answered', () => {
  const byDate = { field: 'createdAt', direction: 'desc' } as const

  it.for<[string, Partial<Query>]>([
    ['by the field of an index', { sort: byDate }],
    ['by the field of an index, next page', { sort: byDate, after: { value: '2026', id: 'x' } }],
    ['oldest first', { sort: { ...byDate, direction: 'asc' }, after: { id: 'x' } }],
    ['with an equal field before it', { sort: byDate, equals: { status: 'paid' } }],
    [
      'with an equal field before it, next page',
      { sort: byDate, equals: { status: 'paid' }, after: { value: '2026', id: 'x' } },
    ],
    ['with one of any', { sort: byDate, anyOf: { field: 'status', values: ['paid'] } }],
    ['within a range of it', { sort: byDate, range: { field: 'createdAt', from: '2025', to: '2026' } }],
    [
      'within a range of it and an equal field, next page',
      {
        sort: { ...byDate, direction: 'asc' },
        equals: { status: 'paid' },
        range: { field: 'createdAt', from: '2025' },
        after: { value: '2026', id: 'x' },
      },
    ],
    ['by the beginning of it', { sort: byDate, beginsWith: { field: 'createdAt', text: '2026-' } }],
    ['by id', { equals: { method: 'upi' } }],
    ['by id, next page', { sort: { direction: 'desc' }, after: { id: 'x' } }],
  ])('is a walk along an index, nothing scanned or sorted: %s', async ([, query]) => {
    const store = await opened()
    await store.write(orders, [order('a', { status: 'paid', createdAt: '2026' })])
    const plan = await store.explainFind(orders, { limit: 50, ...query })
    expect(plan).toEqual([expect.stringMatching(/^SEARCH documents USING INDEX orders@1 by /)])
  })

  it('reads fields from the index that has them, else from the documents, and bodies never', async () => {
    const store = await opened()
    const query = { equals: { status: 'paid' }, sort: byDate, limit: 50 }
    expect(await store.explainFind(orders, query, ['createdAt'])).toEqual([
      'SEARCH documents USING COVERING INDEX orders@1 by status createdAt id (body.status=?)',
    ])
    expect(await store.explainFind(orders, query, ['totalCents'])).toEqual([
      'SEARCH documents USING INDEX orders@1 by status createdAt id (body.status=?)',
    ])
  })

  it('seeks to where the page begins, not to where the range does', async () => {
    const store = await opened()
    const range = { field: 'createdAt', from: '2025', to: '2027' }
    const page = { limit: 50, range, after: { value: '2026', id: 'x' } }
    expect(await store.explainFind(orders, { ...page, sort: { ...byDate, direction: 'asc' } })).toEqual([
      'SEARCH documents USING INDEX orders@1 by createdAt id ((body.createdAt,id)>(?,?) AND body.createdAt<?)',
    ])
    expect(await store.explainFind(orders, { ...page, sort: byDate })).toEqual([
      'SEARCH documents USING INDEX orders@1 by createdAt id (body.createdAt>? AND (body.createdAt,id)<(?,?))',
    ])
  })

  it('is counted along the index that knows most of it, not along one that fits nearly all', async () => {
    const store = await opened({ narrowMax: 1 })
    const listed: Collection = {
      name: 'listed@1',
      fields: { isListed: 'boolean', number: 'text', status: 'text' },
      indexes: [['isListed'], ['isListed', 'status'], ['number', 'isListed']],
    }
    await store.open(listed)
    await store.write(
      listed,
      ['a', 'b', 'c', 'd', 'e'].map((id) => order(id, { isListed: true, number: id, status: 'paid' })),
    )
    const plan = async (query: Parameters<typeof store.explainCount>[1]) =>
      (await store.explainCount(listed, query, 50)).join('; ')
    expect(await plan({ equals: { isListed: true }, beginsWith: { field: 'number', text: 'a' } })).toMatch(
      /SEARCH documents USING COVERING INDEX listed@1 by number isListed id/,
    )
    expect(await plan({ equals: { isListed: true, status: 'paid' } })).toMatch(
      /SEARCH documents USING COVERING INDEX listed@1 by isListed status id/,
    )
    expect(await plan({ equals: { isListed: true }, beginsWith: { field: 'id', text: 'a' } })).toMatch(
      /SEARCH documents USING INDEX listed@1 by id /,
    )
  })

  describe('to be counted', () => {
    const listed: Collection = {
      name: 'listed@1',
      fields: { isListed: 'boolean', status: 'text' },
      indexes: [['isListed'], ['isListed', 'status']],
    }

    it.for<[string, Pick<Query, 'equals' | 'beginsWith'>, string, tried: string[]]>([
      [
        'where all that an index leads to fits',
        { equals: { isListed: true, status: 'paid' } },
        'isListed status id',
        [],
      ],
      [
        'by what is so of most documents',
        { equals: { isListed: true }, beginsWith: { field: 'id', text: 'a' } },
        'id',
        ['id'],
      ],
    ])('is not looked at before %s', ([, query, index, tried]) => {
      const asked: string[] = []
      const probe = { narrowMax: 5, count: (statement: Statement) => asked.push(indexIn(statement)) }
      const conditions = checkedConditions(listed, query)
      expect(indexIn(countStatement(listed, { conditions, limit: 50 }, probe))).toBe(index)
      expect(asked).toEqual(tried)
    })
  })

  describe('over a rare field', () => {
    const rare: Collection = {
      name: 'rare@1',
      fields: { isDeleted: 'boolean', dueAt: 'text', createdAt: 'text' },
      indexes: [['isDeleted', 'createdAt'], ['dueAt']],
      rare: ['isDeleted', 'dueAt'],
    }

    it.for<[string, Omit<Query, 'limit'>, string]>([
      ['a text in it', { range: { field: 'dueAt', to: '2026' }, sort: { field: 'dueAt', direction: 'asc' } }, 'dueAt'],
      [
        'a true in it',
        { equals: { isDeleted: true }, sort: { field: 'createdAt', direction: 'desc' } },
        'isDeleted createdAt',
      ],
    ])('is asked for %s along its index', async ([, query, fields]) => {
      const store = await opened()
      await store.open(rare)
      const plan = (await store.explainFind(rare, { limit: 50, ...query })).join('; ')
      expect(plan).toMatch(new RegExp(`^SEARCH documents USING INDEX rare@1 by ${fields} id [^;]*$`))
    })

    it('is counted along its index', async () => {
      const store = await opened()
      await store.open(rare)
      expect((await store.explainCount(rare, { equals: { isDeleted: true } }, 50)).join('; ')).toMatch(
        /SEARCH documents USING COVERING INDEX rare@1 by isDeleted createdAt id/,
      )
    })

    it('keeps nothing in its index of documents without it', async () => {
      const store = await opened()
      await store.open(rare)
      const plain = Array.from({ length: 100 }, (_, at) => order(`o-${at}`, { isDeleted: false, createdAt: '2026' }))
      await store.write(rare, [...plain, order('due', { dueAt: '2026' }), order('gone', { isDeleted: true })])
      await store.close()
      const database = new DatabaseSync(file)
      const entries = database.prepare(`SELECT name, sum(ncell) AS entries FROM dbstat WHERE name LIKE ? GROUP BY name`)
      expect(entries.all('rare@1 by %')).toEqual([
        { name: 'rare@1 by dueAt id', entries: 1 },
        { name: 'rare@1 by id', entries: 102 },
        { name: 'rare@1 by isDeleted createdAt id', entries: 1 },
      ])
      database.close()
    })

    it.for([
      ['few', 'SEARCH documents USING INTEGER PRIMARY KEY (rowid=?)'],
      ['many', 'SEARCH documents USING INDEX reasons@1 by isDeleted createdAt id (body.isDeleted=?)'],
    ])('is walked rather than look up what %s of its documents have', async ([word, plan]) => {
      const store = await opened({ narrowMax: 20 })
      const reasons: Collection = {
        name: 'reasons@1',
        fields: { isDeleted: 'boolean', createdAt: 'text', why: 'terms' },
        indexes: [['isDeleted', 'createdAt'], ['why']],
        rare: ['isDeleted'],
      }
      await store.open(reasons)
      const deleted = Array.from({ length: 9 }, (_, at) =>
        order(`o-${at}`, { isDeleted: true, createdAt: String(at), why: [at === 0 ? 'few' : 'many'] }),
      )
      await store.write(reasons, deleted)
      const query = {
        equals: { isDeleted: true },
        beginsWith: { field: 'why', text: String(word) },
        sort: byDate,
        limit: 9,
      }
      expect((await store.explainFind(reasons, query))[0]).toBe(plan)
      expect(await store.find(reasons, query)).toHaveLength(word === 'few' ? 1 : 8)
    })

    it.each(['number', 'terms'] as const)('cannot be one of %s', async (type) => {
      const store = await opened()
      await expect(store.open({ ...rare, fields: { ...rare.fields, dueAt: type }, indexes: [] })).rejects.toThrow(
        `'dueAt' of rare@1 cannot be rare`,
      )
    })
  })

  describe('by a text with a tail that a range is over', () => {
    const tailed: Collection = {
      name: 'tailed@1',
      fields: { status: 'text', amount: 'text', createdAt: 'text' },
      indexes: [['status', 'amount'], ['amount'], ['status', 'createdAt'], ['createdAt']],
      tails: { amount: { behind: 4, field: 'createdAt' } },
    }
    const tail = fc.constantFrom('0', '1', '1😀', '2', '9')
    const documents = fc.array(
      fc.record({ head: fc.constantFrom('000 ', '005 ', '05a ', '999 '), tail, status: fc.constantFrom('a', 'b') }),
      { maxLength: 40, size: 'max' },
    )
    const queries = fc.record(
      {
        equals: fc.constant({ status: 'a' }),
        range: fc.record({ from: tail, to: tail }, { requiredKeys: [], noNullPrototype: true }),
        direction: fc.constantFrom('asc', 'desc'),
        limit: fc.integer({ min: 1, max: 5 }),
      } as const,
      { requiredKeys: ['range', 'direction', 'limit'], noNullPrototype: true },
    )

    async function written(
      count: number,
      bodyOf: (at: number) => { head: string; tail: string; status: string },
      options: { leapsMax?: number } = {},
    ) {
      const store = await opened({ narrowMax: 1, ...options })
      await store.open(tailed)
      const all = Array.from({ length: count }, (_, at) => {
        const { head, tail: createdAt, status } = bodyOf(at)
        return order(`o-${at}`, { status, createdAt, amount: head + createdAt })
      })
      await store.write(tailed, all)
      return { store, all }
    }

    it.for(['asc', 'desc'] as const)('leaps to where the range begins in each head: %s', async (direction) => {
      const { store } = await written(20, () => ({ head: '005 ', tail: '1', status: 'a' }))
      const query = {
        range: { field: 'createdAt', from: '0', to: '2' },
        sort: { field: 'amount', direction },
        limit: 5,
      }
      expect(await store.explainFind(tailed, query)).toEqual([
        'SEARCH documents USING INDEX tailed@1 by amount id (body.amount>? AND body.amount<?)',
      ])
      expect(await store.explainFind(tailed, { ...query, equals: { status: 'a' } })).toEqual([
        'SEARCH documents USING INDEX tailed@1 by status amount id (body.status=? AND body.amount>? AND body.amount<?)',
      ])
    })

    it('finds page by page what fits, in order', async () => {
      await fc.assert(
        fc.asyncProperty(documents, queries, async (given, { range, direction, limit, ...conditions }) => {
          const memory = memoryViewStore()
          await memory.open(tailed)
          const { store, all } = await written(given.length, (at) => given[at] ?? { head: '', tail: '', status: '' })
          await memory.write(tailed, all)
          const query = { ...conditions, range: { field: 'createdAt', ...range }, sort: { field: 'amount', direction } }
          const expected = await memory.find(tailed, { ...query, limit: 100 })
          const found: ViewDocument[] = []
          for (let page = await store.find(tailed, { ...query, limit }); page.length > 0;) {
            found.push(...page)
            const after = all.find(({ id }) => id === page.at(-1)?.id)
            const value = String((after?.body as { amount?: string } | undefined)?.amount)
            page = await store.find(tailed, { ...query, limit, after: { value, id: String(after?.id) } })
          }
          expect(found).toEqual(expected)
          await store.drop(tailed.name)
        }),
        { numRuns: 60 },
      )
    })

    it('stops a page after many leaps, and goes on there', async () => {
      const blank = { head: '', tail: '', status: '' }
      await fc.assert(
        fc.asyncProperty(documents, queries, async (given, { range, direction, limit, ...conditions }) => {
          const { store, all } = await written(given.length, (at) => given[at] ?? blank, { leapsMax: 1 })
          const query = { ...conditions, range: { field: 'createdAt', ...range }, sort: { field: 'amount', direction } }
          const expected = await store.find(tailed, { ...query, limit: 100 })
          const found: ViewDocument[] = []
          for (let after: Query['after'], isFirst = true; isFirst || after; isFirst = false) {
            const page = await store.findPage(tailed, { ...query, limit, ...(after && { after }) }, 0)
            found.push(...page.documents)
            const last = all.find(({ id }) => id === page.documents.at(-1)?.id)
            const isFull = page.documents.length === limit
            const { amount } = (last?.body as { amount: string } | undefined) ?? { amount: '' }
            after = isFull ? { value: amount, id: String(last?.id) } : page.stoppedAt
          }
          expect(found).toEqual(expected)
          await store.drop(tailed.name)
        }),
        { numRuns: 60 },
      )
      const { store } = await written(3, (at) => ({ head: `00${at} `, tail: at === 2 ? '1' : '0', status: 'a' }), {
        leapsMax: 2,
      })
      const query: Query = {
        range: { field: 'createdAt', from: '1' },
        sort: { field: 'amount', direction: 'asc' },
        limit: 9,
      }
      const page = await store.findPage(tailed, query, 0)
      expect(page).toEqual({ documents: [], stoppedAt: { value: '001!', id: '' }, count: 0 })
      const { documents: behind } = await store.findPage(
        tailed,
        { ...query, ...(page.stoppedAt && { after: page.stoppedAt }) },
        0,
      )
      expect(behind.map(({ id }) => id)).toEqual(['o-2'])
    })

    it.for(['asc', 'desc'] as const)('finds what is behind very many heads: %s', async (direction) => {
      const { store } = await written(1_000, (at) => ({
        head: `${String(at).padStart(3, '0')} `,
        tail: at % 400 === 399 ? '1' : '2',
        status: 'a',
      }))
      const query = { range: { field: 'createdAt', to: '2' }, sort: { field: 'amount', direction }, limit: 5 }
      const found = (await store.find(tailed, query)).map(({ id }) => id)
      expect(direction === 'asc' ? found : found.toReversed()).toEqual(['o-399', 'o-799'])
    })

    it.each(['number', 'terms'] as const)('has no tail of %s', async (type) => {
      const store = await opened()
      const wrong = { ...tailed, fields: { ...tailed.fields, createdAt: type }, indexes: [] }
      await expect(store.open(wrong)).rejects.toThrow(`'amount' of tailed@1 has no tail`)
    })
  })

  it('sorts in the index alone what that knows all about, four times as many', async () => {
    const store = await opened({ narrowMax: 2 })
    const people: Collection = {
      name: 'people@1',
      fields: { who: 'text', isListed: 'boolean', amount: 'number', other: 'number' },
      indexes: [['who', 'isListed', 'amount'], ['amount'], ['other']],
    }
    await store.open(people)
    const all = Array.from({ length: 7 }, (_, at) =>
      order(`o-${at}`, { who: at < 4 ? 'ash' : 'misty', isListed: true, amount: 9 - at, other: at }),
    )
    await store.write(people, all)
    const query = { anyOf: { field: 'who', values: ['ash', 'misty'] }, equals: { isListed: true }, limit: 3 }
    const plan = async (field: string) =>
      (await store.explainFind(people, { ...query, sort: { field, direction: 'asc' } }))[0]
    expect(await plan('amount')).toMatch(/^SEARCH documents USING COVERING INDEX people@1 by who isListed amount id/)
    expect(await plan('other')).toBe('SCAN documents USING INDEX people@1 by other id')
    const found = await store.find(people, { ...query, sort: { field: 'amount', direction: 'asc' } })
    expect(found).toEqual(all.slice(4).toReversed())
    expect((await store.explainCount(people, query, 9))[0]).toMatch(/COVERING INDEX people@1 by who isListed amount id/)
  })

  describe('when its condition and its order have no index in common', () => {
    let store: SqliteViewStore

    beforeEach(async () => {
      store = await opened({ narrowMax: 10 })
      const documents = Array.from({ length: 40 }, (_, at) =>
        order(`o-${at}`, {
          status: at % 2 === 0 ? 'paid' : 'pending',
          method: at < 5 ? 'crypto' : 'upi',
          createdAt: String(at + 100),
          totalCents: at,
          search: ['order', `n${at}`],
        }),
      )
      await store.write(orders, documents)
    })

    const sorting = 'USE TEMP B-TREE FOR ORDER BY'

    it.for<[string, Partial<Query>, string[]]>([
      [
        'a rare range',
        { range: { field: 'totalCents', from: 35 } },
        ['SEARCH documents USING INDEX orders@1 by totalCents id (body.totalCents>?)', sorting],
      ],
      [
        'a common range',
        { range: { field: 'totalCents', from: 5 } },
        ['SCAN documents USING INDEX orders@1 by createdAt id'],
      ],
      [
        'a rare term',
        { beginsWith: { field: 'search', text: 'n11' } },
        [
          'SEARCH documents USING INTEGER PRIMARY KEY (rowid=?)',
          'LIST SUBQUERY 1',
          'SEARCH orders@1 terms USING COVERING INDEX orders@1 by term (field=? AND term>? AND term<?)',
          sorting,
        ],
      ],
      [
        'a common term',
        { beginsWith: { field: 'search', text: 'or' } },
        [
          'SEARCH documents USING INDEX orders@1 by createdAt id (body.createdAt>?)',
          'SEARCH orders@1 terms EXISTS USING PRIMARY KEY (doc=? AND field=? AND term>? AND term<?)',
        ],
      ],
      [
        'a rare beginning of an id',
        { beginsWith: { field: 'id', text: 'o-11' } },
        ['SEARCH documents USING INDEX orders@1 by id (id>? AND id<?)', sorting],
      ],
      [
        'a common beginning of an id',
        { beginsWith: { field: 'id', text: 'o-' } },
        ['SEARCH documents USING INDEX orders@1 by createdAt id (body.createdAt>?)'],
      ],
      [
        'a rare value beside a common one',
        { equals: { status: 'paid', method: 'crypto' } },
        ['SEARCH documents USING INDEX orders@1 by method createdAt id (body.method=?)'],
      ],
      [
        'a value and a range that are rare together',
        {
          equals: { status: 'paid' },
          range: { field: 'createdAt', from: '125' },
          sort: { field: 'totalCents', direction: 'asc' },
        },
        ['SEARCH documents USING INDEX orders@1 by status createdAt id (body.status=? AND body.createdAt>?)', sorting],
      ],
      [
        'a value and a range that are common together',
        {
          equals: { status: 'paid' },
          range: { field: 'createdAt', from: '115' },
          sort: { field: 'totalCents', direction: 'asc' },
        },
        ['SCAN documents USING INDEX orders@1 by totalCents id'],
      ],
    ])('is looked up where that leads to few documents, and walked where to many: %s', async ([, query, plan]) => {
      expect(await store.explainFind(orders, { sort: byDate, limit: 50, ...query })).toEqual(plan)
    })
  })

  it('uses an index that was added after the documents', async () => {
    const store = sqliteViewStore(file)
    stores.push(store)
    await store.open({ ...orders, indexes: [] })
    await store.write(orders, [order('a', { createdAt: '2' }), order('b', { createdAt: '1' })])
    expect((await store.find(orders, { sort: byDate, limit: 5 })).map(({ id }) => id)).toEqual(['a', 'b'])
    await store.open(orders)
    await store.open({ ...orders, indexes: [] })
    expect(await store.explainFind(orders, { sort: byDate, limit: 5 })).toEqual([
      expect.stringContaining('by createdAt'),
    ])
    expect((await store.find(orders, { sort: byDate, limit: 5 })).map(({ id }) => id)).toEqual(['a', 'b'])
  })
})

describe.skipIf(process.platform !== 'linux')('an index that is made when the documents are there', () => {
  const DOCUMENTS = 20_000
  const FIELD_CHARACTERS = 2_000
  const sortedBytes = DOCUMENTS * FIELD_CHARACTERS
  const notes: Collection = { name: 'notes@1', fields: { text: 'text' }, indexes: [['text']] }

  async function growthOver(collection: Collection): Promise<number> {
    const store = sqliteViewStore(file)
    stores.push(store)
    await store.open({ ...collection, indexes: [] })
    await store.batch(async () => {
      for (let from = 0; from < DOCUMENTS; from += 1_000)
        await store.write(
          collection,
          Array.from({ length: 1_000 }, (_, index) => {
            const text = `${((from + index) * 7_919) % DOCUMENTS} `
            return order(`${from + index}`, { text: text.padEnd(FIELD_CHARACTERS, 'x') })
          }),
        )
    })
    return growthWhile(async () => store.open(collection))
  }

  it('is not sorted in memory', async () => {
    expect(await growthOver(notes)).toBeLessThan(sortedBytes / 2)
  })

  it('is sorted nowhere else where it names people', async () => {
    expect(await growthOver({ ...notes, isPersonal: true })).toBeGreaterThan(sortedBytes / 2)
  })
})

describe('a document behind all others', () => {
  // U+FFFD comes before an emoji in SQLite, and behind it in JavaScript.
  it.for<[string, string]>([
    ['that comes last in SQLite alone', '\u{1F600}'],
    ['that comes last in JavaScript alone', '\uFFFD'],
  ])('is written once and found again, also beside one %s', async ([, id]) => {
    const store = await opened()
    const others = ['\uFFFD', '\u{1F600}', 'a'].filter((other) => other !== id)
    await store.write(
      orders,
      others.map((other) => order(other, {})),
    )
    await store.write(orders, [order(id, {}), order(id, { status: 'paid' }, '2')])
    await store.write(orders, [order(id, { status: 'open' }, '1')])
    const loaded = await store.load(orders, [id, ...others, '\uD83D', 'zzz'])
    expect([...loaded.keys()].toSorted()).toEqual([id, ...others].toSorted())
    expect(loaded.get(id)?.body).toEqual({ status: 'paid' })
    expect(await store.count(orders, {}, 10)).toBe(3)
  })
})

describe('a view file', () => {
  it('is refused and left as it is when it belongs to another program', async () => {
    const foreign = new DatabaseSync(file)
    foreign.exec('CREATE TABLE notes (text TEXT)')
    foreign.close()
    const before = await readFile(file)
    await expect(opened()).rejects.toThrow(
      new ViewFileUnusable(
        `${file} does not hold this shop's views and is left alone: move it away and start again, views are built again from the log`,
      ),
    )
    expect(await readFile(file)).toEqual(before)
  })

  it('is emptied when an older shop has written it, so that all is built again', async () => {
    const store = await opened()
    await store.write(orders, [order('o-1', { status: 'pending' })])
    await store.raiseMark('checkpoint', '7')
    await store.close()
    const older = new DatabaseSync(file)
    older.exec('PRAGMA user_version = 1')
    older.close()
    const again = await opened()
    expect((await again.load(orders, ['o-1'])).size).toBe(0)
    expect(await again.readMark('checkpoint')).toBe(undefined)
  })

  it('gives an older shop that still runs beside this one nothing to write to', async () => {
    const store = await opened()
    await store.open(orders)
    const older = new DatabaseSync(file)
    for (const table of ['collections', 'marks'])
      expect(() => older.prepare(`SELECT name FROM ${table}`).all()).toThrow(`no such table: ${table}`)
    older.close()
  })

  it('is refused when a newer shop has written it', async () => {
    const store = await opened()
    await store.close()
    const newer = new DatabaseSync(file)
    newer.exec('PRAGMA user_version = 4')
    newer.close()
    await expect(opened()).rejects.toThrow(
      new ViewFileUnusable(
        `${file} was written by a newer version of the shop: start that version, or stop the shop and ` +
          `remove it (with ${file}-wal and ${file}-shm), views are built again from the log`,
      ),
    )
  })

  it.for(['no database at all, but a text that is long enough to be one'.repeat(20), 'short'])(
    'is named with the way out when it is %s',
    async (content) => {
      await writeFile(file, content)
      await expect(opened()).rejects.toThrow(ViewFileUnusable)
      await expect(opened()).rejects.toThrow(
        `${file} is damaged: stop the shop and remove it (with ${file}-wal and ${file}-shm), views are built again from the log`,
      )
    },
  )

  it('is named with the way out when a page of it is damaged', async () => {
    const store = await opened()
    await store.write(
      orders,
      Array.from({ length: 500 }, (_, at) => order(`o-${at}`, { status: 'x'.repeat(500) })),
    )
    await store.close()
    const bytes = await readFile(file)
    bytes.fill(0xff, 4096 * 2)
    await writeFile(file, bytes)
    const damaged = async () => {
      const again = await opened()
      await again.find(orders, { limit: 2_000 })
    }
    await expect(damaged()).rejects.toThrow(`${file} is damaged`)
    await expect(damaged()).rejects.toThrow(ViewFileUnusable)
  })

  it('is named when a document in it is no JSON any more', async () => {
    const store = await opened()
    await store.write(orders, [order('a', { status: 'paid' })])
    const spoiler = new DatabaseSync(file)
    spoiler.exec(`UPDATE "orders@1 bodies" SET body = '{"status'`)
    spoiler.close()
    await expect(store.find(orders, { limit: 1 })).rejects.toThrow(ViewFileUnusable)
  })

  it('is away when its folder is missing, and there again when the folder is', async () => {
    const store = sqliteViewStore(join(folder, 'missing', 'views.db'))
    stores.push(store)
    await expect(store.open(orders)).rejects.toThrow(ViewStoreAway)
    await mkdir(join(folder, 'missing'))
    await store.open(orders)
    expect(await store.count(orders, {}, 1)).toBe(0)
  })

  it.skipIf(process.platform === 'win32')('can be read by its owner alone', async () => {
    const store = await opened()
    await store.write(orders, [order('a', {})])
    const modes = await Promise.all((await readdir(folder)).map(async (name) => (await stat(join(folder, name))).mode))
    expect(modes.map((mode) => mode & 0o777)).toEqual([0o600, 0o600, 0o600])
  })

  it('is not touched any more once it is closed', async () => {
    const store = await opened()
    await store.close()
    await store.close()
    await expect(store.readMark('m')).rejects.toThrow(`The view store ${file} is closed`)
    expect(await readdir(folder)).toEqual(['views.db'])
  })
})

describe('what was deleted', () => {
  const secret = 'alice-the-buyer@example.org'

  it('is nowhere in the files after its collection is dropped', async () => {
    const store = await opened()
    await store.write(
      orders,
      Array.from({ length: 1_200 }, (_, at) => order(`o-${at}`, { status: `${secret} ${at}`, search: [secret] })),
    )
    expect(await everyByte()).toContain(secret)
    await store.drop(orders.name)
    expect(await everyByte()).not.toContain(secret)
  })

  it('is nowhere in the files after a tombstone has taken its place', async () => {
    const store = await opened()
    await store.write(orders, [order('o-1', { status: secret, note: secret, search: [secret] })])
    expect(await everyByte()).toContain(secret)
    await store.batch(() => store.write(orders, [order('o-1', undefined, '2')]))
    expect(await everyByte()).not.toContain(secret)
  })

  it('is wiped by a later commit when somebody is reading at that moment', async () => {
    const store = await opened()
    await store.write(orders, [order('o-1', { note: secret })])
    const reader = new DatabaseSync(file)
    reader.exec('BEGIN; SELECT count(*) FROM "orders@1"')
    await store.write(orders, [order('o-1', undefined, '2')])
    expect(await everyByte()).toContain(secret)
    reader.exec('COMMIT')
    reader.close()
    await store.raiseMark('m', '1')
    expect(await everyByte()).not.toContain(secret)
  })

  it('is wiped by the first commit of the next process, where the one that deleted it was killed', async () => {
    const store = await opened()
    await store.write(orders, [order('o-1', { note: secret })])
    const reader = new DatabaseSync(file)
    reader.exec('BEGIN; SELECT count(*) FROM "orders@1"')
    await store.write(orders, [order('o-1', undefined, '2')])
    const left = join(folder, 'left')
    await mkdir(left)
    for (const name of ['views.db', 'views.db-wal']) await copyFile(join(folder, name), join(left, name))
    reader.close()
    const bytesLeft = async (): Promise<string> => {
      const names = await readdir(left)
      return (await Promise.all(names.map((name) => readFile(join(left, name), 'latin1')))).join('')
    }
    expect(await bytesLeft()).toContain(secret)
    const next = sqliteViewStore(join(left, 'views.db'))
    stores.push(next)
    await next.raiseMark('m', '1')
    expect(await bytesLeft()).not.toContain(secret)
  })

  it('is wiped by a later commit when a reader keeps a drop from wiping, though it is no longer listed', async () => {
    const store = await opened({ waitMs: 50 })
    await store.write(orders, [order('o-1', { note: secret })])
    const reader = new DatabaseSync(file)
    reader.exec('BEGIN; SELECT count(*) FROM "orders@1"')
    await expect(store.drop(orders.name)).rejects.toThrow(ViewStoreAway)
    expect(await store.collections()).toEqual([])
    reader.exec('COMMIT')
    reader.close()
    await store.raiseMark('m', '1')
    expect(await everyByte()).not.toContain(secret)
  })

  it('is away for a moment for whoever reads what another one drops', async () => {
    const [store, another] = [await opened(), await opened()]
    await another.drop(orders.name)
    await expect(store.find(orders, { limit: 1 })).rejects.toThrow(ViewStoreAway)
    await expect(store.count(orders, {}, 1)).rejects.toThrow(ViewStoreAway)
    await expect(store.load(orders, ['o-1'])).rejects.toThrow(ViewStoreAway)
  })

  it('is asked for again when a reader keeps a drop from wiping', async () => {
    const store = await opened({ waitMs: 50 })
    await store.write(orders, [order('o-1', { note: secret })])
    const reader = new DatabaseSync(file)
    reader.exec('BEGIN; SELECT count(*) FROM "orders@1"')
    await expect(store.drop(orders.name)).rejects.toThrow(ViewStoreAway)
    reader.exec('COMMIT')
    reader.close()
    await store.drop(orders.name)
    expect(await everyByte()).not.toContain(secret)
  })

  it('stays listed until a drop that was cut short is repeated', async () => {
    const store = await opened()
    await store.write(
      orders,
      Array.from({ length: 1_600 }, (_, at) => order(`o-${at}`, {})),
    )
    const cutShort = store.drop(orders.name)
    const [outcome] = await Promise.allSettled([cutShort, store.close()])
    expect(outcome.status).toBe('rejected')

    const next = sqliteViewStore(file)
    stores.push(next)
    expect(await next.collections()).toEqual(['orders@1'])
    await next.drop(orders.name)
    expect(await next.collections()).toEqual([])
  })
})

describe('a batch', () => {
  it('that fails leaves nothing', async () => {
    const store = await opened()
    const batch = store.batch(async () => {
      await store.write(orders, [order('o-1', { search: ['alice'] })])
      await store.raiseMark('m', '1')
      throw new Error('failed on purpose')
    })
    await expect(batch).rejects.toThrow('failed on purpose')
    expect(await store.load(orders, ['o-1'])).toEqual(new Map())
    expect(await store.count(orders, { beginsWith: { field: 'search', text: 'a' } }, 5)).toBe(0)
    expect(await store.readMark('m')).toBeUndefined()
  })

  it('is not seen from outside before it is whole, and keeps no reader waiting', async () => {
    const store = await opened()
    const written = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    const batch = store.batch(async () => {
      await store.write(orders, [order('o-1', {})])
      written.resolve()
      await end.promise
    })
    await written.promise
    expect(await store.count(orders, {}, 5)).toBe(0)
    end.resolve()
    await batch
    expect(await store.count(orders, {}, 5)).toBe(1)
  })

  it('fails as a whole when one of its calls did, even if nobody minded', async () => {
    const store = await opened()
    const other = await opened()
    await store.open({ ...orders, name: 'orders@2' })
    await other.drop('orders@2')
    const batch = store.batch(async () => {
      await store.write(orders, [order('o-1', {})])
      await store.write({ ...orders, name: 'orders@2' }, [order('o-1', {})]).catch(() => undefined)
      await store.raiseMark('m', '1').catch(() => undefined)
    })
    await expect(batch).rejects.toThrow('no such table')
    expect(await store.count(orders, {}, 5)).toBe(0)
    expect(await store.readMark('m')).toBeUndefined()
  })

  it('that takes too long is rolled back, and what it still does is refused', async () => {
    const store = await opened({ batchMs: 20 })
    const end = Promise.withResolvers<void>()
    const late = Promise.withResolvers<unknown>()
    const batch = store.batch(async () => {
      await store.write(orders, [order('o-1', {})])
      await end.promise
      late.resolve(await store.raiseMark('m', '1').catch((error: unknown) => error))
    })
    await expect(batch).rejects.toThrow(ViewStoreAway)
    await store.write(orders, [order('o-2', {})])
    end.resolve()
    expect(await late.promise).toBeInstanceOf(ViewStoreAway)
    expect(await store.readMark('m')).toBeUndefined()
    expect([...(await store.load(orders, ['o-1', 'o-2'])).keys()]).toEqual(['o-2'])
  })

  it('neither opens nor drops a collection', async () => {
    const store = await opened()
    await expect(store.batch(() => store.open(orders))).rejects.toThrow('cannot be opened in a batch')
    await expect(store.batch(() => store.drop(orders.name))).rejects.toThrow('cannot be dropped in a batch')
    expect(await store.collections()).toEqual(['orders@1'])
  })

  it('keeps another process neither from opening nor from reading', async () => {
    const store = await opened()
    await store.batch(async () => {
      await store.write(orders, [order('o-1', {})])
      const other = await opened({ waitMs: 0 })
      expect(await other.count(orders, {}, 5)).toBe(0)
    })
  })
})

describe('a file that another process holds', () => {
  it('is away when it is held too long', async () => {
    const store = await opened({ waitMs: 50 })
    const holder = new DatabaseSync(file)
    holder.exec('BEGIN IMMEDIATE')
    await expect(store.write(orders, [order('o-1', {})])).rejects.toThrow(ViewStoreAway)
    await expect(store.batch(async () => {})).rejects.toThrow(ViewStoreAway)
    holder.exec('COMMIT')
    holder.close()
    await store.write(orders, [order('o-1', {})])
    expect(await store.count(orders, {}, 5)).toBe(1)
  })

  it('is waited for without blocking this process', async () => {
    const store = await opened()
    const holder = new DatabaseSync(file)
    holder.exec('BEGIN IMMEDIATE')
    const write = store.write(orders, [order('o-1', {})])
    await othersTurn()
    expect(await store.count(orders, {}, 5)).toBe(0)
    holder.exec('COMMIT')
    holder.close()
    await write
    expect(await store.count(orders, {}, 5)).toBe(1)
  })

  it('takes the writes of two processes at once', async () => {
    const store = await opened()
    const processes = ['a', 'b'].map((name) =>
      otherProcess(`
        for (let at = 100; at < 200; at += 1) {
          const position = at + '${name}'
          const write = () => store.write(orders, [
            { id: 'shared', position, body: { status: position } },
            { id: position, position, body: { search: ['${name}'] } },
          ])
          await (at % 2 ? write() : store.batch(write))
          await store.raiseMark('m', position)
        }
        await store.close()`),
    )
    const exits = await Promise.all(processes.map((child) => once(child, 'exit')))
    expect(exits).toEqual([
      [0, null],
      [0, null],
    ])
    expect((await store.load(orders, ['shared'])).get('shared')).toEqual(order('shared', { status: '199b' }, '199b'))
    expect(await store.count(orders, { beginsWith: { field: 'search', text: '' } }, 1_000)).toBe(200)
    expect(await store.readMark('m')).toBe('199b')
  })

  it('is free again when that process is killed within a batch', async () => {
    const store = await opened()
    const child = otherProcess(`
      await store.batch(async () => {
        await store.write(orders, [{ id: 'o-1', position: '9', body: {} }])
        process.stdout.write('written')
        await new Promise((resolve) => setTimeout(resolve, 60_000))
      })`)
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
    await store.write(orders, [order('o-2', {})])
    expect((await store.find(orders, { limit: 5 })).map(({ id }) => id)).toEqual(['o-2'])
  })
})

it('has no mark without the documents it speaks of, wherever a power cut ends the write-ahead log', async () => {
  const store = await opened()
  for (let at = 1; at <= 20; at += 1) {
    await store.write(orders, [order(`o-${at}`, { status: 'paid', search: [`s${at}`] })])
    await store.raiseMark('m', String(at).padStart(2, '0'))
  }
  const log = await stat(`${file}-wal`)
  const marks = new Set<string>()
  const cuts = Array.from({ length: 100 }, (_, at) => Math.floor((log.size * at) / 99))
  for (const size of cuts) {
    const copy = join(folder, 'copy.db')
    await copyFile(file, copy)
    await copyFile(`${file}-wal`, `${copy}-wal`)
    await truncate(`${copy}-wal`, size)
    const survivor = sqliteViewStore(copy)
    await survivor.open(orders)
    const mark = (await survivor.readMark('m')) ?? '00'
    marks.add(mark)
    expect(await survivor.count(orders, { equals: { status: 'paid' } }, 100)).toBeGreaterThanOrEqual(Number(mark))
    await survivor.close()
    await rm(copy)
  }
  expect(marks.size).toBeGreaterThan(15)
})

/** By how many bytes the memory of this process grew at most. */
async function growthWhile(work: () => Promise<void>): Promise<number> {
  writeFileSync('/proc/self/clear_refs', '5')
  const before = memoryBytes('VmRSS')
  await work()
  return memoryBytes('VmHWM') - before
}

function memoryBytes(figure: string): number {
  const status = readFileSync('/proc/self/status', 'utf8')
  return 1_024 * Number(new RegExp(`^${figure}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1])
}
