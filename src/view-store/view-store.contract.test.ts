import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ViewStorePlace, viewStores } from './testing/view-stores.ts'
import type { Collection, Query, ViewDocument, ViewStore } from './view-store.ts'

const reachable = viewStores.filter(({ missing }) => missing === undefined)

const orders: Collection = {
  name: 'orders@1',
  fields: {
    status: 'text',
    createdAt: 'text',
    totalCents: 'number',
    isPreOrder: 'boolean',
    search: 'terms',
    tags: 'terms',
  },
  indexes: [['status', 'createdAt'], ['createdAt'], ['totalCents'], ['search']],
}

function order(id: string, body?: Readonly<Record<string, unknown>>, position = '1'): ViewDocument {
  return { id, position, body: body && { id, ...body } }
}

describe.for(viewStores.filter(({ missing }) => missing !== undefined))('view store contract: $name', ({ missing }) => {
  it(`is not run: ${missing}`, ({ skip }) => skip(missing))
})

describe.for(reachable)('view store contract: $name', (engine) => {
  let place: ViewStorePlace
  let store: ViewStore

  beforeEach(async () => {
    place = await engine.place()
    store = place.store()
    await store.open(orders)
  })

  afterEach(async () => {
    await store.close()
    await place.remove()
  })

  async function idsOf(query: Partial<Query>): Promise<string[]> {
    const found = await store.find(orders, { limit: 100, ...query })
    return found.map(({ id }) => id)
  }

  async function pageOf(query: Query, countMax: number) {
    const { documents, ...rest } = await store.findPage(orders, query, countMax)
    return { ids: documents.map(({ id }) => id).join(''), ...rest }
  }

  async function loaded(id: string): Promise<ViewDocument | undefined> {
    return (await store.load(orders, [id])).get(id)
  }

  describe('writing', () => {
    it('keeps a document as it was written', async () => {
      const document = {
        id: 'o-1',
        position: '0007',
        body: { status: 'paid', totalCents: 12.5, nested: { list: [1, 'two', null, true] }, none: null },
      }
      await store.write(orders, [document])
      expect(await loaded('o-1')).toEqual(document)
      expect(await store.find(orders, { limit: 1 })).toEqual([document])
    })

    it('finds a document by the fields that are given beside it, and answers only what it holds', async () => {
      const body = { status: 'hidden', rest: 1 }
      const fields = { status: 'paid', totalCents: 5, search: ['alice'] }
      await store.write(orders, [{ id: 'o-1', position: '1', body, fields }])
      expect(await loaded('o-1')).toEqual({ id: 'o-1', position: '1', body })
      expect(await store.find(orders, { equals: { status: 'paid' }, limit: 1 })).toEqual([await loaded('o-1')])
      expect(await idsOf({ range: { field: 'totalCents', from: 5 } })).toEqual(['o-1'])
      expect(await idsOf({ beginsWith: { field: 'search', text: 'al' } })).toEqual(['o-1'])
      expect(await idsOf({ equals: { status: 'hidden' } })).toEqual([])
    })

    it('writes over a lower position', async () => {
      await store.write(orders, [order('o-1', { status: 'pending' }, '1')])
      await store.write(orders, [order('o-1', { status: 'paid' }, '2')])
      expect(await loaded('o-1')).toEqual(order('o-1', { status: 'paid' }, '2'))
      expect(await idsOf({ equals: { status: 'pending' } })).toEqual([])
      expect(await idsOf({ equals: { status: 'paid' } })).toEqual(['o-1'])
    })

    it.for(['1', '2'])('changes nothing at position %s when 2 is stored', async (position) => {
      const stored = order('o-1', { status: 'paid', search: ['alice'] }, '2')
      await store.write(orders, [stored])
      await store.write(orders, [order('o-1', { status: 'pending', search: ['bob'] }, position)])
      await store.write(orders, [order('o-1', undefined, position)])
      await store.write(orders, [{ ...stored, position, broken: { position, reason: 'x' } }])
      expect(await loaded('o-1')).toEqual(stored)
      expect(await idsOf({ equals: { status: 'pending' } })).toEqual([])
      expect(await idsOf({ beginsWith: { field: 'search', text: 'bob' } })).toEqual([])
      expect(await idsOf({ beginsWith: { field: 'search', text: 'alice' } })).toEqual(['o-1'])
      expect(await store.countBroken(orders)).toBe(0)
    })

    it('compares positions as text', async () => {
      await store.write(orders, [order('o-1', { status: 'a' }, '9')])
      await store.write(orders, [order('o-1', { status: 'b' }, '10')])
      expect((await loaded('o-1'))?.position).toBe('9')
    })

    it('writes those with a higher position and leaves the others in the same call', async () => {
      await store.write(orders, [order('o-1', { status: 'new' }, '5'), order('o-2', { status: 'new' }, '5')])
      await store.write(orders, [
        order('o-1', { status: 'newer' }, '6'),
        order('o-2', { status: 'older' }, '4'),
        order('o-3', { status: 'first' }, '1'),
      ])
      expect(await idsOf({ sort: { field: 'status', direction: 'asc' } })).toEqual(['o-3', 'o-2', 'o-1'])
    })

    it('adds terms that are new, keeps those that stay and forgets the others', async () => {
      await store.write(orders, [order('o-1', { search: ['alice', 'bob'], tags: ['bob'] }, '1')])
      await store.write(orders, [order('o-1', { search: ['bob', 'carol'], tags: ['bob'] }, '2')])
      expect(await idsOf({ beginsWith: { field: 'search', text: 'alice' } })).toEqual([])
      expect(await idsOf({ beginsWith: { field: 'search', text: 'bob' } })).toEqual(['o-1'])
      expect(await idsOf({ beginsWith: { field: 'search', text: 'carol' } })).toEqual(['o-1'])
      expect(await idsOf({ beginsWith: { field: 'tags', text: 'bob' } })).toEqual(['o-1'])
      expect(await idsOf({ beginsWith: { field: 'tags', text: 'carol' } })).toEqual([])
    })

    it('takes the highest of several positions of one document in one call', async () => {
      await store.write(
        orders,
        ['2', '3', '1'].map((position) => order('o-1', { status: position }, position)),
      )
      expect(await loaded('o-1')).toEqual(order('o-1', { status: '3' }, '3'))
      expect(await idsOf({})).toEqual(['o-1'])
    })

    it('writes nothing when one of the documents is not sound', async () => {
      await expect(store.write(orders, [order('o-1', {}), order('o-2', { totalCents: '12' })])).rejects.toThrow(
        TypeError,
      )
      expect(await idsOf({})).toEqual([])
    })

    it.for([
      ['an empty id', { id: '', position: '1', body: {} }],
      ['half a surrogate pair as id', { id: '\ud800', position: '1', body: {} }],
      ['a body that is no JSON', { id: 'o-1', position: '1', body: () => 1 }],
      ['a number where text belongs', order('o-1', { status: 1 })],
      ['a number that is none', order('o-1', { totalCents: Number.NaN })],
      ['a number without end', order('o-1', { totalCents: -Infinity })],
      ['text where a boolean belongs', order('o-1', { isPreOrder: 'yes' })],
      ['text where terms belong', order('o-1', { search: 'alice' })],
      ['a number among terms', order('o-1', { search: ['alice', 1] })],
    ] as const)('refuses %s', async ([, document]) => {
      await expect(store.write(orders, [document])).rejects.toThrow(TypeError)
      expect(await idsOf({})).toEqual([])
    })

    it('does not let a caller change what is stored', async () => {
      const body = { status: 'paid', list: [1] }
      await store.write(orders, [{ id: 'o-1', position: '1', body }])
      body.status = 'changed'
      body.list.push(2)
      const found = (await loaded('o-1'))?.body as typeof body
      try {
        found.list.push(3)
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError)
      }
      expect(await loaded('o-1')).toEqual({ id: 'o-1', position: '1', body: { status: 'paid', list: [1] } })
    })

    it('takes an empty list', async () => {
      await store.write(orders, [])
      expect(await idsOf({})).toEqual([])
    })

    it('keeps a body that is no object, and even null, for it is no tombstone', async () => {
      const bodies = [null, 0, '', false, [1]]
      await store.write(
        orders,
        bodies.map((body, at) => ({ id: `o-${at}`, position: '1', body })),
      )
      expect((await store.find(orders, { limit: 10 })).map(({ body }) => body)).toEqual(bodies)
    })
  })

  describe('loading', () => {
    it('answers those that exist, each once', async () => {
      await store.write(
        orders,
        ['o-1', 'o-2', 'o-3', '\ufffd'].map((id) => order(id, {})),
      )
      const found = await store.load(orders, ['o-3', 'o-1', 'o-1', 'missing', '\ud800', '__proto__'])
      expect([...found.keys()].sort()).toEqual(['o-1', 'o-3'])
    })

    it('loads 10,000 at most', async () => {
      const ids = Array.from({ length: 10_000 }, (_, at) => `o-${at}`)
      await store.write(orders, [order('o-9999', {})])
      expect([...(await store.load(orders, ids)).keys()]).toEqual(['o-9999'])
      await expect(store.load(orders, [...ids, 'one more'])).rejects.toThrow(RangeError)
    })
  })

  describe('tombstones', () => {
    beforeEach(async () => {
      await store.write(orders, [order('o-1', { status: 'paid', createdAt: '2026', search: ['alice'] }, '1')])
      await store.write(orders, [order('o-2', { status: 'paid', createdAt: '2026', search: ['alice'] }, '1')])
      await store.write(orders, [order('o-1', undefined, '2'), order('never-lived', undefined, '2')])
    })

    it('are loaded, with their position', async () => {
      const found = await store.load(orders, ['o-1', 'never-lived'])
      expect(found.get('o-1')).toEqual({ id: 'o-1', position: '2', body: undefined })
      expect(found.get('never-lived')).toEqual({ id: 'never-lived', position: '2', body: undefined })
    })

    it.for<[string, Partial<Query>]>([
      ['without a condition', {}],
      ['by id', { sort: { direction: 'desc' } }],
      ['by a field', { sort: { field: 'createdAt', direction: 'asc' } }],
      ['by a field from behind', { sort: { field: 'createdAt', direction: 'desc' } }],
      ['behind a missing value', { sort: { field: 'createdAt', direction: 'asc' }, after: { id: '' } }],
      ['before a value', { sort: { field: 'createdAt', direction: 'desc' }, after: { value: '9', id: '' } }],
      ['behind an id', { after: { id: '' } }],
      ['by an equal field', { equals: { status: 'paid' } }],
      ['by any of some values', { anyOf: { field: 'status', values: ['paid', 'pending'] } }],
      ['by a term', { beginsWith: { field: 'search', text: '' } }],
      ['by the beginning of a text', { beginsWith: { field: 'status', text: '' } }],
      ['by the beginning of its id', { beginsWith: { field: 'id', text: 'o' } }],
      ['by a range', { range: { field: 'createdAt', to: '3' } }],
    ])('are never found %s', async ([, query]) => {
      expect(await idsOf(query)).toEqual(['o-2'])
      expect(await store.count(orders, query, 10)).toBe(1)
    })

    it('can be written over by a later document', async () => {
      await store.write(orders, [order('o-1', { search: ['carol'] }, '1')])
      expect((await loaded('o-1'))?.body).toBeUndefined()
      await store.write(orders, [order('o-1', { search: ['carol'] }, '3')])
      expect(await idsOf({ beginsWith: { field: 'search', text: 'carol' } })).toEqual(['o-1'])
    })
  })

  describe('broken documents', () => {
    const broken = { position: '4', reason: `it's "so"` }

    it('are kept, counted and found with their mark', async () => {
      const document = { ...order('o-1', { status: 'paid' }, '4'), broken }
      await store.write(orders, [document, order('o-2', { status: 'paid' }, '4')])
      expect(await store.countBroken(orders)).toBe(1)
      expect(await loaded('o-1')).toEqual(document)
      expect(await store.find(orders, { equals: { status: 'paid' }, limit: 5 })).toEqual([
        document,
        order('o-2', { status: 'paid' }, '4'),
      ])
    })

    it('are counted without a body too, but not found', async () => {
      await store.write(orders, [{ ...order('o-1', undefined, '4'), broken }])
      expect(await store.countBroken(orders)).toBe(1)
      expect(await idsOf({})).toEqual([])
      expect(await loaded('o-1')).toEqual({ id: 'o-1', position: '4', body: undefined, broken })
    })

    it('are whole again when they are written without the mark', async () => {
      await store.write(orders, [{ ...order('o-1', {}, '4'), broken }])
      await store.write(orders, [order('o-1', {}, '5')])
      expect(await store.countBroken(orders)).toBe(0)
      expect(await loaded('o-1')).toEqual(order('o-1', {}, '5'))
    })

    it('are counted up to 1,000', async () => {
      await store.write(
        orders,
        Array.from({ length: 1_001 }, (_, at) => ({ ...order(`o-${at}`, {}, '4'), broken })),
      )
      expect(await store.countBroken(orders)).toBe(1_000)
    })
  })

  describe('conditions', () => {
    beforeEach(async () => {
      await store.write(orders, [
        order('a', { status: 'paid', createdAt: '2026-01-01', totalCents: 100, isPreOrder: true, search: ['alice'] }),
        order('b', { status: 'paid', createdAt: '2026-01-02', totalCents: 200, isPreOrder: false, search: ['bob'] }),
        order('c', { status: 'pending', createdAt: '2026-01-03', totalCents: 300, search: ['alicia', 'ali'] }),
        order('d', { status: null, createdAt: '2026-01-04', totalCents: -1.5 }),
        order('e', { totalCents: 0, isPreOrder: true, search: null, tags: ['alice'] }),
      ])
    })

    it.for<[string, Pick<Query, 'equals' | 'anyOf' | 'beginsWith' | 'range'>, string]>([
      ['no condition', {}, 'abcde'],
      ['an equal text', { equals: { status: 'paid' } }, 'ab'],
      ['an equal number', { equals: { totalCents: -1.5 } }, 'd'],
      ['zero', { equals: { totalCents: -0 } }, 'e'],
      ['true', { equals: { isPreOrder: true } }, 'ae'],
      ['false, which a missing field is not', { equals: { isPreOrder: false } }, 'b'],
      ['several equal fields', { equals: { status: 'paid', isPreOrder: false } }, 'b'],
      ['text in another case', { equals: { status: 'Paid' } }, ''],
      ['any of some texts', { anyOf: { field: 'status', values: ['pending', 'paid', 'gone'] } }, 'abc'],
      ['any of one', { anyOf: { field: 'status', values: ['pending'] } }, 'c'],
      ['any of none', { anyOf: { field: 'status', values: [] } }, ''],
      ['any of the same twice', { anyOf: { field: 'totalCents', values: [100, 100] } }, 'a'],
      ['any of numbers', { anyOf: { field: 'totalCents', values: [0, 100, -1.5] } }, 'ade'],
      ['any of booleans', { anyOf: { field: 'isPreOrder', values: [true, false] } }, 'abe'],
      ['a range of text', { range: { field: 'createdAt', from: '2026-01-02', to: '2026-01-04' } }, 'bc'],
      ['a range from', { range: { field: 'totalCents', from: 100 } }, 'abc'],
      ['a range to, without those that have no such field', { range: { field: 'createdAt', to: '2026-01-02' } }, 'a'],
      ['a range of numbers to', { range: { field: 'totalCents', to: 100 } }, 'de'],
      ['a range of booleans', { range: { field: 'isPreOrder', from: false, to: true } }, 'b'],
      ['an empty range', { range: { field: 'totalCents', from: 100, to: 100 } }, ''],
      ['a range without ends: the field is there', { range: { field: 'status' } }, 'abc'],
      ['the beginning of a text', { beginsWith: { field: 'status', text: 'pa' } }, 'ab'],
      ['the whole text', { beginsWith: { field: 'status', text: 'paid' } }, 'ab'],
      ['no beginning at all: the field is there', { beginsWith: { field: 'status', text: '' } }, 'abc'],
      ['the beginning of an id', { beginsWith: { field: 'id', text: 'c' } }, 'c'],
      ['the beginning of every id', { beginsWith: { field: 'id', text: '' } }, 'abcde'],
      ['an id in another case', { beginsWith: { field: 'id', text: 'C' } }, ''],
      ['an id and more', { beginsWith: { field: 'id', text: 'a' }, equals: { status: 'paid' } }, 'a'],
      ['an id of another status', { beginsWith: { field: 'id', text: 'c' }, equals: { status: 'paid' } }, ''],
      ['the beginning of a term, each document once', { beginsWith: { field: 'search', text: 'ali' } }, 'ac'],
      ['the beginning of no term', { beginsWith: { field: 'search', text: 'lice' } }, ''],
      ['a term of another field', { beginsWith: { field: 'tags', text: 'ali' } }, 'e'],
      ['any term', { beginsWith: { field: 'search', text: '' } }, 'abc'],
      ['a term and more', { beginsWith: { field: 'search', text: 'ali' }, equals: { status: 'paid' } }, 'a'],
      [
        'all kinds at once',
        {
          equals: { isPreOrder: true },
          anyOf: { field: 'status', values: ['paid', 'pending'] },
          beginsWith: { field: 'search', text: 'al' },
          range: { field: 'totalCents', from: 1, to: 101 },
        },
        'a',
      ],
    ])('finds and counts %s', async ([, query, ids]) => {
      expect((await idsOf(query)).join('')).toBe(ids)
      expect(await store.count(orders, query, 100)).toBe(ids.length)
      expect((await store.findIds(orders, query, 100)).toSorted().join('')).toBe(ids)
    })

    it('takes 1,000 values, and not one more', async () => {
      const values = Array.from({ length: 1_000 }, (_, at) => at)
      expect((await idsOf({ anyOf: { field: 'totalCents', values } })).join('')).toBe('abce')
      await expect(idsOf({ anyOf: { field: 'totalCents', values: [...values, 1_000] } })).rejects.toThrow(RangeError)
    })

    it('counts no further than it is asked to', async () => {
      expect(await store.count(orders, {}, 2)).toBe(2)
      expect(await store.count(orders, { equals: { status: 'paid' } }, 1)).toBe(1)
      expect(await store.count(orders, { beginsWith: { field: 'search', text: 'a' } }, 1)).toBe(1)
      expect(await store.count(orders, { beginsWith: { field: 'search', text: 'a' } }, 2)).toBe(2)
      await expect(store.count(orders, {}, 0)).rejects.toThrow(RangeError)
    })

    it('finds a page, and counts all that match as far as it is asked to', async () => {
      const query: Query = {
        range: { field: 'totalCents', from: 0 },
        sort: { field: 'totalCents', direction: 'asc' },
        limit: 2,
      }
      const stoppedAt = undefined
      expect(await pageOf(query, 100)).toEqual({ ids: 'ea', stoppedAt, count: 4 })
      expect(await pageOf(query, 3)).toEqual({ ids: 'ea', stoppedAt, count: 3 })
      expect(await pageOf(query, 0)).toEqual({ ids: 'ea', stoppedAt, count: 0 })
      const behind = { ...query, after: { value: 100, id: 'a' } }
      expect(await pageOf(behind, 100)).toEqual({ ids: 'bc', stoppedAt, count: 4 })
      const nothing = { ...query, equals: { status: 'gone' } }
      expect(await pageOf(nothing, 100)).toEqual({ ids: '', stoppedAt, count: 0 })
      await expect(pageOf({ ...query, limit: 0 }, 100)).rejects.toThrow(RangeError)
    })

    it('finds fields alone, of the same documents in the same order', async () => {
      const query: Query = { sort: { field: 'totalCents', direction: 'desc' }, limit: 4 }
      expect(await store.findFields(orders, query, ['isPreOrder', 'status', 'totalCents'])).toEqual([
        { id: 'c', values: [undefined, 'pending', 300] },
        { id: 'b', values: [false, 'paid', 200] },
        { id: 'a', values: [true, 'paid', 100] },
        { id: 'e', values: [true, undefined, 0] },
      ])
      const behind = { ...query, after: { value: 200, id: 'b' }, beginsWith: { field: 'search', text: 'a' } }
      expect(await store.findFields(orders, behind, [])).toEqual([{ id: 'a', values: [] }])
    })

    it('finds what fields are compared by, and nothing where there is none', async () => {
      await store.write(orders, [
        order('f', { status: '\ud800😀\uffff', totalCents: -0, isPreOrder: null }),
        order('g', undefined),
      ])
      expect(
        await store.findFields(orders, { after: { id: 'e' }, limit: 5 }, ['status', 'totalCents', 'isPreOrder']),
      ).toEqual([{ id: 'f', values: ['\ufffd😀\uffff', 0, undefined] }])
    })

    it.for([['nickname'], ['constructor'], ['id'], ['search']])('finds no field %s', async ([field = '']) => {
      await expect(store.findFields(orders, { limit: 5 }, [field])).rejects.toThrow(TypeError)
      await expect(store.findFields(orders, { limit: 2_001 }, ['status'])).rejects.toThrow(RangeError)
    })

    it('finds no more ids than it is asked to, the same ones each time', async () => {
      const query = { beginsWith: { field: 'search', text: 'a' } }
      const found = await store.findIds(orders, query, 1)
      expect(found).toEqual([expect.stringMatching(/^[ac]$/)])
      expect(await store.findIds(orders, query, 1)).toEqual(found)
      await expect(store.findIds(orders, {}, 0)).rejects.toThrow(RangeError)
      await expect(store.findIds(orders, {}, 2_001)).rejects.toThrow(RangeError)
    })

    it('finds no more than it is asked to', async () => {
      expect(await idsOf({ limit: 2 })).toEqual(['a', 'b'])
      await Promise.all(
        [0, 2_001, 1.5, Number.NaN].map((limit) => expect(idsOf({ limit })).rejects.toThrow(RangeError)),
      )
      expect(await idsOf({ limit: 2_000 })).toHaveLength(5)
    })

    it.for<[string, Partial<Query>]>([
      ['an undeclared field', { equals: { nickname: 'x' } }],
      ['a field that every object has', { equals: { constructor: 'x' } }],
      ['an undeclared field to sort by', { sort: { field: 'id"; DROP TABLE marks; --', direction: 'asc' } }],
      ['a value of another type', { equals: { totalCents: '1' } }],
      ['a number without end', { equals: { totalCents: -Infinity } }],
      ['a bound of another type', { range: { field: 'createdAt', from: 1 } }],
      [
        'a page behind a value of another type',
        {
          sort: { field: 'createdAt', direction: 'asc' },
          after: { value: 1, id: 'a' },
        },
      ],
      ['an equal term', { equals: { search: 'alice' } }],
      ['an order by what every object has', { sort: { field: 'constructor', direction: 'asc' } }],
      ['an order by terms', { sort: { field: 'search', direction: 'asc' } }],
      ['an equal id, which is for loading', { equals: { id: 'a' } }],
      ['the beginning of a number', { beginsWith: { field: 'totalCents', text: '1' } }],
    ])('refuses %s', async ([, query]) => {
      await expect(idsOf(query)).rejects.toThrow(TypeError)
    })
  })

  describe('characters', () => {
    const strange = [
      '__proto__',
      'constructor',
      `o'brien`,
      '"quoted"',
      '100%',
      '100_',
      '1000',
      '*?[a]',
      'a\\b',
      'nul\0l',
      'ä',
      'ﬀ',
      '\ud7ff',
      '\ue000',
      '\uffff',
      '😀',
      '\u{10ffff}',
      '\u{10ffff}x',
      'a\u{10ffff}',
      ' ',
    ]

    beforeEach(async () => {
      await store.write(
        orders,
        strange.map((text) => order(text, { status: text, search: [text, `${text} ${text}`] })),
      )
    })

    it.for(strange)('are an id like any other: %j', async (text) => {
      const document = order(text, { status: text, search: [text, `${text} ${text}`] })
      expect([...(await store.load(orders, [text]))]).toEqual([[text, document]])
      expect(await store.find(orders, { equals: { status: text }, limit: 2 })).toEqual([document])
      expect(await store.find(orders, { anyOf: { field: 'status', values: [text, 'x'] }, limit: 2 })).toEqual([
        document,
      ])
    })

    it.for([...strange, '', '1', 'nul', '\0', 'nul\0', '%', '_'])('begin a text or a term: %j', async (text) => {
      const expected = strange.filter((each) => each.startsWith(text)).sort()
      expect((await idsOf({ beginsWith: { field: 'status', text } })).sort()).toEqual(expected)
      expect((await idsOf({ beginsWith: { field: 'search', text } })).sort()).toEqual(expected)
      expect((await idsOf({ beginsWith: { field: 'id', text } })).sort()).toEqual(expected)
      expect(await store.count(orders, { beginsWith: { field: 'search', text } }, 100)).toBe(expected.length)
    })

    it('are sorted by code point', async () => {
      const expected = strange.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      expect(await idsOf({ sort: { field: 'status', direction: 'asc' } })).toEqual(expected)
      expect(await idsOf({ sort: { direction: 'desc' } })).toEqual(expected.toReversed())
    })

    it('count as replaced where they are half a surrogate pair', async () => {
      await store.write(orders, [order('half', { status: 'x\ud83d', search: ['y\ud83d'] })])
      expect(await idsOf({ equals: { status: 'x\ufffd' } })).toEqual(['half'])
      expect(await idsOf({ equals: { status: 'x\ude00' } })).toEqual(['half'])
      expect(await idsOf({ beginsWith: { field: 'search', text: 'y\ude00' } })).toEqual(['half'])
      expect((await loaded('half'))?.body).toEqual({ id: 'half', status: 'x\ud83d', search: ['y\ud83d'] })
    })

    it('name no field by being inherited', async () => {
      const body = JSON.parse('{"__proto__": {"status": "inherited"}, "a": 1}') as object
      await store.write(orders, [{ id: 'p', position: '1', body }])
      expect(await idsOf({ equals: { status: 'inherited' } })).toEqual([])
      expect(JSON.stringify((await loaded('p'))?.body)).toBe(JSON.stringify(body))

      const odd = { name: 'odd@1', fields: { constructor: 'text' as const }, indexes: [['constructor']] }
      await store.open(odd)
      await store.write(odd, [order('without', {}), order('with', { constructor: 'x' })])
      expect(await store.find(odd, { beginsWith: { field: 'constructor', text: '' }, limit: 5 })).toEqual([
        order('with', { constructor: 'x' }),
      ])
    })
  })

  describe('pages', () => {
    const bodies = [
      ['a', { status: 'paid', createdAt: '1', totalCents: 5, isPreOrder: false }],
      ['b', { status: 'paid', createdAt: '2', totalCents: 5, isPreOrder: true }],
      ['c', { status: 'paid', createdAt: '2', totalCents: 5 }],
      ['d', { status: 'paid', createdAt: '2', totalCents: 4, isPreOrder: true }],
      ['e', { status: 'paid', totalCents: -4 }],
      ['f', { status: 'paid', createdAt: null }],
      ['g', { status: 'pending', createdAt: '2' }],
      ['h', { status: 'paid', createdAt: '', totalCents: 0 }],
    ] as const

    beforeEach(async () => {
      await store.write(
        orders,
        bodies.map(([id, body]) => order(id, { ...body, search: ['ann', 'anna'] })),
      )
    })

    const cases: [string, Partial<Query>, string][] = [
      ['by id', {}, 'abcdefgh'],
      ['by text, missing first', { sort: { field: 'createdAt', direction: 'asc' } }, 'efhabcdg'],
      ['by number', { sort: { field: 'totalCents', direction: 'asc' } }, 'fgehdabc'],
      ['by boolean', { sort: { field: 'isPreOrder', direction: 'asc' } }, 'cefghabd'],
      ['within a status', { equals: { status: 'paid' }, sort: { field: 'createdAt', direction: 'asc' } }, 'efhabcd'],
      [
        'within a range of the same field',
        { range: { field: 'createdAt', from: '2', to: '3' }, sort: { field: 'createdAt', direction: 'asc' } },
        'bcdg',
      ],
      [
        'within a beginning of the same field',
        { beginsWith: { field: 'createdAt', text: '2' }, sort: { field: 'createdAt', direction: 'asc' } },
        'bcdg',
      ],
      [
        'within a range of another field',
        { range: { field: 'totalCents', from: 0 }, sort: { field: 'createdAt', direction: 'asc' } },
        'habcd',
      ],
      [
        'within a term',
        { beginsWith: { field: 'search', text: 'ann' }, sort: { field: 'totalCents', direction: 'asc' } },
        'fgehdabc',
      ],
      [
        'within some values',
        { anyOf: { field: 'createdAt', values: ['1', '2'] }, sort: { field: 'createdAt', direction: 'asc' } },
        'abcdg',
      ],
    ]

    it.for(cases)('go on where the last one ended, %s', async ([, query, ids]) => {
      const backwards = { ...query, sort: { ...query.sort, direction: 'desc' as const } }
      for (const limit of [1, 2, 3, 100]) {
        expect((await walked(store, query, limit)).join('')).toBe(ids)
        expect((await walked(store, backwards, limit)).toReversed().join('')).toBe(ids)
      }
    })

    it('go on behind a document that is gone', async () => {
      const sort = { field: 'createdAt', direction: 'asc' } as const
      expect((await idsOf({ sort, after: { value: '1', id: 'zzz' } })).join('')).toBe('bcdg')
      expect((await idsOf({ sort, after: { value: '15', id: 'zzz' } })).join('')).toBe('bcdg')
      expect((await idsOf({ sort, after: { id: 'zzz' } })).join('')).toBe('habcdg')
      expect((await idsOf({ sort: { ...sort, direction: 'desc' }, after: { id: '' } })).join('')).toBe('')
      expect((await idsOf({ sort: { direction: 'asc' }, after: { id: 'c"' } })).join('')).toBe('defgh')
    })

    it('go on behind a value outside the range', async () => {
      const range = { field: 'createdAt', from: '1', to: '2' }
      const sort = { field: 'createdAt', direction: 'asc' } as const
      expect((await idsOf({ range, sort, after: { value: '0', id: 'x' } })).join('')).toBe('a')
      expect((await idsOf({ range, sort, after: { value: '3', id: 'x' } })).join('')).toBe('')
    })
  })

  describe('marks', () => {
    it('are missing at first', async () => {
      expect(await store.readMark('orders@1')).toBeUndefined()
    })

    it('are raised, but never lowered', async () => {
      await store.raiseMark('m', '0002')
      await store.raiseMark('m', '0001')
      expect(await store.readMark('m')).toBe('0002')
      await store.raiseMark('m', '0010')
      await store.raiseMark('other', '5')
      expect(await store.readMark('m')).toBe('0010')
    })

    it('are set to whatever is asked for', async () => {
      await store.setMark('m', 'b')
      await store.setMark('m', 'a')
      await store.setMark('__proto__', '')
      expect(await store.readMark('m')).toBe('a')
      expect(await store.readMark('__proto__')).toBe('')
    })

    it('are replaced only as long as they have the value that is to be replaced', async () => {
      expect(await store.replaceMark('m', { from: '', to: 'b' })).toBe(false)
      expect(await store.readMark('m')).toBeUndefined()
      await store.setMark('m', 'b')
      await store.setMark('other', 'b')
      expect(await store.replaceMark('m', { from: 'a', to: 'c' })).toBe(false)
      expect(await store.readMark('m')).toBe('b')
      expect(await store.replaceMark('m', { from: 'b', to: 'a' })).toBe(true)
      expect(await store.readMark('m')).toBe('a')
      expect(await store.readMark('other')).toBe('b')
    })
  })

  describe('collections', () => {
    const newer: Collection = { ...orders, name: 'orders@2' }
    const plain: Collection = { name: 'customers@1', fields: {}, indexes: [] }
    const again: Collection = { ...plain, name: 'customers@1@8204711600000' }

    it('are opened again without harm', async () => {
      await store.write(orders, [order('o-1', {})])
      await store.open(orders)
      await store.open({ ...orders, indexes: [...orders.indexes, ['isPreOrder']] })
      expect(await idsOf({})).toEqual(['o-1'])
    })

    it('keep their fields for ever', async () => {
      await expect(store.open({ ...orders, fields: { ...orders.fields, extra: 'text' } })).rejects.toThrow(
        'orders@1 has other fields: give it a new version',
      )
      await store.open({ ...orders, fields: Object.fromEntries(Object.entries(orders.fields).toReversed()) })
    })

    it.for<[string, Collection]>([
      ['its name', { ...plain, name: 'orders' }],
      ['a name of three numbers', { ...again, name: `${again.name}@1` }],
      ['a name with a quote', { ...plain, name: 'orders@1"' }],
      ['a name of ours', { ...plain, name: 'marks' }],
      ['a name of a field', { ...plain, fields: { 'a"b': 'text' } }],
      ['the name of the id', { ...plain, fields: { id: 'text' } }],
      ['an index over nothing declared', { ...plain, indexes: [['status']] }],
    ])('are refused for %s', async ([, collection]) => {
      await expect(store.open(collection)).rejects.toThrow(TypeError)
    })

    it('stand side by side', async () => {
      await store.open(newer)
      await store.open(plain)
      await store.open(again)
      await store.write(orders, [order('o-1', { status: 'old', search: ['x'] })])
      await store.write(newer, [order('o-1', { status: 'new', search: ['x'] })])
      await store.write(plain, [order('o-1', { name: 'whatever' })])
      expect(await store.collections()).toEqual([plain.name, again.name, 'orders@1', 'orders@2'])
      expect(await store.find(newer, { beginsWith: { field: 'search', text: 'x' }, limit: 5 })).toEqual([
        order('o-1', { status: 'new', search: ['x'] }),
      ])
      expect(await store.find(plain, { limit: 5 })).toEqual([order('o-1', { name: 'whatever' })])
      expect(await store.find(again, { limit: 5 })).toEqual([])
    })

    it('are gone when they are dropped, and new when they are opened again', async () => {
      await store.open(newer)
      await store.write(orders, [order('o-1', { search: ['x'] }, '9')])
      await store.write(newer, [order('o-1', {})])
      await store.setMark('m', '1')
      await store.drop(orders.name)
      expect(await store.collections()).toEqual(['orders@2'])
      await expect(idsOf({})).rejects.toThrow('orders@1 is not open')
      await expect(store.write(orders, [order('o-1', {})])).rejects.toThrow('orders@1 is not open')

      await store.open(orders)
      expect(await idsOf({})).toEqual([])
      expect(await store.load(orders, ['o-1'])).toEqual(new Map())
      expect(await idsOf({ beginsWith: { field: 'search', text: '' } })).toEqual([])
      await store.write(orders, [order('o-1', {}, '1')])
      expect(await idsOf({})).toEqual(['o-1'])
      expect(await store.readMark('m')).toBe('1')
      expect(await store.count(newer, {}, 10)).toBe(1)
    })

    it('are dropped when they are large', async () => {
      const documents = Array.from({ length: 1_600 }, (_, at) => order(`o-${at}`, { search: [`s${at}`] }))
      await store.write(orders, documents)
      await store.drop(orders.name)
      expect(await store.collections()).toEqual([])
      await store.open(orders)
      expect(await store.count(orders, {}, 10)).toBe(0)
      expect(await store.count(orders, { beginsWith: { field: 'search', text: '' } }, 10)).toBe(0)
    })

    it('may be dropped though they never were', async () => {
      await store.drop('nothing@1')
      expect(await store.collections()).toEqual(['orders@1'])
    })
  })

  describe('batches', () => {
    it('answer what their work answers, and see what it wrote', async () => {
      const seen = await store.batch(async () => {
        await store.write(orders, [order('o-1', { status: 'paid' })])
        await store.raiseMark('m', '1')
        return [await idsOf({ equals: { status: 'paid' } }), await store.readMark('m'), await loaded('o-1')]
      })
      expect(seen).toEqual([['o-1'], '1', order('o-1', { status: 'paid' })])
      expect(await idsOf({})).toEqual(['o-1'])
    })

    it('write what they looked for in vain, once, and then only over a lower position', async () => {
      await store.batch(async () => {
        await store.load(orders, ['o-1', 'o-2'])
        await store.write(orders, [order('o-1', { status: 'paid' }, '2'), order('o-1', { status: 'open' }, '1')])
        await store.write(orders, [order('o-1', { status: 'open' }, '2')])
      })
      await store.write(orders, [order('o-2', { status: 'paid' }, '1')])
      expect(await idsOf({ equals: { status: 'paid' } })).toEqual(['o-1', 'o-2'])
    })

    it('may stand in each other', async () => {
      await store.batch(async () => {
        await store.batch(() => store.write(orders, [order('o-1', {})]))
        await store.write(orders, [order('o-2', {})])
      })
      expect(await idsOf({})).toEqual(['o-1', 'o-2'])
    })

    it('fail as their work fails, and the next one runs', async () => {
      await expect(store.batch(() => Promise.reject(new Error('away')))).rejects.toThrow('away')
      await store.batch(() => store.write(orders, [order('o-1', {})]))
      expect(await idsOf({})).toEqual(['o-1'])
    })

    it('that fail take nothing with them that was answered to somebody else', async () => {
      const begun = Promise.withResolvers<void>()
      const end = Promise.withResolvers<void>()
      const batch = store.batch(async () => {
        await store.write(orders, [order('o-1', {})])
        begun.resolve()
        await end.promise
      })
      await begun.promise
      const outside = store.write(orders, [order('o-2', {})])
      const outsideBatch = store.batch(() => store.write(orders, [order('o-3', {})]))
      end.reject(new Error('failed on purpose'))
      await expect(batch).rejects.toThrow('failed on purpose')
      await Promise.all([outside, outsideBatch])
      expect([...(await store.load(orders, ['o-2', 'o-3'])).keys()]).toEqual(['o-2', 'o-3'])
    })

    it('lose nothing when many run at once', async () => {
      const numbers = Array.from({ length: 20 }, (_, at) => at)
      await Promise.all(numbers.map((at) => store.batch(() => store.write(orders, [order(`o-${at}`, {})]))))
      expect(await store.count(orders, {}, 100)).toBe(20)
    })
  })
})

describe.for(reachable.filter((engine) => engine.isShared))('two view stores on one database: $name', (engine) => {
  let place: ViewStorePlace
  let one: ViewStore
  let other: ViewStore

  beforeEach(async () => {
    place = await engine.place()
    one = place.store()
    other = place.store()
    await Promise.all([one.open(orders), other.open(orders)])
  })

  afterEach(async () => {
    await Promise.all([one.close(), other.close()])
    await place.remove()
  })

  it('read what the other has answered as written', async () => {
    await one.write(orders, [order('o-1', { status: 'paid' })])
    await one.raiseMark('m', '3')
    expect(await other.find(orders, { equals: { status: 'paid' }, limit: 5 })).toEqual([
      order('o-1', { status: 'paid' }),
    ])
    await other.raiseMark('m', '2')
    expect(await one.readMark('m')).toBe('3')
  })

  it('guard each other’s documents', async () => {
    await one.write(orders, [order('o-1', { status: 'later' }, '2')])
    await other.write(orders, [order('o-1', { status: 'earlier' }, '1')])
    expect((await other.load(orders, ['o-1'])).get('o-1')).toEqual(order('o-1', { status: 'later' }, '2'))
  })

  it('write at the same time', async () => {
    const positions = Array.from({ length: 40 }, (_, at) => String(at + 10))
    await Promise.all(
      positions.map(async (position, at) => {
        const store = at % 2 === 0 ? one : other
        await store.batch(async () => {
          await store.write(orders, [order('o-1', { status: position }, position), order(`o-${position}`, {})])
          await store.raiseMark('m', position)
        })
      }),
    )
    expect((await one.load(orders, ['o-1'])).get('o-1')).toEqual(order('o-1', { status: '49' }, '49'))
    expect(await other.count(orders, {}, 100)).toBe(41)
    expect(await one.readMark('m')).toBe('49')
  })

  it('replace a mark once', async () => {
    await one.setMark('m', 'from')
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, at) => {
        const to = `to ${at}`
        return { to, isDone: await (at % 2 === 0 ? one : other).replaceMark('m', { from: 'from', to }) }
      }),
    )
    const done = answers.filter(({ isDone }) => isDone)
    expect(done).toHaveLength(1)
    expect(await one.readMark('m')).toBe(done[0]?.to)
  })

  it('keep everything when they are closed and opened again', async () => {
    await one.write(orders, [order('o-1', {})])
    await one.setMark('m', '1')
    await Promise.all([one.close(), other.close()])
    one = place.store()
    await one.open(orders)
    expect(await one.readMark('m')).toBe('1')
    expect(await one.count(orders, {}, 5)).toBe(1)
  })

  it('see a collection that the other dropped as not there', async () => {
    await one.drop(orders.name)
    expect(await other.collections()).toEqual([])
  })
})

/** Walks page by page, as a reader does who only knows the last document of the page before. */
async function walked(store: ViewStore, query: Partial<Query>, limit: number): Promise<string[]> {
  const field = query.sort?.field
  const ids: string[] = []
  let after: Query['after']
  for (;;) {
    const page = await store.find(orders, { ...query, limit, ...(after && { after }) })
    ids.push(...page.map(({ id }) => id))
    const last = page.at(-1)
    if (last === undefined) return ids
    const value = field === undefined ? undefined : (last.body as Record<string, string | number | null>)[field]
    after = { id: last.id, ...(value !== undefined && value !== null && { value }) }
  }
}
