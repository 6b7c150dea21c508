import type { Filter, IndexDescription, Sort } from 'mongodb'
import { behindBeginning, fieldTerms, fieldValue, ID, termsFields, valueFields } from './fields.ts'
import type { CheckedQuery, Condition } from './fields.ts'
import { storedText, textOf } from './mongodb-view-text.ts'
import type { Collection, FieldValue, FoundFields, ViewDocument } from './view-store.ts'

/** A document as MongoDB has it. A tombstone has neither fields nor body, so that no condition and no sorted walk meets it. */
export interface StoredDocument {
  readonly _id: string
  readonly position: string
  /** What it is found by: a value for each declared field, and the terms that there are. */
  readonly fields?: Readonly<Record<string, StoredValue | readonly string[]>>
  /** JSON: names, numbers and half characters come back as they were, whatever BSON makes of them. */
  readonly body?: string
  readonly broken?: { readonly position: string; readonly reason: string }
}

type StoredValue = string | number | boolean
type Part = Filter<StoredDocument>

/** Stands where a document lacks the field, below every text, number and boolean, so that a page always continues by comparisons. */
const MISSING = -Infinity

export function storedFields(collection: Collection, document: ViewDocument): NonNullable<StoredDocument['fields']> {
  const values = valueFields(collection).map((field) => [field, storedValue(fieldValue(collection, document, field))])
  const terms = termsFields(collection)
    .map((field) => [field, [...fieldTerms(collection, document, field)].map(storedText)] as const)
    .filter(([, found]) => found.length > 0)
  return Object.fromEntries([...values, ...terms]) as NonNullable<StoredDocument['fields']>
}

/** Every one ends with the id, as every order does. */
export function indexesOf(collection: Collection): IndexDescription[] {
  const declared = collection.indexes.map((fields): IndexDescription => {
    const key = Object.fromEntries([...fields.map((field) => [path(field), 1 as const]), ['_id', 1 as const]])
    const rare = fields.filter((field) => collection.rare?.includes(field))
    if (rare.length === 0) return { name: [...fields, 'id'].join(' '), key }
    const partialFilterExpression = Object.fromEntries(rare.map((field) => [path(field), rarely(collection, field)]))
    return { name: [...fields, 'id', 'of', ...rare].join(' '), key, partialFilterExpression }
  })
  return [...declared, { name: 'broken', key: { 'broken.position': 1 }, sparse: true }]
}

export const isBroken: Part = { 'broken.position': { $exists: true } }

export function filterOf(collection: Collection, query: CheckedQuery): Part {
  const { conditions, sort, after } = query
  const parts = conditions.map((condition) => part(collection, condition))
  if (!after) {
    if (alsoFitTombstones(conditions))
      parts.push(sort.field === undefined ? isLiving : { [path(sort.field)]: { $ne: null } })
    return { $and: parts }
  }
  // Each way written out in full: so an index has it in order, from where the page begins.
  const ways = waysOn(collection, query, after).map((way) => ({ $and: [...parts, way] }))
  return ways.length === 1 && ways[0] ? ways[0] : { $or: ways }
}

export function countFilterOf(collection: Collection, conditions: readonly Condition[]): Part {
  const parts = conditions.map((condition) => part(collection, condition))
  if (alsoFitTombstones(conditions)) parts.push(isLiving)
  return { $and: parts }
}

export function orderOf({ sort }: CheckedQuery): Sort {
  const direction = sort.direction === 'asc' ? 1 : -1
  return { ...(sort.field !== undefined && { [path(sort.field)]: direction }), _id: direction }
}

export function projectionOf(fields: readonly string[]): Record<string, 1> {
  return { _id: 1, ...Object.fromEntries(fields.map((field) => [path(field), 1])) }
}

/** Of a document that was found by `projectionOf`. */
export function foundFields({ _id, fields: stored }: StoredDocument, fields: readonly string[]): FoundFields {
  return { id: textOf(_id), values: fields.map((field) => foundValue(stored?.[field] as StoredValue | undefined)) }
}

function foundValue(value: StoredValue | undefined): FieldValue | undefined {
  if (typeof value === 'string') return textOf(value)
  return value === MISSING ? undefined : value
}

/** All that a tombstone has is its id. */
function alsoFitTombstones(conditions: readonly Condition[]): boolean {
  return conditions.every(({ field }) => field === ID)
}

const isLiving: Part = { body: { $exists: true } }

function part(collection: Collection, condition: Condition): Part {
  const { kind, field } = condition
  switch (kind) {
    case 'anyOf': {
      const [value, ...others] = condition.values.map(storedValue)
      return {
        [path(field)]: value !== undefined && others.length === 0 ? value : { $in: [value, ...others].filter(isGiven) },
      }
    }
    case 'beginsWith': {
      const bounds = between(collection, field, { from: condition.text, to: behindBeginning(condition.text) })
      // Without $elemMatch, two terms together could be within the bounds, and neither of them.
      return { [path(field)]: condition.isTerms ? { $elemMatch: bounds } : bounds }
    }
    case 'range':
      return { [path(field)]: between(collection, field, condition) }
  }
}

/** How an order goes on behind a document: by the same value and a later id, or by a later value. */
function waysOn(
  collection: Collection,
  { conditions, sort: { field, direction } }: CheckedQuery,
  { id, value }: NonNullable<CheckedQuery['after']>,
): Part[] {
  const laterId = { _id: { [direction === 'asc' ? '$gt' : '$lt']: storedText(id) } } as Part
  if (field === undefined) return [{ $and: [laterId, isLiving] }]
  const name = path(field)
  const same = { $and: [{ [name]: storedValue(value) }, laterId] }
  if (direction === 'asc') {
    return [same, { [name]: value === undefined ? isThere(collection, field) : { $gt: storedValue(value) } }]
  }
  if (value === undefined) return [same]
  const lower = { [name]: { ...isThere(collection, field), $lt: storedValue(value) } }
  // Whatever is asked of a field, who lacks it does not fit.
  return conditions.some((condition) => condition.field === field) ? [same, lower] : [same, lower, { [name]: MISSING }]
}

function between(
  collection: Collection,
  field: string,
  { from, to }: { from: FieldValue | undefined; to: FieldValue | undefined },
): Record<string, StoredValue> {
  return {
    ...(from === undefined ? isThere(collection, field) : { $gte: storedValue(from) }),
    ...(to !== undefined && { $lt: storedValue(to) }),
  }
}

/** Whatever is asked of a rare field says as much, or else such an index cannot be taken. */
function rarely(collection: Collection, field: string): unknown {
  return collection.fields[field] === 'boolean' ? true : isThere(collection, field)
}

/** Comparisons only meet values of the same type. */
function isThere({ fields }: Collection, field: string): Record<string, StoredValue> {
  const type = fields[field]
  if (type === 'number') return { $gt: MISSING }
  return type === 'boolean' ? { $gte: false } : { $gte: '' }
}

function storedValue(value: FieldValue | undefined): StoredValue {
  if (value === undefined) return MISSING
  if (typeof value === 'string') return storedText(value)
  return value
}

function isGiven(value: StoredValue | undefined): value is StoredValue {
  return value !== undefined
}

function path(field: string): '_id' | `fields.${string}` {
  return field === ID ? '_id' : `fields.${field}`
}
