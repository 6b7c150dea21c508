import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { endChild } from '../../ports/testing/end-child.ts'
import { testFolder } from '../../ports/testing/test-folder.ts'
import type { SqliteOptions } from './connection.ts'
import { copyFile } from './copy-file.ts'
import { sqliteFile } from './sqlite-file.ts'

class Away extends Error {}
class Damaged extends Error {}

const diary: SqliteOptions = {
  applicationId: 0x64_69_61_72,
  format: 1,
  prepare: (database) => database.exec('CREATE TABLE days (number INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT'),
  name: 'a diary',
  remedy: 'restore it',
  errors: { away: (message) => new Away(message), damaged: (message) => new Damaged(message) },
  hasFixedTables: true,
  synchronous: 'FULL',
}

let folder: string
let file: string
let copy: string

beforeEach(() => {
  folder = testFolder()
  file = join(folder, 'diary.db')
  copy = join(folder, 'copy.db')
})

async function write(days: number): Promise<void> {
  const opened = sqliteFile(file, diary)
  await opened.write((sql) => {
    for (let day = 0; day < days; day += 1) sql('INSERT INTO days (text) VALUES (?)').run('x'.repeat(2_000))
  })
  await opened.close()
}

function countIn(path: string): number {
  const database = new DatabaseSync(path)
  try {
    return Number(database.prepare('SELECT count(*) AS days FROM days').get()?.['days'])
  } finally {
    database.close()
  }
}

it('a copy is one snapshot, and ends although another process writes without a pause', async () => {
  await write(20_000)
  const writer = spawn(
    process.execPath,
    [
      '--eval',
      `const { DatabaseSync } = require('node:sqlite')
        const database = new DatabaseSync(${JSON.stringify(file)})
        database.exec('PRAGMA busy_timeout = 5000')
        const two = database.prepare("INSERT INTO days (text) VALUES ('a'), ('b')")
        two.run()
        process.stdout.write('writing')
        process.on('SIGTERM', () => process.exit())
        const go = () => { for (let turn = 0; turn < 20; turn += 1) two.run(); setImmediate(go) }
        go()`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  onTestFinished(async () => endChild(writer, 'SIGKILL'))
  await once(writer.stdout, 'data')
  const before = countIn(file)
  const shares: number[] = []
  await copyFile(file, copy, diary, (share) => shares.push(share))
  const after = countIn(file)
  writer.kill()
  await once(writer, 'exit')
  const copied = countIn(copy)
  expect(copied).toBeGreaterThanOrEqual(before)
  expect(copied).toBeLessThanOrEqual(after)
  expect(copied % 2).toBe(0)
  // A restart would begin again.
  expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  expect(shares.length).toBeGreaterThan(5)
})
