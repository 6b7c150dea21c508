import type { StatementSync } from 'node:sqlite'
import { bodyText, checkDocument, compareText, fieldTerms, fieldValue, termsFields, valueFields } from './fields.ts'
import type { Sql } from './sqlite-view-file.ts'
import { storedValue, table, termsTable, writingOf } from './sqlite-view-query.ts'
import type { Writing } from './sqlite-view-query.ts'
import type { Collection, ViewDocument } from './view-store.ts'

/** What is needed of a collection to write its documents. */
export interface Written extends Collection {
  readonly valueFields: readonly string[]
  readonly termsFields: readonly string[]
  readonly writing: Writing
}

/** A document as it is stored: nothing but texts and numbers. */
export interface StoredDocument {
  readonly id: string
  readonly position: string
  readonly body: string | null
  readonly broken: string | null
  readonly columns: readonly (string | number | null)[]
  readonly terms: readonly (readonly [field: string, terms: readonly string[]])[]
}

/** In the order of `Writing.standing`. */
type StandingRow = readonly [seq: number, position: string, lives: number, ...columns: unknown[]]

export function writtenAs(collection: Collection): Written {
  return {
    ...collection,
    valueFields: valueFields(collection),
    termsFields: termsFields(collection),
    writing: writingOf(collection),
  }
}

export function storable(collection: Written, document: ViewDocument): StoredDocument {
  checkDocument(document)
  const { id, position, broken } = document
  const body = bodyText(document) ?? null
  return {
    id,
    position,
    body,
    broken: broken ? JSON.stringify(broken) : null,
    // A tombstone has NULL everywhere, so that no query and no sorted walk meets it.
    columns: collection.valueFields.map((field) =>
      body === null ? null : storedValue(fieldValue(collection, document, field)),
    ),
    terms: collection.termsFields.map((field) => [field, [...fieldTerms(collection, document, field)]]),
  }
}

/** The last of all ids: what lies behind it is not there, and need not be looked for. Most ids begin with their time, so most new ones do. */
export function lastId(sql: Sql, collection: Collection): string {
  return String(sql(`SELECT max(id) AS last FROM ${table(collection)}`).get()?.['last'] ?? '')
}

/** In a transaction. Says whether a body was taken away, most likely because a person is erased. */
export function writeDocuments(sql: Sql, collection: Written, documents: readonly StoredDocument[]): boolean {
  let last = lastId(sql, collection)
  let isAnyBuried = false
  for (const document of inOrderOfIds(documents)) {
    if (compareText(document.id, last) > 0) {
      insertDocument(sql, collection, document)
      last = document.id
    } else if (writeDocument(sql, collection, document) === 'buried') isAnyBuried = true
  }
  return isAnyBuried
}

function inOrderOfIds(documents: readonly StoredDocument[]): StoredDocument[] {
  return documents.toSorted((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)))
}

function insertDocument(sql: Sql, collection: Written, document: StoredDocument): void {
  const { id, position, body, broken, columns, terms } = document
  const { insert, setBody } = collection.writing
  const seq = Number(sql(insert).run(id, position, Number(body !== null), broken, ...columns).lastInsertRowid)
  if (body !== null) sql(setBody).run(seq, body)
  for (const [field, wanted] of terms) addTerms(sql, collection, { seq, field, wanted })
}

function writeDocument(sql: Sql, collection: Written, document: StoredDocument): 'written' | 'buried' | 'outrun' {
  const { writing, valueFields: fields } = collection
  const { id, position, body, broken, columns, terms } = document
  const standing = inArrays(sql(writing.standing)).get(id) as unknown as StandingRow | undefined
  if (!standing) {
    insertDocument(sql, collection, document)
    return 'written'
  }
  const [seq, standsAt, lived, ...before] = standing
  if (compareText(position, standsAt) <= 0) return 'outrun'
  const changed: string[] = []
  const values: (string | number | null)[] = []
  for (const [at, field] of fields.entries()) {
    const value = columns[at] ?? null
    if (before[at] === value) continue
    changed.push(field)
    values.push(value)
  }
  sql(writing.update(changed)).run(position, Number(body !== null), broken, ...values, seq)
  if (body !== null) sql(writing.setBody).run(seq, body)
  else if (lived === 1) sql(writing.dropBody).run(seq)
  if (terms.length > 0) changeTerms(sql, collection, { seq, terms })
  return body === null && lived === 1 ? 'buried' : 'written'
}

function changeTerms(
  sql: Sql,
  collection: Written,
  { seq, terms }: { seq: number; terms: StoredDocument['terms'] },
): void {
  const name = termsTable(collection)
  const missing = new Map(terms.map(([field, wanted]) => [field, new Set(wanted)]))
  for (const { field, term } of sql(`SELECT field, term FROM ${name} WHERE doc = ?`).all(seq)) {
    // Terms hardly ever change, so most writes stop here.
    if (missing.get(String(field))?.delete(String(term))) continue
    sql(`DELETE FROM ${name} WHERE doc = ? AND field = ? AND term = ?`).run(seq, field ?? null, term ?? null)
  }
  for (const [field, wanted] of missing) addTerms(sql, collection, { seq, field, wanted })
}

function addTerms(
  sql: Sql,
  collection: Written,
  { seq, field, wanted }: { seq: number; field: string; wanted: Iterable<string> },
): void {
  const insert = `INSERT INTO ${termsTable(collection)} (doc, field, term) VALUES (?, ?, ?)`
  for (const term of wanted) sql(insert).run(seq, field, term)
}

export function inArrays(statement: StatementSync): StatementSync {
  statement.setReturnArrays(true)
  return statement
}
