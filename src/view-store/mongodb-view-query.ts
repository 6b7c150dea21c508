import type { Document, Filter, IndexDescription } from 'mongodb'
import {
  type CheckedCondition,
  type CheckedQuestion,
  fieldTerms,
  fieldValue,
  ID,
  termsFields,
  valueFields,
} from './question.ts'
import type { Collection, FieldValue, FoundRow, Place, ViewDocument } from './view-store.ts'

/** A document as MongoDB has it. A tombstone has neither fields nor body, so that no query finds it. */
export interface StoredDocument {
  readonly _id: string
  readonly position: string
  /** What it is found by: a value for each declared field that it has, and the terms that there are. */
  readonly fields?: Readonly<Record<string, FieldValue | readonly string[]>>
  /** JSON text, since BSON would change some names, numbers and lone surrogates. */
  readonly body?: string
  readonly broken?: { readonly position: string; readonly reason: string }
}

type Part = Filter<StoredDocument>

export const isBroken: Part = { 'broken.position': { $exists: true } }
const isLiving: Part = { body: { $exists: true } }

export function storedFields(collection: Collection, document: ViewDocument): NonNullable<StoredDocument['fields']> {
  const values = valueFields(collection).map((field) => [field, fieldValue(collection, document, field)] as const)
  const terms = termsFields(collection).map((field) => [field, [...fieldTerms(collection, document, field)]] as const)
  return Object.fromEntries([
    ...values.flatMap(([field, value]) => (value === undefined ? [] : [[field, value]])),
    ...terms.filter(([, found]) => found.length > 0),
  ]) as NonNullable<StoredDocument['fields']>
}

/** Every one ends with the id, as every order does, and holds the documents that have its first field. */
export function indexesOf({ indexes, fields }: Collection): IndexDescription[] {
  const declared = indexes.map((names): IndexDescription => {
    const key = Object.fromEntries([...names.map((field) => [path(field), 1 as const]), ['_id', 1 as const]])
    const [first = ID] = names
    const isThere = { [path(first)]: hasField(fields[first]) }
    return { name: [...names, 'id'].join(' '), key, partialFilterExpression: isThere }
  })
  const terms = Object.keys(fields).filter((field) => fields[field] === 'terms')
  const byTerm = terms.map((field): IndexDescription => ({
    name: field,
    key: { [path(field)]: 1, _id: 1 },
    sparse: true,
  }))
  return [...declared, ...byTerm, { name: 'broken', key: { 'broken.position': 1 }, sparse: true }]
}

/** Leads to documents, then checks, sorts and cuts. */
export function findPipeline(collection: Collection, question: CheckedQuestion): Document[] {
  const { also, sortedBy, gives, after, isInOrder, limit } = question
  const checks = also.map((condition) => part(collection, condition))
  if (after && !isInOrder) checks.push({ $or: waysBehind(question, after) })
  return [
    ...ledTo(collection, question),
    ...(checks.length > 0 ? [{ $match: { $and: checks } }] : []),
    ...(isInOrder ? [] : [{ $sort: orderOf(question) }]),
    { $limit: limit },
    { $project: Object.fromEntries([ID, sortedBy, ...gives].map((field) => [path(field), 1])) },
  ]
}

/** Leads to the last document that `findPipeline` looks at, where there may be more behind it. */
export function stopPipeline(collection: Collection, question: CheckedQuestion): Document[] {
  const { sortedBy, lookedAtMax } = question
  return [
    ...ledTo(collection, question),
    { $skip: lookedAtMax - 1 },
    { $project: Object.fromEntries([ID, sortedBy].map((field) => [path(field), 1])) },
  ]
}

export function countPipeline(collection: Collection, question: CheckedQuestion): Document[] {
  const checks = question.also.map((condition) => part(collection, condition))
  return [
    ...ledTo(collection, question),
    ...(checks.length > 0 ? [{ $match: { $and: checks } }] : []),
    { $limit: question.limit },
    { $count: 'count' },
  ]
}

/** Of what `findPipeline` projects. */
export function foundRow({ _id, fields = {} }: StoredDocument, { sortedBy, gives }: CheckedQuestion): FoundRow {
  const valueOf = (field: string): FieldValue | undefined => (field === ID ? _id : (fields[field] as FieldValue))
  return { id: _id, value: valueOf(sortedBy) ?? '', given: gives.map(valueOf) }
}

function ledTo(collection: Collection, question: CheckedQuestion): Document[] {
  const { where, sortedBy, after, isInOrder, lookedAtMax } = question
  const parts = where.map((condition) => part(collection, condition))
  if (where.every(({ field }) => field === ID)) parts.push(isLiving)
  if (sortedBy !== ID && !where.some(({ field }) => field === sortedBy)) {
    parts.push({ [path(sortedBy)]: hasField(collection.fields[sortedBy]) })
  }
  // Each branch repeats all conditions, so that an index delivers it in order from the page's start.
  const ways = after && isInOrder ? waysBehind(question, after).map((way) => ({ $and: [...parts, way] })) : undefined
  return [
    { $match: ways ? { $or: ways } : { $and: parts } },
    ...(isInOrder ? [{ $sort: orderOf(question) }] : []),
    { $limit: lookedAtMax },
  ]
}

function orderOf({ sortedBy, direction }: CheckedQuestion): Record<string, 1 | -1> {
  const sign = direction === 'asc' ? 1 : -1
  return { [path(sortedBy)]: sign, _id: sign }
}

/** How an order goes on behind a document: by the same value and a later id, or by a later value. */
function waysBehind({ sortedBy, direction }: CheckedQuestion, { id, value }: Place): Part[] {
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

/** Comparisons only meet values of the same type. */
function hasField(type: Collection['fields'][string] | undefined): Record<string, FieldValue> {
  if (type === 'number') return { $gte: -Infinity }
  return type === 'boolean' ? { $gte: false } : { $gte: '' }
}

function path(field: string): '_id' | `fields.${string}` {
  return field === ID ? '_id' : `fields.${field}`
}
