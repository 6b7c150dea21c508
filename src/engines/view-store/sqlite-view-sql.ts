import type { SQLInputValue } from 'node:sqlite'
import { type CheckedCondition, type CheckedQuery, compareValues, ID, termsFields, valueFields } from './query.ts'
import { type Collection, type FieldValue, SCAN_MAX, type SortKey } from './view-store.ts'

/** SQL and the values of its placeholders. The text contains only declared names, never a value. */
export interface Statement {
  readonly text: string
  readonly values: readonly SQLInputValue[]
}

type Named = Pick<Collection, 'name'>

export function table({ name }: Named): string {
  return quote(name)
}

export function termsTable({ name }: Named): string {
  return quote(`${name} terms`)
}

export function bodiesTable({ name }: Named): string {
  return quote(`${name} bodies`)
}

/** A column is NULL if the document lacks the field; a tombstone has NULL in every field, and no body. */
export function tableStatements(collection: Collection): string[] {
  const documents = table(collection)
  const columns = ['seq INTEGER PRIMARY KEY', 'id TEXT NOT NULL', 'position TEXT NOT NULL', 'broken TEXT']
  columns.push(...valueFields(collection).map((field) => `${column(field)} ANY`))
  const statements = [
    `CREATE TABLE ${documents} (${columns.join(', ')}) STRICT`,
    // A separate table, so that documents are scanned and sorted without reading their bodies.
    `CREATE TABLE ${bodiesTable(collection)} (doc INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT`,
    `CREATE UNIQUE INDEX ${quote(`${collection.name} by id`)} ON ${documents} (id)`,
    `CREATE INDEX ${quote(`${collection.name} broken`)} ON ${documents} (id) WHERE broken IS NOT NULL`,
  ]
  if (termsFields(collection).length === 0) return statements
  return [
    ...statements,
    `CREATE TABLE ${termsTable(collection)} (doc INTEGER NOT NULL, field TEXT NOT NULL, term TEXT NOT NULL, PRIMARY KEY (doc, field, term)) STRICT, WITHOUT ROWID`,
  ]
}

/** SQLite uses a partial index if a query compares its first field, which is then not NULL. */
export function indexStatements(collection: Collection): string[] {
  const statements = collection.indexes.map((fields) => {
    const name = [collection.name, 'by', ...fields, 'id'].join(' ')
    const columns = [...fields.map(column), 'id'].join(', ')
    const where = `${column(fields[0] ?? ID)} IS NOT NULL`
    return `CREATE INDEX IF NOT EXISTS ${quote(name)} ON ${table(collection)} (${columns}) WHERE ${where}`
  })
  if (termsFields(collection).length === 0) return statements
  const byTerm = quote(`${collection.name} by term`)
  return [...statements, `CREATE INDEX IF NOT EXISTS ${byTerm} ON ${termsTable(collection)} (field, term, doc)`]
}

/** A new document without its body. An upsert or RETURNING would make SQLite journal each page that the statement changes. */
export function insertStatement(collection: Collection): string {
  const columns = [...writtenColumns(collection), ID]
  return `INSERT INTO ${table(collection)} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
}

/** Updates the document with this `seq`. */
export function updateStatement(collection: Collection): string {
  const written = writtenColumns(collection).map((name) => `${name} = ?`)
  return `UPDATE ${table(collection)} SET ${written.join(', ')} WHERE seq = ?`
}

function writtenColumns(collection: Collection): string[] {
  return ['position', 'broken', ...valueFields(collection).map(column)]
}

export function loadStatement(collection: Named): string {
  return `SELECT seq, id, position, body, broken FROM ${table(collection)} LEFT JOIN ${bodiesTable(collection)} ON doc = seq WHERE id = ?`
}

/** The inner query scans at most `scanMax` rows, the outer one filters, sorts and limits. */
export function findStatement(collection: Collection, query: CheckedQuery): Statement {
  const { filter, sortedBy, select, after, isIndexOrdered, limit } = query
  const continued = after && !isIndexOrdered ? [afterSortKey(query, after)] : []
  const checks = [...filter.map((condition) => filterCondition(collection, condition)), ...continued]
  const inner = innerStatement(collection, query)
  return joined`SELECT ${rawText([ID, sortedBy, ...select].map(column).join(', '))} FROM (${inner}) WHERE ${allOf(checks)}
    ${rawText(orderBy(query))} LIMIT ${bound(limit)}`
}

/** The last row that `findStatement` scans: where the scan stopped. */
export function stopStatement(collection: Collection, query: CheckedQuery): Statement {
  const last = innerStatement(collection, query, query.scanMax - 1)
  return joined`SELECT ${rawText([ID, query.sortedBy].map(column).join(', '))} FROM (${last})`
}

export function countStatement(collection: Collection, query: CheckedQuery): Statement {
  const { filter, limit } = query
  // Without a filter, neither order nor columns matter.
  if (filter.length === 0) {
    const found = joined`SELECT 1 FROM ${rawText(table(collection))} WHERE ${conditionsOf(collection, query)}`
    return joined`SELECT count(*) AS count FROM (${found} LIMIT ${bound(limit)})`
  }
  const checks = allOf(filter.map((condition) => filterCondition(collection, condition)))
  const inner = innerStatement(collection, query)
  return joined`SELECT count(*) AS count FROM (SELECT 1 FROM (${inner}) WHERE ${checks} LIMIT ${bound(limit)})`
}

function innerStatement(collection: Collection, query: CheckedQuery, offset?: number): Statement {
  const { filter, sortedBy, select, isIndexOrdered, scanMax } = query
  const columns = new Set([
    ID,
    sortedBy,
    ...select,
    ...filter.flatMap(({ field, isOfTerms }) => (isOfTerms ? [] : [field])),
  ])
  const order = rawText(isIndexOrdered ? orderBy(query) : '')
  const part = offset === undefined ? joined`LIMIT ${bound(scanMax)}` : joined`LIMIT 1 OFFSET ${bound(offset)}`
  const seq = filter.some(({ isOfTerms }) => isOfTerms) ? 'seq, ' : ''
  return joined`SELECT ${rawText(seq + [...columns].map(column).join(', '))} FROM ${rawText(table(collection))}
    WHERE ${conditionsOf(collection, query)} ${order} ${part}`
}

function conditionsOf(collection: Collection, query: CheckedQuery): Statement {
  const { where, sortedBy, after, isIndexOrdered, scanMax } = query
  const conditions: Statement[] = []
  for (const condition of where) {
    const bounded = after && isIndexOrdered ? withoutPassedBound(condition, query, after) : condition
    conditions.push(scanCondition(collection, bounded, where.length === 1 ? Math.max(scanMax, SCAN_MAX) : undefined))
  }
  if (after && isIndexOrdered) conditions.push(afterSortKey(query, after))
  // Field comparisons exclude tombstones (NULL); a comparison by id does not.
  if (where.every(({ field }) => field === ID))
    conditions.push(rawText(`EXISTS (SELECT 1 FROM ${bodiesTable(collection)} WHERE doc = seq)`))
  if (sortedBy !== ID && !where.some(({ field }) => field === sortedBy))
    conditions.push(rawText(`${column(sortedBy)} IS NOT NULL`))
  return allOf(conditions)
}

/** Drops the range bound that `after` implies, so that SQLite seeks to the page's start. */
function withoutPassedBound(
  condition: CheckedCondition,
  { sortedBy, direction }: CheckedQuery,
  after: SortKey,
): CheckedCondition {
  if (condition.kind !== 'range' || condition.field !== sortedBy) return condition
  const { from, below } = condition
  const value = sortedBy === ID ? after.id : after.value
  if (direction === 'asc')
    return from !== undefined && compareValues(value, from) >= 0 ? { ...condition, from: undefined } : condition
  return below !== undefined && compareValues(value, below) < 0 ? { ...condition, below: undefined } : condition
}

function afterSortKey({ sortedBy, direction }: CheckedQuery, after: SortKey): Statement {
  const sign = rawText(direction === 'asc' ? '>' : '<')
  if (sortedBy === ID) return joined`id ${sign} ${bound(after.id)}`
  return joined`(${rawText(column(sortedBy))}, id) ${sign} (${bound(storedValue(after.value))}, ${bound(after.id)})`
}

function orderBy({ sortedBy, direction }: CheckedQuery): string {
  return `ORDER BY ${[...new Set([column(sortedBy), ID])].map((name) => `${name} ${direction}`).join(', ')}`
}

/** If terms are the only condition, reads at most `max` of them; some of their documents may lack the sort field. */
function scanCondition(collection: Collection, condition: CheckedCondition, max: number | undefined): Statement {
  if (!condition.isOfTerms) return holds(condition)
  const most = max === undefined ? rawText('') : joined`LIMIT ${bound(max)}`
  return joined`seq IN (SELECT DISTINCT doc FROM ${rawText(termsTable(collection))} WHERE ${isTerm(condition)} ${most})`
}

function filterCondition(collection: Collection, condition: CheckedCondition): Statement {
  if (!condition.isOfTerms) return holds(condition)
  return joined`EXISTS (SELECT 1 FROM ${rawText(termsTable(collection))} WHERE doc = seq AND ${isTerm(condition)})`
}

function isTerm(condition: CheckedCondition): Statement {
  return joined`field = ${bound(condition.field)} AND ${holds({ ...condition, field: 'term' }, (name) => name)}`
}

function holds(condition: CheckedCondition, columnOf: (field: string) => string = column): Statement {
  const name = rawText(columnOf(condition.field))
  if (condition.kind === 'anyOf') {
    const [first = null, ...others] = condition.values.map(storedValue)
    if (others.length === 0) return joined`${name} = ${bound(first)}`
    // One statement for any number of values.
    return joined`${name} IN (SELECT value FROM json_each(${bound(JSON.stringify([first, ...others]))}))`
  }
  const { from, below } = condition
  const bounds: Statement[] = []
  if (from !== undefined) bounds.push(joined`${name} >= ${bound(storedValue(from))}`)
  if (below !== undefined) bounds.push(joined`${name} < ${bound(storedValue(below))}`)
  return bounds.length > 0 ? allOf(bounds) : joined`${name} IS NOT NULL`
}

export function storedValue(value: FieldValue | undefined): string | number | null {
  return typeof value === 'boolean' ? Number(value) : (value ?? null)
}

export function selectedValue({ fields }: Collection, field: string, value: unknown): FieldValue | undefined {
  if (value === null || value === undefined) return undefined
  return fields[field] === 'boolean' ? value === 1 : (value as FieldValue)
}

function column(field: string): string {
  return field === ID ? ID : quote(`field.${field}`)
}

function quote(name: string): string {
  return `"${name}"`
}

function rawText(text: string): Statement {
  return { text, values: [] }
}

function bound(value: SQLInputValue): Statement {
  return { text: '?', values: [value] }
}

function allOf(conditions: readonly Statement[]): Statement {
  if (conditions.length === 0) return rawText('TRUE')
  return { text: conditions.map(({ text }) => text).join(' AND '), values: conditions.flatMap(({ values }) => values) }
}

/** Joins statements; the values keep the order of their placeholders. */
function joined(texts: TemplateStringsArray, ...parts: readonly Statement[]): Statement {
  return {
    text: texts.map((text, at) => text + (parts[at]?.text ?? '')).join(''),
    values: parts.flatMap(({ values }) => values),
  }
}
