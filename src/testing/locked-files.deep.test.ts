import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished, vi } from 'vitest'
import { EVENTS_FILE, VAULT_FILE } from '../engines/open-engines.ts'
import { testFolder } from '../ports/testing/test-folder.ts'
import { ADMIN_PASSWORD, ask, placeOrder } from './buyers.ts'
import { viewFiles } from './shop-folder.ts'
import { startShopProcess } from './shop-process.ts'

const READS = 20

/** Locks against writers, as a shell or a database browser takes them. */
const WRITER = 'BEGIN IMMEDIATE'
const ALONE = 'BEGIN EXCLUSIVE'
/** A snapshot, as a backup tool keeps it. */
const READER = 'BEGIN; SELECT count(*) FROM sqlite_schema'

function hold(file: string, lock: string): () => void {
  const other = new DatabaseSync(file, { timeout: 10_000 })
  other.exec(lock)
  return () => {
    if (other.isOpen) other.close()
  }
}

it.for([
  { what: 'the log', lock: WRITER, nameIn: () => EVENTS_FILE, answer: 503 },
  { what: 'the log', lock: ALONE, nameIn: () => EVENTS_FILE, answer: 503 },
  { what: 'the log', lock: READER, nameIn: () => EVENTS_FILE, answer: 201 },
  { what: 'the vault', lock: WRITER, nameIn: () => VAULT_FILE, answer: 503 },
  { what: 'the vault', lock: READER, nameIn: () => VAULT_FILE, answer: 201 },
  // The views are no part of placing.
  { what: 'the views', lock: ALONE, nameIn: (folder: string) => viewFiles(folder, 'others')[0], answer: 201 },
])(
  'a shop goes on and stops in time while another program holds $what by $lock',
  { timeout: 120_000 },
  async (held) => {
    const folder = testFolder()
    const env = { DATA_DIR: folder, ADMIN_PASSWORD }
    const shop = await startShopProcess(env)
    onTestFinished(shop.kill)
    const before = await placeOrder(shop.url, 'before')
    expect(before.status).toBe(201)
    const name = await vi.waitUntil(() => held.nameIn(folder), { timeout: 30_000 })
    const release = hold(join(folder, name), held.lock)
    onTestFinished(release)
    let isAnswered = false
    const placing = placeOrder(shop.url, 'meanwhile').finally(() => (isAnswered = true))
    const order = `/api/orders/${String(before.body['id'])}`
    for (let read = 0; read < READS; read += 1)
      for (const path of ['/healthz', '/api/pricing', order])
        expect((await ask(shop.url, 'GET', path)).status).toBe(200)
    // The reads did not stand behind the order, which waits for the lock.
    if (held.answer === 503) expect(isAnswered).toBe(false)
    expect((await placing).status).toBe(held.answer)
    const last = placeOrder(shop.url, 'last').catch(() => undefined)
    // 0: all had ended within the 10 s that are promised.
    expect(await shop.stop()).toBe(0)
    await last
    release()
    const again = await startShopProcess(env)
    onTestFinished(again.kill)
    expect((await ask(again.url, 'GET', order)).status).toBe(200)
    expect((await placeOrder(again.url, 'after')).status).toBe(201)
  },
)
