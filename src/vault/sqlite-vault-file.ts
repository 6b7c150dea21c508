import type { SqliteOptions } from '../sqlite/connection.ts'
import { sqliteFile } from '../sqlite/sqlite-file.ts'
import type { SqliteFile } from '../sqlite/sqlite-file.ts'
import { VaultAway, VaultDamaged } from './vault.ts'

// A customer's row is only ever overwritten in place, with the same length, never deleted: SQLite leaves copies behind when it moves rows
// between pages. So a key has one known place, which can be wiped.
const FIRST_FORMAT = `
  CREATE TABLE customers (
    number INTEGER PRIMARY KEY,
    customer_id TEXT NOT NULL,
    email_hmac TEXT NOT NULL,
    is_attached INTEGER NOT NULL,
    key BLOB NOT NULL,
    is_erased INTEGER NOT NULL,
    checksum TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX customers_by_id ON customers (customer_id);
  CREATE UNIQUE INDEX customers_by_email ON customers (email_hmac) WHERE is_attached = 1;
  CREATE TABLE secrets (
    name TEXT PRIMARY KEY, value BLOB NOT NULL, checksum TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE passwords (
    admin_id TEXT PRIMARY KEY, password_id TEXT NOT NULL, hash TEXT NOT NULL, checksum TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`

/** Erasures in progress. Their ids are random, so nothing here needs wiping. */
const SECOND_FORMAT = `
  CREATE TABLE erasures (
    customer_id TEXT PRIMARY KEY, erasure_id TEXT NOT NULL, at INTEGER NOT NULL, is_decided INTEGER NOT NULL, checksum TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`

/** Small texts by name. */
const THIRD_FORMAT = `
  CREATE TABLE marks (
    name TEXT PRIMARY KEY, value TEXT NOT NULL, checksum TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`

const FORMATS = [FIRST_FORMAT, SECOND_FORMAT, THIRD_FORMAT]

export interface VaultFileOptions {
  /** OFF does not wait for the disk: only for data that can be generated again. */
  readonly synchronous?: 'FULL' | 'OFF'
  /** Reads beside a shop that may be running; what would write fails. */
  readonly isReadOnly?: boolean
}

export function vaultFileOptions({ synchronous = 'FULL', isReadOnly = false }: VaultFileOptions = {}): SqliteOptions {
  return {
    applicationId: 0x43_53_56_54,
    format: FORMATS.length,
    prepare(database, from) {
      for (const statements of FORMATS.slice(from)) database.exec(statements)
    },
    name: 'a vault of this shop',
    remedy: 'stop the shop, keep this file safe (its keys are nowhere else) and restore a backup of the vault',
    errors: {
      away: (message, cause) => new VaultAway(message, { cause }),
      damaged: (message, cause) => new VaultDamaged(message, { cause }),
    },
    hasFixedTables: true,
    synchronous,
    secureDelete: true,
    quickCheck: true,
    isReadOnly,
  }
}

export function sqliteVaultFile(file: string, options: VaultFileOptions): SqliteFile {
  return sqliteFile(file, vaultFileOptions(options))
}
