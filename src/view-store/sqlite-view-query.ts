import { behindBeginning, ID, termsFields, valueFields } from './fields.ts'
import type { CheckedQuery, Condition } from './fields.ts'
import type { Collection, FieldValue } from './view-store.ts'

/** SQL and what is bound to its question marks. Only declared names stand in the text, never a value. */
export interface Statement {
  readonly text: string
  readonly values: readonly (string | number)[]
}

/** SQLite cannot know how many documents a value leads to, so it is asked, no further than `narrowMax`. */
export interface Probe {
  readonly narrowMax: number
  /** How many fit all conditions, or at least so many that they are not few, where that is known already. */
  readonly fitting?: number | undefined
  count(statement: Statement): number
}

/** An index, and its first fields as far as they have one value each. */
interface Walk {
  readonly index: readonly string[]
  readonly served: readonly string[]
}

/** How documents are looked up: by an index, by the terms of a condition, or as SQLite likes. */
type Way = Walk | { readonly terms: Beginning } | 'free'

type Beginning = Extract<Condition, { kind: 'beginsWith' }>

/**
 * Stands where a document lacks the field, below every text and number, so that a page always continues by one comparison.
 * A tombstone has NULL in every field, which no comparison finds.
 */
const MISSING = -Infinity

const DOCUMENT = 'id, position, body, broken'
/** Of what was taken away the position alone is left. */
const LIVES = 'lives = 1'

const UPDATES_KNOWN_MAX = 100
/** Where few documents are walked anyway, so many times fewer are worth being looked up by their terms. */
const SHORTER = 10
/** So many times more are worth being looked up where an index alone tells all that is asked. */
const CHEAPER = 4

export function table({ name }: Collection): string {
  return quoted(name)
}

export function termsTable({ name }: Collection): string {
  return quoted(`${name} terms`)
}

/** Apart from the rest: an index is made, and a list is walked, without going through all of them. */
export function bodiesTable({ name }: Collection): string {
  return quoted(`${name} bodies`)
}

/** The index over the ids alone. */
const BY_ID: readonly string[] = []

export function indexName({ name }: Collection, fields: readonly string[]): string {
  return [name, 'by', ...fields, 'id'].join(' ')
}

/** Indexes over the documents themselves: terms have a table of their own. */
export function madeIndexes(collection: Collection): (readonly string[])[] {
  const terms = termsFields(collection)
  return collection.indexes.filter((fields) => !fields.some((field) => terms.includes(field)))
}

export function tableStatements(collection: Collection): string[] {
  const documents = table(collection)
  const columns = valueFields(collection).map((field) => `${column(field)} ANY, `)
  const statements = [
    `CREATE TABLE ${documents} (
      seq INTEGER PRIMARY KEY, id TEXT NOT NULL, position TEXT NOT NULL, lives INTEGER NOT NULL, ${columns.join('')}broken TEXT
    ) STRICT`,
    `CREATE TABLE ${bodiesTable(collection)} (of INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT`,
    `CREATE UNIQUE INDEX ${quoted(indexName(collection, BY_ID))} ON ${documents} (id)`,
    `CREATE INDEX ${quoted(`${collection.name} broken`)} ON ${documents} (id) WHERE broken IS NOT NULL`,
  ]
  if (termsFields(collection).length === 0) return statements
  const terms = termsTable(collection)
  return [
    ...statements,
    `CREATE TABLE ${terms} (
      doc INTEGER NOT NULL, field TEXT NOT NULL, term TEXT NOT NULL, PRIMARY KEY (doc, field, term)
    ) STRICT, WITHOUT ROWID`,
  ]
}

/** What makes the collection's indexes, by their names. */
export function indexStatements(collection: Collection): Map<string, string> {
  const statements = new Map(
    madeIndexes(collection).map((fields) => [indexName(collection, fields), indexStatement(collection, fields)]),
  )
  const terms = termsFields(collection)
  // One serves all terms.
  if (!collection.indexes.flat().some((field) => terms.includes(field))) return statements
  const name = `${collection.name} by term`
  return statements.set(
    name,
    `CREATE INDEX IF NOT EXISTS ${quoted(name)} ON ${termsTable(collection)} (field, term, doc)`,
  )
}

function indexStatement(collection: Collection, fields: readonly string[]): string {
  const columns = [...fields.map(column), 'id'].join(', ')
  const rare = rareIn(collection, fields).map(isThere)
  const where = rare.length > 0 ? ` WHERE ${rare.join(' AND ')}` : ''
  return `CREATE INDEX IF NOT EXISTS ${quoted(indexName(collection, fields))} ON ${table(collection)} (${columns})${where}`
}

/** Lets SQLite take an index over rare fields where it chooses by itself. */
function isRare(collection: Collection, conditions: readonly Condition[]): Statement[] {
  const rare = rareIn(
    collection,
    conditions.filter(asksForSome).map(({ field }) => field),
  )
  return rare.map((field) => ({ text: isThere(field), values: [] }))
}

function rareIn({ rare = [] }: Collection, index: readonly string[]): string[] {
  return index.filter((field) => rare.includes(field))
}

/** Any text, or true. An index over a rare field holds only these, and SQLite takes it where a statement says the very same. */
function isThere(field: string): string {
  return `${column(field)} > 0`
}

/** The statements that one document is written with. */
export interface Writing {
  /** Where it stands: `seq`, `position`, `lives`, and the columns of its fields in their order. */
  readonly standing: string
  readonly insert: string
  readonly setBody: string
  readonly dropBody: string
  /** Names only what has changed: SQLite writes every index over a column that is named, whatever its value. */
  update(changed: readonly string[]): string
}

export function writingOf(collection: Collection): Writing {
  const fields = valueFields(collection)
  const columns = ['id', 'position', 'lives', 'broken', ...fields.map(column)]
  const updates = new Map<string, string>()
  return {
    standing: `SELECT ${['seq', 'position', 'lives', ...fields.map(column)].join(', ')}
      FROM ${table(collection)} WHERE id = ?`,
    insert: `INSERT INTO ${table(collection)} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    setBody: `INSERT INTO ${bodiesTable(collection)} (of, body) VALUES (?, ?) ON CONFLICT (of) DO UPDATE SET body = excluded.body`,
    dropBody: `DELETE FROM ${bodiesTable(collection)} WHERE of = ?`,
    update(changed) {
      const key = changed.join(' ')
      const known = updates.get(key)
      if (known !== undefined) return known
      const changes = ['position', 'lives', 'broken', ...changed.map(column)].map((name) => `${name} = ?`)
      const text = `UPDATE ${table(collection)} SET ${changes.join(', ')} WHERE seq = ?`
      if (updates.size < UPDATES_KNOWN_MAX) updates.set(key, text)
      return text
    },
  }
}

export function storedValue(value: FieldValue | undefined): string | number {
  return typeof value === 'boolean' ? Number(value) : (value ?? MISSING)
}

export function foundValue(
  { fields }: Collection,
  field: string | undefined,
  value: string | number,
): FieldValue | undefined {
  if (value === MISSING) return undefined
  return field !== undefined && fields[field] === 'boolean' ? value === 1 : value
}

export function loadStatement(collection: Collection): string {
  return `SELECT ${DOCUMENT} FROM ${table(collection)} ${withBodies(collection)} WHERE id = ?`
}

/** How a page is found. */
interface FindingWay {
  readonly way: Way
  readonly isWalked: boolean
}

/**
 * What few documents fit is looked up and sorted; else the documents are walked in the order asked for until enough of them fit.
 * So neither a rare value nor a common one costs much.
 */
export function wayToFind(collection: Collection, query: CheckedQuery, probe: Probe): FindingWay {
  const { conditions, sort } = query
  const walk = walkOf(collection, query)
  const others = conditions.filter(({ field }) => field !== sort.field && !walk?.served.includes(field))
  const isShort = walk !== undefined && rareIn(collection, walk.index).length > 0
  const narrow = narrowWay(collection, { conditions, candidates: others, probe, sortedBy: sort.field, isShort })
  const way = narrow ?? walk ?? 'free'
  return { way, isWalked: way === walk }
}

export function findStatement(collection: Collection, query: CheckedQuery, { way, isWalked }: FindingWay): Statement {
  const { sort, limit } = query
  const parts = partsOf(collection, query, way)
  const by = placeOf(query)
  if (isWalked) {
    const walked = fromDocuments(collection, way, parts, withBodies(collection))
    const text = `SELECT ${DOCUMENT} ${walked.text} ${orderBy(sort, [by, 'id'])} LIMIT ?`
    return { text, values: [...walked.values, limit] }
  }
  // Thousands may be sorted, maybe in an index alone; the documents of a page alone are wanted.
  const sorted = fromDocuments(collection, way, parts)
  const page = `SELECT seq AS found, ${by} AS place ${sorted.text} ${orderBy(sort, [by, 'id'])} LIMIT ?`
  const documents = `CROSS JOIN ${table(collection)} ON seq = found ${withBodies(collection)}`
  return {
    text: `SELECT ${DOCUMENT} FROM (${page}) ${documents} ${orderBy(sort, ['place', 'id'])}`,
    values: [...sorted.values, limit],
  }
}

/** Reads no bodies, and of an index that has all these fields nothing but the index. */
export function fieldsStatement(
  collection: Collection,
  query: CheckedQuery,
  way: Way,
  fields: readonly string[],
): Statement {
  const { text, values } = fromDocuments(collection, way, partsOf(collection, query, way))
  const columns = ['id', ...fields.map(column)].join(', ')
  return {
    text: `SELECT ${columns} ${text} ${orderBy(query.sort, [placeOf(query), 'id'])} LIMIT ?`,
    values: [...values, query.limit],
  }
}

/** What is asked of each document, and from where on. */
function partsOf(collection: Collection, { conditions, sort, after }: CheckedQuery, way: Way): Statement[] {
  const sign = sort.direction === 'asc' ? '>' : '<'
  const by = placeOf({ sort })
  const parts = conditions.map((condition) => {
    if (!isOfTerms(condition)) return holds(condition, after && condition.field === sort.field ? sign : undefined)
    return way === 'free' || 'terms' in way ? isFoundBy(collection, condition) : has(collection, condition)
  })
  if (conditions.every((condition) => isOfTerms(condition) || isOfId(condition))) parts.push(isNoTombstone(sort.field))
  if (way === 'free') parts.push(...isRare(collection, conditions))
  if (after && sort.field === undefined) parts.push({ text: `id ${sign} ?`, values: [after.id] })
  else if (after) parts.push({ text: `(${by}, id) ${sign} (?, ?)`, values: [storedValue(after.value), after.id] })
  return parts
}

function placeOf({ sort }: Pick<CheckedQuery, 'sort'>): string {
  return sort.field === undefined ? 'id' : column(sort.field)
}

function orderBy({ direction }: CheckedQuery['sort'], names: readonly string[]): string {
  return `ORDER BY ${[...new Set(names)].map((name) => `${name} ${direction}`).join(', ')}`
}

/**
 * Where an index alone tells all that is asked of many values, what fits is gone through once for a page and for how many there are (`count`): so many at
 * most as are sorted. A page without documents tells nothing.
 */
export function countedPage(
  collection: Collection,
  { conditions, sort, after, limit }: CheckedQuery,
  { narrowMax }: Pick<Probe, 'narrowMax'>,
): { statement: Statement; countMax: number } | undefined {
  const { field, direction } = sort
  const many = conditions.find((condition) => condition.kind === 'anyOf' && condition.values.length > 1)
  const walk = many && walkTo(collection, conditions, many)
  if (!walk || field === undefined || !isCovered(walk, conditions, field)) return undefined
  const countMax = narrowMax * CHEAPER
  const few = fromDocuments(
    collection,
    walk,
    conditions.map((condition) => holds(condition)),
  )
  const sign = direction === 'asc' ? '>' : '<'
  const behind = after ? `WHERE (place, id) ${sign} (?, ?)` : ''
  const order = `ORDER BY place ${direction}, id ${direction}`
  return {
    countMax,
    statement: {
      text: `WITH few AS MATERIALIZED (SELECT seq AS found, ${column(field)} AS place, id ${few.text} LIMIT ?)
        SELECT ${DOCUMENT}, (SELECT count(*) FROM few) AS count
        FROM (SELECT found, place FROM few ${behind} ${order} LIMIT ?)
        CROSS JOIN ${table(collection)} ON seq = found ${withBodies(collection)} ${order}`,
      values: [...few.values, countMax, ...(after ? [storedValue(after.value), after.id] : []), limit],
    },
  }
}

/** How a walk leaps from one head to the next. */
export interface Leaps {
  /** Where the walk begins; undefined: at the very first. */
  readonly start: string | undefined
  /** Asks for what the first document from here on is sorted by. */
  first(from: string | undefined): Statement
  /** Asks for the documents with the head of this value. */
  stretch(value: string, limit: number): Statement
  /** From where documents have another head than this value's; undefined: there are none. */
  behind(value: string): string | undefined
  /** Asks for the documents from here on. */
  rest(from: string | undefined, limit: number): Statement
}

/** Where a range is over the tail of what is walked by, the documents between its stretches need not be met. */
export function leapsOf(collection: Collection, query: CheckedQuery, found: FindingWay): Leaps | undefined {
  const { conditions, sort, after } = query
  const { way, isWalked } = found
  const { field } = sort
  if (!isWalked || way === 'free' || 'terms' in way || field === undefined) return undefined
  const tail = collection.tails?.[field]
  const range = conditions.find((condition) => condition.kind === 'range' && condition.field === tail?.field)
  if (!tail || range?.kind !== 'range' || conditions.some((condition) => condition.field === field)) return undefined
  const { from: tailFrom = '', to: tailTo } = range
  if (after && typeof after.value !== 'string') return undefined
  const seen = after && String(after.value)

  const isRising = sort.direction === 'asc'
  const fixed = conditions.filter((condition) => isExact(condition) && way.served.includes(condition.field))
  const headOf = (value: string): string => value.slice(0, tail.behind)
  const onward = (from: string | undefined): Condition =>
    isRising ? { kind: 'range', field, from: from ?? '', to: undefined } : { kind: 'range', field, from: '', to: from }
  const within = (condition: Condition, limit: number, behind?: CheckedQuery['after']): Statement =>
    findStatement(collection, { conditions: [...conditions, condition], sort, after: behind, limit }, found)
  return {
    // Of the same value there is nothing left where no id is named.
    start: seen === undefined || isRising || after?.id === '' ? seen : behindBeginning(headOf(seen)),
    first(from) {
      const asked = [...fixed, onward(from)].map((condition) => holds(condition))
      const { text, values } = fromDocuments(collection, way, asked)
      const by = column(field)
      return { text: `SELECT ${by} AS place ${text} ORDER BY ${by} ${sort.direction} LIMIT 1`, values }
    },
    stretch(value, limit) {
      const head = headOf(value)
      const to = tailTo === undefined ? behindBeginning(head) : head + String(tailTo)
      const isSeen = seen !== undefined && headOf(seen) === head
      return within({ kind: 'range', field, from: head + String(tailFrom), to }, limit, isSeen ? after : undefined)
    },
    behind: (value) => (isRising ? behindBeginning(headOf(value)) : headOf(value)),
    rest: (from, limit) => within(onward(from), limit),
  }
}

export function countStatement(
  collection: Collection,
  { conditions, limit }: { conditions: readonly Condition[]; limit: number },
  probe: Probe,
): Statement {
  return counted(matching(collection, conditions, probe), limit)
}

export function idsStatement(
  collection: Collection,
  { conditions, limit }: { conditions: readonly Condition[]; limit: number },
  probe: Probe,
): Statement {
  const { text, values } = matching(collection, conditions, probe)
  const documents = `CROSS JOIN ${table(collection)} ON seq = doc`
  return { text: `SELECT id FROM (${text} LIMIT ?) ${documents}`, values: [...values, limit] }
}

/** The numbers of all that fit, as `doc`. */
function matching(collection: Collection, conditions: readonly Condition[], probe: Probe): Statement {
  const terms = conditions.find(isOfTerms)
  const parts = conditions.filter((condition) => !isOfTerms(condition)).map((condition) => holds(condition))
  const covered = conditions
    .filter((condition) => !isExact(condition) && !isOfTerms(condition))
    .map((condition) => walkTo(collection, conditions, condition))
    .find((walk) => walk && isCovered(walk, conditions))
  const best = bestIndex(collection, conditions)
  // Whatever is met there fits, so there is no shorter way.
  const isServed = best !== undefined && conditions.every(({ field }) => best.served.includes(field))
  const isTried = conditions.length > 1 && !isServed
  const narrow = covered ?? (isTried ? narrowWay(collection, { conditions, candidates: conditions, probe }) : undefined)
  if (terms && !(narrow && 'index' in narrow)) return byTerms(collection, terms, parts)
  if (terms) parts.push(has(collection, terms))
  if (conditions.every(isOfId)) parts.push(isNoTombstone(undefined))
  const way = narrow ?? best ?? 'free'
  const documents = fromDocuments(collection, way, parts)
  return { text: `SELECT seq AS doc ${documents.text}`, values: documents.values }
}

/** The index that knows most of the conditions. */
function bestIndex(collection: Collection, conditions: readonly Condition[]): Walk | undefined {
  const fixed = fixedFields(conditions)
  const isAsked = (field: string): boolean => conditions.some((condition) => condition.field === field)
  const walks = usableIndexes(collection, conditions).flatMap((index) => {
    if (index === BY_ID) return conditions.some(isOfId) ? [{ index, served: [], known: 1 }] : []
    const open = index.findIndex((field) => !fixed.has(field))
    const served = open === -1 ? index : index.slice(0, open)
    const last = index[served.length]
    const known = last !== undefined && isAsked(last) ? [...served, last] : served
    return isTelling(collection, known) ? [{ index, served, known: known.length }] : []
  })
  return walks.toSorted((a, b) => b.known - a.known)[0]
}

/** To know only whether something is so does not help: it is so for most documents. */
function isTelling(collection: Collection, known: readonly string[]): boolean {
  return known.some((field) => collection.fields[field] !== 'boolean') || rareIn(collection, known).length > 0
}

/** An index in whose order documents can be walked: first fields that have one value each, then the one to sort by. */
function walkOf(collection: Collection, { conditions, sort }: CheckedQuery): Walk | undefined {
  const fixed = fixedFields(conditions)
  const { field } = sort
  const walks = usableIndexes(collection, conditions).flatMap((index) => {
    if (field !== undefined && !index.includes(field)) return []
    const served = field === undefined ? index : index.slice(0, index.indexOf(field))
    return served.every((name) => fixed.has(name)) ? [{ index, served }] : []
  })
  return longest(walks)
}

/** The first of the candidates that by itself, with the fixed fields before it in an index, leads to few documents. */
function narrowWay(
  collection: Collection,
  {
    conditions,
    candidates,
    probe,
    sortedBy,
    isShort = false,
  }: {
    conditions: readonly Condition[]
    candidates: readonly Condition[]
    probe: Probe
    sortedBy?: string | undefined
    isShort?: boolean
  },
): Exclude<Way, 'free'> | undefined {
  for (const candidate of candidates) {
    if (isOfTerms(candidate)) {
      const few = byTerms(collection, candidate, [])
      const narrowMax = isShort ? Math.ceil(probe.narrowMax / SHORTER) : probe.narrowMax
      if (probe.count(counted(few, narrowMax)) < narrowMax) return { terms: candidate }
      continue
    }
    const walk = walkTo(collection, conditions, candidate)
    if (!walk || !isTelling(collection, [...walk.served, candidate.field])) continue
    const narrowMax = isCovered(walk, conditions, sortedBy) ? probe.narrowMax * CHEAPER : probe.narrowMax
    if (probe.fitting !== undefined && isCovered(walk, conditions)) {
      if (probe.fitting < narrowMax) return walk
      continue
    }
    const parts = conditions
      .filter((condition) => condition === candidate || (walk.served.includes(condition.field) && isExact(condition)))
      .map((condition) => holds(condition))
    const few = fromDocuments(collection, walk, parts)
    const count = counted({ text: `SELECT 1 ${few.text}`, values: few.values }, narrowMax)
    if (probe.count(count) < narrowMax) return walk
  }
  return undefined
}

/** The index that leads from fixed fields to the candidate. */
function walkTo(collection: Collection, conditions: readonly Condition[], candidate: Condition): Walk | undefined {
  const fixed = fixedFields(conditions)
  const walks = usableIndexes(collection, conditions).flatMap((index) => {
    if (isOfId(candidate)) return index === BY_ID ? [{ index, served: [] }] : []
    const served = index.slice(0, index.indexOf(candidate.field))
    return index.includes(candidate.field) && served.every((name) => fixed.has(name)) ? [{ index, served }] : []
  })
  return longest(walks)
}

/** The index alone tells all that is asked. */
function isCovered({ index }: Walk, conditions: readonly Condition[], sortedBy?: string): boolean {
  const needed = [...conditions.map(({ field }) => field), ...(sortedBy === undefined ? [] : [sortedBy])]
  return needed.every((field) => field === ID || index.includes(field))
}

/** Those that hold every document which fits. */
function usableIndexes(collection: Collection, conditions: readonly Condition[]): (readonly string[])[] {
  return [BY_ID, ...madeIndexes(collection)].filter((index) =>
    rareIn(collection, index).every((field) =>
      conditions.some((condition) => condition.field === field && asksForSome(condition)),
    ),
  )
}

/** No document fits without a text or a true in the field. */
function asksForSome(condition: Condition): boolean {
  switch (condition.kind) {
    case 'anyOf':
      return condition.values.every((value) => value !== false)
    case 'beginsWith':
      return true
    case 'range':
      return typeof (condition.from ?? condition.to) === 'string'
  }
}

function withBodies(collection: Collection): string {
  return `LEFT JOIN ${bodiesTable(collection)} ON of = seq`
}

function fromDocuments(collection: Collection, way: Way, parts: readonly Statement[], joined = ''): Statement {
  // The statement is ours to plan; SQLite would take an index that it believes good for any value.
  const hint =
    way === 'free' ? '' : 'terms' in way ? ' NOT INDEXED' : ` INDEXED BY ${quoted(indexName(collection, way.index))}`
  const rare = way !== 'free' && 'index' in way ? rareIn(collection, way.index).map(isThere) : []
  return {
    text: `FROM ${table(collection)} AS documents${hint} ${joined} WHERE ${[...parts.map(({ text }) => text), ...rare].join(' AND ')}`,
    values: parts.flatMap(({ values }) => values),
  }
}

function byTerms(collection: Collection, condition: Beginning, parts: readonly Statement[]): Statement {
  const all = [isInTerms(condition), ...parts]
  const documents = parts.length === 0 ? '' : `CROSS JOIN ${table(collection)} AS documents ON seq = doc`
  return {
    text: `SELECT DISTINCT doc FROM ${termsTable(collection)} ${documents} WHERE ${all.map(({ text }) => text).join(' AND ')}`,
    values: all.flatMap(({ values }) => values),
  }
}

function counted({ text, values }: Statement, limit: number): Statement {
  return { text: `SELECT count(*) AS count FROM (${text} LIMIT ?)`, values: [...values, limit] }
}

function isFoundBy(collection: Collection, condition: Beginning): Statement {
  const { text, values } = isInTerms(condition)
  return { text: `seq IN (SELECT doc FROM ${termsTable(collection)} WHERE ${text})`, values }
}

function has(collection: Collection, condition: Beginning): Statement {
  const { text, values } = isInTerms(condition)
  return { text: `EXISTS (SELECT 1 FROM ${termsTable(collection)} WHERE doc = documents.seq AND ${text})`, values }
}

function isInTerms({ field, text }: Beginning): Statement {
  const { text: range, values } = between('term', { from: text, to: behindBeginning(text) })
  return { text: `field = ? AND ${range}`, values: [field, ...values] }
}

function isNoTombstone(sortedBy: string | undefined): Statement {
  return sortedBy === undefined ? { text: LIVES, values: [] } : { text: `${column(sortedBy)} >= ?`, values: [MISSING] }
}

/** `continued` tells on which side a page continues: a second bound there is only checked, so that SQLite seeks to where the page begins. */
function holds(condition: Condition, continued?: '<' | '>'): Statement {
  const { kind, field } = condition
  switch (kind) {
    case 'anyOf': {
      const values = condition.values.map(storedValue)
      if (values.length === 0) return { text: 'FALSE', values }
      if (values.length === 1) return { text: `${column(field)} = ?`, values }
      // Few different lengths are few different statements.
      const length = 2 ** Math.ceil(Math.log2(values.length))
      const padded = Array.from({ length }, (_, at) => values[at] ?? values[0] ?? MISSING)
      return { text: `${column(field)} IN (${padded.map(() => '?').join(', ')})`, values: padded }
    }
    case 'beginsWith':
      return between(column(field), { from: condition.text, to: behindBeginning(condition.text) }, continued)
    case 'range':
      return between(column(field), condition, continued)
  }
}

function between(
  name: string,
  { from, to }: { from?: FieldValue | undefined; to?: FieldValue | undefined },
  continued?: '<' | '>',
): Statement {
  const lower = `${continued === '>' ? '+' : ''}${name} ${from === undefined ? '>' : '>='} ?`
  const upper = `${continued === '<' ? '+' : ''}${name} < ?`
  return to === undefined
    ? { text: lower, values: [storedValue(from)] }
    : { text: `${lower} AND ${upper}`, values: [storedValue(from), storedValue(to)] }
}

function isOfTerms(condition: Condition): condition is Beginning {
  return condition.kind === 'beginsWith' && condition.isTerms
}

function isOfId(condition: Condition): boolean {
  return condition.field === ID
}

function isExact(condition: Condition): boolean {
  return condition.kind === 'anyOf' && condition.values.length === 1
}

function fixedFields(conditions: readonly Condition[]): Set<string> {
  return new Set(conditions.filter(isExact).map(({ field }) => field))
}

function longest(walks: readonly Walk[]): Walk | undefined {
  return walks.toSorted((a, b) => b.served.length - a.served.length)[0]
}

function column(field: string): string {
  return field === ID ? ID : quoted(`body.${field}`)
}

function quoted(name: string): string {
  return `"${name}"`
}
