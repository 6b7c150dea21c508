import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeEach } from '../../testing/describe-unless.ts'
import { embeddedViewStores, type ViewStoreEngine } from './testing/view-stores.ts'
import { begun, put } from './testing/put.ts'
import { type Collection, type Query, SetGone, type SortKey, type ViewDocument, type ViewStore } from './view-store.ts'

const orders: Collection = {
  name: 'orders',
  fields: {
    status: 'text',
    createdAt: 'text',
    totalCents: 'number',
    isPreOrder: 'boolean',
    search: 'terms',
    tags: 'terms',
  },
  indexes: [['status', 'createdAt'], ['createdAt'], ['totalCents'], ['isPreOrder']],
}
const people: Collection = { name: 'people', fields: { called: 'terms' }, indexes: [], isPersonal: true }

const SET = 'a1'
const source = { set: SET, collection: orders }
const ofPeople = { set: SET, collection: people }

const refusing = () => {
  throw new RangeError('too old')
}

function order(id: string, body?: Readonly<Record<string, unknown>>, position = '1'): ViewDocument {
  return { id, position, body: body && { id, ...body } }
}

const ofStatus = (status: string): Query => ({ equal: { status }, range: { field: 'createdAt' } })

export function viewStoreContract(engine: ViewStoreEngine): void {
  let store: ViewStore

  beforeEach(async () => {
    store = engine.place()()
    await store.create(SET, begun, [orders, people])
    await store.index(SET, [orders, people])
  })

  afterEach(async () => store.close())

  async function write(...documents: readonly ViewDocument[]): Promise<void> {
    await put(store, SET, [{ collection: orders, documents }])
  }

  async function idsOf(query: Query, page: { limit?: number; after?: SortKey } = {}): Promise<string> {
    const rows = await store.find(source, query, { limit: 100, ...page })
    return rows.map(({ id }) => id).join('')
  }

  async function idsOfStatus(status: string): Promise<string> {
    return idsOf({ range: { field: 'status', from: status, below: `${status}\0` } })
  }

  async function loaded(id: string): Promise<ViewDocument | undefined> {
    return (await store.load(source, [id])).get(id)
  }

  it('a document is found by the fields given beside it, and read without them', async () => {
    const fields = { status: 'paid', totalCents: 5, search: ['alice'] }
    await write({ id: 'o', position: '1', body: { status: 'hidden' }, fields })
    expect(await loaded('o')).toEqual({ id: 'o', position: '1', body: { status: 'hidden' } })
    expect(await idsOfStatus('paid')).toBe('o')
    expect(await idsOf({ range: { field: 'totalCents', from: 5 } })).toBe('o')
    expect(await idsOf({ range: { field: 'search', beginsWith: 'al' } })).toBe('o')
    expect(await idsOfStatus('hidden')).toBe('')
  })

  it('of one call only documents with a higher position are written', async () => {
    await write(order('a', { status: 'new' }, '5'), order('b', { status: 'new' }, '5'))
    await write(order('a', { status: 'newer' }, '6'), order('b', { status: 'older' }, '4'), order('c', {}, '1'))
    expect(await idsOfStatus('newer')).toBe('a')
    expect(await idsOfStatus('new')).toBe('b')
    expect(await idsOf({})).toBe('abc')
  })

  it('a malformed document is rejected', async () => {
    for (const [what, document] of [
      ['an empty id', { id: '', position: '1', body: {} }],
      ['half a surrogate pair as id', { id: '\ud800', position: '1', body: {} }],
      ['a body that is no JSON', { id: 'o', position: '1', body: () => 1 }],
      ['a number where text belongs', order('o', { status: 1 })],
      ['a number that is none', order('o', { totalCents: Number.NaN })],
      ['text where a boolean belongs', order('o', { isPreOrder: 'yes' })],
      ['text where terms belong', order('o', { search: 'alice' })],
    ] as const)
      await expect(write(document), what).rejects.toThrow(TypeError)
    expect(await idsOf({})).toBe('')
    expect((await store.stateOf(SET))?.checkpoint).toBe('')
  })

  it('a caller cannot change what is stored', async () => {
    const body = { status: 'paid', list: [1] }
    await write({ id: 'o', position: '1', body })
    body.list.push(2)
    const found = (await loaded('o'))?.body as typeof body
    try {
      found.list.push(3)
    } catch (error) {
      // A copy may be changed; otherwise it is frozen.
      expect(error).toBeInstanceOf(TypeError)
    }
    expect((await loaded('o'))?.body).toEqual({ status: 'paid', list: [1] })
  })

  it('any JSON is stored as it is: even null is no tombstone', async () => {
    const bodies = [null, 0, '', false, [1], { totalCents: 12.5, nested: { list: [1, 'two', null, true] }, none: null }]
    const documents = bodies.map((body, at) => ({ id: String(at), position: '0007', body }))
    await write(...documents)
    expect(await idsOf({})).toBe('012345')
    for (const document of documents) expect(await loaded(document.id)).toEqual(document)
  })

  it('loading returns each existing document once', async () => {
    await write(...['a', 'b', 'c', '\ufffd'].map((id) => order(id, {})))
    const found = await store.load(source, ['c', 'a', 'a', 'missing', '\ud800', '__proto__'])
    expect([...found.keys()].sort()).toEqual(['a', 'c'])
  })

  it('one call loads at most 10,000 documents', async () => {
    const ids = Array.from({ length: 10_000 }, (_, at) => `o-${at}`)
    await write(order('o-9999', {}))
    expect([...(await store.load(source, ids)).keys()]).toEqual(['o-9999'])
    await expect(store.load(source, [...ids, 'one more'])).rejects.toThrow(RangeError)
  })

  describe('broken documents', () => {
    const broken = { position: '4', reason: `it's "so"` }

    it('a broken document is stored, counted and found with its mark until it is written without it', async () => {
      const document = { ...order('a', { status: 'paid' }, '4'), broken }
      await write(document, { ...order('gone', undefined, '4'), broken })
      expect(await store.broken(source)).toHaveLength(2)
      expect(await loaded('a')).toEqual(document)
      expect(await idsOfStatus('paid')).toBe('a')
      await write({ ...order('a', {}, '3'), broken: { ...broken, position: '3' } })
      expect(await loaded('a')).toEqual(document)
      await write(order('a', {}, '5'))
      expect(await store.broken(source)).toHaveLength(1)
    })

    it('broken documents are counted up to 1,000', async () => {
      await write(...Array.from({ length: 1_001 }, (_, at) => ({ ...order(`o-${at}`, {}, '4'), broken })))
      expect(await store.broken(source)).toHaveLength(1_000)
    })
  })

  describe('queries', () => {
    beforeEach(async () => {
      await write(
        order('a', { status: 'paid', createdAt: '2026-01-01', totalCents: 100, isPreOrder: true, search: ['alice'] }),
        order('b', { status: 'paid', createdAt: '2026-01-02', totalCents: 200, isPreOrder: false, search: ['bob'] }),
        order('c', { status: 'pending', createdAt: '2026-01-03', totalCents: 300, search: ['alicia', 'ali'] }),
        order('d', { status: null, createdAt: '2026-01-04', totalCents: -1.5 }),
        order('e', { totalCents: 0, isPreOrder: true, search: null, tags: ['alice'] }),
      )
    })

    it('equal fields and a range find and count the documents that have them, in the order of the index', async () => {
      const cases: [string, Query, string][] = [
        ['nothing', {}, 'abcde'],
        ['nothing, backwards', { direction: 'desc' }, 'edcba'],
        ['zero', { equal: { totalCents: -0 } }, 'e'],
        ['false, which a missing field is not', { equal: { isPreOrder: false } }, 'b'],
        ['a range', { range: { field: 'createdAt', from: '2026-01-02', below: '2026-01-04' } }, 'bc'],
        ['a range without ends: the field is there', { range: { field: 'totalCents' } }, 'deabc'],
        ['equal, then a range', { ...ofStatus('paid'), direction: 'desc' }, 'ba'],
        ['text in another case', ofStatus('Paid'), ''],
        ['the beginning of a text', { range: { field: 'status', beginsWith: 'pa' } }, 'ab'],
        ['the beginning of a text in another case', { range: { field: 'status', beginsWith: 'Pa' } }, ''],
        ['the beginning of an id', { range: { beginsWith: 'c' } }, 'c'],
      ]
      for (const [what, query, ids] of cases) {
        expect(await idsOf(query), what).toBe(ids)
        expect(await store.count(source, query, 100), what).toBe(ids.length)
      }
    })

    it('the beginning of a term finds and counts each document once', async () => {
      for (const [field, ids] of [
        ['search', 'ac'],
        ['tags', 'e'],
      ] as const) {
        const query = { range: { field, beginsWith: 'ali' } }
        expect((await idsOf(query)).split('').toSorted().join('')).toBe(ids)
        expect(await store.count(source, query, 100)).toBe(ids.length)
        expect(await idsOf(query, { limit: 1 })).toHaveLength(1)
      }
    })

    it('a page and a count end at their limit', async () => {
      expect(await store.count(source, {}, 2)).toBe(2)
      expect(await idsOf({}, { limit: 2 })).toBe('ab')
      await expect(store.count(source, {}, 0)).rejects.toThrow(RangeError)
      for (const limit of [0, 5_001, 1.5, Number.NaN]) await expect(idsOf({}, { limit })).rejects.toThrow(RangeError)
    })

    it('a query with a wrong field or value is rejected', async () => {
      const refused: [string, Query][] = [
        ['an undeclared field', { equal: { nickname: 'x' } }],
        ['a field that every object has', { equal: { constructor: 'x' } }],
        ['an undeclared field to sort by', { range: { field: 'id"; DROP TABLE marks; --' } }],
        ['a value of another type', { equal: { totalCents: '1' } }],
        ['a number without end', { equal: { totalCents: -Infinity } }],
        ['a bound of another type', { range: { field: 'createdAt', from: 1 } }],
        ['a range of terms', { range: { field: 'search', from: 'a' } }],
        ['a whole term', { equal: { search: 'alice' } }],
        ['terms of equal fields', { equal: { isPreOrder: true }, range: { field: 'search', beginsWith: 'a' } }],
        ['terms with each id', { select: ['search'] }],
        ['the beginning of a number', { range: { field: 'totalCents', beginsWith: '1' } }],
      ]
      for (const [what, query] of refused) await expect(idsOf(query), what).rejects.toThrow(TypeError)
      const byDate = { range: { field: 'createdAt' } }
      await expect(idsOf(byDate, { after: { value: 1, id: 'a' } })).rejects.toThrow(TypeError)
    })

    it('a query without an index is rejected', async () => {
      for (const query of [
        { equal: { createdAt: '2026', isPreOrder: true } },
        { equal: { isPreOrder: true }, range: { field: 'createdAt' } },
      ])
        await expect(idsOf(query)).rejects.toThrow('no index for')
    })
  })

  it('a lone surrogate is compared as replaced', async () => {
    await write(order('half', { status: 'x\ud83d', search: ['y\ud83d'] }))
    expect(await idsOfStatus('x\ufffd')).toBe('half')
    expect(await idsOf({ range: { field: 'search', beginsWith: 'y\ude00' } })).toBe('half')
    expect((await loaded('half'))?.body).toEqual({ id: 'half', status: 'x\ud83d', search: ['y\ud83d'] })
  })

  it('an inherited property is no field', async () => {
    const body = JSON.parse('{"__proto__": {"status": "inherited"}, "a": 1}') as object
    await write({ id: 'p', position: '1', body })
    expect(await idsOfStatus('inherited')).toBe('')
    expect(JSON.stringify((await loaded('p'))?.body)).toBe(JSON.stringify(body))
  })

  it('a shared text is replaced only if it is what was read', async () => {
    const { texts } = store
    expect(await texts.read('t')).toBeUndefined()
    expect(await texts.replace('t', { from: '', to: '1' })).toBe(false)
    const made = await Promise.all(['1', '2'].map(async (to) => texts.replace('t', { from: undefined, to })))
    expect(made.filter(Boolean)).toHaveLength(1)
    const from = made[0] ? '1' : '2'
    const both = await Promise.all(['3', '4'].map(async (to) => texts.replace('t', { from, to })))
    expect(both.filter(Boolean)).toHaveLength(1)
    expect(await texts.read('t')).toBe(both[0] ? '3' : '4')
    expect(await texts.replace('__proto__', { from: undefined, to: '' })).toBe(true)
    expect([await texts.read('__proto__'), await texts.read('constructor')]).toEqual(['', undefined])
  })

  describe('a page', () => {
    const nothing = { parts: [] }

    it('a page moves the checkpoint only from the value that it follows', async () => {
      expect(await store.fold(SET, { after: '', to: '5', ...nothing })).toBe('5')
      // Another one was faster, or the store lost its end.
      expect(await store.fold(SET, { after: '', to: '3', ...nothing })).toBe('5')
      expect(await store.fold(SET, { after: '7', to: '9', ...nothing })).toBe('5')
      expect(await store.fold(SET, { after: '5', to: '6', ...nothing })).toBe('6')
      expect(await store.stateOf(SET)).toEqual({ ...begun, checkpoint: '6' })
    })

    it('a page is folded into the stored documents of all collections', async () => {
      await put(store, SET, [
        { collection: people, documents: [order('p', { called: ['ann'] })] },
        { collection: orders, documents: [order('a', { status: 'old' })] },
      ])
      const after = (await store.stateOf(SET))?.checkpoint ?? ''
      const parts = [orders, people].map((collection) => ({
        collection,
        ids: ['a', 'p', 'new'],
        fold: (loaded: ReadonlyMap<string, ViewDocument>, checkpoint: string) => [
          order(collection.name, { status: checkpoint === after ? [...loaded.keys()].join() : checkpoint }, '9'),
        ],
      }))
      await store.fold(SET, { after, to: '9', parts })
      expect((await loaded('orders'))?.body).toMatchObject({ status: 'a' })
      expect((await store.load(ofPeople, ['people'])).get('people')?.body).toMatchObject({ status: 'p' })
    })
  })

  describe('a set', () => {
    const gone = { set: 'c3', collection: orders }

    it('a set with a wrong name, field or index is rejected', async () => {
      const plain: Collection = { name: 'plain', fields: {}, indexes: [] }
      for (const [what, collection] of [
        ['a number', { ...plain, name: 'orders1' }],
        ['a name with a quote', { ...plain, name: 'orders"' }],
        ['a name of a field', { ...plain, fields: { 'a"b': 'text' } }],
        ['the name of the id', { ...plain, fields: { id: 'text' } }],
        ['an index over nothing declared', { ...plain, indexes: [['status']] }],
      ] as const)
        await expect(store.create('d4', begun, [collection]), what).rejects.toThrow(TypeError)
    })

    it('a dropped set is never read as empty', async () => {
      await store.create('c3', { ...begun, beginHead: '7' }, [orders])
      expect((await store.found()).toSorted()).toEqual([SET, 'c3'])
      expect(await store.stateOf('c3')).toMatchObject({ beginHead: '7', checkpoint: '' })
      expect(await store.find(gone, {}, { limit: 1 })).toEqual([])
      await store.drop('c3')
      expect(await store.found()).toEqual([SET])
      expect(await store.stateOf('c3')).toBeUndefined()
      for (const ask of [
        async () => store.load(gone, ['o']),
        async () => store.find(gone, {}, { limit: 1 }),
        async () => store.count(gone, {}, 1),
        async () => store.broken(gone),
        async () => store.fold('c3', { after: '', to: '1', parts: [] }),
      ])
        await expect(ask()).rejects.toThrow(SetGone)
      await store.drop('c3')
    })

    it('a reader learns the checkpoint of its read, and may reject it', async () => {
      const checkpoint = await put(store, SET, [{ collection: orders, documents: [order('o', {})] }])
      const seen: string[] = []
      await store.find({ ...source, onRead: (at) => void seen.push(at) }, {}, { limit: 1 })
      expect(seen).toEqual([checkpoint])
      await expect(store.load({ ...source, onRead: refusing }, ['o'])).rejects.toThrow(RangeError)
    })

    it('a wipe that is not due does nothing', async () => {
      await store.wipe(SET)
      expect((await store.bytes(SET)) ?? 0).toBeGreaterThanOrEqual(0)
    })
  })
}

export function sharedViewStoreContract(engine: ViewStoreEngine): void {
  let place: () => ViewStore
  let one: ViewStore
  let other: ViewStore

  beforeEach(async () => {
    place = engine.place()
    one = place()
    other = place()
    await one.create(SET, begun, [orders, people])
    await one.index(SET, [orders, people])
  })

  afterEach(async () => Promise.all([one.close(), other.close()]))

  it('a store reads what another has written, and keeps its newer documents', async () => {
    const later = order('o', { status: 'later' }, '2')
    await put(one, SET, [{ collection: orders, documents: [later] }])
    expect(await other.find(source, { range: { field: 'status', beginsWith: 'later' } }, { limit: 5 })).toHaveLength(1)
    await put(other, SET, [{ collection: orders, documents: [order('o', {}, '1')] }])
    expect((await one.load(source, ['o'])).get('o')).toEqual(later)
  })

  it('two stores that fold at the same time fold each page once', async () => {
    const pages = Array.from({ length: 20 }, (_, at) => String(at + 10))
    const folded = async (store: ViewStore): Promise<void> => {
      for (let at = (await store.stateOf(SET))?.checkpoint ?? ''; at < '29';) {
        const to = pages.find((page) => page > at) ?? ''
        const count = (loaded: ReadonlyMap<string, ViewDocument>, checkpoint: string): ViewDocument[] => {
          const known = loaded.get('count')
          const events = (known?.body as { events: number } | undefined)?.events ?? 0
          if (known && known.position >= to) return known.position > checkpoint ? [known] : []
          return [order('count', { events: events + 1 }, to)]
        }
        const parts = [orders, people].map((collection) => ({ collection, ids: ['count'], fold: count }))
        at = await store.fold(SET, { after: at, to, parts })
      }
    }
    await Promise.all([folded(one), folded(other)])
    for (const of of [source, ofPeople])
      expect((await one.load(of, ['count'])).get('count')?.body).toEqual({ id: 'count', events: pages.length })
  })

  it('a store that is opened again has everything', async () => {
    await put(one, SET, [{ collection: orders, documents: [order('o', {})] }])
    await one.texts.replace('t', { from: undefined, to: '1' })
    await Promise.all([one.close(), other.close()])
    one = place()
    expect(await one.texts.read('t')).toBe('1')
    expect(await one.count(source, {}, 5)).toBe(1)
  })

  it('a set that another store dropped is gone for reads and folds, and leaves nothing behind', async () => {
    await put(other, SET, [{ collection: orders, documents: [order('o', {})] }])
    await one.drop(SET)
    // The embedded engine looks at its files now and then: what it drops itself it knows at once.
    await other.drop(SET)
    await expect(other.find(source, {}, { limit: 5 })).rejects.toThrow(SetGone)
    await expect(other.fold(SET, { after: '9', to: '9', parts: [] })).rejects.toThrow(SetGone)
    expect(await other.found()).toEqual([])
  })
}

const shared = embeddedViewStores.filter(({ isShared }) => isShared)
describeEach(embeddedViewStores, 'view store contract', viewStoreContract)
describeEach(shared, 'two view stores on one database', sharedViewStoreContract)
