import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { EVENTS_FILE, VAULT_FILE } from '../src/engines/open-engines.ts'
import { endAtExit, folderOfRun } from './leftovers.ts'
import { processorNs, startMeasuredShop } from './measured-shop.ts'
import { slowestList } from './lists.ts'

const REST_POLL_MS = 2_000
const REST_POLLS_MAX = 90
/** Processor time per poll; the sweeps of an idle shop need less. */
const REST_NS = 300e6

export interface Checkout {
  readonly root: string
  readonly node: string
}

/** A new folder with made-up orders, seeded by the checkout itself, so none reads another one's files. */
export async function seedFolder({ root, node }: Checkout, orders: number): Promise<string> {
  const folder = folderOfRun()
  const program = join(root, 'src/cli/shop.ts')
  // Older commits have one program for each verb.
  const command = existsSync(program) ? [program, 'seed'] : [join(root, 'src/cli/seed.ts')]
  const env = { ...process.env, DATA_DIR: folder }
  const words = [...command, '--orders', String(orders)]
  const child = spawn(node, words, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const forget = endAtExit(() => void child.kill('SIGKILL'))
  const [code] = (await once(child, 'exit')) as [number | null]
  forget()
  if (code !== 0) throw new Error(`seeding ${orders} orders ended with exit code ${code}`)
  return folder
}

/** On a seeded log: the rebuild of all views, in events per second, then the order list, in milliseconds. */
export async function measureLog(
  { folder, ...checkout }: Checkout & { readonly folder: string },
  withLists: boolean,
): Promise<{ rebuild: number; lists: number }> {
  // Removes the views, whose names differ between releases.
  for (const name of readdirSync(folder))
    if (!name.startsWith(EVENTS_FILE) && !name.startsWith(VAULT_FILE)) rmSync(join(folder, name), { recursive: true })
  const events = eventsIn(folder)
  const shop = await startMeasuredShop({ DATA_DIR: folder }, checkout)
  const beganAt = performance.now()
  await shop.ready()
  const rebuild = (1_000 * events) / (performance.now() - beganAt)
  if (withLists) await waitUntilIdle(shop.processes[0]?.pid ?? Number.NaN)
  const lists = withLists ? await slowestList(shop.url) : Number.NaN
  await shop.stop()
  return { rebuild, lists }
}

function eventsIn(folder: string): number {
  const database = new DatabaseSync(join(folder, EVENTS_FILE), { readOnly: true })
  const count = database.prepare('SELECT max(position) AS events FROM events').get()?.['events']
  database.close()
  return Number(count)
}

/** Resolves when the work after a start is done, or after three minutes. */
async function waitUntilIdle(pid: number): Promise<void> {
  let before = processorNs(pid)
  for (let poll = 0; poll < REST_POLLS_MAX; poll += 1) {
    await pause(REST_POLL_MS)
    const now = processorNs(pid)
    if (!(now - before >= REST_NS)) return
    before = now
  }
}
