import { randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { arraysOf, type Sql } from '../sqlite/connection.ts'
import type { SqliteFile } from '../sqlite/sqlite-file.ts'
import {
  BROKEN_MAX,
  bodyText,
  checkCollection,
  checkDocument,
  checkedCount,
  checkedQuery,
  checkIds,
  fieldTerms,
  fieldValue,
  ID,
  termsFields,
  valueFields,
} from './query.ts'
import {
  type SetFiles,
  setFolder,
  type SetFolder,
  type SetFolderOptions,
  storedJson,
  temporarySetFolder,
} from './sqlite-set-files.ts'
import {
  bodiesTable,
  countStatement,
  findStatement,
  indexStatements,
  insertStatement,
  loadStatement,
  selectedValue,
  type Statement,
  storedValue,
  table,
  tableStatements,
  termsTable,
  updateStatement,
} from './sqlite-view-sql.ts'
import {
  type Collection,
  type FieldValue,
  type FoundRow,
  type PageFold,
  type Query,
  SetGone,
  type SetState,
  type SharedTexts,
  type Source,
  type ViewDocument,
  type ViewStore,
} from './view-store.ts'

export interface SqliteViewStore extends ViewStore {
  /** SQLite's query plan, one line per step. */
  explain(source: Source, query: Query): Promise<string[]>
}

/** A table of one row in each file of a set. */
const MARKER = '"set"'

/**
 * Sets of two SQLite files each, shared by the processes of one machine, in a folder that may be deleted at any time. A page is one write transaction per file (people
 * first) that reads the checkpoint, then loads, folds and writes documents. The lower of the two checkpoints counts.
 */
export function sqliteViewStore(folder: string, options: SetFolderOptions = {}): SqliteViewStore {
  return storeIn(setFolder(folder, options))
}

/** Views of this process alone, in files that are deleted when it ends, even by a crash. */
export function temporaryViewStore(): SqliteViewStore {
  return storeIn(temporarySetFolder())
}

// oxlint-disable-next-line max-lines-per-function -- the port's short methods over the files of a folder
function storeIn(folder: SetFolder): SqliteViewStore {
  /** Checks the marker in the same transaction: a dropped set never reads as empty. */
  async function readFrom<T>({ set, collection, onRead }: Source, work: (sql: Sql) => T): Promise<T> {
    const file = fileOf(folder.filesOf(set), collection)
    return file.read((sql) => {
      onRead?.(checkpointIn(sql, set))
      return work(sql)
    })
  }

  async function markersOf(set: string): Promise<{ main: SetState; people: SetState }> {
    const { main, people } = folder.filesOf(set)
    return {
      people: await people.read((sql) => markerIn(sql, set)),
      main: await main.read((sql) => markerIn(sql, set)),
    }
  }

  return {
    texts: textsIn(async () => folder.registry()),

    async create(set, origin, collections) {
      collections.forEach(checkCollection)
      await folder.make(set, (database) => createSet(database, { set, ...origin, collections }))
    },

    async stateOf(set) {
      try {
        const { main, people } = await markersOf(set)
        return { ...main, checkpoint: lower(main.checkpoint, people.checkpoint) }
      } catch (error) {
        if (error instanceof SetGone) return undefined
        throw error
      }
    },

    async index(set, collections) {
      const files = folder.filesOf(set)
      for (const collection of collections)
        for (const statement of indexStatements(collection))
          // One transaction each: an index over many documents takes a while, and others must be able to write.
          await fileOf(files, collection).write((sql) => void sql(statement).run())
    },

    async fold(set, page) {
      const { people, main } = folder.filesOf(set)
      const ofPeople = await people.write((sql) => foldInto(sql, set, partOf(page, true)))
      const ofMain = await main.write((sql) => foldInto(sql, set, partOf(page, false)))
      return lower(ofPeople, ofMain)
    },

    drop: async (set) => folder.remove(set),

    found: async () => folder.found(),

    async wipe(set) {
      const { people } = folder.filesOf(set)
      const due = await people.read((sql) => sql(`SELECT wipe_due FROM ${MARKER}`).get()?.['wipe_due'])
      if (typeof due !== 'string') return
      await people.wipe()
      await people.write((sql) => sql(`UPDATE ${MARKER} SET wipe_due = NULL WHERE wipe_due = ?`).run(due))
    },

    bytes: async (set) => folder.bytes(set),

    async load(source, ids) {
      checkIds(ids)
      return readFrom(source, (sql) => documentsOf(rowsOf(sql, source.collection, ids)))
    },

    async find(source, query, page) {
      const { collection } = source
      const checked = checkedQuery(collection, query, page)
      const { by, isOfTerms, select } = checked
      const valueOf = (value: unknown): FieldValue => selectedValue(collection, isOfTerms ? ID : by, value) ?? ''
      return readFrom(source, (sql) =>
        runQuery(sql, findStatement(collection, checked)).map(([id, value, ...selected]): FoundRow => ({
          id: String(id),
          value: valueOf(value),
          selected: select.map((field, at) => selectedValue(collection, field, selected[at])),
        })),
      )
    },

    async count(source, query, limit) {
      const checked = checkedCount(source.collection, query, limit)
      return readFrom(source, (sql) => Number(runQuery(sql, countStatement(source.collection, checked))[0]?.[0]))
    },

    async broken(source) {
      const found = `SELECT id, broken FROM ${table(source.collection)} WHERE broken IS NOT NULL ORDER BY id LIMIT ${BROKEN_MAX}`
      return readFrom(source, (sql) =>
        sql(found)
          .all()
          .map((row) => ({ id: String(row['id']), ...brokenIn(String(row['broken'])) })),
      )
    },

    close: () => folder.close(),

    async explain(source, query) {
      const { text, values } = findStatement(source.collection, checkedQuery(source.collection, query, { limit: 50 }))
      const rows = await readFrom(source, (sql) => {
        // EXPLAIN does not refresh the schema, so read it first.
        sql('SELECT 1 FROM sqlite_schema').get()
        return sql(`EXPLAIN QUERY PLAN ${text}`).all(...values)
      })
      return rows.map((row) => String(row['detail']))
    },
  }
}

function fileOf({ main, people }: SetFiles, { isPersonal }: Pick<Collection, 'isPersonal'>): SqliteFile {
  return isPersonal === true ? people : main
}

function lower(one: string, other: string): string {
  return one < other ? one : other
}

function createSet(
  database: DatabaseSync,
  origin: { set: string; shape: string; logId: string; beginHead: string; collections: readonly Collection[] },
): void {
  database.exec(`CREATE TABLE ${MARKER} (
    id TEXT NOT NULL, shape TEXT NOT NULL, log_id TEXT NOT NULL, begin_head TEXT NOT NULL,
    checkpoint TEXT NOT NULL, wipe_due TEXT
  ) STRICT`)
  database
    .prepare(`INSERT INTO ${MARKER} (id, shape, log_id, begin_head, checkpoint) VALUES (?, ?, ?, ?, '')`)
    .run(origin.set, origin.shape, origin.logId, origin.beginHead)
  for (const collection of origin.collections)
    for (const statement of tableStatements(collection)) database.exec(statement)
}

/** Throws `SetGone` if the file is another set's or was dropped. */
function markerIn(sql: Sql, set: string): SetState {
  const row = sql(`SELECT id, shape, log_id, begin_head, checkpoint FROM ${MARKER}`).get()
  if (row?.['id'] !== set) throw new SetGone(set)
  return {
    shape: String(row['shape']),
    logId: String(row['log_id']),
    beginHead: String(row['begin_head']),
    checkpoint: String(row['checkpoint']),
  }
}

/** Throws `SetGone` like `markerIn`. */
function checkpointIn(sql: Sql, set: string): string {
  const row = sql(`SELECT checkpoint FROM ${MARKER} WHERE id = ?`).get(set)
  if (row === undefined) throw new SetGone(set)
  return String(row['checkpoint'])
}

function partOf(page: PageFold, isPersonal: boolean): PageFold {
  return { ...page, parts: page.parts.filter(({ collection }) => (collection.isPersonal === true) === isPersonal) }
}

/** Runs in one transaction, and first checks what another process has folded meanwhile. */
function foldInto(sql: Sql, set: string, { after, to, parts }: PageFold): string {
  const checkpoint = checkpointIn(sql, set)
  if (checkpoint < after || checkpoint >= to) return checkpoint
  for (const { collection, ids, fold } of parts) {
    const rows = rowsOf(sql, collection, ids)
    const write = writerOf(sql, collection, rows)
    for (const document of fold(documentsOf(rows), checkpoint)) write(document)
  }
  sql(`UPDATE ${MARKER} SET checkpoint = ?`).run(to)
  return to
}

function rowsOf(sql: Sql, collection: Collection, ids: readonly string[]): Map<string, StoredRow> {
  const statement = sql(loadStatement(collection))
  const found = new Map<string, StoredRow>()
  for (const id of ids) {
    const row = id.isWellFormed() ? (statement.get(id) as StoredRow | undefined) : undefined
    if (row) found.set(id, row)
  }
  return found
}

function documentsOf(rows: ReadonlyMap<string, StoredRow>): Map<string, ViewDocument> {
  return new Map([...rows].map(([id, row]) => [id, documentOf(row)]))
}

/** Writes documents whose `rows` were read in this transaction; skips one stored at a higher position. */
function writerOf(sql: Sql, collection: Collection, rows: ReadonlyMap<string, StoredRow>) {
  const fields = valueFields(collection)
  const withTerms = termsFields(collection)
  const [bodies, terms] = [bodiesTable(collection), termsTable(collection)]
  const update = sql(updateStatement(collection))
  const insert = sql(insertStatement(collection))
  const removeBody = sql(`DELETE FROM ${bodies} WHERE doc = ?`)
  const replaceBody = sql(`INSERT OR REPLACE INTO ${bodies} (doc, body) VALUES (?, ?)`)

  function writeTerms(document: ViewDocument, seq: number, isNew: boolean): void {
    if (!isNew) sql(`DELETE FROM ${terms} WHERE doc = ?`).run(seq)
    const insertTerm = sql(`INSERT INTO ${terms} (doc, field, term) VALUES (?, ?, ?)`)
    for (const field of withTerms)
      for (const term of fieldTerms(collection, document, field)) insertTerm.run(seq, field, term)
  }

  return (document: ViewDocument): void => {
    checkDocument(document)
    const { id, position, broken } = document
    const body = bodyText(document)
    const values = fields.map((field) => {
      const value = storedValue(fieldValue(collection, document, field))
      return body === undefined ? null : value
    })
    const columns = [position, broken ? JSON.stringify(broken) : null, ...values]
    const stored = rows.get(id)
    if (stored && stored.position > position) return
    if (stored) update.run(...columns, stored.seq)
    const seq = stored?.seq ?? Number(insert.run(...columns, id).lastInsertRowid)
    if (body === undefined) removeBody.run(seq)
    else replaceBody.run(seq, body)
    if (withTerms.length > 0) writeTerms(document, seq, stored === undefined)
    // Unique, so that a wipe in progress does not clear it.
    if (body === undefined && collection.isPersonal === true) sql(`UPDATE ${MARKER} SET wipe_due = ?`).run(randomUUID())
  }
}

function textsIn(registry: () => Promise<SqliteFile>): SharedTexts {
  return {
    async read(name) {
      const row = await (await registry()).read((sql) => sql('SELECT value FROM texts WHERE name = ?').get(name))
      return row && String(row['value'])
    },
    async replace(name, { from, to }) {
      const { changes } = await (
        await registry()
      ).write((sql) =>
        from === undefined
          ? sql('INSERT INTO texts (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING').run(name, to)
          : sql('UPDATE texts SET value = ? WHERE name = ? AND value = ?').run(to, name, from),
      )
      return Number(changes) > 0
    },
  }
}

function runQuery(sql: Sql, { text, values }: Statement): unknown[][] {
  return arraysOf<unknown[]>(sql, text, ...values)
}

interface StoredRow {
  readonly seq: number
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
    ...(broken !== null && { broken: brokenIn(broken) }),
  }
}

function brokenIn(text: string): { position: string; reason: string } {
  return storedJson(text) as { position: string; reason: string }
}
