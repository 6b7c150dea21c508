import { chmodSync, copyFileSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { EventStoreDamaged, NO_EVENTS } from '../event-store/event-store.ts'
import { sqliteEventStore } from '../event-store/sqlite-event-store.ts'
import { someEvent } from '../event-store/testing/some-events.ts'
import { describeUnless } from '../../testing/describe-unless.ts'
import { withoutFileModes } from '../../ports/testing/missing.ts'
import { testFolder } from '../../ports/testing/test-folder.ts'
import { sqliteVault } from '../vault/sqlite-vault.ts'
import { VaultDamaged } from '../vault/vault.ts'
import { connect, type Sql, type SqliteOptions } from './connection.ts'
import { ValueDamaged } from './errors.ts'
import { sqliteFile } from './sqlite-file.ts'
import type { SqliteFile } from './sqlite-file.ts'

class Away extends Error {}
class Damaged extends Error {}
class Uncertain extends Error {}

const notebook: SqliteOptions = {
  applicationId: 0x6e_6f_74_65,
  format: 2,
  prepare(database, from) {
    if (from === 0) database.exec('CREATE TABLE notes (text TEXT NOT NULL UNIQUE) STRICT')
    database.exec('ALTER TABLE notes ADD COLUMN number INTEGER')
  },
  name: 'a notebook',
  remedy: 'restore it',
  errors: {
    away: (message, cause) => new Away(message, { cause }),
    damaged: (message, cause) => new Damaged(message, { cause }),
    uncertain: (message, cause) => new Uncertain(message, { cause }),
  },
  hasFixedTables: true,
  synchronous: 'FULL',
  secureDelete: true,
}

let folder: string
let path: string
let opened: SqliteFile[]

beforeEach(() => {
  folder = testFolder()
  path = join(folder, 'notes.db')
  opened = []
})

afterEach(async () => {
  await Promise.all(opened.map((file) => file.close()))
})

function open(options: Partial<SqliteOptions> = {}): SqliteFile {
  const file = sqliteFile(path, { ...notebook, ...options })
  opened.push(file)
  return file
}

const add = (text: string) => (sql: Sql) => sql('INSERT INTO notes (text) VALUES (?)').run(text)
const all = (sql: Sql): unknown[] =>
  sql('SELECT text FROM notes ORDER BY rowid')
    .all()
    .map((row) => row['text'])

/** As another process would hold it. */
function held(statements: string): () => void {
  const other = new DatabaseSync(path)
  for (const statement of statements.split(';')) other.prepare(statement).all()
  return () => other.close()
}

function bytes(): string {
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('')
}

function modes(): number[] {
  return readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777)
}

function recipes(): void {
  const other = new DatabaseSync(path)
  other.exec('CREATE TABLE recipes (text TEXT)')
  other.close()
  chmodSync(path, 0o640)
}

/** A notebook that was closed, and these statements were run on it since. */
async function changed(statements: string): Promise<void> {
  const file = open()
  await file.write(add('milk'))
  await file.close()
  const other = new DatabaseSync(path)
  other.exec(statements)
  other.close()
}

it('a new file is prepared once by two processes that create it at the same time', async () => {
  let rivals = 0
  class Raced extends DatabaseSync {
    override exec(statements: string): void {
      if (statements === 'BEGIN IMMEDIATE' && rivals === 0) {
        rivals += 1
        connect(path, notebook).database.close()
      }
      super.exec(statements)
    }
  }
  const file = open({ open: (file) => new Raced(file) })
  await file.write(add('milk'))
  expect([rivals, await open().read(all)]).toEqual([1, ['milk']])
})

describeUnless(withoutFileModes, 'its files', () => {
  it('a file can be read only by its owner, also after its mode was changed', async () => {
    const file = open()
    await file.write(add('milk'))
    expect(modes()).toEqual([0o600, 0o600, 0o600])
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644)
    await open().read(all)
    expect(modes()).toEqual([0o600, 0o600, 0o600])
  })
})

it('a file is away while its folder is missing, and created by a later call', async () => {
  path = join(folder, 'none', 'notes.db')
  const file = open()
  await expect(file.read(all)).rejects.toThrow(Away)
  await expect(file.read(all)).rejects.toThrow(/notes\.db.*Check that the folder exists/)
  path = join(folder, 'notes.db')
  expect(await open().read(all)).toEqual([])
})

it('a file of an older format is migrated, and keeps its rows', async () => {
  const old = open({ format: 1, prepare: (database) => database.exec('CREATE TABLE notes (text TEXT)') })
  await old.write(add('milk'))
  await old.close()
  const file = open()
  expect(await file.read((sql) => sql('SELECT text, number FROM notes').all())).toEqual([
    { text: 'milk', number: null },
  ])
  expect(await file.read((sql) => sql('PRAGMA user_version').get())).toEqual({ user_version: 2 })
})

it.for<[why: string, prepare: () => unknown, says: RegExp]>([
  ['another program wrote it', () => recipes(), /is not a notebook and was left as it is/],
  ['a newer release wrote it', () => changed('PRAGMA user_version = 3'), /newer version/],
  [
    'it is no database',
    () => writeFileSync(path, 'Buy milk. '.repeat(1_000)),
    /is damaged \(file is not a database\): restore/,
  ],
])('a file stays unchanged because %s', async ([, prepare, says]) => {
  await prepare()
  const [before, { mode }] = [readFileSync(path), statSync(path)]
  const refusal: unknown = expect.objectContaining({ message: expect.stringMatching(says) as unknown })
  for (const ask of [() => open().read(all), () => open().write(add('milk'))]) {
    const error: unknown = await ask().catch((error: unknown) => error)
    expect(error).toBeInstanceOf(Damaged)
    expect(error).toEqual(refusal)
    expect((error as Error).message).toMatch(/^[^\n]*notes\.db[^\n]*$/)
  }
  expect(readFileSync(path).equals(before)).toBe(true)
  expect(statSync(path).mode).toBe(mode)
})

it('the error of missing tables says what to do', async () => {
  await changed('DROP TABLE notes')
  await expect(open().read(all)).rejects.toThrow(/is damaged \(no such table: notes\): restore it/)
  await expect(open({ hasFixedTables: false }).read(all)).rejects.toMatchObject({ code: 'ERR_SQLITE_ERROR' })
})

it('the integrity check on open finds a file that was cut', async () => {
  await changed('PRAGMA user_version = 2')
  writeFileSync(path, readFileSync(path).subarray(0, -4_096))
  await expect(open({ integrityCheck: true }).read(() => 'fine')).rejects.toThrow(Damaged)
})

it('a write-ahead log without its file is kept', async () => {
  const file = open()
  await file.write(add('milk'))
  copyFileSync(`${path}-wal`, join(folder, 'copy'))
  await file.close()
  for (const main of [undefined, '']) {
    rmSync(path)
    if (main !== undefined) writeFileSync(path, main)
    copyFileSync(join(folder, 'copy'), `${path}-wal`)
    await expect(open().read(all)).rejects.toThrow(/missing or empty.*put back the file/)
    expect(readFileSync(`${path}-wal`).equals(readFileSync(join(folder, 'copy')))).toBe(true)
    if (main === undefined) writeFileSync(path, '')
  }
})

it('a damaged value fails only the read that finds it', async () => {
  const file = open()
  const [damaged, sound] = await Promise.allSettled([
    file.read(() => {
      throw new ValueDamaged('the checksum differs')
    }),
    file.read(all),
  ])
  expect(damaged).toMatchObject({ reason: { message: expect.stringMatching(/the checksum differs/) as unknown } })
  expect(damaged).toMatchObject({ reason: expect.any(Damaged) as unknown })
  expect(sound).toEqual({ status: 'fulfilled', value: [] })
})

it('a file that another process locks can be read', async () => {
  const file = open()
  await file.write(add('milk'))
  const release = held('BEGIN IMMEDIATE')
  expect(await file.read(all)).toEqual(['milk'])
  release()
})

it('a file that another process has just created is opened', async () => {
  let refusals = 3
  class JustMade extends DatabaseSync {
    override prepare(statement: string) {
      if (statement !== 'PRAGMA journal_mode = WAL' || refusals === 0) return super.prepare(statement)
      refusals -= 1
      throw Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR', errcode: 5 })
    }
  }
  const file = open({ open: (file) => new JustMade(file) })
  await file.write(add('milk'))
  expect(await file.read(all)).toEqual(['milk'])
})

/** Each holder of a lock is in this thread: it could never release it if the wait blocked the event loop. */
const soon = (release: () => void) => setTimeout(release, 30)

it('a write waits for the lock of another process, and writes wait in order', async () => {
  const file = open()
  await file.write(add('milk'))
  soon(held("BEGIN IMMEDIATE; INSERT INTO notes (text) VALUES ('never committed')"))
  await Promise.all(['tea', 'rice', 'salt'].map(async (text) => file.write(add(text))))
  expect(await file.read(all)).toEqual(['milk', 'tea', 'rice', 'salt'])
})

it.for(['BEGIN IMMEDIATE', 'BEGIN EXCLUSIVE'])(
  'a file is opened once another process that ran %s is done',
  async (lock) => {
    recipes()
    const other = new DatabaseSync(path)
    other.exec(`DROP TABLE recipes; ${lock}`)
    soon(() => other.close())
    const file = open()
    await file.write(add('milk'))
    expect(await file.read(all)).toEqual(['milk'])
  },
)

it('a read waits for a process that has the file for itself, and fails as away if that keeps it', async () => {
  await changed('PRAGMA user_version = 2')
  const alone = 'PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; DELETE FROM notes; ROLLBACK'
  soon(held(alone))
  expect(await open().read(all)).toEqual(['milk'])
  await Promise.all(opened.map(async (file) => file.close()))
  const release = held(alone)
  await expect(open().read(all)).rejects.toThrow(/notes\.db is locked by another process/)
  release()
})

it('a wipe waits for another process that reads', async () => {
  const file = open()
  await file.write(add(secret))
  const release = held('BEGIN; SELECT count(*) FROM notes')
  await file.write(forget)
  soon(release)
  await file.wipe()
  expect(bytes()).not.toContain(secret)
})

it('closing gives up a write that waits for a lock', async () => {
  const file = open()
  await file.write(add('milk'))
  const release = held('BEGIN IMMEDIATE')
  const waiting = file.write(add('tea')).catch((error: unknown) => error)
  await file.close()
  expect(await waiting).toBeInstanceOf(Away)
  release()
  expect(await open().read(all)).toEqual(['milk'])
})

it('a write that waits in vain for a lock fails as away, and the next one succeeds', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  let isHeld = false
  class Held extends DatabaseSync {
    override exec(statements: string): void {
      if (!isHeld || statements !== 'BEGIN IMMEDIATE') return super.exec(statements)
      vi.advanceTimersByTime(500)
      throw Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR', errcode: 5 })
    }
  }
  const file = open({ open: (file) => new Held(file) })
  await file.read(all)
  isHeld = true
  const refused: unknown = await file.write(add('milk')).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(Away)
  expect(String(refused)).toMatch(/locked by another process/)
  isHeld = false
  await file.write(add('tea'))
  expect(await file.read(all)).toEqual(['tea'])
})

it("a read that finds the write-ahead log's locks taken fails as away", async () => {
  class Taken extends DatabaseSync {
    override prepare(statement: string) {
      if (statement !== 'BEGIN') return super.prepare(statement)
      throw Object.assign(new Error('locking protocol'), { code: 'ERR_SQLITE_ERROR', errcode: 15 })
    }
  }
  await expect(open({ open: (file) => new Taken(file) }).read(all)).rejects.toBeInstanceOf(Away)
})

it('a failed transaction changes nothing, and the next one succeeds', async () => {
  const file = open()
  const failing = file.write((sql) => {
    add('milk')(sql)
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  await file.write(add('tea'))
  expect(await file.read(all)).toEqual(['tea'])
})

it('a write to a full disk fails as away, and succeeds once there is room', async () => {
  const file = open()
  const limit = async (pages: number) => file.read((sql) => sql(`PRAGMA max_page_count = ${pages}`).get())
  await limit(1)
  await expect(file.write(add('x'.repeat(100_000)))).rejects.toThrow(/cannot be used now: database or disk is full/)
  await limit(1_000_000)
  await file.write(add('milk'))
  expect(await file.read(all)).toEqual(['milk'])
})

it.for(['COMMIT', 'ROLLBACK'])('a commit in which the disk fails is uncertain: it was a %s', async (outcome) => {
  let isFailing = false
  class Disk extends DatabaseSync {
    override exec(statements: string): void {
      if (!isFailing || statements !== 'COMMIT') return super.exec(statements)
      super.exec(outcome)
      throw Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 1034 })
    }
  }
  const file = open({ open: (file) => new Disk(file) })
  await file.read(all)
  isFailing = true
  await expect(file.write(add('milk'))).rejects.toThrow(Uncertain)
  isFailing = false
  expect(await file.read(all)).toEqual(outcome === 'COMMIT' ? ['milk'] : [])
})

it('the error of a file that this user may not write says what to do', async () => {
  await open().write(add('milk'))
  const file = open({ open: (name) => new DatabaseSync(name, { readOnly: true }) })
  await expect(file.write(add('tea'))).rejects.toThrow(
    /cannot be used now: attempt to write a readonly database: let this user write .*, or work on a copy of the folder$/,
  )
})

it('reads of one turn of the event loop share a snapshot', async () => {
  const file = open()
  await file.write(add('milk'))
  const seen = await Promise.all([
    file.read((sql) => {
      const before = all(sql)
      held("INSERT INTO notes (text) VALUES ('theirs')")()
      return before
    }),
    file.read(all),
  ])
  expect(seen).toEqual([['milk'], ['milk']])
  expect(await file.read(all)).toEqual(['milk', 'theirs'])
})

const secret = 'a secret that must not stay'
const forget = (sql: Sql) => sql('DELETE FROM notes WHERE text = ?').run(secret)

it('wiping leaves no byte of deleted data once no other process reads', async () => {
  const file = open()
  await file.write(add(secret))
  const release = held('BEGIN; SELECT count(*) FROM notes')
  await file.write(forget)
  await expect(file.wipe()).rejects.toThrow(/read by another process, so deleted bytes are not wiped/)
  release()
  expect(bytes()).toContain(secret)
  await file.wipe()
  expect(bytes()).not.toContain(secret)
})

it('closing completes earlier calls, rejects later ones, and may be repeated', async () => {
  const file = open()
  const written = file.write(add('milk'))
  const read = file.read(all)
  await Promise.all([file.close(), file.close()])
  expect(await read).toEqual(['milk'])
  await written
  for (const call of [file.read(all), file.write(add('milk')), file.wipe()])
    await expect(call).rejects.toThrow(/notes\.db is closed/)
})

describe.each([
  {
    what: 'the event log',
    damaged: EventStoreDamaged,
    says: /restore the newest backup/,
    use: async () => used(sqliteEventStore(path), (log) => log.append('order-1', NO_EVENTS, [someEvent()])),
  },
  {
    what: 'the vault',
    damaged: VaultDamaged,
    says: /keep this file safe .* and restore a backup of the vault/,
    use: async () => used(sqliteVault(path), (vault) => vault.setMark('head', '1')),
  },
])('$what is opened by sqliteFile', ({ damaged, says, use }) => {
  it('a damaged file stays unchanged, and the error says what to do', async () => {
    writeFileSync(path, 'Buy milk. '.repeat(1_000))
    const error: unknown = await use().catch((error: unknown) => error)
    expect(error).toBeInstanceOf(damaged)
    expect((error as Error).message).toMatch(says)
    expect(readFileSync(path, 'utf8')).toBe('Buy milk. '.repeat(1_000))
  })

  describeUnless(withoutFileModes, 'its files', () => {
    it('the files can be read only by their owner', async () => {
      await use()
      expect(new Set(modes())).toEqual(new Set([0o600]))
    })
  })
})

async function used<Store extends { close(): Promise<void> }>(store: Store, use: (store: Store) => Promise<unknown>) {
  try {
    await use(store)
  } finally {
    await store.close()
  }
}
