import type { SQLInputValue } from 'node:sqlite'
import { type CheckedQuery, compareValues, ID, termsFields, valueFields } from './query.ts'
import type { Collection, FieldValue } from './view-store.ts'

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

export function findStatement(collection: Collection, query: CheckedQuery): Statement {
  const { by, isOfTerms, direction, select, limit } = query
  const names = [ID, isOfTerms ? ID : by, ...select].map(column).join(', ')
  const order = [...new Set([column(by), ID])].map((name) => `${name} ${direction}`).join(', ')
  return joined`SELECT ${rawText(names)} FROM ${rawText(table(collection))} WHERE ${conditionsOf(collection, query)}
    ${rawText(isOfTerms ? '' : `ORDER BY ${order}`)} LIMIT ${bound(limit)}`
}

export function countStatement(collection: Collection, query: CheckedQuery): Statement {
  const found = joined`SELECT 1 FROM ${rawText(table(collection))} WHERE ${conditionsOf(collection, query)}`
  return joined`SELECT count(*) AS count FROM (${found} LIMIT ${bound(query.limit)})`
}

function conditionsOf(collection: Collection, query: CheckedQuery): Statement {
  const { equal, by, isOfTerms, limit } = query
  if (isOfTerms) {
    const terms = joined`field = ${bound(by)} AND ${boundsOf('term', query)}`
    return joined`seq IN (SELECT DISTINCT doc FROM ${rawText(termsTable(collection))} WHERE ${terms} LIMIT ${bound(limit)})`
  }
  const conditions = equal.map(([field, value]) => joined`${rawText(column(field))} = ${bound(storedValue(value))}`)
  conditions.push(boundsOf(column(by), query))
  // Field comparisons exclude tombstones (NULL); a comparison by id does not.
  if (by === ID && equal.length === 0)
    conditions.push(rawText(`EXISTS (SELECT 1 FROM ${bodiesTable(collection)} WHERE doc = seq)`))
  return allOf(conditions)
}

/** The bounds of the range and of the page, without the one that the other implies, so that SQLite seeks to the page's start. */
function boundsOf(name: string, { by, from, below, direction, after }: CheckedQuery): Statement {
  const bounds: Statement[] = []
  const isPast = (limit: FieldValue): boolean => {
    const compared = after ? compareValues(after.value, limit) : 0
    return after !== undefined && (direction === 'asc' ? compared >= 0 : compared < 0)
  }
  if (from !== undefined && (direction === 'desc' || !isPast(from)))
    bounds.push(joined`${rawText(name)} >= ${bound(storedValue(from))}`)
  if (below !== undefined && (direction === 'asc' || !isPast(below)))
    bounds.push(joined`${rawText(name)} < ${bound(storedValue(below))}`)
  if (after) {
    const sign = rawText(direction === 'asc' ? '>' : '<')
    if (by === ID) bounds.push(joined`id ${sign} ${bound(after.id)}`)
    else bounds.push(joined`(${rawText(name)}, id) ${sign} (${bound(storedValue(after.value))}, ${bound(after.id)})`)
  }
  return bounds.length > 0 ? allOf(bounds) : rawText(`${name} IS NOT NULL`)
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
