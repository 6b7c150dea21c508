import { setImmediate as othersTurn } from 'node:timers/promises'
import {
  BROKEN_MAX,
  checkCollection,
  checkCount,
  checkedConditions,
  checkedQuery,
  checkFields,
  checkIds,
  checkLimit,
  compareText,
  fieldsText,
  termsFields,
} from './fields.ts'
import { inArrays, lastId, storable, writeDocuments, type Written, writtenAs } from './sqlite-view-documents.ts'
import { COLLECTIONS, MARKS, sqliteViewFile, storedJson } from './sqlite-view-file.ts'
import type { Sql } from './sqlite-view-file.ts'
import {
  bodiesTable,
  countedPage,
  countStatement,
  fieldsStatement,
  findStatement,
  foundValue,
  idsStatement,
  indexStatements,
  leapsOf,
  loadStatement,
  table,
  tableStatements,
  termsTable,
  wayToFind,
} from './sqlite-view-query.ts'
import type { Leaps, Probe, Statement } from './sqlite-view-query.ts'
import {
  type Collection,
  type Conditions,
  type Query,
  type ViewDocument,
  type ViewStore,
  ViewStoreAway,
} from './view-store.ts'

export interface SqliteViewStore extends ViewStore {
  /** How SQLite would answer this query, a line a step; with `fields`, where they alone are asked for. */
  explainFind(collection: Collection, query: Query, fields?: readonly string[]): Promise<string[]>
  explainCount(collection: Collection, query: Conditions, limit: number): Promise<string[]>
}

interface Options {
  /** How long to try while another process holds the file. */
  readonly waitMs?: number
  /** A batch that takes longer is rolled back. */
  readonly batchMs?: number
  /** Up to how many documents are sorted rather than walked in order. */
  readonly narrowMax?: number
  /** How often a walk leaps. */
  readonly leapsMax?: number
}

/** In the order of `DOCUMENT`. As an array, which costs less than an object with names. */
type Row = readonly [id: string, position: string, body: string | null, broken: string | null, count?: number]

const DROPPED_AT_ONCE = 500
/** Among a million documents to look up and sort as many costs what it costs to walk to the first page of them. */
const NARROW_MAX = 5_000
/** Where there are more different heads, few documents have the same, and there is little to leap over. */
const LEAPS_MAX = 300

/** Views in one SQLite file, which several processes of one machine may share. It may be removed while the shop is stopped. */
export function sqliteViewStore(
  path: string,
  { waitMs = 5_000, batchMs = 60_000, narrowMax = NARROW_MAX, leapsMax = LEAPS_MAX }: Options = {},
): SqliteViewStore {
  const file = sqliteViewFile(path, { waitMs, batchMs })
  const opened = new Map<string, Written>()

  /** With the indexes that are there: a build makes them last, and is asked before. */
  function asOpened({ name }: Collection): Written {
    const collection = opened.get(name)
    if (!collection) throw new TypeError(`${name} is not open`)
    return collection
  }

  /** Another thread or process may drop what is being read, e.g. to copy a view that somebody was erased from: then the reader asks again. */
  async function readFrom<T>({ name }: Collection, work: (sql: Sql) => T): Promise<T> {
    try {
      return await file.read(work)
    } catch (error) {
      if (await file.read((sql) => sql(`SELECT 1 FROM ${COLLECTIONS} WHERE name = ?`).get(name))) throw error
      throw new ViewStoreAway(`${name} was dropped`, { cause: error })
    }
  }

  function probe(sql: Sql, fitting?: number): Probe {
    return { narrowMax, fitting, count: (statement) => countOf(sql, statement) }
  }

  /** The lock for this is only taken when something is missing, so that a start does not wait for a running batch. */
  async function makeTable(collection: Collection): Promise<void> {
    const fields = fieldsText(collection)
    const known = (sql: Sql) => sql(`SELECT fields FROM ${COLLECTIONS} WHERE name = ?`).get(collection.name)?.['fields']
    if ((await file.read(known)) === undefined) {
      await file.write((sql) => {
        if (known(sql) !== undefined) return
        for (const statement of tableStatements(collection)) sql(statement).run()
        sql(`INSERT INTO ${COLLECTIONS} (name, fields) VALUES (?, ?)`).run(collection.name, fields)
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
      for (const [name, statement] of indexStatements(collection)) {
        const made = await file.read((sql) =>
          sql(`SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ?`).get(name),
        )
        // Each by itself: over many documents it takes a while, and others want to write in between.
        if (made) continue
        const make = (sql: Sql): void => void sql(statement).run()
        await (collection.isPersonal === true ? file.write(make) : file.sort(make))
      }
      const made = new Map(
        [...(opened.get(collection.name)?.indexes ?? []), ...collection.indexes].map((fields) => [
          fields.join(' '),
          fields,
        ]),
      )
      opened.set(collection.name, writtenAs({ ...collection, indexes: [...made.values()] }))
    },

    async load(given, ids) {
      const collection = asOpened(given)
      checkIds(ids)
      return readFrom(collection, (sql) => {
        const statement = inArrays(sql(loadStatement(collection)))
        const last = lastId(sql, collection)
        const found = new Map<string, ViewDocument>()
        for (const id of ids) {
          if (compareText(id, last) > 0 || !id.isWellFormed()) continue
          const row = statement.get(id) as unknown as Row | undefined
          if (row) found.set(id, documentOf(row))
        }
        return found
      })
    },

    async write(given, documents) {
      const collection = asOpened(given)
      const stored = documents.map((document) => storable(collection, document))
      if (stored.length === 0) return
      await file.write((sql) => {
        if (writeDocuments(sql, collection, stored)) file.wipeSoon()
      })
    },

    async find(given, query) {
      const collection = asOpened(given)
      const checked = checkedQuery(collection, query)
      return readFrom(collection, (sql) => {
        const way = wayToFind(collection, checked, probe(sql))
        const leaps = leapsOf(collection, checked, way)
        if (!leaps) return rowsOf(sql, findStatement(collection, checked, way)).map(documentOf)
        const { rows, stoppedAt } = leapt(sql, leaps, { limit: checked.limit, leapsMax })
        if (stoppedAt !== undefined) rows.push(...rowsOf(sql, leaps.rest(stoppedAt, checked.limit - rows.length)))
        return rows.map(documentOf)
      })
    },

    async findFields(given, query, fields) {
      const collection = asOpened(given)
      const checked = checkedQuery(collection, query)
      checkFields(collection, fields)
      return readFrom(collection, (sql) => {
        const { way } = wayToFind(collection, checked, probe(sql))
        const { text, values } = fieldsStatement(collection, checked, way, fields)
        const rows = inArrays(sql(text)).all(...values) as unknown as [id: string, ...values: (string | number)[]][]
        return rows.map(([id, ...found]) => ({
          id,
          values: found.map((value, at) => foundValue(collection, fields[at], value)),
        }))
      })
    },

    async findPage(given, query, countMax) {
      const collection = asOpened(given)
      const checked = checkedQuery(collection, query)
      const { conditions, limit } = checked
      return readFrom(collection, (sql) => {
        const few = countMax > 0 ? countedPage(collection, checked, { narrowMax }) : undefined
        const page = few && countedRows(sql, few.statement)
        if (page && page.count < few.countMax)
          return { documents: page.rows.map(documentOf), stoppedAt: undefined, count: Math.min(page.count, countMax) }
        const counting = countMax > 0 && countStatement(collection, { conditions, limit: countMax }, probe(sql))
        const count = counting ? countOf(sql, counting) : 0
        if (counting && count === 0) return { documents: [], stoppedAt: undefined, count }
        const fitting = page?.count ?? (count < countMax ? count : undefined)
        const way = wayToFind(collection, checked, probe(sql, fitting))
        const leaps = leapsOf(collection, checked, way)
        const { rows, stoppedAt } = leaps
          ? leapt(sql, leaps, { limit, leapsMax })
          : { rows: rowsOf(sql, findStatement(collection, checked, way)) }
        return {
          documents: rows.map(documentOf),
          stoppedAt: stoppedAt === undefined ? undefined : { value: stoppedAt, id: '' },
          count,
        }
      })
    },

    async count(given, query, limit) {
      const collection = asOpened(given)
      checkCount(limit)
      const conditions = checkedConditions(collection, query)
      return readFrom(collection, (sql) => countOf(sql, countStatement(collection, { conditions, limit }, probe(sql))))
    },

    async findIds(given, query, limit) {
      const collection = asOpened(given)
      checkLimit(limit)
      const conditions = checkedConditions(collection, query)
      return readFrom(collection, (sql) => {
        const { text, values } = idsStatement(collection, { conditions, limit }, probe(sql))
        return (inArrays(sql(text)).all(...values) as unknown as [string][]).map(([id]) => id)
      })
    },

    async countBroken(given) {
      const collection = asOpened(given)
      return readFrom(collection, (sql) =>
        countOf(sql, {
          text: `SELECT count(*) AS count FROM (SELECT 1 FROM ${table(collection)} WHERE broken IS NOT NULL LIMIT ?)`,
          values: [BROKEN_MAX],
        }),
      )
    },

    async readMark(name) {
      const row = await file.read((sql) => sql(`SELECT value FROM ${MARKS} WHERE name = ?`).get(name))
      return row && String(row['value'])
    },

    async raiseMark(name, value) {
      await file.write((sql) =>
        sql(
          `INSERT INTO ${MARKS} (name, value) VALUES (?, ?)
          ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE excluded.value > value`,
        ).run(name, value),
      )
    },

    async setMark(name, value) {
      await file.write((sql) =>
        sql(
          `INSERT INTO ${MARKS} (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
        ).run(name, value),
      )
    },

    async replaceMark(name, { from, to }) {
      const { changes } = await file.write((sql) =>
        sql(`UPDATE ${MARKS} SET value = ? WHERE name = ? AND value = ?`).run(to, name, from),
      )
      return changes > 0
    },

    async collections() {
      const rows = await file.read((sql) => sql(`SELECT name FROM ${COLLECTIONS} ORDER BY name`).all())
      return rows.map((row) => String(row['name']))
    },

    async drop(name) {
      if (file.isInBatch()) throw new Error('A collection cannot be dropped in a batch')
      opened.delete(name)
      // The name stays listed to the end, so that a drop that was cut short is seen and repeated.
      const fields = await file.read(
        (sql) => sql(`SELECT fields FROM ${COLLECTIONS} WHERE name = ?`).get(name)?.['fields'],
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

    async explainFind(given, query, fields) {
      const collection = asOpened(given)
      const checked = checkedQuery(collection, query)
      return file.read((sql) => {
        const way = wayToFind(collection, checked, probe(sql))
        if (fields) return explained(sql, fieldsStatement(collection, checked, way.way, fields))
        const leaps = leapsOf(collection, checked, way)
        return explained(sql, leaps?.stretch('', checked.limit) ?? findStatement(collection, checked, way))
      })
    },

    async explainCount(given, query, limit) {
      const collection = asOpened(given)
      const conditions = checkedConditions(collection, query)
      return file.read((sql) => explained(sql, countStatement(collection, { conditions, limit }, probe(sql))))
    },
  }
}

/** How documents are found; the body of each is then looked up by its number. */
function explained(sql: Sql, { text, values }: Statement): string[] {
  const rows = sql(`EXPLAIN QUERY PLAN ${text}`).all(...values)
  const steps = rows.map((row) => String(row['detail'])).filter((step) => !step.endsWith('LEFT-JOIN'))
  const found = steps.findIndex((step) => step.startsWith('SCAN (subquery'))
  return found === -1 ? steps : steps.slice(1, found)
}

/** A part of the documents, so that the process is never blocked for long, then the rest; says whether all is gone. */
function dropSome(sql: Sql, collection: Collection, newest: number): boolean {
  if (!sql(`SELECT 1 FROM ${COLLECTIONS} WHERE name = ?`).get(collection.name)) return true
  const hasTerms = termsFields(collection).length > 0
  const last = sql(`SELECT seq FROM ${table(collection)} ORDER BY seq LIMIT 1 OFFSET ?`).get(DROPPED_AT_ONCE)?.['seq']
  if (last === undefined || Number(last) > newest) {
    if (hasTerms) sql(`DROP TABLE ${termsTable(collection)}`).run()
    sql(`DROP TABLE ${bodiesTable(collection)}`).run()
    sql(`DROP TABLE ${table(collection)}`).run()
    sql(`DELETE FROM ${COLLECTIONS} WHERE name = ?`).run(collection.name)
    return true
  }
  if (hasTerms) sql(`DELETE FROM ${termsTable(collection)} WHERE doc < ?`).run(last)
  sql(`DELETE FROM ${bodiesTable(collection)} WHERE of < ?`).run(last)
  sql(`DELETE FROM ${table(collection)} WHERE seq < ?`).run(last)
  return false
}

function rowsOf(sql: Sql, { text, values }: Statement): Row[] {
  return inArrays(sql(text)).all(...values) as unknown as Row[]
}

/** `stoppedAt`: before which value, where there may be more. */
function leapt(
  sql: Sql,
  leaps: Leaps,
  { limit, leapsMax }: { limit: number; leapsMax: number },
): { rows: Row[]; stoppedAt?: string | undefined } {
  const rows: Row[] = []
  let from = leaps.start
  for (let leap = 0; leap < leapsMax; leap += 1) {
    const first = leaps.first(from)
    const value = sql(first.text).get(...first.values)?.['place']
    if (value === undefined) return { rows }
    rows.push(...rowsOf(sql, leaps.stretch(String(value), limit - rows.length)))
    from = leaps.behind(String(value))
    if (rows.length === limit || from === undefined) return { rows }
  }
  return { rows, stoppedAt: from }
}

/** Undefined where there is no row to tell how many there are. */
function countedRows(sql: Sql, statement: Statement): { rows: Row[]; count: number } | undefined {
  const rows = rowsOf(sql, statement)
  const count = rows[0]?.[4]
  return count === undefined ? undefined : { rows, count }
}

function countOf(sql: Sql, { text, values }: Statement): number {
  return Number(sql(text).get(...values)?.['count'])
}

function documentOf([id, position, body, broken]: Row): ViewDocument {
  return {
    id,
    position,
    body: body === null ? undefined : storedJson(body),
    ...(broken !== null && { broken: storedJson(broken) as { position: string; reason: string } }),
  }
}
