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
  termsFields,
  valueFields,
} from '../query.ts'
import type { Collection, FieldValue, Found, Query, SortKey, ViewDocument } from '../view-store.ts'

interface Stored {
  readonly id: string
  readonly values: ReadonlyMap<string, FieldValue | undefined>
  readonly terms: ReadonlyMap<string, ReadonlySet<string>>
}

/** What a store is to find among these documents: all of them are looked at. */
export function naiveViews(collection: Collection, documents: Iterable<ViewDocument>) {
  const living = [...documents].filter(({ body }) => body !== undefined)
  const stored = living.map((document): Stored => ({
    id: document.id,
    values: new Map(valueFields(collection).map((field) => [field, fieldValue(collection, document, field)])),
    terms: new Map(termsFields(collection).map((field) => [field, fieldTerms(collection, document, field)])),
  }))

  function matching(query: CheckedQuery): Stored[] {
    const { where, filter, sortedBy, after } = query
    return stored
      .filter(({ values }) => sortedBy === ID || values.get(sortedBy) !== undefined)
      .filter((one) => [...where, ...filter].every((condition) => fits(condition, one)))
      .filter((one) => !after || compared(query, placeOf(query, one), after) > 0)
      .sort((a, b) => compared(query, placeOf(query, a), placeOf(query, b)))
  }

  return {
    find(query: Query, page: { limit: number; after?: SortKey | undefined }): Found {
      const checked = checkedQuery(collection, query, page)
      const rows = matching(checked).slice(0, checked.limit)
      const selectedOf = ({ values }: Stored) => checked.select.map((field) => values.get(field))
      return {
        rows: rows.map((one) => ({ ...placeOf(checked, one), selected: selectedOf(one) })),
        scannedTo: undefined,
      }
    },
    count: (query: Query, limit: number): number =>
      Math.min(matching(checkedCount(collection, query, limit)).length, limit),
  }
}

function placeOf({ sortedBy }: CheckedQuery, { id, values }: Stored): SortKey {
  return { id, value: sortedBy === ID ? id : (values.get(sortedBy) ?? '') }
}

function compared({ sortedBy, direction }: CheckedQuery, a: SortKey, b: SortKey): number {
  const byValue = sortedBy === ID ? 0 : compareValues(a.value, b.value)
  return (direction === 'asc' ? 1 : -1) * (byValue || compareText(a.id, b.id))
}

function fits(condition: CheckedCondition, { id, values, terms }: Stored): boolean {
  const { field, isOfTerms } = condition
  const given = isOfTerms ? [...(terms.get(field) ?? [])] : [field === ID ? id : values.get(field)]
  return given.some((value) => {
    if (value === undefined) return false
    if (condition.kind === 'anyOf') return condition.values.includes(value)
    const { from, below } = condition
    return (
      (from === undefined || compareValues(value, from) >= 0) &&
      (below === undefined || compareValues(value, below) < 0)
    )
  })
}
