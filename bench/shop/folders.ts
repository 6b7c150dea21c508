import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { EVENTS_FILE, VIEWS_FILE } from '../../src/engines.ts'
import { endWithBench } from './leftovers.ts'

const SEED = fileURLToPath(new URL('../../src/cli/seed.ts', import.meta.url))
const kept = new Map<string, () => void>()

export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'coinshop-bench-'))
  kept.set(
    folder,
    endWithBench(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })),
  )
  return folder
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  kept.get(folder)?.()
  kept.delete(folder)
}

/** `npm run seed`; answers how long it took. */
export async function seed(dataDir: string, orders: number): Promise<{ seconds: number }> {
  const beganAt = performance.now()
  const child = spawn(process.execPath, [SEED, '--orders', String(orders), '--data-dir', dataDir], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`seeding ${orders} orders ended with exit code ${code}`)
  return { seconds: (performance.now() - beganAt) / 1_000 }
}

/** Takes every view away from a shop that does not run. */
export function wipeViews(dataDir: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(join(dataDir, `${VIEWS_FILE}${end}`), { force: true })
}

/** Takes the snapshots beside the log of a shop that does not run away, until `work` is done. */
export async function withoutSnapshots<Result>(dataDir: string, work: () => Promise<Result>): Promise<Result> {
  const snapshots = inLog(dataDir, (database) => {
    const rows = database.prepare('SELECT * FROM snapshots').all()
    database.exec('DELETE FROM snapshots')
    return rows
  })
  const result = await work()
  inLog(dataDir, (database) => {
    for (const row of snapshots) {
      const values = Object.values(row)
      const places = values.map(() => '?').join(', ')
      database.prepare(`INSERT OR REPLACE INTO snapshots VALUES (${places})`).run(...values)
    }
  })
  return result
}

/** What the log's file holds, for each event of it: text, index, and heads of streams. */
export function logSize(dataDir: string): { events: number; bytes: number } {
  const events = inLog(dataDir, (database) => {
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    return Number(database.prepare('SELECT max(position) AS events FROM events').get()?.['events'] ?? 0)
  })
  return { events, bytes: statSync(join(dataDir, EVENTS_FILE)).size }
}

function inLog<Result>(dataDir: string, work: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(join(dataDir, EVENTS_FILE))
  try {
    return work(database)
  } finally {
    database.close()
  }
}
