import type { Document, Filter, IndexDescription } from 'mongodb'
import { type CheckedQuery, fieldTerms, fieldValue, ID, termsFields, valueFields } from './query.ts'
import type { Collection, FieldValue, FoundRow, SortKey, ViewDocument } from './view-store.ts'

/** A document as stored. A tombstone has neither fields nor body, so that no query finds it. */
export interface StoredDocument {
  readonly _id: string
  readonly position: string
  /** The values of declared fields, for queries; missing ones and empty terms are left out. */
  readonly fields?: Readonly<Record<string, FieldValue | readonly string[]>>
  /** JSON text, since BSON would change some names, numbers and lone surrogates. */
  readonly body?: string
  readonly broken?: { readonly position: string; readonly reason: string }
}

type Part = Filter<StoredDocument>

export const isBroken: Part = { 'broken.position': { $exists: true } }
const isNotTombstone: Part = { body: { $exists: true } }

export function storedFields(collection: Collection, document: ViewDocument): NonNullable<StoredDocument['fields']> {
  const values = valueFields(collection).map((field) => [field, fieldValue(collection, document, field)] as const)
  const terms = termsFields(collection).map((field) => [field, [...fieldTerms(collection, document, field)]] as const)
  return Object.fromEntries([
    ...values.flatMap(([field, value]) => (value === undefined ? [] : [[field, value]])),
    ...terms.filter(([, found]) => found.length > 0),
  ]) as NonNullable<StoredDocument['fields']>
}

/** Each index ends with the id, as each sort order does, and holds only documents with its first field. */
export function indexesOf({ indexes, fields }: Collection): IndexDescription[] {
  const declared = indexes.map((names): IndexDescription => {
    const key = Object.fromEntries([...names.map((field) => [path(field), 1 as const]), ['_id', 1 as const]])
    const [first = ID] = names
    const hasFirst = { [path(first)]: hasField(fields[first]) }
    return { name: [...names, 'id'].join(' '), key, partialFilterExpression: hasFirst }
  })
  const terms = Object.keys(fields).filter((field) => fields[field] === 'terms')
  const byTerm = terms.map((field): IndexDescription => ({
    name: field,
    key: { [path(field)]: 1, _id: 1 },
    sparse: true,
  }))
  return [...declared, ...byTerm, { name: 'broken', key: { 'broken.position': 1 }, sparse: true }]
}

export function findPipeline(collection: Collection, query: CheckedQuery): Document[] {
  const { by, isOfTerms, direction, select, limit } = query
  const sign = direction === 'asc' ? 1 : -1
  const read = [ID, ...(isOfTerms ? [] : [by]), ...select]
  return [
    { $match: matching(collection, query) },
    ...(isOfTerms ? [] : [{ $sort: { [path(by)]: sign, _id: sign } }]),
    { $limit: limit },
    { $project: Object.fromEntries(read.map((field) => [path(field), 1])) },
  ]
}

export function countPipeline(collection: Collection, query: CheckedQuery): Document[] {
  return [{ $match: matching(collection, query) }, { $limit: query.limit }, { $count: 'count' }]
}

/** A result of `findPipeline`. */
export function foundRow({ _id, fields = {} }: StoredDocument, { by, isOfTerms, select }: CheckedQuery): FoundRow {
  const valueOf = (field: string): FieldValue | undefined => (field === ID ? _id : (fields[field] as FieldValue))
  return { id: _id, value: valueOf(isOfTerms ? ID : by) ?? '', selected: select.map(valueOf) }
}

function matching({ fields }: Collection, query: CheckedQuery): Part {
  const { equal, by, isOfTerms, from, below, after } = query
  const bounds = {
    ...(from === undefined ? hasField(by === ID ? 'text' : fields[by]) : { $gte: from }),
    ...(below !== undefined && { $lt: below }),
  }
  const parts: Part[] = [
    ...equal.map(([field, value]): Part => ({ [path(field)]: value })),
    // Without $elemMatch, two terms could each meet one bound.
    { [path(by)]: isOfTerms ? { $elemMatch: bounds } : bounds },
  ]
  if (by === ID && equal.length === 0) parts.push(isNotTombstone)
  // Each branch repeats all conditions, so that an index returns it in order from the page's start.
  return after ? { $or: afterSortKey(query, after).map((later) => ({ $and: [...parts, later] })) } : { $and: parts }
}

/** Rows after the sort key: the same value and a later id, or a later value. */
function afterSortKey({ by, direction }: CheckedQuery, { id, value }: SortKey): Part[] {
  const later = direction === 'asc' ? '$gt' : '$lt'
  if (by === ID) return [{ _id: { [later]: id } }]
  const name = path(by)
  return [{ $and: [{ [name]: value }, { _id: { [later]: id } }] }, { [name]: { [later]: value } }]
}

/** Matches every value of the field's type, since MongoDB compares only values of one type. */
function hasField(type: Collection['fields'][string] | undefined): Record<string, FieldValue> {
  if (type === 'number') return { $gte: -Infinity }
  return type === 'boolean' ? { $gte: false } : { $gte: '' }
}

function path(field: string): '_id' | `fields.${string}` {
  return field === ID ? '_id' : `fields.${field}`
}
