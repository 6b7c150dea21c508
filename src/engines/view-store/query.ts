import {
  type Collection,
  type FieldValue,
  FIND_MAX,
  LOAD_MAX,
  type Query,
  type Range,
  type SortKey,
  type ViewDocument,
} from './view-store.ts'

/** Shared by all view stores: which queries are valid, a document's fields, and how they compare. */

export const BROKEN_MAX = 1_000
/** The document's own id, in conditions. */
export const ID = 'id'

const COLLECTION_NAME = /^[a-z]+$/
const FIELD_NAME = /^[a-z][a-zA-Z0-9]*$/

/** A query whose fields are declared, whose values fit them, and which an index answers. */
export interface CheckedQuery {
  readonly equal: readonly (readonly [field: string, value: FieldValue])[]
  /** The range's field; `id` by default. */
  readonly by: string
  readonly isOfTerms: boolean
  /** Also a prefix, as [prefix, upper bound). */
  readonly from: FieldValue | undefined
  readonly below: FieldValue | undefined
  readonly direction: 'asc' | 'desc'
  readonly select: readonly string[]
  readonly after: SortKey | undefined
  readonly limit: number
}

/** Throws `TypeError` for a name, field or index that engines reject. */
export function checkCollection({ name, fields, indexes }: Collection): void {
  if (!COLLECTION_NAME.test(name)) throw new TypeError(`'${name}' is no name for a collection`)
  for (const field of Object.keys(fields)) {
    if (!FIELD_NAME.test(field) || field === ID) throw new TypeError(`${name}: '${field}' is no name for a field`)
  }
  for (const field of indexes.flat()) {
    if (!Object.hasOwn(fields, field)) throw new TypeError(`${name} has an index over '${field}', which is not a field`)
  }
}

export function checkIds(ids: readonly string[]): void {
  if (ids.length > LOAD_MAX) throw new RangeError(`At most ${LOAD_MAX} documents can be loaded at once`)
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

/** Throws `TypeError` or `RangeError` for a query that is invalid or has no index. */
export function checkedQuery(
  collection: Collection,
  { equal = {}, range = {}, direction = 'asc', select = [] }: Query,
  { limit, after }: { limit: number; after?: SortKey | undefined },
): CheckedQuery {
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > FIND_MAX) {
    throw new RangeError(`limit must be 1 to ${FIND_MAX}, not ${limit}`)
  }
  const by = range.field ?? ID
  const fixed = Object.keys(equal)
  for (const field of [...fixed, ...select])
    if (fieldType(collection, field) === 'terms')
      throw new TypeError(`'${field}' of ${collection.name} has many values`)
  const isOfTerms = by !== ID && fieldType(collection, by) === 'terms'
  if (isOfTerms && (!('beginsWith' in range) || fixed.length > 0 || after))
    throw new TypeError(`'${by}' of ${collection.name} is found by the beginning of a term alone`)
  if (!isOfTerms && !hasIndex(collection, fixed, by))
    throw new TypeError(`${collection.name} has no index for ${[...fixed, by].join(', ')}`)
  return {
    equal: Object.entries(equal).map(([field, value]) => [field, checkedValue(collection, field, value)]),
    by,
    isOfTerms,
    ...boundsOf(collection, by, range),
    direction,
    select,
    after: after && { id: after.id.toWellFormed(), value: checkedValue(collection, by, after.value) },
    limit,
  }
}

/** Like `checkedQuery`, for counting; `limit` has no maximum. */
export function checkedCount(collection: Collection, query: Query, limit: number): CheckedQuery {
  if (!Number.isSafeInteger(limit) || limit < 1) throw new RangeError(`Cannot count up to ${limit}`)
  return { ...checkedQuery(collection, query, { limit: 1 }), limit }
}

function hasIndex({ indexes }: Collection, fixed: readonly string[], by: string): boolean {
  return [[], ...indexes].some((index) => {
    const before = index.slice(0, fixed.length)
    return (
      before.length === fixed.length &&
      fixed.every((field) => before.includes(field)) &&
      (index[fixed.length] ?? ID) === by
    )
  })
}

function boundsOf(collection: Collection, by: string, range: Range): Pick<CheckedQuery, 'from' | 'below'> {
  const checked = (value: FieldValue | undefined): FieldValue | undefined =>
    value === undefined ? undefined : checkedValue(collection, by, value)
  if (!('beginsWith' in range)) return { from: checked(range.from), below: checked(range.below) }
  const from = checked(range.beginsWith)
  if (typeof from !== 'string') throw new TypeError(`'${by}' of ${collection.name} has no beginning`)
  return { from, below: prefixUpperBound(from) }
}

export function valueFields(collection: Pick<Collection, 'fields'>): string[] {
  return Object.keys(collection.fields).filter((field) => collection.fields[field] !== 'terms')
}

export function termsFields(collection: Pick<Collection, 'fields'>): string[] {
  return Object.keys(collection.fields).filter((field) => collection.fields[field] === 'terms')
}

/** Undefined if the document lacks the field, or has null. */
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

/** The smallest text after all with the prefix `text`; undefined if there is none. */
function prefixUpperBound(text: string): string | undefined {
  const points = Array.from(text, (point) => point.codePointAt(0) ?? 0)
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    if (last === 0x10ffff) continue
    // Skips the surrogates: they are not characters.
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

/** Compares two values of one field. */
export function compareValues(a: FieldValue, b: FieldValue): number {
  return typeof a === 'string' && typeof b === 'string' ? compareText(a, b) : Number(a) - Number(b)
}

function fieldType({ name, fields }: Collection, field: string): Collection['fields'][string] {
  const type = Object.hasOwn(fields, field) ? fields[field] : undefined
  if (type === undefined) throw new TypeError(`${name} has no field '${field}'`)
  return type
}

function valueType(collection: Collection, field: string): 'string' | 'number' | 'boolean' {
  if (field === ID) return 'string'
  const type = fieldType(collection, field)
  return type === 'text' || type === 'terms' ? 'string' : type
}

/** A lone surrogate cannot be stored as UTF-8, so it is replaced in every value that is compared. */
function checkedValue(collection: Collection, field: string, value: unknown): FieldValue {
  const type = valueType(collection, field)
  if (typeof value === type) {
    if (typeof value === 'string') return value.toWellFormed()
    if (typeof value === 'boolean') return value
    // Not every store has -0.
    if (typeof value === 'number' && Number.isFinite(value)) return value === 0 ? 0 : value
  }
  throw new TypeError(`'${field}' of ${collection.name} cannot be ${String(value)}: it is a ${type}`)
}

function rawField({ body, fields }: ViewDocument, field: string): unknown {
  const given = fields ?? body
  if (typeof given !== 'object' || given === null || !Object.hasOwn(given, field)) return undefined
  return (given as Record<string, unknown>)[field] ?? undefined
}
