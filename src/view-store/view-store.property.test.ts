import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { memoryViewStore } from './testing/memory-view-store.ts'
import { sqliteViewStore } from './sqlite-view-store.ts'
import { type ViewStorePlace, viewStores } from './testing/view-stores.ts'
import type { Collection, FieldValue, Query, ViewDocument, ViewStore } from './view-store.ts'

const things: Collection = {
  name: 'things@1',
  fields: { kind: 'text', shade: 'text', size: 'number', isNew: 'boolean', words: 'terms', names: 'terms' },
  indexes: [
    ['kind', 'size'],
    ['kind', 'isNew', 'shade'],
    ['size'],
    ['shade'],
    ['words', 'size'],
    ['isNew', 'kind'],
    ['kind'],
  ],
  rare: ['isNew', 'shade'],
}

// Few different values, so that ties, repeats and finds are common; each is the first, the last or the next of something.
const text = fc.constantFrom(
  '',
  'a',
  'A',
  'ab',
  'ab%',
  'ab_',
  `"'`,
  '\0',
  '\ud7ff',
  '\ue000',
  '\uffff',
  '😀',
  '\u{10ffff}',
)
const number = fc.constantFrom(-2, -0, 0, 0.1, 0.30000000000000004, 1, 2, 1e21, Number.MAX_VALUE, 5e-324, 2 ** 53)
const boolean = fc.boolean()
const words = fc.array(fc.constantFrom('', 'a', 'ab', 'abc', 'b', '\uffff', '😀😀'), { maxLength: 3 })
const id = fc.constantFrom('a', 'B', 'b', 'ab', 'é', '__proto__', '\uffff', '😀')
const position = fc.constantFrom('1', '2', '10', '3')

const body = fc.record(
  {
    kind: text,
    shade: fc.option(text),
    size: fc.option(number),
    isNew: boolean,
    words: fc.option(words),
    names: words,
  },
  { requiredKeys: [] },
)
const document: fc.Arbitrary<ViewDocument> = fc.record({
  id,
  position,
  body: fc.option(body, { nil: undefined, freq: 6 }),
})

const valueOf = { kind: text, shade: text, size: number, isNew: boolean } as const
const field = fc.constantFrom(...(Object.keys(valueOf) as (keyof typeof valueOf)[]))

function withValue<T>(use: (field: string, value: fc.Arbitrary<FieldValue>) => fc.Arbitrary<T>): fc.Arbitrary<T> {
  return field.chain((name) => use(name, valueOf[name]))
}

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

const after = (value: fc.Arbitrary<FieldValue>) => fc.record({ id, value }, { requiredKeys: ['id'] })
const direction = fc.constantFrom('asc' as const, 'desc' as const)
const query: fc.Arbitrary<Query> = fc
  .record({
    equals: optional(fc.record(valueOf, { requiredKeys: [] })),
    anyOf: optional(
      withValue((name, value) => fc.record({ field: fc.constant(name), values: fc.array(value, { maxLength: 5 }) })),
    ),
    beginsWith: optional(fc.record({ field: fc.constantFrom('kind', 'shade', 'words', 'names', 'id'), text })),
    range: optional(
      withValue((name, value) =>
        fc.record({ field: fc.constant(name), from: value, to: value }, { requiredKeys: ['field'] }),
      ),
    ),
    order: fc.oneof(
      fc.constant({}),
      fc.record({ sort: fc.record({ direction }), after: after(text) }, { requiredKeys: ['sort'] }),
      withValue((name, value) =>
        fc.record(
          { sort: fc.record({ field: fc.constant(name), direction }), after: after(value) },
          { requiredKeys: ['sort'] },
        ),
      ),
    ),
    limit: fc.constantFrom(1, 2, 3, 100),
  })
  .map(({ order, limit, ...conditions }) => {
    const given = Object.entries(conditions).filter(([, condition]) => condition !== undefined)
    return { ...Object.fromEntries(given), ...order, limit }
  })

const stores: { name: string; missing?: string; runs: number; place(): Promise<ViewStorePlace> }[] = [
  ...[1, 3, 2_000].map((narrowMax) => ({
    name: `SQLite that sorts up to ${narrowMax} documents`,
    runs: 200,
    async place() {
      const folder = await mkdtemp(join(tmpdir(), 'view-store-'))
      return {
        store: () => sqliteViewStore(join(folder, 'views.db'), { narrowMax }),
        remove: () => rm(folder, { recursive: true }),
      }
    },
  })),
  // Each run makes and drops a collection there.
  ...viewStores.filter(({ name }) => name === 'MongoDB').map((engine) => ({ ...engine, runs: 100 })),
]

describe.for(stores.filter(({ missing }) => missing !== undefined))('a view store in $name', ({ missing }) => {
  it(`is not run: ${missing}`, ({ skip }) => skip(missing))
})

describe.for(stores.filter(({ missing }) => missing === undefined))('a view store in $name', (engine) => {
  let placed: ViewStorePlace
  let store: ViewStore

  beforeEach(async () => {
    placed = await engine.place()
    store = placed.store()
  })

  afterEach(async () => {
    await store.close()
    await placed.remove()
  })

  it('finds and counts what the memory finds and counts, whatever was written and is asked', async () => {
    const property = fc.asyncProperty(
      fc.array(document, { maxLength: 20 }),
      fc.array(query, { minLength: 1, maxLength: 20 }),
      async (documents, queries) => {
        const memory = memoryViewStore()
        await store.drop(things.name)
        for (const each of [memory, store]) {
          await each.open(things)
          await each.batch(async () => {
            for (const written of documents) await each.write(things, [written])
          })
        }
        const ids = documents.map((written) => written.id)
        expect(await store.load(things, ids)).toEqual(await memory.load(things, ids))
        for (const asked of queries) {
          const found = await memory.find(things, asked)
          expect(await store.find(things, asked)).toEqual(found)
          const fields = Object.keys(valueOf)
          const values = await memory.findFields(things, asked, fields)
          expect(values.map(({ id: one }) => one)).toEqual(found.map(({ id: one }) => one))
          expect(await store.findFields(things, asked, fields)).toEqual(values)
          expect(await store.count(things, asked, asked.limit)).toBe(await memory.count(things, asked, asked.limit))
          expect(await store.findPage(things, asked, 3)).toEqual(await memory.findPage(things, asked, 3))
        }
      },
    )
    await fc.assert(property, { numRuns: engine.runs })
  })
})
