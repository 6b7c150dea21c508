import { randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { SqliteOptions } from '../sqlite/connection.ts'
import { AppendAmbiguous, EventStoreAway, EventStoreDamaged } from './event-store.ts'
import { EMPTY_LOG, headChecksum } from './sqlite-rows.ts'

// `heads` records each stream's last event, so that a lost page is not mistaken for the end of a stream.
// Stream '' is the head of the whole log.
const SCHEMA = `
  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    revision INTEGER NOT NULL,
    id TEXT NOT NULL,
    type TEXT NOT NULL,
    version INTEGER NOT NULL,
    data TEXT NOT NULL,
    metadata TEXT NOT NULL,
    recorded_at INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    UNIQUE (stream, revision)
  ) STRICT;
  CREATE TABLE heads (
    stream TEXT PRIMARY KEY,
    revision INTEGER NOT NULL,
    position INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    checksum INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE identity (id TEXT NOT NULL) STRICT;
  INSERT INTO heads VALUES ('', ${EMPTY_LOG.revision}, ${EMPTY_LOG.position}, 0, ${headChecksum(EMPTY_LOG)});
`

export interface LogFileOptions {
  /** For reading while the shop may be running; appends fail. */
  readonly isReadOnly?: boolean
  /** Opens the connection; for tests that fill the disk. */
  readonly open?: (file: string) => DatabaseSync
  /** OFF does not wait for the disk: only for a log that can be regenerated. */
  readonly synchronous?: 'FULL' | 'OFF'
  /** Page cache of each connection; SQLite's default is 2,000. */
  readonly cacheKib?: number
}

export function logFileOptions({ synchronous = 'FULL', ...options }: LogFileOptions = {}): SqliteOptions {
  return {
    ...options,
    applicationId: 0x43_53_65_61,
    format: 1,
    prepare(database) {
      database.exec(SCHEMA)
      database.prepare('INSERT INTO identity VALUES (?)').run(randomUUID())
    },
    name: 'the event log of this shop',
    remedy: 'stop the shop, keep the file, and restore the newest backup',
    errors: {
      away: (message, cause) => new EventStoreAway(message, { cause }),
      damaged: (message, cause) => new EventStoreDamaged(message, { cause }),
      uncertain: (message, cause) => new AppendAmbiguous(message, { cause }),
    },
    hasFixedTables: true,
    synchronous,
  }
}
