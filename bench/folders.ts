import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseConfig } from '../src/config.ts'
import { openEngines, VAULT_FILE } from '../src/engines.ts'
import { EVENTS_FILE } from '../src/log-engines.ts'
import { booksAudit } from '../src/cli/verify/audit-books.ts'
import { eventsOf } from '../src/testing/audit-books.ts'
import { endWithBench } from './leftovers.ts'

const PROBLEMS_SHOWN_MAX = 10

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

/** Seeds a folder by the program of a checkout. */
export async function seed(
  { root, node }: { root: string; node: string },
  dataDir: string,
  orders: number,
): Promise<void> {
  const program = join(root, 'src/cli/shop.ts')
  // Commits before the one program had one for each verb.
  const command = existsSync(program) ? [program, 'seed'] : [join(root, 'src/cli/seed.ts')]
  const words = [...command, '--orders', String(orders)]
  const env = { ...process.env, DATA_DIR: dataDir }
  const child = spawn(node, words, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const forget = endWithBench(() => void child.kill('SIGKILL'))
  const [code] = (await once(child, 'exit')) as [number | null]
  forget()
  if (code !== 0) throw new Error(`seeding ${orders} orders ended with exit code ${code}`)
}

/** Removes everything but log and vault from the folder of a shop that is not running; the names of view files differ from release to release. */
export function wipeViews(dataDir: string): void {
  for (const name of readdirSync(dataDir))
    if (!name.startsWith(EVENTS_FILE) && !name.startsWith(VAULT_FILE)) rmSync(join(dataDir, name), { recursive: true })
}

/** Of a shop that is not running. */
export function eventCount(dataDir: string): number {
  const database = new DatabaseSync(join(dataDir, EVENTS_FILE), { readOnly: true })
  try {
    return Number(database.prepare('SELECT max(position) AS events FROM events').get()?.['events'] ?? 0)
  } finally {
    database.close()
  }
}

/** Coins or money were lost or invented, or an acknowledged order is not in the log. */
export class BooksDoNotBalance extends Error {
  override readonly name = 'BooksDoNotBalance'
}

/** Audits every event of a stopped shop whose orders have all been carried out. Throws `BooksDoNotBalance`. */
export async function balanceBooks(dataDir: string, acknowledged: readonly string[]): Promise<void> {
  const engines = await openEngines(parseConfig({ DATA_DIR: dataDir }))
  try {
    const audit = booksAudit({ atRest: true })
    for await (const event of eventsOf(engines.log)) audit.see(event)
    const { orders, problems } = audit.books()
    const lost = acknowledged.filter((orderId) => !orders.has(orderId))
    const all = [...problems, ...lost.map((orderId) => `order ${orderId} was acknowledged and is not in the log`)]
    if (all.length === 0) return
    const shown = all.slice(0, PROBLEMS_SHOWN_MAX).join('\n')
    throw new BooksDoNotBalance(`the books do not balance, ${all.length} problems:\n${shown}`)
  } finally {
    await engines.close()
  }
}
