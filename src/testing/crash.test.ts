import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Order } from '../api/contract/order.ts'
import { openLog } from './open-log.ts'
import { allEvents, auditBooks } from './audit-books.ts'
import { type ShopProcess, startShopProcess } from './shop-process.ts'

/** More by `CRASH_ROUNDS=200 npx vitest run src/testing/crash.test.ts`. */
const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 20)
const BUYERS = 8
const STOCK = 1_000_000
const NEWEST = 200
const SHARE = 0.02

interface Acknowledged {
  readonly id: string
  readonly orderNumber: string
  readonly email: string
  readonly quantity: number
  wasCancelled: boolean
  wasStarted: boolean
}

const acknowledged = new Map<string, Acknowledged>()
const contentProblems: string[] = []
let dataDir = ''
let serial = 0

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'coinshop-crash-'))
})

afterAll(async () => {
  await rm(dataDir, { recursive: true, force: true })
})

describe('a shop that is killed at any moment', () => {
  it(
    `has every acknowledged order once, with its content, after each of ${ROUNDS} restarts`,
    { timeout: ROUNDS * 60_000 },
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const shop = await startShopProcess(environment())
        if (round === 0) await raiseStock(shop)
        await checkAcknowledged(shop, { all: false })
        await buyUntilKilled(shop, 100 + Math.random() * 900)
        const { problems } = await audit({ atRest: false })
        expect(problems, `after round ${round}`).toEqual([])
      }
      expect(contentProblems).toEqual([])
      expect(acknowledged.size).toBeGreaterThan(ROUNDS)
    },
  )

  it('comes to rest with books that balance', { timeout: 300_000 }, async () => {
    const shop = await startShopProcess(environment())
    await checkAcknowledged(shop, { all: true })
    await expect.poll(async () => openWork(), { timeout: 240_000, interval: 1_000 }).toEqual([])
    expect(await shop.stop()).toBe(0)
    const { problems, orders } = await audit({ atRest: true })
    expect(problems).toEqual([])
    for (const { id, wasCancelled, wasStarted } of acknowledged.values()) {
      if (wasCancelled) expect(orders.get(id)?.status).toBe('cancelled')
      else if (wasStarted) expect(orders.get(id)?.status).toBe('completed')
      else expect(orders.has(id)).toBe(true)
    }
  })
})

function environment(): Record<string, string> {
  return {
    DATA_DIR: dataDir,
    SANDBOX_DELAY_MS: '50',
    ADMIN_PASSWORD: 'a long password for the test',
    ORDER_TTL_MINUTES: '1',
  }
}

async function raiseStock(shop: ShopProcess): Promise<void> {
  const login = await call(shop, 'POST', '/api/admin/login', {
    email: 'owner@localhost',
    password: 'a long password for the test',
  })
  const { token } = (await login.json()) as { token: string }
  const changed = await call(
    shop,
    'PATCH',
    '/api/payment-settings',
    { currentStock: STOCK },
    { authorization: `Bearer ${token}` },
  )
  expect(changed.status).toBe(200)
}

/** Buyers place, pay and cancel side by side until the process group is gone. */
async function buyUntilKilled(shop: ShopProcess, afterMs: number): Promise<void> {
  const over = new AbortController()
  const buyers = Array.from({ length: BUYERS }, async () => {
    while (!over.signal.aborted) await buyOnce(shop).catch(() => undefined)
  })
  await new Promise((resolve) => {
    setTimeout(resolve, afterMs)
  })
  await shop.kill()
  over.abort()
  await Promise.all(buyers)
}

async function buyOnce(shop: ShopProcess): Promise<void> {
  serial += 1
  const mine = serial
  const email = `buyer-${mine}@example.test`
  const quantity = 1 + (mine % 9)
  const placed = await call(
    shop,
    'POST',
    '/api/orders',
    {
      customerEmail: email,
      discordUsername: `buyer${mine}`,
      marketId: '12345678',
      pokecoinAmount: quantity,
      totalAmount: (quantity * 0.05).toFixed(2),
      paymentMethod: 'crypto',
    },
    { 'idempotency-key': `crash-${mine}` },
  )
  if (placed.status !== 201) return
  const { id, orderNumber } = (await placed.json()) as { id: string; orderNumber: string }
  const order: Acknowledged = { id, orderNumber, email, quantity, wasCancelled: false, wasStarted: false }
  acknowledged.set(id, order)
  if (mine % 4 === 0) {
    const cancelled = await call(shop, 'POST', `/api/orders/${id}/cancel`, {})
    if (cancelled.ok) order.wasCancelled = true
    return
  }
  const started = await call(shop, 'POST', '/api/crypto/create-payment', {
    amount: (quantity * 0.05).toFixed(2),
    currency: 'usd',
    orderId: id,
    payCurrency: 'ltc',
  })
  if (started.ok) order.wasStarted = true
}

/** What was acknowledged in earlier rounds is still there, and says the same: all of it, or the newest and some of the others. */
async function checkAcknowledged(shop: ShopProcess, { all }: { all: boolean }): Promise<void> {
  const everything = [...acknowledged.values()]
  const some = everything.filter((_, index) => index >= everything.length - NEWEST || Math.random() < SHARE)
  for (const expected of all ? everything : some) {
    const answer = await call(shop, 'GET', `/api/orders/${expected.id}`)
    const order = (await answer.json()) as Order
    if (answer.status !== 200) contentProblems.push(`${expected.id} answers ${answer.status}`)
    else if (
      order.orderNumber !== expected.orderNumber ||
      order.customerEmail !== expected.email ||
      order.pokecoinAmount !== expected.quantity ||
      (expected.wasCancelled && order.status !== 'failed')
    )
      contentProblems.push(`${expected.id} changed`)
  }
}

async function audit(options: { atRest: boolean }) {
  const opened = openLog(dataDir)
  try {
    return auditBooks(await allEvents(opened.log), options)
  } finally {
    await opened.close()
  }
}

/** What is not at rest yet, in words. */
async function openWork(): Promise<string[]> {
  const { orders, problems } = await audit({ atRest: true })
  const pending = [...orders.values()].filter((order) => order.status === 'pending')
  return [
    ...problems,
    ...pending.map(({ placed, attempts }) => `${placed.orderId} is pending after ${attempts.length} attempts`),
  ]
}

async function call(
  shop: ShopProcess,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${shop.url}${path}`, {
    method,
    headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(10_000),
  })
}
