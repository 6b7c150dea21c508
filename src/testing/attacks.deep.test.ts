import { randomBytes } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { Agent } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findPlacedOrder } from '../shop/handle-order.ts'
import { expireOrder } from '../commands/order-verbs.ts'
import { systemCaller } from '../shop/command-context.ts'
import { systemRandom } from '../process/system.ts'
import {
  type Answered,
  ask,
  ASSET,
  type AttackedShop,
  type Door,
  startAttackedShop,
  startNginx,
  unread,
  type Usage,
} from './attacked-shop.ts'
import { priceOf } from './buyers.ts'
import { describeUnless } from './describe-unless.ts'
import { orderBody, placedHere } from './orders.ts'
import { shopOfTest, suiteShop } from './shops.ts'
import { ADMIN_EMAIL, ADMIN_PASSWORD, type ShopOptions, type TestShop } from './start-shop.ts'

/* What strangers tried against the shop, again and bounded; docs/security.md names each. */

const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } })
const ATTACKER = from('192.0.2.66')
const BUYER = from('198.51.100.7')

const ofOneM = orderBody({ pokecoinAmount: 1, totalAmount: '0.05' })
const allM = orderBody({
  pokecoinAmount: 1000,
  totalAmount: '35.00',
  marketIds: Array.from({ length: 20 }, (_, index) => ({ marketId: String(12_345_678 + index), amount: 50 })),
})

async function openShop(options: ShopOptions = {}): Promise<TestShop> {
  const { env, ...others } = options
  const shop = await shopOfTest({ ...others, env: { RATE_LIMIT: 'on', TRUST_PROXY: '1', ...env } })
  return shop
}

async function expire(shop: TestShop, orderId: string): Promise<void> {
  await expireOrder(shop.context, systemCaller(systemRandom), { orderId })
}

it('an order accepts 20 changes of its method and 20 attempts, and can then be paid by its current method', async () => {
  const shop = await openShop()
  const id = String((await shop.post('/api/orders', ofOneM, ATTACKER)).body['id'])
  const answers = new Map<number, number>()
  for (let turn = 0; turn < 60; turn += 1) {
    const { status } = await shop.patch(`/api/orders/${id}`, { paymentMethod: turn % 2 ? 'upi' : 'crypto' }, ATTACKER)
    answers.set(status, (answers.get(status) ?? 0) + 1)
  }
  // Half of the last 40 requests choose the current method, which changes nothing.
  expect(Object.fromEntries(answers)).toEqual({ 200: 40, 409: 20 })
  expect(await shop.eventsOf(`order-${id}`)).toHaveLength(1 + 20)
  for (let turn = 0; turn < 25; turn += 1) {
    await shop.post('/api/upigateway/create-order', upi(id, '4.33'), BUYER)
    await shop.post('/api/crypto/create-payment', { amount: '0.05', orderId: id }, BUYER)
  }
  const { state } = await findPlacedOrder(shop.context, id)
  expect(state.attempts).toHaveLength(20)
  expect(state.next).toBeLessThan(70)
  const standing = await shop.post('/api/crypto/create-payment', { amount: '0.05', orderId: id }, BUYER)
  expect(standing.status).toBe(200)
  await shop.pay(id)
  expect((await shop.get(`/api/orders/${id}`)).body).toMatchObject({ status: 'completed' })
})

it('one address may write 240 times a minute, and staff without limit', async () => {
  const shop = await openShop()
  const token = await shop.logIn()
  const unknown = '/api/orders/00000000-0000-4000-8000-000000000000/cancel'
  let refused = 0
  for (let turn = 0; turn < 300; turn += 1) if ((await shop.post(unknown, {}, ATTACKER)).status === 429) refused += 1
  expect(refused).toBe(60)
  expect((await shop.post(unknown, {}, BUYER)).status).toBe(404)
  expect((await shop.post(unknown, {}, { ...ATTACKER, token })).status).toBe(404)
})

it('an unpaid order of the whole stock expires after a quarter of the time, and its address may then hold a quarter for a day', async () => {
  const shop = await openShop()
  const placed = await shop.post('/api/orders', allM, ATTACKER)
  const id = String(placed.body['id'])
  const expiresAt = async () => Date.parse(String((await shop.get(`/api/orders/${id}`)).body['expiresAt'])) - shop.now()
  expect(await expiresAt()).toBe(15 * 60_000)
  shop.advance(14 * 60_000)
  await shop.post('/api/crypto/create-payment', { amount: '35.00', orderId: id }, ATTACKER)
  expect(await expiresAt()).toBe(7.5 * 60_000)
  expect((await shop.post('/api/orders', ofOneM, BUYER)).status).toBe(409)
  shop.advance(7.5 * 60_000)
  await expire(shop, id)
  const again = await shop.post('/api/orders', allM, ATTACKER)
  expect({ status: again.status, code: again.body['code'], availableM: again.body['availableM'] }).toEqual({
    status: 429,
    code: 'order/share-exceeded',
    availableM: 250,
  })
  expect((await shop.post('/api/orders', allM, BUYER)).status).toBe(201)
})

it('the dashboard shows how many coins unpaid orders hold', async () => {
  const shop = await openShop()
  await shop.post('/api/orders', orderBody(), ATTACKER)
  const token = await shop.logIn()
  expect((await shop.get('/api/admin/analytics', { token })).body).toMatchObject({ unpaidPokecoins: 50 })
})

it('one address may place and cancel 60 orders a minute', async () => {
  const shop = await openShop()
  const before = (await shop.allEvents()).length
  let placed = 0
  for (let turn = 0; turn < 80; turn += 1) {
    const answer = await shop.post('/api/orders', ofOneM, ATTACKER)
    if (answer.status !== 201) continue
    placed += 1
    const headers = { ...ATTACKER.headers, ...placedHere(answer).headers }
    await shop.post(`/api/orders/${String(answer.body['id'])}/cancel`, {}, { headers })
  }
  expect(placed).toBe(60)
  // Four events per order: reserved, placed, cancelled, released.
  expect((await shop.allEvents()).length - before).toBe(4 * 60)
})

it('orders in another person’s name neither block the e-mail nor reveal its orders', async () => {
  const shop = await openShop()
  const place = async (sent: typeof BUYER) => (await shop.post('/api/orders', ofOneM, sent)).status
  for (let count = 0; count < 5; count += 1) expect(await place(ATTACKER)).toBe(201)
  expect(await place(ATTACKER)).toBe(429)
  for (let count = 0; count < 5; count += 1) expect(await place(BUYER)).toBe(201)
  expect(await place(BUYER)).toBe(429)
})

it('unpaid pre-orders leave half of the open orders to others', async () => {
  const shop = await openShop({ env: { OPEN_ORDERS_MAX: '10' } })
  const token = await shop.logIn()
  await shop.patch('/api/payment-settings', { preOrdersEnabled: true }, { token })
  const preOrder = { ...allM, pokecoinAmount: 1050, totalAmount: '36.75' }
  const marketIds = Array.from({ length: 21 }, (_, index) => ({ marketId: String(12_345_678 + index), amount: 50 }))
  const answers: number[] = []
  for (let count = 0; count < 8; count += 1) {
    const sent = from(`192.0.2.${count}`)
    answers.push((await shop.post('/api/orders', { ...preOrder, marketIds }, sent)).status)
  }
  expect(answers).toEqual([201, 201, 201, 201, 201, 503, 503, 503])
  for (let count = 0; count < 5; count += 1) expect((await shop.post('/api/orders', ofOneM, BUYER)).status).toBe(201)
})

describe('wrong passwords', () => {
  const wrong = { email: ADMIN_EMAIL, password: 'wrong horse' }
  const right = { email: ADMIN_EMAIL, password: ADMIN_PASSWORD }
  const shop = suiteShop({ env: { RATE_LIMIT: 'on', TRUST_PROXY: '1' } })
  let browser: string

  beforeAll(async () => {
    const { headers } = await shop.post('/api/admin/login', right, BUYER)
    browser = /known_browser=[^;]+/.exec(headers.get('set-cookie') ?? '')?.[0] ?? ''
    for (let address = 0; address < 12; address += 1)
      for (let tries = 0; tries < 10; tries += 1)
        await shop.post('/api/admin/login', wrong, from(`203.0.113.${address}`))
  })

  it('a hundred wrong passwords stop strangers', async () => {
    expect((await shop.post('/api/admin/login', right, from('203.0.113.99'))).status).toBe(429)
  })

  it('wrong passwords of strangers do not stop a browser of the owner, but its own do', async () => {
    const sent = { headers: { 'X-Forwarded-For': '203.0.113.1', Cookie: browser } }
    expect((await shop.post('/api/admin/login', right, sent)).status).toBe(200)
    const forged = { headers: { 'X-Forwarded-For': '203.0.113.2', Cookie: browser.replace(/.{4}$/, 'AAAA') } }
    expect((await shop.post('/api/admin/login', right, forged)).status).toBe(429)
    for (let tries = 0; tries < 10; tries += 1) await shop.post('/api/admin/login', wrong, sent)
    expect((await shop.post('/api/admin/login', right, sent)).status).toBe(429)
  })

  it('spellings of one account count together', async () => {
    const other = await openShop()
    const spellings = ['jos\u00e9@shop.example', 'JOSE\u0301@shop.example', ' jose\u0301@SHOP.example']
    const statuses: number[] = []
    for (let tries = 0; tries < 105; tries += 1) {
      const sent = from(`203.0.113.${tries % 15}`)
      const body = { email: spellings[tries % 3], password: 'wrong horse' }
      statuses.push((await other.post('/api/admin/login', body, sent)).status)
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(100)
  })

  it('wrong passwords from networks of one IPv6 customer count together', async () => {
    const other = await openShop()
    const statuses: number[] = []
    for (let network = 0; network < 6; network += 1)
      for (let tries = 0; tries < 8; tries += 1)
        statuses.push((await other.post('/api/admin/login', wrong, from(`2001:db8:1:${network}::1`))).status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(40)
    expect(statuses.filter((status) => status === 429)).toHaveLength(8)
  })
})

function upi(orderId: string, amount: string) {
  const customer = {
    customerId: 'ash',
    customerEmail: 'ash@example.com',
    customerName: 'ash',
    customerPhone: '9999999999',
  }
  return { amount, orderId, customerInfo: customer }
}

const STRANGERS = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'] as const
const [STRANGER] = STRANGERS
const QUANTITY = 50
const ROUNDS = 5
const SETTLED_MS = 1_500
/** Of descriptors after an attack: those of connections that close later. */
const LEFT_OPEN_MAX = 50

interface Attack {
  readonly name: string
  /** Goes on until it is aborted. */
  run(door: Door, until: AbortSignal, shop: AttackedShop): Promise<void>
  /** After it: what must hold besides. */
  check?(shop: AttackedShop): Promise<void> | void
}

const attacks: readonly Attack[] = [
  {
    name: 'pipelined requests for a file, unread, then closed',
    run: async (door, until) =>
      flood(until, 22, async () => {
        const socket = await unread(door, STRANGER, `GET ${ASSET} HTTP/1.1\r\nHost: shop\r\n\r\n`.repeat(900))
        await pause(1_000)
        socket.destroy()
      }),
  },
  {
    name: 'packets of 1,500 requests for the description of the API',
    run: async (door, until) =>
      flood(until, 10, async () => {
        const socket = await unread(door, STRANGER, 'GET /api/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1_500))
        socket.resume()
        await pause(1_000)
        socket.destroy()
      }),
  },
  {
    name: 'payments opened and replaced from four addresses',
    run: async (door, until) => {
      await Promise.all(
        STRANGERS.map(async (from) =>
          flood(until, 5, async (turn) => {
            const { id: orderId } = await place(door, from, `flood-${from}-${turn}`)
            let replaces: string | undefined
            for (let attempt = 0; attempt < 20 && !until.aborted; attempt += 1) {
              const { text } = await pay(door, from, { orderId, replaces })
              replaces = (JSON.parse(text) as { payment_id?: string }).payment_id ?? replaces
            }
          }),
        ),
      )
    },
  },
  {
    name: 'forged webhooks of 96 KB of shuffled keys',
    run: async (door, until) => {
      const keys = Array.from({ length: 6_000 }, () => `"${randomBytes(4).toString('hex')}":1`)
      const headers = { 'x-nowpayments-sig': 'a'.repeat(128) }
      await flood(until, 8, async () => {
        const { status } = await ask(door, STRANGER, {
          method: 'POST',
          path: '/api/webhooks/nowpayments',
          body: `{${keys.join()}}`,
          headers,
        })
        expect([401, 429]).toContain(status)
      })
    },
  },
  {
    name: 'payments of others by number',
    async run(door, until, { double }) {
      const first = Number(double.paymentIds()[0])
      expect(first).toBeGreaterThan(0)
      const statuses = new Set<number>()
      const agent = new Agent({ keepAlive: true })
      await flood(until, 4, async (turn) => {
        const path = `/api/crypto/status/${first + (turn % 1_500)}`
        statuses.add((await ask(door, STRANGER, { path, agent })).status)
      })
      agent.destroy()
      expect([...statuses]).toEqual([404])
    },
  },
  {
    name: 'refused requests',
    async run(door, until) {
      const agent = new Agent({ keepAlive: true })
      await flood(until, 8, async () => ask(door, STRANGER, { path: '/api/nothing-here', agent }))
      agent.destroy()
    },
    check: ({ output }) => expect(output.filter((line) => line.includes('a request was refused'))).toEqual([]),
  },
  {
    name: 'clients that never read',
    run: async (door, until) => {
      const sockets: Socket[] = []
      for (let count = 0; count < 100; count += 1)
        sockets.push(await unread(door, STRANGER, `GET ${ASSET} HTTP/1.1\r\nHost: shop\r\n\r\n`))
      await aborted(until)
      for (const socket of sockets) socket.destroy()
    },
  },
  {
    name: 'HEAD of the stream of updates, and invented methods',
    run: async (door, until) =>
      flood(until, 4, async (turn) => {
        const method = ['HEAD', 'PROPFIND', 'MKCOL', 'LINK', 'LOCK', 'REPORT'][turn % 6] ?? 'HEAD'
        await ask(door, STRANGER, { method, path: method === 'HEAD' ? '/api/updates?topics=pricing' : '/api/pricing' })
      }),
    async check(shop) {
      const text = await shop.metrics()
      expect(text).toContain('coinshop_push_connections 0')
      expect(text).not.toMatch(/method="(?:PROPFIND|MKCOL|LINK|LOCK|REPORT)"/)
    },
  },
  {
    name: 'webhooks whose bodies never end',
    run: async (door, until) => {
      const head = 'POST /api/webhooks/nowpayments HTTP/1.1\r\nHost: shop\r\nContent-Length: 90000\r\n\r\n{'
      const sockets: Socket[] = []
      for (let count = 0; count < 200; count += 1)
        sockets.push((await unread(door, STRANGERS[count % 4] ?? STRANGER, head)).resume())
      await aborted(until)
      for (const socket of sockets) socket.destroy()
    },
  },
]

const doors = [
  { name: 'directly', missing: undefined, open: async ({ direct }: AttackedShop): Promise<Door> => direct },
  {
    name: 'through the nginx of docs/operations.md',
    missing: spawnSync('nginx', ['-v']).error ? 'nginx is not installed' : undefined,
    open: async ({ direct }: AttackedShop): Promise<Door> => {
      const nginx = await startNginx(direct)
      onTestFinished(async () => nginx.stop())
      return nginx
    },
  },
]

const isLinux = process.platform === 'linux'
for (const { name, missing, open } of doors)
  describeUnless(isLinux ? missing : 'only Linux lists the descriptors of a process', `a stranger ${name}`, () => {
    it.for(attacks)('leaves the shop to its buyers: $name', { timeout: 300_000 }, async (attack) => {
      const shop = await startAttackedShop()
      onTestFinished(async () => shop.stop())
      const door = await open(shop)
      const before = await phase(shop, door, { of: `${attack.name}, ${name}`, is: 'before', number: 1 })
      const ending = new AbortController()
      const running = attack.run(door, ending.signal, shop)
      await pause(SETTLED_MS)
      await phase(shop, door, { of: '', is: 'beside', number: 2 })
      ending.abort()
      await running
      await pause(SETTLED_MS)
      const after = await phase(shop, door, { of: '', is: 'after', number: 3 })
      expect(after.descriptors).toBeLessThan(before.descriptors + LEFT_OPEN_MAX)
      await attack.check?.(shop)
    })
  })

/** Fair buyers, each from an address of its own: every answer is right, and comes. Prints what they and the shop took. */
async function phase(
  shop: AttackedShop,
  door: Door,
  { of, is, number }: { of: string; is: string; number: number },
): Promise<Usage> {
  await shop.usage()
  const answersMs: number[] = []
  const paymentsMs: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const from = `127.0.${number}.${round + 10}`
    for (const path of ['/', '/api/pricing', '/api/payment-settings']) {
      const { status, ms } = await ask(door, from, { path, headers: { accept: 'text/html, application/json' } })
      expect([path, status]).toEqual([path, 200])
      answersMs.push(ms)
    }
    const { id, ms } = await place(door, from, `fair-${number}-${round}`)
    answersMs.push(ms)
    const paid = await pay(door, from, { orderId: id })
    expect(paid.status).toBe(200)
    paymentsMs.push(paid.ms)
  }
  const usage = await shop.usage()
  const p95 = answersMs.toSorted((one, other) => one - other)[Math.floor(answersMs.length * 0.95)] ?? 0
  const figures = [
    `p95 ${Math.round(p95)} ms`,
    `slowest payment ${Math.round(Math.max(...paymentsMs))} ms`,
    `event loop ${usage.delayMs} ms`,
    `${usage.descriptors} descriptors`,
    `${usage.memoryMB} MB`,
  ]
  process.stdout.write(`${of === '' ? '' : `${of}\n`}  ${is.padEnd(6)} ${figures.join(', ')}\n`)
  return usage
}

async function place(door: Door, from: string, buyer: string): Promise<{ id: string; ms: number }> {
  const body = orderBody({
    customerEmail: `${buyer}@example.test`,
    pokecoinAmount: QUANTITY,
    totalAmount: priceOf(QUANTITY),
  })
  const { text, ms } = await ask(door, from, { method: 'POST', path: '/api/orders', body: JSON.stringify(body) })
  return { id: String((JSON.parse(text) as { id?: string }).id), ms }
}

async function pay(
  door: Door,
  from: string,
  wanted: { orderId: string; replaces?: string | undefined },
): Promise<Answered> {
  const body = JSON.stringify({ amount: priceOf(QUANTITY), currency: 'usd', payCurrency: 'ltc', ...wanted })
  return ask(door, from, { method: 'POST', path: '/api/crypto/create-payment', body })
}

/** Repeats an act on several lines until it is aborted. Connections that the shop closes are part of the attack. */
async function flood(until: AbortSignal, lines: number, act: (turn: number) => Promise<unknown>): Promise<void> {
  let turn = 0
  const line = async (): Promise<void> => {
    while (!until.aborted) {
      turn += 1
      await act(turn).catch((error: unknown) => {
        if (!(error instanceof Error && 'code' in error)) throw error
      })
    }
  }
  await Promise.all(Array.from({ length: lines }, line))
}

async function aborted(until: AbortSignal): Promise<void> {
  while (!until.aborted) await pause(50)
}
