import fc from 'fast-check'
import { beforeEach, expect, it } from 'vitest'
import { describeEach } from '../../testing/describe-unless.ts'
import { sizeOf } from '../../testing/tier.ts'
import {
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
import type { Collection, FieldValue, FoundRow, Query, Range, SortKey, ViewDocument, ViewStore } from './view-store.ts'

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

const spanOf = (name: string, value: fc.Arbitrary<FieldValue>): fc.Arbitrary<Range> =>
  fc.record({ field: fc.constant(name), from: value, below: value }, { requiredKeys: ['field'] })
const range: fc.Arbitrary<{ range: Range; after?: FieldValue }> = fc.oneof(
  field.chain((name) => fc.record({ range: spanOf(name, valueOf[name]), after: valueOf[name] })),
  fc.record({
    range: fc.record({ field: fc.constantFrom('kind', 'shade'), beginsWith: text }),
    after: text,
  }),
  fc.record({ range: fc.record({ beginsWith: text }), after: id }),
  fc.record({ range: fc.record({ field: fc.constantFrom('words', 'names'), beginsWith: text }) }),
)
const asked = fc
  .record({
    equal: fc.record({ kind: text, size: number, isNew: boolean }, { requiredKeys: [], noNullPrototype: true }),
    ranged: fc.option(range, { nil: undefined }),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
    isContinued: boolean,
    id,
    limit: fc.constantFrom(1, 2, 3, 100),
  })
  .map(({ ranged, isContinued, id: afterId, limit, ...query }) => ({
    query: { ...query, ...(ranged && { range: ranged.range }), select: ['kind', 'size', 'isNew'] } as Query,
    page: {
      limit,
      after: isContinued && ranged?.after !== undefined ? { id: afterId, value: ranged.after } : undefined,
    },
  }))

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
        for (const { query, page } of queries) {
          // Both refuse what no index answers.
          const answer = Promise.all([store.find(source, query, page), store.count(source, query, page.limit)])
          const expected = (async () => [naive.find(query, page), naive.count(query, page.limit)])()
          expect(inAnyOrder(query, await answer.catch(String))).toEqual(inAnyOrder(query, await expected.catch(String)))
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

/** Documents found by a term come in no order, so that of a page only their number is promised. */
function inAnyOrder({ range }: Query, answer: unknown): unknown {
  if (!Array.isArray(answer) || !['words', 'names'].includes(range?.field ?? '')) return answer
  const [rows, count] = answer as [FoundRow[], number]
  return [rows.length, count]
}

/** What a store is to find among these documents: all of them are looked at. */
function naiveViews(documents: readonly ViewDocument[]) {
  const living = documents.filter(({ body }) => body !== undefined)

  function matching(query: CheckedQuery): ViewDocument[] {
    const { equal, after } = query
    return living
      .filter((one) => equal.every(([name, value]) => valueIn(one, name) === value) && isInRange(query, one))
      .filter((one) => !after || compared(query, placeOf(query, one), after) > 0)
      .sort((one, other) => compared(query, placeOf(query, one), placeOf(query, other)))
  }

  return {
    find(query: Query, page: { limit: number; after: SortKey | undefined }): FoundRow[] {
      const checked = checkedQuery(things, query, page)
      const rows = matching(checked).slice(0, checked.limit)
      const selectedOf = (one: ViewDocument) => checked.select.map((name) => fieldValue(things, one, name))
      return rows.map((one) => ({ ...placeOf(checked, one), selected: selectedOf(one) }))
    },
    count: (query: Query, limit: number): number =>
      Math.min(matching(checkedCount(things, query, limit)).length, limit),
  }
}

const valueIn = (one: ViewDocument, name: string) => (name === ID ? one.id : fieldValue(things, one, name))
const placeOf = ({ by, isOfTerms }: CheckedQuery, one: ViewDocument): SortKey => ({
  id: one.id,
  value: isOfTerms ? one.id : (valueIn(one, by) ?? ''),
})

function compared({ by, direction }: CheckedQuery, one: SortKey, other: SortKey): number {
  const byValue = by === ID ? 0 : compareValues(one.value, other.value)
  return (direction === 'asc' ? 1 : -1) * (byValue || compareText(one.id, other.id))
}

function isInRange({ by, isOfTerms, from, below }: CheckedQuery, one: ViewDocument): boolean {
  const given = isOfTerms ? [...fieldTerms(things, one, by)] : [valueIn(one, by)]
  return given.some((value) => {
    if (value === undefined) return false
    const isFrom = from === undefined || compareValues(value, from) >= 0
    return isFrom && (below === undefined || compareValues(value, below) < 0)
  })
}

const shared = embeddedViewStores.filter(({ isShared }) => isShared)
describeEach(shared, 'a view store', viewStoreProperty)
