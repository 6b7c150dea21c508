import { arraysOf, type Sql, type SqliteOptions } from '../sqlite/connection.ts'
import { groupCommit } from '../sqlite/group-commit.ts'
import { sqliteFile } from '../sqlite/sqlite-file.ts'
import { type Vault, VaultAway, VaultDamaged } from './vault.ts'
import { aliasesOf, findThenInsert, type VaultRow, type VaultRows } from './vault-rows.ts'
import { vaultOver } from './vault-rules.ts'

/** On open, the indexes are checked against the rows, so that a read misses no row. */
const SCHEMA = `
  CREATE TABLE vault (
    number INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    alias TEXT,
    since INTEGER,
    value TEXT NOT NULL,
    version INTEGER NOT NULL,
    checksum INTEGER NOT NULL,
    UNIQUE (kind, id)
  ) STRICT;
  CREATE UNIQUE INDEX vault_by_alias ON vault (kind, alias) WHERE alias IS NOT NULL;
  CREATE INDEX vault_by_since ON vault (kind, since) WHERE since IS NOT NULL;
`
const ROWS = 'SELECT kind, id, alias, since, value, version, checksum FROM vault'
const WRITES_PER_COMMIT_MAX = 500

interface VaultFileOptions {
  /** OFF does not wait for the disk: only for data that can be regenerated. */
  readonly synchronous?: 'FULL' | 'OFF'
  /** For reading while the shop may be running; writes fail. */
  readonly isReadOnly?: boolean
  /** Never creates a vault. */
  readonly mustExist?: boolean
}

export function vaultFileOptions({ synchronous = 'FULL', ...options }: VaultFileOptions = {}): SqliteOptions {
  return {
    applicationId: 0x43_53_56_61,
    format: 1,
    prepare: (database) => database.exec(SCHEMA),
    name: 'a vault of this shop',
    remedy: 'stop the shop, keep this file safe (its keys are nowhere else) and restore a backup of the vault',
    errors: {
      away: (message, cause) => new VaultAway(message, { cause }),
      damaged: (message, cause) => new VaultDamaged(message, { cause }),
    },
    hasFixedTables: true,
    synchronous,
    secureDelete: true,
    integrityCheck: true,
    ...options,
  }
}

/**
 * The vault in one SQLite file, shared by all processes of a machine. Caches nothing, so that an erasure by another
 * process takes effect at once.
 */
export function sqliteVault(path: string, options: VaultFileOptions = {}): Vault {
  return vaultOver(sqliteVaultRows(path, options), options)
}

export function sqliteVaultRows(path: string, options: VaultFileOptions = {}): VaultRows {
  const file = sqliteFile(path, vaultFileOptions(options))
  const writes = groupCommit<Change, boolean>({
    commit: (take) =>
      file.write((sql) => take().map((change) => ('row' in change ? writeRow(sql, change) : deleteRow(sql, change)))),
    itemsMax: WRITES_PER_COMMIT_MAX,
  })
  const rows: VaultRows = {
    read: (kind, ids) => file.read((sql) => ids.flatMap((id) => rowsWhere(sql, 'kind = ? AND id = ?', kind, id))),
    byAlias: (kind, word) =>
      file.read((sql) => rowsWhere(sql, 'kind = ? AND alias >= ? AND alias < ?', kind, ...aliasesOf(word))),
    since: (kind, { before, limit }) =>
      file.read((sql) => rowsWhere(sql, 'kind = ? AND since < ? ORDER BY since LIMIT ?', kind, before, limit)),
    write: (row, was) => writes.add({ row, was }),
    delete: (kind, id, version) => writes.add({ kind, id, version }),
    findOrInsert: async (row) => findThenInsert(rows, row),
    wipe: () => file.wipe(),
    close: () => file.close(),
  }
  return rows
}

interface Write {
  readonly row: VaultRow
  readonly was: number | 'absent'
}

type Deletion = Pick<VaultRow, 'kind' | 'id' | 'version'>
type Change = Write | Deletion

function deleteRow(sql: Sql, { kind, id, version }: Deletion): boolean {
  return sql('DELETE FROM vault WHERE kind = ? AND id = ? AND version = ?').run(kind, id, version).changes === 1
}

function writeRow(sql: Sql, { row, was }: Write): boolean {
  const { kind, id, alias = null, since = null, value, version, checksum } = row
  const content = [alias, since, value, version, checksum]
  const { changes } =
    was === 'absent'
      ? sql(`
          INSERT INTO vault (alias, since, value, version, checksum, kind, id) VALUES (?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT DO NOTHING`).run(...content, kind, id)
      : sql(`
          UPDATE OR IGNORE vault SET alias = ?, since = ?, value = ?, version = ?, checksum = ?
          WHERE kind = ? AND id = ? AND version = ?`).run(...content, kind, id, was)
  return changes === 1
}

function rowsWhere(sql: Sql, condition: string, ...values: readonly (string | number)[]): VaultRow[] {
  return arraysOf<StoredRow>(sql, `${ROWS} WHERE ${condition}`, ...values).map(
    ([kind, id, alias, since, value, version, checksum]) => {
      return { kind, id, alias: alias ?? undefined, since: since ?? undefined, value, version, checksum }
    },
  )
}

/** In the order of `ROWS`. */
type StoredRow = [VaultRow['kind'], string, string | null, number | null, string, number, number]
