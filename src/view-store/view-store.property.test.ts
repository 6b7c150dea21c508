import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { describeEach } from '../testing/describe-unless.ts'
import { sizeOf } from '../testing/tier.ts'
import { memoryViewStore } from './testing/memory-view-store.ts'
import { embeddedViewStores, type ViewStoreEngine, type ViewStorePlace } from './testing/view-stores.ts'
import { writeOver } from './testing/write-over.ts'
import type { Collection, Condition, FieldValue, Query, ViewDocument, ViewStore } from './view-store.ts'

const things: Collection = {
  name: 'things@1',
  fields: { kind: 'text', shade: 'text', size: 'number', isNew: 'boolean', words: 'terms', names: 'terms' },
  indexes: [['kind', 'size'], ['kind', 'isNew', 'shade'], ['size'], ['shade'], ['isNew', 'kind']],
}

// Few different values, so that ties, repeats and finds are common; each is the first, the last or the next of something.
const text = fc.constantFrom('', 'a', 'A', 'ab', 'ab%', 'ab_', `"'`, '\0', '😀', '\u{10ffff}')
const number = fc.constantFrom(-2, -0, 0, 0.1, 0.30000000000000004, 1, 2, 1e21, Number.MAX_VALUE, 5e-324, 2 ** 53)
const boolean = fc.boolean()
const words = fc.array(fc.constantFrom('', 'a', 'ab', 'abc', 'b', '😀😀'), { maxLength: 3 })
const id = fc.constantFrom('a', 'B', 'b', 'ab', 'é', '__proto__', '😀')
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

const condition: fc.Arbitrary<Condition> = fc.oneof(
  withValue((name, value) => fc.record({ field: fc.constant(name), anyOf: fc.array(value, { maxLength: 3 }) })),
  fc.record({ field: fc.constantFrom('words', 'names'), anyOf: fc.array(text, { minLength: 1, maxLength: 2 }) }),
  fc.record({ field: fc.constantFrom('kind', 'shade', 'words', 'names', 'id'), beginsWith: text }),
  withValue((name, value) =>
    fc.record({ field: fc.constant(name), from: value, below: value }, { requiredKeys: ['field'] }),
  ),
)
const direction = fc.constantFrom('asc' as const, 'desc' as const)
const asked = fc.record({
  where: fc.array(condition, { maxLength: 2 }),
  filter: fc.array(condition, { maxLength: 2 }),
  order: fc.oneof(
    fc.record({ sort: fc.record({ direction }), after: fc.option(fc.record({ id, value: id }), { nil: undefined }) }),
    withValue((name, value) =>
      fc.record({
        sort: fc.record({ field: fc.constant(name), direction }),
        after: fc.option(fc.record({ id, value }), { nil: undefined }),
      }),
    ),
  ),
  limit: fc.constantFrom(1, 2, 3, 100),
})

export function viewStoreProperty(engine: ViewStoreEngine): void {
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
      fc.array(asked, { minLength: 1, maxLength: 20 }),
      async (documents, queries) => {
        const memory = memoryViewStore()
        await store.drop(things)
        for (const each of [memory, store]) {
          await each.open(things)
          for (const written of documents) await writeOver(each, things, [written])
        }
        const ids = documents.map((written) => written.id)
        expect(await store.load(things, ids)).toEqual(await memory.load(things, ids))
        for (const { order, limit, ...conditions } of queries) {
          const query: Query = { ...conditions, sort: order.sort, select: ['kind', 'size', 'isNew'] }
          const page = { limit, after: order.after }
          const answer = async (each: ViewStore): Promise<unknown> =>
            // Both refuse what no index answers.
            Promise.all([each.find(things, query, page), each.count(things, query, limit)]).catch(String)
          expect(await answer(store)).toEqual(await answer(memory))
        }
      },
    )
    await fc.assert(property, { numRuns: sizeOf({ fast: 100, deep: 200, night: 400 }) })
  })
}

const shared = embeddedViewStores.filter(({ isShared }) => isShared)
describeEach(shared, 'a view store', viewStoreProperty)
