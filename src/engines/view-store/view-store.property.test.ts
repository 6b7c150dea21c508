import fc from 'fast-check'
import { beforeEach, expect, it } from 'vitest'
import { describeEach } from '../../testing/describe-unless.ts'
import { sizeOf } from '../../testing/tier.ts'
import {
  type CheckedCondition,
  checkedCount,
  checkedQuery,
  type CheckedQuery,
  compareText,
  compareValues,
  fieldTerms,
  fieldValue,
  ID,
} from './query.ts'
import { begun, put } from './testing/put.ts'
import { embeddedViewStores, type ViewStoreEngine } from './testing/view-stores.ts'
import type { Collection, Condition, FieldValue, Found, Query, SortKey, ViewDocument, ViewStore } from './view-store.ts'

const things: Collection = {
  name: 'things',
  fields: { kind: 'text', shade: 'text', size: 'number', isNew: 'boolean', words: 'terms', names: 'terms' },
  indexes: [['kind', 'size'], ['kind', 'isNew', 'shade'], ['size'], ['shade'], ['isNew', 'kind']],
}

// Few different values, so that ties, repeats and finds are common; each is the first, the last or the next of something.
// Some servers compare UTF-16, which orders U+E000 to U+FFFF otherwise.
const strange = ['\0', 'a\0l', 'ä', '😀', '\u{10ffff}', '\u{10ffff}x', 'a\u{10ffff}', '__proto__', '*?[a]', 'a\\b', ' ']
const text = fc.constantFrom('', 'a', 'A', 'ab', 'ab%', 'ab_', 'ab1', `"'`, ...strange)
const number = fc.constantFrom(-2, -0, 0, 0.1, 0.30000000000000004, 1, 2, 1e21, Number.MAX_VALUE, 5e-324, 2 ** 53)
const boolean = fc.boolean()
const words = fc.array(fc.constantFrom('', 'a', 'ab', 'abc', 'ab%', '😀😀', ...strange), { maxLength: 3 })
const id = fc.constantFrom('a', 'B', 'b', 'ab', 'constructor', `o'b`, ...strange)
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
  let store: ViewStore

  beforeEach(() => {
    store = engine.place()()
    return async () => store.close()
  })

  it('a query finds and counts what a look at every document finds and counts', async () => {
    let sets = 0
    const property = fc.asyncProperty(
      fc.array(document, { maxLength: 20 }),
      fc.array(asked, { minLength: 1, maxLength: 20 }),
      async (documents, queries) => {
        const set = `${(sets += 1)}`
        await store.create(set, begun, [things])
        if (sets % 2 === 0) await store.index(set, [things])
        const known = new Map<string, ViewDocument>()
        for (const written of documents) {
          await put(store, set, [{ collection: things, documents: [written] }])
          const before = known.get(written.id)
          if (!before || before.position <= written.position) known.set(written.id, written)
        }
        const source = { set, collection: things }
        const naive = naiveViews([...known.values()])
        const plain = new Map([...known].map(([id, { position, body }]) => [id, { id, position, body: plainOf(body) }]))
        expect(await store.load(source, [...known.keys()])).toEqual(plain)
        for (const { order, limit, ...conditions } of queries) {
          const query: Query = { ...conditions, sort: order.sort, select: ['kind', 'size', 'isNew'] }
          const page = { limit, after: order.after }
          // Both refuse what no index answers.
          const answer = Promise.all([store.find(source, query, page), store.count(source, query, limit)])
          const expected = (async () => [naive.find(query, page), naive.count(query, limit)])()
          expect(await answer.catch(String)).toEqual(await expected.catch(String))
        }
        await store.drop(set)
      },
    )
    await fc.assert(property, { numRuns: sizeOf({ fast: 100, deep: 200, night: 400 }) })
  })
}

function plainOf(body: unknown): unknown {
  return body === undefined ? undefined : JSON.parse(JSON.stringify(body))
}

/** What a store is to find among these documents: all of them are looked at. */
function naiveViews(documents: readonly ViewDocument[]) {
  const living = documents.filter(({ body }) => body !== undefined)

  function matching(query: CheckedQuery): ViewDocument[] {
    const { where, filter, sortedBy, after } = query
    return living
      .filter((one) => valueIn(one, sortedBy) !== undefined)
      .filter((one) => [...where, ...filter].every((condition) => fits(condition, one)))
      .filter((one) => !after || compared(query, placeOf(query, one), after) > 0)
      .sort((one, other) => compared(query, placeOf(query, one), placeOf(query, other)))
  }

  return {
    find(query: Query, page: { limit: number; after: SortKey | undefined }): Found {
      const checked = checkedQuery(things, query, page)
      const rows = matching(checked).slice(0, checked.limit)
      const selectedOf = (one: ViewDocument) => checked.select.map((name) => fieldValue(things, one, name))
      return {
        rows: rows.map((one) => ({ ...placeOf(checked, one), selected: selectedOf(one) })),
        scannedTo: undefined,
      }
    },
    count: (query: Query, limit: number): number =>
      Math.min(matching(checkedCount(things, query, limit)).length, limit),
  }
}

const valueIn = (one: ViewDocument, name: string) => (name === ID ? one.id : fieldValue(things, one, name))
const placeOf = ({ sortedBy }: CheckedQuery, one: ViewDocument): SortKey => ({
  id: one.id,
  value: valueIn(one, sortedBy) ?? '',
})

function compared({ sortedBy, direction }: CheckedQuery, one: SortKey, other: SortKey): number {
  const byValue = sortedBy === ID ? 0 : compareValues(one.value, other.value)
  return (direction === 'asc' ? 1 : -1) * (byValue || compareText(one.id, other.id))
}

function fits(condition: CheckedCondition, one: ViewDocument): boolean {
  const { field: name, isOfTerms } = condition
  const given = isOfTerms ? [...fieldTerms(things, one, name)] : [valueIn(one, name)]
  return given.some((value) => {
    if (value === undefined) return false
    if (condition.kind === 'anyOf') return condition.values.includes(value)
    const { from, below } = condition
    const isFrom = from === undefined || compareValues(value, from) >= 0
    return isFrom && (below === undefined || compareValues(value, below) < 0)
  })
}

const shared = embeddedViewStores.filter(({ isShared }) => isShared)
describeEach(shared, 'a view store', viewStoreProperty)
