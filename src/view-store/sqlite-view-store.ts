import { randomUUID } from 'node:crypto'
import type { Sql } from '../sqlite/connection.ts'
import type { SqliteFile } from '../sqlite/sqlite-file.ts'
import {
  BROKEN_MAX,
  bodyText,
  checkCollection,
  checkDocument,
  checkedQuery,
  checkedCount,
  checkIds,
  fieldsText,
  fieldTerms,
  fieldValue,
  termsFields,
  valueFields,
} from './query.ts'
import { COLLECTIONS, MARKS, storedJson, viewFile, WIPE_DUE } from './sqlite-view-file.ts'
import {
  bodiesTable,
  countStatement,
  findStatement,
  selectedValue,
  indexStatements,
  insertStatement,
  loadStatement,
  replaceStatement,
  type Statement,
  stopStatement,
  storedValue,
  table,
  tableStatements,
  termsTable,
} from './sqlite-view-sql.ts'
import {
  type Collection,
  type Found,
  type FoundRow,
  type Marks,
  type SortKey,
  type Query,
  type ViewDocument,
  type ViewStore,
  ViewStoreAway,
  type Write,
  WriteConflict,
} from './view-store.ts'

export interface SqliteViewStore extends ViewStore {
  /** How SQLite answers this query, a line a step. */
  explain(collection: Collection, query: Query): Promise<string[]>
}

/** Every row begins with its sort key: id and value. */
const SORT_KEY_COLUMNS = 2

/**
 * Views in two SQLite files, which several processes of one machine may share: one for what names people, one for the rest. They may be removed while the
 * shop is stopped.
 */
// oxlint-disable-next-line max-lines-per-function -- the port's short methods over two files
export function sqliteViewStore(
  { views, people }: { readonly views: string; readonly people: string },
  {
    waitMs,
    isReadOnly,
    isTemporary,
  }: { readonly waitMs?: number; readonly isReadOnly?: boolean; readonly isTemporary?: boolean } = {},
): SqliteViewStore {
  const files = {
    plain: viewFile(views, { isPersonal: false, waitMs, isReadOnly, isTemporary }),
    personal: viewFile(people, { isPersonal: true, waitMs, isReadOnly, isTemporary }),
  }
  const opened = new Set<string>()

  function fileOf({ isPersonal }: Pick<Collection, 'isPersonal'>): SqliteFile {
    return isPersonal === true ? files.personal : files.plain
  }

  function refuseUnopened({ name }: Collection): void {
    if (!opened.has(name)) throw new TypeError(`${name} is not open`)
  }

  /** Another thread or process may drop what is being read: then the reader asks again. */
  async function readFrom<T>(collection: Collection, work: (sql: Sql) => T): Promise<T> {
    refuseUnopened(collection)
    const file = fileOf(collection)
    try {
      return await file.read(work)
    } catch (error) {
      if (await file.read((sql) => fieldsOf(sql, collection.name))) throw error
      throw new ViewStoreAway(`${collection.name} was dropped`, { cause: error })
    }
  }

  return {
    async open(collection) {
      checkCollection(collection)
      const { name } = collection
      const file = fileOf(collection)
      if (isReadOnly) {
        opened.add(name)
        return
      }
      // Wipe personal data of an older format now, while the file is small.
      if (opened.size === 0) await wiped(files.plain)
      const fields = fieldsText(collection)
      const known =
        (await file.read((sql) => fieldsOf(sql, name))) ?? (await file.write((sql) => madeTable(sql, collection)))
      if (known !== fields) throw new TypeError(`${name} has other fields: give it a new version`)
      for (const [index, statement] of indexStatements(collection)) {
        const isThere = (sql: Sql) => sql(`SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ?`).get(index)
        // Each by itself: over many documents it takes a while, and others want to write in between.
        if (!(await file.read(isThere))) await file.write((sql) => void sql(statement).run())
      }
      opened.add(name)
    },

    async load(collection, ids) {
      checkIds(ids)
      return readFrom(collection, (sql) => {
        const statement = sql(loadStatement(collection))
        const found = new Map<string, ViewDocument>()
        for (const id of ids) {
          const row = id.isWellFormed() ? (statement.get(id) as StoredRow | undefined) : undefined
          if (row) found.set(id, documentOf(row))
        }
        return found
      })
    },

    async write(writes) {
      for (const { collection } of writes) refuseUnopened(collection)
      const rows = writes.map((write) => ({
        ...write,
        rows: write.documents.map((document) => rowOf(write.collection, document)),
      }))
      for (const file of [files.plain, files.personal]) {
        const own = rows.filter(({ collection }) => fileOf(collection) === file)
        if (own.length > 0) await file.write((sql) => own.forEach((write) => writeRows(sql, write)))
      }
    },

    async find(collection, query, page) {
      const checked = checkedQuery(collection, query, page)
      const { sortedBy, select, isIndexOrdered, filter, limit } = checked
      return readFrom(collection, (sql): Found => {
        const placeOf = ([id, value]: readonly unknown[]): SortKey => ({
          id: String(id),
          value: selectedValue(collection, sortedBy, value) ?? '',
        })
        const rows = answered(sql, findStatement(collection, checked)).map((row): FoundRow => ({
          ...placeOf(row),
          selected: select.map((field, at) => selectedValue(collection, field, row[SORT_KEY_COLUMNS + at])),
        }))
        if (!isIndexOrdered || filter.length === 0 || rows.length === limit) return { rows, scannedTo: undefined }
        const [stopped] = answered(sql, stopStatement(collection, checked))
        return { rows, scannedTo: stopped && placeOf(stopped) }
      })
    },

    async count(collection, query, limit) {
      const checked = checkedCount(collection, query, limit)
      return readFrom(collection, (sql) => Number(answered(sql, countStatement(collection, checked))[0]?.[0]))
    },

    async countBroken(collection) {
      const broken = `SELECT 1 FROM ${table(collection)} WHERE broken IS NOT NULL LIMIT ${BROKEN_MAX}`
      return readFrom(collection, (sql) => Number(sql(`SELECT count(*) AS count FROM (${broken})`).get()?.['count']))
    },

    async bytes({ name, ...collection }) {
      return fileOf(collection).read((sql) => {
        const tables = [name, `${name} bodies`, `${name} terms`]
        const parts = sql('SELECT name FROM sqlite_schema WHERE rootpage > 0 AND tbl_name IN (?, ?, ?)').all(...tables)
        const size = sql('SELECT pgsize AS bytes FROM dbstat WHERE name = ? AND aggregate')
        return parts.reduce((sum, part) => sum + Number(size.get(String(part['name']))?.['bytes'] ?? 0), 0)
      })
    },

    marks: (collection) => marksIn(collection ? fileOf(collection) : files.plain),

    async collections() {
      const [plain, personal] = await Promise.all([namesIn(files.plain), namesIn(files.personal)])
      const all = [...plain.map((name) => ({ name })), ...personal.map((name) => ({ name, isPersonal: true }))]
      return all.sort((a, b) => (a.name < b.name ? -1 : 1))
    },

    async drop(collection) {
      opened.delete(collection.name)
      await fileOf(collection).write((sql) => {
        dropTable(sql, collection.name)
        if (collection.isPersonal === true) scheduleWipe(sql)
      })
    },

    wipe: async () => wiped(files.personal),

    async close() {
      await files.plain.close()
      await files.personal.close()
    },

    async explain(collection, query) {
      const { text, values } = findStatement(collection, checkedQuery(collection, query, { limit: 50 }))
      const rows = await readFrom(collection, (sql) => {
        // EXPLAIN does not refresh the schema, so read it first.
        sql('SELECT 1 FROM sqlite_schema').get()
        return sql(`EXPLAIN QUERY PLAN ${text}`).all(...values)
      })
      return rows.map((row) => String(row['detail']))
    },
  }
}

/** Views of this process alone, in files that disappear with it, however it ends. */
export function temporaryViewStore(): ViewStore {
  return sqliteViewStore({ views: 'the temporary views', people: 'the temporary views' }, { isTemporary: true })
}

async function wiped(file: SqliteFile): Promise<void> {
  const due = await marksIn(file).read(WIPE_DUE)
  if (due === undefined) return
  // SQLite leaves copies of rows behind when it moves them; only a rewritten file is free of them.
  await file.alone(({ database }) => database.exec('VACUUM'))
  await file.wipe()
  await file.write((sql) => sql(`DELETE FROM ${MARKS} WHERE name = ? AND value = ?`).run(WIPE_DUE, due))
}

interface Row {
  readonly over: string | undefined
  /** In the order of `insertStatement` and `replaceStatement`. */
  readonly values: readonly (string | number | null)[]
  /** Undefined for a tombstone. */
  readonly body: string | undefined
  readonly terms: readonly (readonly [field: string, term: string])[]
}

function rowOf(collection: Collection, document: ViewDocument): Row {
  checkDocument(document)
  const { id, position, over, broken } = document
  const body = bodyText(document)
  const values = valueFields(collection).map((field) => {
    const value = storedValue(fieldValue(collection, document, field))
    return body === undefined ? null : value
  })
  return {
    over,
    values: [position, broken ? JSON.stringify(broken) : null, ...values, id],
    body,
    terms: termsFields(collection).flatMap((field) =>
      [...fieldTerms(collection, document, field)].map((term) => [field, term] as const),
    ),
  }
}

function writeRows(sql: Sql, { collection, rows, mark }: Write & { readonly rows: readonly Row[] }): void {
  const insert = sql(insertStatement(collection))
  const replace = sql(replaceStatement(collection))
  const withBody = sql(`INSERT OR REPLACE INTO ${bodiesTable(collection)} (doc, body) VALUES (?, ?)`)
  const withoutBody = sql(`DELETE FROM ${bodiesTable(collection)} WHERE doc = ?`)
  const hasTerms = termsFields(collection).length > 0
  for (const { over, values, body, terms } of rows) {
    const written = over === undefined ? insert.get(...values) : replace.get(...values, over)
    if (written === undefined) throw new WriteConflict()
    const seq = Number(written['seq'])
    if (body === undefined) withoutBody.run(seq)
    else withBody.run(seq, body)
    if (hasTerms) writeTerms(sql, collection, { seq, terms })
    if (body === undefined && collection.isPersonal === true) scheduleWipe(sql)
  }
  if (mark && !isMoved(sql, mark)) throw new WriteConflict()
}

function isMoved(sql: Sql, { name, from, value }: NonNullable<Write['mark']>): boolean {
  const { changes } =
    from === undefined
      ? sql(`INSERT INTO ${MARKS} (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING`).run(name, value)
      : sql(`UPDATE ${MARKS} SET value = ? WHERE name = ? AND value = ?`).run(value, name, from)
  return Number(changes) > 0
}

function writeTerms(sql: Sql, collection: Collection, { seq, terms }: Pick<Row, 'terms'> & { seq: number }): void {
  const name = termsTable(collection)
  sql(`DELETE FROM ${name} WHERE doc = ?`).run(seq)
  for (const [field, term] of terms)
    sql(`INSERT INTO ${name} (doc, field, term) VALUES (?, ?, ?)`).run(seq, field, term)
}

/** Unique per request, so that a finished older wipe does not clear a newer one. */
function scheduleWipe(sql: Sql): void {
  set(sql, WIPE_DUE, randomUUID())
}

function marksIn(file: SqliteFile): Marks {
  return {
    async read(name) {
      const row = await file.read((sql) => sql(`SELECT value FROM ${MARKS} WHERE name = ?`).get(name))
      return row && String(row['value'])
    },
    raise: (name, value) => file.write((sql) => raise(sql, name, value)),
    set: (name, value) => file.write((sql) => set(sql, name, value)),
    replace: (name, { from, to }) => file.write((sql) => isMoved(sql, { name, from, value: to })),
  }
}

function raise(sql: Sql, name: string, value: string): void {
  sql(
    `INSERT INTO ${MARKS} (name, value) VALUES (?, ?)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE excluded.value > value`,
  ).run(name, value)
}

function set(sql: Sql, name: string, value: string): void {
  sql(`INSERT INTO ${MARKS} (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`).run(
    name,
    value,
  )
}

async function namesIn(file: SqliteFile): Promise<string[]> {
  const rows = await file.read((sql) => sql(`SELECT name FROM ${COLLECTIONS}`).all())
  return rows.map(({ name }) => String(name))
}

function fieldsOf(sql: Sql, name: string): string | undefined {
  const row = sql(`SELECT fields FROM ${COLLECTIONS} WHERE name = ?`).get(name)
  return row && String(row['fields'])
}

/** Another process may have made it since it was looked for. */
function madeTable(sql: Sql, collection: Collection): string {
  const known = fieldsOf(sql, collection.name)
  if (known !== undefined) return known
  const fields = fieldsText(collection)
  for (const statement of tableStatements(collection)) sql(statement).run()
  sql(`INSERT INTO ${COLLECTIONS} (name, fields) VALUES (?, ?)`).run(collection.name, fields)
  return fields
}

function dropTable(sql: Sql, name: string): void {
  sql(`DROP TABLE IF EXISTS ${termsTable({ name })}`).run()
  sql(`DROP TABLE IF EXISTS ${bodiesTable({ name })}`).run()
  sql(`DROP TABLE IF EXISTS ${table({ name })}`).run()
  sql(`DELETE FROM ${COLLECTIONS} WHERE name = ?`).run(name)
}

function answered(sql: Sql, { text, values }: Statement): unknown[][] {
  const statement = sql(text)
  statement.setReturnArrays(true)
  return statement.all(...values) as unknown as unknown[][]
}

interface StoredRow {
  readonly id: string
  readonly position: string
  readonly body: string | null
  readonly broken: string | null
}

function documentOf({ id, position, body, broken }: StoredRow): ViewDocument {
  return {
    id,
    position,
    body: body === null ? undefined : storedJson(body),
    ...(broken !== null && { broken: storedJson(broken) as { position: string; reason: string } }),
  }
}
