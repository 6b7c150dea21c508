import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { oneLine } from '../../ports/one-line.ts'
import type { Finding } from './finding.ts'

const WRONG_MAX = 100
const BUSY_MS = 2_000
const AHEAD_MS_MAX = 2_000

/** Checks one of the shop's SQLite files, except its pages and rows. */
export function lookAtSqlite(file: string, { isLog = false } = {}): Omit<Finding, 'part'> {
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (bytes === 0) return { facts: `SQLite, ${file}: not there yet, made at the first start` }
  const facts = `SQLite, ${file} (${(bytes / 1e6).toFixed(1)} MB)`
  try {
    return readDatabase(file, (database) => {
      const only = (sql: string): unknown => Object.values(database.prepare(sql).get() ?? {})[0]
      const journal = String(only('PRAGMA journal_mode'))
      const recordedAt = isLog ? only('SELECT recorded_at FROM events ORDER BY position DESC LIMIT 1') : undefined
      return {
        facts: `${facts}, version ${String(only('SELECT sqlite_version()'))}, journal_mode ${journal}`,
        must:
          journal === 'wal'
            ? aheadOfClock(Number(recordedAt ?? 0), Date.now())
            : 'the journal_mode was changed: start the shop once, which sets it to wal',
      }
    })
  } catch (error) {
    const must = 'stop the shop, keep the file, put its newest copy back (docs/operations.md)'
    return { facts: `${facts}, cannot be read (${oneLine(error)})`, must }
  }
}

/** What to do if the newest event is in the future: this clock was ahead, or is behind now. */
function aheadOfClock(recordedMs: number, nowMs: number): string | undefined {
  const aheadMs = recordedMs - nowMs
  if (aheadMs <= AHEAD_MS_MAX) return undefined
  return `the newest event lies ${Math.ceil(aheadMs / 1_000)} s ahead of this clock: set the clock by a time server; if it was ahead and has come back, unpaid orders of that time end by themselves`
}

/** Reads all pages and indexes of one of the shop's SQLite files; returns the problems, empty if it is sound. */
export async function wrongInSqlite(file: string): Promise<string[]> {
  try {
    return readDatabase(file, (database) =>
      database
        .prepare(`PRAGMA integrity_check(${WRONG_MAX})`)
        .all()
        .flatMap((row) => String(Object.values(row)[0]).split('\n'))
        .filter((line) => line !== 'ok'),
    )
  } catch (error) {
    return [oneLine(error)]
  }
}

function readDatabase<Result>(file: string, read: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS })
  try {
    return read(database)
  } finally {
    database.close()
  }
}
