import type { Collection, FieldValue, Query, ViewDocument } from './view-store.ts'

/** What every view store agrees on: which queries are sound, what a document's fields are, and how they compare. */

export const LOAD_MAX = 10_000
export const FIND_MAX = 2_000
export const ANY_OF_MAX = 1_000
export const BROKEN_MAX = 1_000

export type Condition =
  | { readonly kind: 'anyOf'; readonly field: string; readonly values: readonly FieldValue[] }
  | { readonly kind: 'beginsWith'; readonly field: string; readonly text: string; readonly isTerms: boolean }
  | {
      readonly kind: 'range'
      readonly field: string
      readonly from: FieldValue | undefined
      readonly to: FieldValue | undefined
    }

/** A query whose fields are declared, whose values fit them, and whose limits hold. Every condition must hold; `equals` is any of one. */
export interface CheckedQuery {
  readonly conditions: readonly Condition[]
  readonly sort: { readonly field: string | undefined; readonly direction: 'asc' | 'desc' }
  readonly after: { readonly value: FieldValue | undefined; readonly id: string } | undefined
  readonly limit: number
}

const COLLECTION_NAME = /^[a-z]+(@[0-9]+){1,2}$/
const FIELD_NAME = /^[a-z][a-zA-Z0-9]*$/
/** Stands for the document's own id where its beginning is asked for: every store finds by that anyway. */
export const ID = 'id'

export function checkCollection({ name, fields, indexes, rare = [], tails = {} }: Collection): void {
  if (!COLLECTION_NAME.test(name)) throw new TypeError(`'${name}' is no name for a collection`)
  for (const field of Object.keys(fields)) {
    if (!FIELD_NAME.test(field) || field === ID) throw new TypeError(`${name}: '${field}' is no name for a field`)
  }
  for (const field of indexes.flat()) {
    if (!Object.hasOwn(fields, field)) throw new TypeError(`${name} has an index over '${field}', which is not a field`)
  }
  for (const field of rare) {
    const type = Object.hasOwn(fields, field) ? fields[field] : undefined
    if (type !== 'text' && type !== 'boolean') throw new TypeError(`'${field}' of ${name} cannot be rare`)
  }
  for (const [field, tail] of Object.entries(tails)) {
    if (fields[field] !== 'text' || fields[tail.field] !== 'text')
      throw new TypeError(`'${field}' of ${name} has no tail`)
  }
}

/** Two processes must agree on these; indexes may be added later. */
export function fieldsText({ fields }: Collection): string {
  return JSON.stringify(Object.entries(fields).sort(([a], [b]) => compareText(a, b)))
}

export function checkFields(collection: Collection, fields: readonly string[]): void {
  for (const field of fields) valueType(collection, field)
}

export function checkIds(ids: readonly string[]): void {
  if (ids.length > LOAD_MAX) throw new RangeError(`At most ${LOAD_MAX} documents can be loaded at once`)
}

export function checkCount(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 1) throw new RangeError(`Cannot count up to ${limit}`)
}

export function checkLimit(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > FIND_MAX) {
    throw new RangeError(`limit must be 1 to ${FIND_MAX}, not ${limit}`)
  }
}

export function checkDocument({ id, position }: ViewDocument): void {
  if (id === '' || !id.isWellFormed()) throw new TypeError(`${JSON.stringify(id)} is no id for a document`)
  if (!position.isWellFormed()) throw new TypeError(`${JSON.stringify(position)} is no position`)
}

/** The body as JSON text; undefined for a tombstone. */
export function bodyText({ id, body }: ViewDocument): string | undefined {
  if (body === undefined) return undefined
  const text: string | undefined = JSON.stringify(body)
  if (text === undefined) throw new TypeError(`The body of ${id} is not JSON`)
  return text
}

export function checkedQuery(collection: Collection, query: Query): CheckedQuery {
  const { sort = { direction: 'asc' }, after, limit } = query
  checkLimit(limit)
  if (sort.field !== undefined) valueType(collection, sort.field)
  return {
    conditions: checkedConditions(collection, query),
    sort: { field: sort.field, direction: sort.direction },
    after: after && {
      id: after.id.toWellFormed(),
      value:
        sort.field === undefined || after.value === undefined
          ? undefined
          : checkedValue(collection, sort.field, after.value),
    },
    limit,
  }
}

export function checkedConditions(
  collection: Collection,
  { equals = {}, anyOf, beginsWith, range }: Pick<Query, 'equals' | 'anyOf' | 'beginsWith' | 'range'>,
): Condition[] {
  const conditions: Condition[] = []
  for (const [field, value] of Object.entries(equals)) {
    conditions.push({ kind: 'anyOf', field, values: [checkedValue(collection, field, value)] })
  }
  if (anyOf) {
    const { field } = anyOf
    valueType(collection, field)
    if (anyOf.values.length > ANY_OF_MAX) throw new RangeError(`anyOf takes at most ${ANY_OF_MAX} values`)
    const values = new Set(anyOf.values.map((value) => checkedValue(collection, field, value)))
    conditions.push({ kind: 'anyOf', field, values: [...values] })
  }
  if (beginsWith) {
    const { field, text } = beginsWith
    const type = field === ID ? 'text' : fieldType(collection, field)
    if (type !== 'terms' && type !== 'text') throw new TypeError(`'${field}' of ${collection.name} has no beginning`)
    if (typeof text !== 'string') throw new TypeError(`'${field}' of ${collection.name} begins with text`)
    conditions.push({ kind: 'beginsWith', field, text: text.toWellFormed(), isTerms: type === 'terms' })
  }
  if (range) {
    const { field } = range
    valueType(collection, field)
    conditions.push({
      kind: 'range',
      field,
      from: range.from === undefined ? undefined : checkedValue(collection, field, range.from),
      to: range.to === undefined ? undefined : checkedValue(collection, field, range.to),
    })
  }
  return conditions
}

export function valueFields(collection: Collection): string[] {
  return Object.keys(collection.fields).filter((field) => collection.fields[field] !== 'terms')
}

export function termsFields(collection: Collection): string[] {
  return Object.keys(collection.fields).filter((field) => collection.fields[field] === 'terms')
}

/** Undefined when the document has no such field (null counts as none). */
export function fieldValue(collection: Collection, document: ViewDocument, field: string): FieldValue | undefined {
  const value = rawField(document, field)
  return value === undefined ? undefined : checkedValue(collection, field, value)
}

export function fieldTerms(collection: Collection, document: ViewDocument, field: string): Set<string> {
  const terms = rawField(document, field) ?? []
  if (!Array.isArray(terms) || !terms.every((term) => typeof term === 'string')) {
    throw new TypeError(`'${field}' of ${collection.name} must be an array of text`)
  }
  return new Set(terms.map((term) => term.toWellFormed()))
}

/** The smallest text behind all that begin with `text`; undefined when there is none. */
export function behindBeginning(text: string): string | undefined {
  const points = Array.from(text, (point) => point.codePointAt(0) ?? 0)
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    if (last === 0x10ffff) continue
    // Half a surrogate pair is no character.
    return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1)
  }
  return undefined
}

/** By code points, as databases compare UTF-8; JavaScript's `<` puts an emoji before U+FFFD. */
export function compareText(a: string, b: string): number {
  const end = Math.min(a.length, b.length)
  let at = 0
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at += 1
  return (a.codePointAt(at) ?? -1) - (b.codePointAt(at) ?? -1)
}

/** Of two values of one field; a missing one comes first. */
export function compareValues(a: FieldValue | undefined, b: FieldValue | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined)
  return typeof a === 'string' && typeof b === 'string' ? compareText(a, b) : Number(a) - Number(b)
}

function fieldType({ name, fields }: Collection, field: string): Collection['fields'][string] {
  const type = Object.hasOwn(fields, field) ? fields[field] : undefined
  if (type === undefined) throw new TypeError(`${name} has no field '${field}'`)
  return type
}

function valueType(collection: Collection, field: string): 'string' | 'number' | 'boolean' {
  const type = fieldType(collection, field)
  if (type === 'terms') throw new TypeError(`'${field}' of ${collection.name} can only be found by its beginning`)
  return type === 'text' ? 'string' : type
}

/** Half a surrogate pair cannot be stored as UTF-8, so it is replaced wherever values are compared. */
function checkedValue(collection: Collection, field: string, value: unknown): FieldValue {
  const type = valueType(collection, field)
  if (typeof value === type) {
    if (typeof value === 'string') return value.toWellFormed()
    if (typeof value === 'boolean') return value
    // Not every store knows a zero below zero.
    if (typeof value === 'number' && Number.isFinite(value)) return value === 0 ? 0 : value
  }
  throw new TypeError(`'${field}' of ${collection.name} cannot be ${String(value)}: it is a ${type}`)
}

function rawField({ body, fields }: ViewDocument, field: string): unknown {
  const told = fields ?? body
  if (typeof told !== 'object' || told === null || !Object.hasOwn(told, field)) return undefined
  return (told as Record<string, unknown>)[field] ?? undefined
}
