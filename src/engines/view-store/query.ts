import {
  ANY_OF_MAX,
  type Collection,
  type Condition,
  type FieldValue,
  FIND_MAX,
  LOAD_MAX,
  SCAN_MAX,
  type SortKey,
  type Query,
  type ViewDocument,
} from './view-store.ts'

/** Shared by all view stores: which queries are valid, a document's fields, and how they compare. */

export const BROKEN_MAX = 1_000
/** The document's own id, in conditions. */
export const ID = 'id'

const COLLECTION_NAME = /^[a-z]+$/
const FIELD_NAME = /^[a-z][a-zA-Z0-9]*$/

export type CheckedCondition = { readonly field: string; readonly isOfTerms: boolean } & (
  | { readonly kind: 'anyOf'; readonly values: readonly FieldValue[] }
  /** Also a prefix, as [prefix, upper bound). */
  | { readonly kind: 'range'; readonly from: FieldValue | undefined; readonly below: FieldValue | undefined }
)

/** A query whose fields are declared, whose values fit them, and whose limits hold. */
export interface CheckedQuery {
  readonly where: readonly CheckedCondition[]
  readonly filter: readonly CheckedCondition[]
  /** `id` by default. */
  readonly sortedBy: string
  readonly direction: 'asc' | 'desc'
  readonly select: readonly string[]
  /** An index has this order: it is scanned, and nothing is sorted. */
  readonly isIndexOrdered: boolean
  readonly after: SortKey | undefined
  readonly limit: number
  /** Limit of scanned rows. */
  readonly scanMax: number
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
  { where, filter = [], sort = { direction: 'asc' }, select = [] }: Query,
  { limit, after }: { limit: number; after?: SortKey | undefined },
): CheckedQuery {
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > FIND_MAX) {
    throw new RangeError(`limit must be 1 to ${FIND_MAX}, not ${limit}`)
  }
  const sortedBy = sort.field ?? ID
  for (const field of [sortedBy, ...select]) {
    if (field !== ID && fieldType(collection, field) === 'terms')
      throw new TypeError(`'${field}' of ${collection.name} has many values`)
  }
  const checked = where.map((condition) => checkedCondition(collection, condition))
  const isIndexOrdered = hasSortIndex(collection, checked, sortedBy)
  if (!isIndexOrdered && !hasIndex(collection, checked)) {
    throw new TypeError(`${collection.name} has no index for ${checked.map(({ field }) => field).join(', ')}`)
  }
  return {
    where: checked,
    filter: filter.map((condition) => checkedCondition(collection, condition)),
    sortedBy,
    direction: sort.direction,
    select,
    isIndexOrdered,
    after: after && { id: after.id.toWellFormed(), value: checkedValue(collection, sortedBy, after.value) },
    limit,
    scanMax: isIndexOrdered && filter.length === 0 ? limit : SCAN_MAX,
  }
}

/** Like `checkedQuery`, for counting; `limit` has no maximum. */
export function checkedCount(collection: Collection, query: Query, limit: number): CheckedQuery {
  if (!Number.isSafeInteger(limit) || limit < 1) throw new RangeError(`Cannot count up to ${limit}`)
  const checked = checkedQuery(collection, query, { limit: 1 })
  return { ...checked, limit, scanMax: checked.filter.length > 0 ? SCAN_MAX : limit }
}

/** Whether an index has the equality fields, then the sort field. */
function hasSortIndex({ indexes }: Collection, where: readonly CheckedCondition[], sortedBy: string): boolean {
  const others = where.filter(({ field }) => field !== sortedBy)
  if (!others.every(isExact)) return false
  const fixed = new Set(others.map(({ field }) => field))
  return [[], ...indexes].some((index) => {
    const before = index.slice(0, fixed.size)
    return (
      before.length === fixed.size &&
      before.every((field) => fixed.has(field)) &&
      (index[fixed.size] ?? ID) === sortedBy
    )
  })
}

/** Whether an index begins with one of the fields. */
function hasIndex({ indexes, fields }: Collection, where: readonly CheckedCondition[]): boolean {
  return where.some(
    ({ field }) => field === ID || fields[field] === 'terms' || indexes.some(([first]) => first === field),
  )
}

function isExact(condition: CheckedCondition): boolean {
  return condition.kind === 'anyOf' && condition.values.length === 1
}

function checkedCondition(collection: Collection, condition: Condition): CheckedCondition {
  const { field } = condition
  const isOfTerms = field !== ID && fieldType(collection, field) === 'terms'
  if ('anyOf' in condition) {
    if (condition.anyOf.length > ANY_OF_MAX) throw new RangeError(`anyOf takes at most ${ANY_OF_MAX} values`)
    const values = new Set(condition.anyOf.map((value) => checkedValue(collection, field, value)))
    return { kind: 'anyOf', field, isOfTerms, values: [...values] }
  }
  if ('beginsWith' in condition) {
    const from = checkedValue(collection, field, condition.beginsWith)
    if (typeof from !== 'string') throw new TypeError(`'${field}' of ${collection.name} has no beginning`)
    return { kind: 'range', field, isOfTerms, from, below: prefixUpperBound(from) }
  }
  if (isOfTerms) throw new TypeError(`'${field}' of ${collection.name} has no range`)
  const { from, below } = condition
  return {
    kind: 'range',
    field,
    isOfTerms,
    from: from === undefined ? undefined : checkedValue(collection, field, from),
    below: below === undefined ? undefined : checkedValue(collection, field, below),
  }
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
