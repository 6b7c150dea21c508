import type { Document, Filter, IndexDescription } from 'mongodb'
import {
  type CheckedCondition,
  type CheckedQuery,
  fieldTerms,
  fieldValue,
  ID,
  termsFields,
  valueFields,
} from './query.ts'
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

/** Scans at most `scanMax` documents, then filters, sorts and limits. */
export function findPipeline(collection: Collection, query: CheckedQuery): Document[] {
  const { filter, sortedBy, select, after, isIndexOrdered, limit } = query
  const checks = filter.map((condition) => part(collection, condition))
  if (after && !isIndexOrdered) checks.push({ $or: afterSortKey(query, after) })
  return [
    ...scanStages(collection, query),
    ...(checks.length > 0 ? [{ $match: { $and: checks } }] : []),
    ...(isIndexOrdered ? [] : [{ $sort: orderOf(query) }]),
    { $limit: limit },
    { $project: Object.fromEntries([ID, sortedBy, ...select].map((field) => [path(field), 1])) },
  ]
}

/** The last document that `findPipeline` scans, if it scans `scanMax`: where the scan stopped. */
export function stopPipeline(collection: Collection, query: CheckedQuery): Document[] {
  const { sortedBy, scanMax } = query
  return [
    ...scanStages(collection, query),
    { $skip: scanMax - 1 },
    { $project: Object.fromEntries([ID, sortedBy].map((field) => [path(field), 1])) },
  ]
}

export function countPipeline(collection: Collection, query: CheckedQuery): Document[] {
  const checks = query.filter.map((condition) => part(collection, condition))
  return [
    ...scanStages(collection, query),
    ...(checks.length > 0 ? [{ $match: { $and: checks } }] : []),
    { $limit: query.limit },
    { $count: 'count' },
  ]
}

/** A result of `findPipeline` or `stopPipeline`. */
export function foundRow({ _id, fields = {} }: StoredDocument, { sortedBy, select }: CheckedQuery): FoundRow {
  const valueOf = (field: string): FieldValue | undefined => (field === ID ? _id : (fields[field] as FieldValue))
  return { id: _id, value: valueOf(sortedBy) ?? '', selected: select.map(valueOf) }
}

function scanStages(collection: Collection, query: CheckedQuery): Document[] {
  const { where, sortedBy, after, isIndexOrdered, scanMax } = query
  const parts = where.map((condition) => part(collection, condition))
  if (where.every(({ field }) => field === ID)) parts.push(isNotTombstone)
  if (sortedBy !== ID && !where.some(({ field }) => field === sortedBy)) {
    parts.push({ [path(sortedBy)]: hasField(collection.fields[sortedBy]) })
  }
  // Each branch repeats all conditions, so that an index returns it in order from the page's start.
  const branches =
    after && isIndexOrdered ? afterSortKey(query, after).map((later) => ({ $and: [...parts, later] })) : undefined
  return [
    { $match: branches ? { $or: branches } : { $and: parts } },
    ...(isIndexOrdered ? [{ $sort: orderOf(query) }] : []),
    { $limit: scanMax },
  ]
}

function orderOf({ sortedBy, direction }: CheckedQuery): Record<string, 1 | -1> {
  const sign = direction === 'asc' ? 1 : -1
  return { [path(sortedBy)]: sign, _id: sign }
}

/** Rows after the sort key: the same value and a later id, or a later value. */
function afterSortKey({ sortedBy, direction }: CheckedQuery, { id, value }: SortKey): Part[] {
  const later = direction === 'asc' ? '$gt' : '$lt'
  if (sortedBy === ID) return [{ _id: { [later]: id } }]
  const name = path(sortedBy)
  return [{ $and: [{ [name]: value }, { _id: { [later]: id } }] }, { [name]: { [later]: value } }]
}

function part({ fields }: Collection, condition: CheckedCondition): Part {
  const name = path(condition.field)
  if (condition.kind === 'anyOf') {
    const [value, ...others] = condition.values
    return { [name]: value !== undefined && others.length === 0 ? value : { $in: condition.values } }
  }
  const { from, below, isOfTerms } = condition
  const bounds = {
    ...(from === undefined ? hasField(condition.field === ID ? 'text' : fields[condition.field]) : { $gte: from }),
    ...(below !== undefined && { $lt: below }),
  }
  // Without $elemMatch, two terms could each meet one bound.
  return { [name]: isOfTerms ? { $elemMatch: bounds } : bounds }
}

/** Matches every value of the field's type, since MongoDB compares only values of one type. */
function hasField(type: Collection['fields'][string] | undefined): Record<string, FieldValue> {
  if (type === 'number') return { $gte: -Infinity }
  return type === 'boolean' ? { $gte: false } : { $gte: '' }
}

function path(field: string): '_id' | `fields.${string}` {
  return field === ID ? '_id' : `fields.${field}`
}
