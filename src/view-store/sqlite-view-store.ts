import { setImmediate as othersTurn } from 'node:timers/promises'
import {
  BROKEN_MAX,
  bodyText,
  checkCollection,
  checkCount,
  checkDocument,
  checkedConditions,
  checkedQuery,
  checkIds,
  fieldsText,
  fieldTerms,
  fieldValue,
  termsFields,
  valueFields,
} from './fields.ts'
import { sqliteViewFile, storedJson } from './sqlite-view-file.ts'
import type { Sql } from './sqlite-view-file.ts'
import {
  countStatement,
  findStatement,
  indexName,
  indexStatement,
  loadStatement,
  madeIndexes,
  storedValue,
  table,
  tableStatements,
  termsTable,
  writeStatement,
} from './sqlite-view-query.ts'
import type { Probe, Statement } from './sqlite-view-query.ts'
import type { Collection, Query, ViewDocument, ViewStore } from './view-store.ts'

export interface SqliteViewStore extends ViewStore {
  /** How SQLite would answer this query, a line a step. */
  explainFind(collection: Collection, query: Query): Promise<string[]>
}

interface Options {
  /** How long to try while another process holds the file. */
  readonly waitMs?: number
  /** A batch that takes longer is rolled back. */
  readonly batchMs?: number
  /** Up to how many documents are sorted rather than walked in order. */
  readonly narrowMax?: number
}

interface Row {
  readonly id: string
  readonly position: string
  readonly body: string | null
  readonly broken: string | null
}

interface StoredDocument {
  readonly id: string
  readonly isTombstone: boolean
  readonly row: readonly (string | number | null)[]
  readonly terms: ReadonlyMap<string, ReadonlySet<string>>
}

const DROPPED_AT_ONCE = 500

/** Views in one SQLite file, which several processes of one machine may share. It may be removed while the shop is stopped. */
export function sqliteViewStore(
  path: string,
  { waitMs = 5_000, batchMs = 60_000, narrowMax = 2_000 }: Options = {},
): SqliteViewStore {
  const file = sqliteViewFile(path, { waitMs, batchMs })
  const opened = new Map<string, Collection>()

  /** With the indexes that are there: a build makes them last, and is asked before. */
  function asOpened({ name }: Collection): Collection {
    const collection = opened.get(name)
    if (!collection) throw new TypeError(`${name} is not open`)
    return collection
  }

  function probe(sql: Sql): Probe {
    return { narrowMax, count: (statement) => countOf(sql, statement) }
  }

  /** The lock for this is only taken when something is missing, so that a start does not wait for a running batch. */
  async function makeTable(collection: Collection): Promise<void> {
    const fields = fieldsText(collection)
    const known = (sql: Sql) => sql('SELECT fields FROM collections WHERE name = ?').get(collection.name)?.['fields']
    if ((await file.read(known)) === undefined) {
      await file.write((sql) => {
        if (known(sql) !== undefined) return
        for (const statement of tableStatements(collection)) sql(statement).run()
        sql('INSERT INTO collections (name, fields) VALUES (?, ?)').run(collection.name, fields)
      })
    }
    if ((await file.read(known)) !== fields) {
      throw new TypeError(`${collection.name} has other fields: give it a new version`)
    }
  }

  return {
    async open(collection) {
      checkCollection(collection)
      if (file.isInBatch()) throw new Error('A collection cannot be opened in a batch')
      await makeTable(collection)
      for (const fields of madeIndexes(collection)) {
        const name = indexName(collection, fields)
        const made = await file.read((sql) =>
          sql(`SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ?`).get(name),
        )
        // Each by itself: over many documents it takes a while, and others want to write in between.
        if (!made) await file.write((sql) => sql(indexStatement(collection, fields)).run())
      }
      const made = new Map(
        [...(opened.get(collection.name)?.indexes ?? []), ...collection.indexes].map((fields) => [
          fields.join(' '),
          fields,
        ]),
      )
      opened.set(collection.name, { ...collection, indexes: [...made.values()] })
    },

    async load(given, ids) {
      const collection = asOpened(given)
      checkIds(ids)
      return file.read((sql) => {
        const statement = sql(loadStatement(collection))
        const rows = ids.flatMap((id) => (id.isWellFormed() ? (statement.all(id) as unknown as Row[]) : []))
        return new Map(rows.map((row) => [row.id, documentOf(row)]))
      })
    },

    async write(given, documents) {
      const collection = asOpened(given)
      const stored = documents.map((document) => storable(collection, document))
      if (stored.length === 0) return
      await file.write((sql) => {
        for (const document of stored) {
          if (buries(sql, collection, document)) file.wipeSoon()
          writeDocument(sql, collection, document)
        }
      })
    },

    async find(given, query) {
      const collection = asOpened(given)
      const checked = checkedQuery(collection, query)
      return file.read((sql) => {
        const { text, values } = findStatement(collection, checked, probe(sql))
        return (sql(text).all(...values) as unknown as Row[]).map(documentOf)
      })
    },

    async count(given, query, limit) {
      const collection = asOpened(given)
      checkCount(limit)
      const conditions = checkedConditions(collection, query)
      return file.read((sql) => countOf(sql, countStatement(collection, { conditions, limit }, probe(sql))))
    },

    async countBroken(given) {
      const collection = asOpened(given)
      return file.read((sql) =>
        countOf(sql, {
          text: `SELECT count(*) AS count FROM (SELECT 1 FROM ${table(collection)} WHERE broken IS NOT NULL LIMIT ?)`,
          values: [BROKEN_MAX],
        }),
      )
    },

    async readMark(name) {
      const row = await file.read((sql) => sql('SELECT value FROM marks WHERE name = ?').get(name))
      return row && String(row['value'])
    },

    async raiseMark(name, value) {
      await file.write((sql) =>
        sql(
          `INSERT INTO marks (name, value) VALUES (?, ?)
          ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE excluded.value > value`,
        ).run(name, value),
      )
    },

    async setMark(name, value) {
      await file.write((sql) =>
        sql(
          `INSERT INTO marks (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
        ).run(name, value),
      )
    },

    async collections() {
      const rows = await file.read((sql) => sql('SELECT name FROM collections ORDER BY name').all())
      return rows.map((row) => String(row['name']))
    },

    async drop(name) {
      if (file.isInBatch()) throw new Error('A collection cannot be dropped in a batch')
      opened.delete(name)
      // The name stays listed to the end, so that a drop that was cut short is seen and repeated.
      const fields = await file.read(
        (sql) => sql('SELECT fields FROM collections WHERE name = ?').get(name)?.['fields'],
      )
      if (fields !== undefined) {
        const collection = { name, fields: Object.fromEntries(JSON.parse(String(fields))), indexes: [] } as Collection
        const newest = await file.read((sql) => sql(`SELECT max(seq) AS seq FROM ${table(collection)}`).get()?.['seq'])
        while (!(await file.write((sql) => dropSome(sql, collection, Number(newest))))) await othersTurn()
      }
      await file.wipe()
    },

    batch: (work) => file.batch(work),

    close: () => file.close(),

    async explainFind(given, query) {
      const collection = asOpened(given)
      return file.read((sql) => {
        const { text, values } = findStatement(collection, checkedQuery(collection, query), probe(sql))
        return sql(`EXPLAIN QUERY PLAN ${text}`)
          .all(...values)
          .map((row) => String(row['detail']))
      })
    },
  }
}

function storable(collection: Collection, document: ViewDocument): StoredDocument {
  checkDocument(document)
  const { id, position, broken } = document
  const body = bodyText(document)
  // A tombstone has NULL everywhere, so that no query and no sorted walk meets it.
  const columns = valueFields(collection).map((field) =>
    body === undefined ? null : storedValue(fieldValue(collection, document, field)),
  )
  return {
    id,
    isTombstone: body === undefined,
    row: [id, position, body ?? null, broken ? JSON.stringify(broken) : null, ...columns],
    terms: new Map(termsFields(collection).map((field) => [field, fieldTerms(collection, document, field)])),
  }
}

function writeDocument(sql: Sql, collection: Collection, { row, terms }: StoredDocument): void {
  const seq = sql(writeStatement(collection)).get(...row)?.['seq']
  if (typeof seq !== 'number' || terms.size === 0) return
  const name = termsTable(collection)
  const missing = new Map([...terms].map(([field, wanted]) => [field, new Set(wanted)]))
  for (const { field, term } of sql(`SELECT field, term FROM ${name} WHERE doc = ?`).all(seq)) {
    // Terms hardly ever change, so most writes stop here.
    if (missing.get(String(field))?.delete(String(term))) continue
    sql(`DELETE FROM ${name} WHERE doc = ? AND field = ? AND term = ?`).run(seq, field ?? null, term ?? null)
  }
  const insert = sql(`INSERT INTO ${name} (doc, field, term) VALUES (?, ?, ?)`)
  for (const [field, wanted] of missing) for (const term of wanted) insert.run(seq, field, term)
}

/** Whether a body is about to be taken away, most likely because a person is erased. */
function buries(sql: Sql, collection: Collection, { id, isTombstone }: StoredDocument): boolean {
  if (!isTombstone) return false
  return sql(`SELECT 1 FROM ${table(collection)} WHERE id = ? AND body IS NOT NULL`).get(id) !== undefined
}

/** A part of the documents, so that the process is never blocked for long, then the rest; says whether all is gone. */
function dropSome(sql: Sql, collection: Collection, newest: number): boolean {
  if (!sql('SELECT 1 FROM collections WHERE name = ?').get(collection.name)) return true
  const hasTerms = termsFields(collection).length > 0
  const last = sql(`SELECT seq FROM ${table(collection)} ORDER BY seq LIMIT 1 OFFSET ?`).get(DROPPED_AT_ONCE)?.['seq']
  if (last === undefined || Number(last) > newest) {
    if (hasTerms) sql(`DROP TABLE ${termsTable(collection)}`).run()
    sql(`DROP TABLE ${table(collection)}`).run()
    sql('DELETE FROM collections WHERE name = ?').run(collection.name)
    return true
  }
  if (hasTerms) sql(`DELETE FROM ${termsTable(collection)} WHERE doc < ?`).run(last)
  sql(`DELETE FROM ${table(collection)} WHERE seq < ?`).run(last)
  return false
}

function countOf(sql: Sql, { text, values }: Statement): number {
  return Number(sql(text).get(...values)?.['count'])
}

function documentOf({ id, position, body, broken }: Row): ViewDocument {
  return {
    id,
    position,
    body: body === null ? undefined : storedJson(body),
    ...(broken !== null && { broken: storedJson(broken) as { position: string; reason: string } }),
  }
}
