import type { DatabaseSync } from 'node:sqlite'
import { ValueDamaged } from '../sqlite/errors.ts'
import { sqliteFile, type SqliteFile } from '../sqlite/sqlite-file.ts'
import { ViewStoreAway } from './view-store.ts'

/** The file is damaged, of a newer shop, or not ours at all. The message is one line and says what to do. */
export class ViewFileUnusable extends Error {
  override readonly name = 'ViewFileUnusable'
}

const APPLICATION_ID = 0x43535657
/** Older formats are rebuilt. */
const FORMAT = 5
/** Named by the format: an older shop that still runs beside this one finds nothing to write to. */
export const COLLECTIONS = `"collections of format ${FORMAT}"`
export const MARKS = `"marks of format ${FORMAT}"`

/** Set with a deletion of personal data, until it is wiped. */
export const WIPE_DUE = 'wipe due'

const CACHE_KIB = 8_192
/** Rare checkpoints: a hot page is copied once. */
const CHECKPOINT_PAGES = 8_000

/** One of the two files of views. In the personal one nothing is ever sorted in a file. */
export function viewFile(
  file: string,
  {
    isPersonal,
    waitMs,
    isReadOnly,
    isTemporary = false,
  }: {
    readonly isPersonal: boolean
    readonly waitMs?: number | undefined
    readonly isReadOnly?: boolean | undefined
    readonly isTemporary?: boolean | undefined
  },
): SqliteFile {
  return sqliteFile(file, {
    applicationId: APPLICATION_ID,
    format: FORMAT,
    prepare,
    name: "a file of this shop's views",
    remedy: `stop the shop and remove it (with ${file}-wal and ${file}-shm), views are built again from the log`,
    errors: {
      away: (message, cause) => new ViewStoreAway(message, { cause }),
      damaged: (message, cause) => new ViewFileUnusable(message, { cause }),
    },
    hasFixedTables: false,
    // WAL with NORMAL: power loss drops the newest commits, never a mark without its documents.
    synchronous: 'NORMAL',
    // An older release had everything in one file: what that held of people is wiped when it is brought up.
    secureDelete: !isTemporary,
    sortsInFiles: !isPersonal,
    hasReader: !isTemporary,
    isReadOnly,
    isTemporary,
    cacheKib: CACHE_KIB,
    checkpointPages: CHECKPOINT_PAGES,
    ...(waitMs !== undefined && { waitMs }),
  })
}

function prepare(database: DatabaseSync, from: number): void {
  const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all()
  for (const { name } of tables) database.exec(`DROP TABLE "${String(name)}"`)
  database.exec(`
    CREATE TABLE ${COLLECTIONS} (name TEXT PRIMARY KEY, fields TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE ${MARKS} (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  `)
  // Releases before format 4 had customers among the other views.
  if (from > 0) database.prepare(`INSERT INTO ${MARKS} (name, value) VALUES (?, ?)`).run(WIPE_DUE, `format ${from}`)
}

/** Throws `ValueDamaged` where a document is no JSON any more, though SQLite found nothing wrong. */
export function storedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ValueDamaged('a stored document is not JSON', { cause: error })
  }
}
