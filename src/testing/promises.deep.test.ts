import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OrderList } from '../api/contract/order-list.ts'
import type { Order, OrderCreated } from '../api/contract/order.ts'
import type { PaymentSettings } from '../api/contract/settings.ts'
import { CUSTOMERS_FILE, VIEWS_FILE } from '../engines.ts'
import { EVENTS_FILE } from '../log-engines.ts'
import { type ShopProcess, startShopProcess } from './shop-process.ts'

const MAIN = fileURLToPath(new URL('../main.js', import.meta.url))
const PASSWORD = 'a long password for the test'

let dataDir = ''
const running = new Set<ShopProcess>()

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'coinshop-promises-'))
})

afterEach(async () => {
  for (const shop of running) await shop.kill()
  running.clear()
  await rm(dataDir, { recursive: true, force: true })
})

async function start(env: Record<string, string> = {}): Promise<ShopProcess> {
  const shop = await startShopProcess({ DATA_DIR: dataDir, ADMIN_PASSWORD: PASSWORD, SANDBOX_DELAY_MS: '50', ...env })
  running.add(shop)
  return shop
}

describe('what the shop promises, seen from outside', () => {
  it('sells the last 10 million once, however many want them', { timeout: 60_000 }, async () => {
    const shop = await start()
    await setStock(shop, 10)
    const answers = await Promise.all(
      Array.from({ length: 300 }, async (_, buyer) => place(shop, { buyer, quantity: 1 })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(290)
    const codes = answers.flatMap(({ body }) => ('code' in body ? [body.code] : []))
    expect(new Set(codes)).toEqual(new Set(['inventory/insufficient-stock']))
    expect((await settings(shop)).currentStock).toBe(0)
  })

  it('makes one order of twenty repeats with one key', { timeout: 60_000 }, async () => {
    const shop = await start()
    const repeats = Array.from({ length: 20 }, async () =>
      place(shop, { buyer: 1, quantity: 3, key: 'one-and-the-same' }),
    )
    const answers = await Promise.all(repeats)
    const ids = new Set(answers.map(({ body }) => (body as OrderCreated).id))
    expect(ids.size).toBe(1)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19)
    expect((await settings(shop)).currentStock).toBe(997)
  })

  it('gives the same answers when its views were removed while it was stopped', { timeout: 120_000 }, async () => {
    const shop = await start()
    const ids = await Promise.all([1, 2, 3, 4].map(async (buyer) => pay(shop, { buyer, quantity: buyer })))
    for (const id of ids) await untilCompleted(shop, id)
    const isShown = { analytics: { totalRevenue: 0.5, totalOrders: 4 } }
    await expect.poll(async () => everyAnswer(shop, ids), { timeout: 20_000 }).toMatchObject(isShown)
    const before = await everyAnswer(shop, ids)
    expect(await shop.stop()).toBe(0)
    for (const file of await readdir(dataDir)) if (file.startsWith(VIEWS_FILE)) await rm(join(dataDir, file))

    const again = await start()
    await expect.poll(async () => (await fetch(`${again.url}/readyz`)).status, { timeout: 60_000 }).toBe(200)
    expect(await everyAnswer(again, ids)).toEqual(before)
  })

  it('keeps what names a buyer out of every file but the view that searches for it', { timeout: 60_000 }, async () => {
    const shop = await start()
    const id = await pay(shop, { buyer: 77, quantity: 2 })
    await untilCompleted(shop, id)
    const inFiles = await filesWith('buyer-77@example.test')
    expect(inFiles.every((file) => file.startsWith(CUSTOMERS_FILE))).toBe(true)
    expect(inFiles).not.toEqual([])
    expect(await filesWith('chat-name-77')).toEqual(inFiles)
    expect(await filesWith('87654321')).toEqual(inFiles)
  })

  it('is one shop in two processes', { timeout: 60_000 }, async () => {
    const [one, other] = [await start(), await start()]
    await setStock(one, 1)
    await expect.poll(async () => (await settings(other)).currentStock).toBe(1)
    const answers = await Promise.all(
      [one, other, one, other].map(async (shop, buyer) => place(shop, { buyer, quantity: 1 })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)

    // What a client wrote through one process it reads from the other, by its cookie.
    for (let stock = 100; stock < 120; stock += 1) {
      const cookie = await setStock(one, stock)
      const seen = (await (
        await fetch(`${other.url}/api/payment-settings`, { headers: { cookie } })
      ).json()) as PaymentSettings
      expect(seen.currentStock).toBe(stock)
    }
  })
})

describe('a start that cannot be', () => {
  it.each([
    ['a DATA_DIR that is a file', async () => ({ DATA_DIR: await aFile() }), 'DATA_DIR'],
    ['a PORT that is no number', async () => ({ PORT: 'eighty' }), 'PORT'],
    ['an events file of a newer release', async () => newerEvents(), EVENTS_FILE],
  ])('says in one line what is wrong: %s', { timeout: 30_000 }, async (_, environment, named) => {
    const { code, stderr } = await failedStart(await environment())
    expect(code).toBe(1)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(stderr).toContain(named)
  })

  it.each([
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['PAYMENTS', 'live'],
    ['MONGODB_URL', 'mongodb://127.0.0.1/views?no-such-option=1'],
  ])('makes nothing while %s is wrong', { timeout: 30_000 }, async (name, value) => {
    const { code, stderr } = await failedStart({ [name]: value })
    expect(code).toBe(1)
    expect(stderr).toContain(`configuration: ${name}`)
    expect(await readdir(dataDir)).toEqual([])
  })

  it('says in one line that the PORT is taken', { timeout: 30_000 }, async () => {
    const taken = createServer()
    const port = await new Promise<number>((resolve) => {
      taken.listen(0, '127.0.0.1', () => {
        const address = taken.address()
        resolve(address !== null && typeof address === 'object' ? address.port : 0)
      })
    })
    const { code, stderr } = await failedStart({ PORT: String(port) })
    taken.close()
    expect(code).toBe(1)
    expect(await readdir(dataDir)).toEqual([])
    expect(stderr.trim()).toBe(`configuration: PORT ${port} is taken by another program; set PORT to another one`)
  })
})

async function aFile(): Promise<string> {
  const file = join(dataDir, 'not-a-folder')
  await writeFile(file, '')
  return file
}

async function newerEvents(): Promise<Record<string, string>> {
  const shop = await start()
  await shop.stop()
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

interface Placing {
  readonly buyer: number
  readonly quantity: number
  readonly key?: string
}

async function place(
  shop: ShopProcess,
  { buyer, quantity, key }: Placing,
): Promise<{ status: number; body: OrderCreated | { code: string } }> {
  const answer = await post(
    shop,
    '/api/orders',
    {
      customerEmail: `buyer-${buyer}@example.test`,
      discordUsername: `chat-name-${buyer}`,
      marketId: '87654321',
      pokecoinAmount: quantity,
      totalAmount: (quantity * 0.05).toFixed(2),
    },
    key === undefined ? {} : { 'idempotency-key': key },
  )
  return { status: answer.status, body: (await answer.json()) as OrderCreated }
}

async function pay(shop: ShopProcess, placing: Placing): Promise<string> {
  const { body } = await place(shop, placing)
  const { id } = body as OrderCreated
  const amount = (placing.quantity * 0.05).toFixed(2)
  const started = await post(shop, '/api/crypto/create-payment', {
    amount,
    currency: 'usd',
    orderId: id,
    payCurrency: 'ltc',
  })
  expect(started.ok).toBe(true)
  return id
}

async function untilCompleted(shop: ShopProcess, id: string): Promise<void> {
  const status = async (): Promise<string> =>
    ((await (await fetch(`${shop.url}/api/orders/${id}`)).json()) as Order).status
  await expect.poll(status, { timeout: 20_000 }).toBe('completed')
}

async function everyAnswer(shop: ShopProcess, ids: readonly string[]): Promise<unknown> {
  const { token } = await logIn(shop)
  const asStaff = { headers: { authorization: `Bearer ${token}` } }
  const read = async (path: string): Promise<unknown> => (await fetch(`${shop.url}${path}`, asStaff)).json()
  return {
    orders: await Promise.all(ids.map(async (id) => read(`/api/orders/${id}`))),
    list: ((await read('/api/orders?search=buyer-3')) as OrderList).orders,
    all: await read('/api/orders?sort=totalAmount'),
    analytics: await read('/api/admin/analytics'),
    stock: (await settings(shop)).currentStock,
  }
}

async function settings(shop: ShopProcess): Promise<PaymentSettings> {
  return (await (await fetch(`${shop.url}/api/payment-settings`)).json()) as PaymentSettings
}

async function logIn(shop: ShopProcess): Promise<{ token: string }> {
  const answer = await post(shop, '/api/admin/login', { email: 'owner@localhost', password: PASSWORD })
  return (await answer.json()) as { token: string }
}

/** Answers the cookie that makes the next read see it. */
async function setStock(shop: ShopProcess, stock: number): Promise<string> {
  const { token } = await logIn(shop)
  const answer = await fetch(`${shop.url}/api/payment-settings`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ currentStock: stock }),
  })
  expect(answer.status).toBe(200)
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

async function post(
  shop: ShopProcess,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${shop.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  })
}

async function filesWith(text: string): Promise<string[]> {
  const files = await readdir(dataDir)
  const contents = await Promise.all(files.map(async (file) => readFile(join(dataDir, file))))
  return files.filter((_, index) => contents[index]?.includes(text))
}
