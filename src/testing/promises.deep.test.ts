import { execFile } from 'node:child_process'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { EVENTS_FILE, VIEWS_FOLDER } from '../engines/open-engines.ts'
import { ADMIN_PASSWORD, ask, asOwner, placeOrder, startPayment } from './buyers.ts'
import { killStarted, type ShopProcess, startShopProcess } from './shop-process.ts'
import { testFolder } from '../ports/testing/test-folder.ts'

const MAIN = fileURLToPath(new URL('../process/main.js', import.meta.url))
const WRONG = 'mongodb://127.0.0.1/views?no-such-option=1'
const SOON = { timeout: 60_000 }

let dataDir = ''
const started: Promise<ShopProcess>[] = []

beforeEach(() => {
  dataDir = testFolder()
})

afterEach(async () => killStarted(started))

async function start(): Promise<ShopProcess> {
  const starting = startShopProcess({ DATA_DIR: dataDir, ADMIN_PASSWORD, SANDBOX_DELAY_MS: '50' })
  started.push(starting)
  return starting
}

it(
  'a shop gives the same answers after its views were removed, and only the search view contains buyers',
  { timeout: 180_000 },
  async () => {
    const shop = await start()
    const ids = await Promise.all([1, 2, 3, 4].map(async (quantity) => sold(shop, `buyer-${quantity}`, quantity)))
    const isShown = { analytics: { totalRevenue: 0.5, totalOrders: 4 } }
    await expect.poll(async () => everyAnswer(shop, ids), SOON).toMatchObject(isShown)
    const before = await everyAnswer(shop, ids)
    for (const text of ['buyer-3@example.test', 'buyer-3', '12345678']) {
      const files = await filesWith(text)
      expect(files).not.toEqual([])
      expect(files.filter((file) => !/^views[/\\].*-people\.sqlite/.test(file))).toEqual([])
    }
    expect(await shop.stop()).toBe(0)
    await rm(join(dataDir, VIEWS_FOLDER), { recursive: true })

    const again = await start()
    await expect.poll(async () => (await ask(again.url, 'GET', '/readyz')).status, SOON).toBe(200)
    expect(await everyAnswer(again, ids)).toEqual(before)
  },
)

it.each([
  ['a DATA_DIR that is a file', async () => ({ DATA_DIR: await aFile() }), 'DATA_DIR'],
  ['an events file of a newer release', async () => newerEvents(), EVENTS_FILE],
  ['a proxy whom everybody is', async () => ({ TRUST_PROXY: '0.0.0.0/0' }), 'configuration: TRUST_PROXY'],
  ['a live shop without keys', async () => ({ PAYMENTS: 'live' }), 'configuration: PAYMENTS'],
  ['an option that the driver does not know', async () => ({ MONGODB_URL: WRONG }), 'configuration: MONGODB_URL'],
])(
  'a failed start says in one line what is wrong, and creates nothing: %s',
  { timeout: 30_000 },
  async (_, environment, named) => {
    const env = await environment()
    const before = await readdir(dataDir)
    const { code, stderr } = await failedStart(env)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^[^\n]+\n$/)
    expect(stderr).toContain(named)
    expect(await readdir(dataDir)).toEqual(before)
  },
)

it('a failed start says in one line that the PORT is taken', { timeout: 30_000 }, async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const { code, stderr } = await failedStart({ PORT: String(port) })
  taken.close()
  expect(code).toBe(1)
  expect(await readdir(dataDir)).toEqual([])
  expect(stderr.trim()).toBe(`configuration: PORT ${port} is taken by another program; set PORT to another one`)
})

async function aFile(): Promise<string> {
  const file = join(dataDir, 'not-a-folder')
  await writeFile(file, '')
  return file
}

async function newerEvents(): Promise<Record<string, string>> {
  await (await start()).stop()
  const events = new DatabaseSync(join(dataDir, EVENTS_FILE))
  events.exec('PRAGMA user_version = 9999')
  events.close()
  return {}
}

async function failedStart(env: Record<string, string>): Promise<{ code: unknown; stderr: string }> {
  return new Promise((resolve) => {
    const environment = { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn', ...env }
    execFile(process.execPath, [MAIN], { env: environment, timeout: 20_000 }, (error, _stdout, stderr) => {
      resolve({ code: error?.code, stderr })
    })
  })
}

/** Places, pays and delivers an order; returns its id. */
async function sold({ url }: ShopProcess, buyer: string, quantity: number): Promise<string> {
  const id = String((await placeOrder(url, buyer, quantity)).body['id'])
  expect((await startPayment(url, id, quantity)).status).toBe(200)
  await expect.poll(async () => (await ask(url, 'GET', `/api/orders/${id}`)).body['status'], SOON).toBe('completed')
  return id
}

async function everyAnswer({ url }: ShopProcess, ids: readonly string[]): Promise<unknown> {
  const headers = await asOwner(url)
  const read = async (path: string) => (await ask(url, 'GET', path, { headers })).body
  return {
    orders: await Promise.all(ids.map(async (id) => read(`/api/orders/${id}`))),
    list: (await read('/api/orders?search=buyer-3'))['orders'],
    all: await read('/api/orders?sort=totalAmount'),
    analytics: await read('/api/admin/analytics'),
    stock: (await read('/api/payment-settings'))['currentStock'],
  }
}

async function filesWith(text: string): Promise<string[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(dataDir, join(parentPath, name)))
  const contents = await Promise.all(files.map(async (file) => readFile(join(dataDir, file))))
  return files.filter((_, index) => contents[index]?.includes(text))
}
