import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { ValueDamaged } from '../sqlite/errors.ts'
import { sqliteFile, type SqliteFile } from '../sqlite/sqlite-file.ts'
import { SetGone, ViewStoreAway } from './view-store.ts'

/** The file is damaged, of a newer release, or not ours. The one-line message says what to do. */
export class ViewFileUnusable extends Error {
  override readonly name = 'ViewFileUnusable'
}

const APPLICATION_ID = 0x43535657
const FORMAT = 6
const CACHE_KIB = 8_192
/** Rare checkpoints, to copy a hot page once. */
const CHECKPOINT_PAGES = 8_000
/** Interval of checking that open files were not deleted: those still accept writes. */
const COMPARED_MS = 5_000
const REGISTRY = 'registry'
const PEOPLE = '-people'
const ENDING = '.sqlite'

/** The files of one set: one for personal data, one for the rest. */
export interface SetFiles {
  readonly main: SqliteFile
  readonly people: SqliteFile
}

/** A folder of view files, or temporary files of this process alone, deleted when it ends. */
export interface SetFolder {
  /** Created again if it was deleted. */
  registry(): Promise<SqliteFile>
  /** Throws `SetGone` if either file is missing. */
  filesOf(set: string): SetFiles
  make(set: string, prepare: (database: DatabaseSync) => void): Promise<void>
  remove(set: string): Promise<void>
  found(): string[]
  bytes(set: string): number
  close(): Promise<void>
}

/** Open files, and the inodes that identify them. */
interface Opened<Files> {
  readonly files: Files
  readonly inodes: string | undefined
  comparedAt: number
}

export interface SetFolderOptions {
  /** Creates and changes no file. */
  readonly isReadOnly?: boolean
  readonly now?: () => number
}

// oxlint-disable-next-line max-lines-per-function -- short calls that share the open files
export function setFolder(folder: string, options: SetFolderOptions): SetFolder {
  const { isReadOnly = false, now = () => performance.now() } = options
  const sets = new Map<string, Opened<SetFiles>>()
  let registry: Opened<SqliteFile> | undefined
  let opening: Promise<SqliteFile> | undefined
  const pathOf = (name: string): string => join(folder, `${name}${ENDING}`)
  /** Undefined if one is missing. */
  function inodesOf(names: readonly string[]): string | undefined {
    const files = names.map((name) => statSync(pathOf(name), { throwIfNoEntry: false }))
    return files.every((file) => file !== undefined) ? files.map(({ ino }) => ino).join(' ') : undefined
  }

  function isStill({ inodes, comparedAt }: Opened<unknown>, names: readonly string[]): boolean {
    return now() - comparedAt < COMPARED_MS || (inodes !== undefined && inodes === inodesOf(names))
  }

  async function openRegistry(): Promise<SqliteFile> {
    void registry?.files.close()
    registry = undefined
    if (!isReadOnly) mkdirSync(folder, { recursive: true, mode: 0o700 })
    const isTemporary = isReadOnly && inodesOf([REGISTRY]) === undefined
    const files = viewFile(pathOf(REGISTRY), { ...options, isPersonal: false, isTemporary })
    // Creates the file.
    await files.read(() => undefined)
    registry = { files, inodes: inodesOf([REGISTRY]), comparedAt: now() }
    return files
  }

  async function forget(set: string): Promise<void> {
    const files = sets.get(set)?.files
    sets.delete(set)
    await Promise.all([files?.main.close(), files?.people.close()])
  }

  return {
    async registry() {
      if (registry && isStill(registry, [REGISTRY])) {
        if (now() - registry.comparedAt >= COMPARED_MS) registry.comparedAt = now()
        return registry.files
      }
      opening ??= openRegistry().finally(() => (opening = undefined))
      return opening
    },

    filesOf(set) {
      const known = sets.get(set)
      if (known && isStill(known, namesOf(set))) {
        if (now() - known.comparedAt >= COMPARED_MS) known.comparedAt = now()
        return known.files
      }
      void forget(set)
      const inodes = inodesOf(namesOf(set))
      if (inodes === undefined) throw new SetGone(set)
      const fileOf = (name: string, isPersonal: boolean): SqliteFile =>
        viewFile(pathOf(name), { ...options, isPersonal, mustExist: true, set })
      const files = { main: fileOf(set, false), people: fileOf(set + PEOPLE, true) }
      sets.set(set, { files, inodes, comparedAt: now() })
      return files
    },

    async make(set, prepare) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      for (const isPersonal of [true, false]) {
        const file = viewFile(pathOf(isPersonal ? set + PEOPLE : set), { ...options, isPersonal, prepare })
        try {
          await file.write(() => undefined)
        } finally {
          await file.close()
        }
      }
    },

    async remove(set) {
      await forget(set)
      for (const name of namesOf(set)) for (const ending of ['', '-wal', '-shm']) removeFile(pathOf(name) + ending)
    },

    found() {
      if (!existsSync(folder)) return []
      const names = readdirSync(folder).flatMap((name) => /^(.*)\.sqlite(-wal|-shm)?$/.exec(name)?.[1] ?? [])
      return [...new Set(names.map((name) => name.replace(new RegExp(`${PEOPLE}$`), '')))].filter(
        (name) => name !== REGISTRY,
      )
    },

    bytes: (set) =>
      namesOf(set).reduce((sum, name) => sum + (statSync(pathOf(name), { throwIfNoEntry: false })?.size ?? 0), 0),

    async close() {
      for (const set of sets.keys()) await forget(set)
      await opening?.catch(() => undefined)
      await registry?.files.close()
    },
  }
}

/** Some systems keep a file that another process has open: the next start removes it. */
function removeFile(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || (error.code !== 'EBUSY' && error.code !== 'EPERM'))
      throw error
  }
}

function temporary(isPersonal: boolean, prepare: (database: DatabaseSync) => void): SqliteFile {
  return viewFile('the temporary views', { isPersonal, isTemporary: true, prepare })
}

/** SQLite's cache overflows to unnamed files. */
export function temporarySetFolder(): SetFolder {
  const open = new Map<string, SetFiles>()
  const registry = temporary(false, prepareRegistry)

  async function remove(set: string): Promise<void> {
    const files = open.get(set)
    open.delete(set)
    await Promise.all([files?.main.close(), files?.people.close()])
  }

  return {
    registry: async () => registry,
    filesOf(set) {
      const files = open.get(set)
      if (!files) throw new SetGone(set)
      return files
    },
    async make(set, prepare) {
      open.set(set, { main: temporary(false, prepare), people: temporary(true, prepare) })
    },
    remove,
    found: () => [...open.keys()],
    bytes: () => 0,
    async close() {
      for (const set of open.keys()) await remove(set)
      await registry.close()
    },
  }
}

const namesOf = (set: string): string[] => [set, set + PEOPLE]

interface FileOptions extends SetFolderOptions {
  readonly isPersonal: boolean
  readonly isTemporary?: boolean
  readonly mustExist?: boolean
  readonly set?: string
  readonly prepare?: (database: DatabaseSync) => void
}

function viewFile(file: string, options: FileOptions): SqliteFile {
  const { isPersonal, isTemporary = false, isReadOnly, mustExist, set, prepare } = options
  return sqliteFile(file, {
    applicationId: APPLICATION_ID,
    format: FORMAT,
    prepare(database) {
      // The set was never completed.
      if (set !== undefined) throw new SetGone(set)
      ;(prepare ?? prepareRegistry)(database)
    },
    name: "a file of this shop's views",
    remedy: `stop the shop and remove it (with ${file}-wal and ${file}-shm), views are built again from the log`,
    errors: {
      away: (message, cause) => new ViewStoreAway(message, { cause }),
      damaged: (message, cause) => new ViewFileUnusable(message, { cause }),
    },
    hasFixedTables: false,
    // WAL with NORMAL: a power loss drops the newest commits, and never keeps a checkpoint without its documents.
    synchronous: 'NORMAL',
    secureDelete: isPersonal && !isTemporary,
    // Personal data is never sorted in a file.
    sortsInFiles: !isPersonal,
    isReadOnly,
    isTemporary,
    mustExist,
    cacheKib: CACHE_KIB,
    checkpointPages: CHECKPOINT_PAGES,
  })
}

function prepareRegistry(database: DatabaseSync): void {
  database.exec('CREATE TABLE texts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID')
}

/** Throws `ValueDamaged` for damaged JSON, which SQLite does not notice. */
export function storedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ValueDamaged('a stored document is not JSON', { cause: error })
  }
}
