import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { paidCents } from '../domain/order/order-state.ts'
import { type NowPaymentsDouble, nowPaymentsDouble } from '../payments/testing/nowpayments-double.ts'
import { auditShop } from './audit-shop.ts'
import { ADMIN_PASSWORD, ask, asOwner, placeOrder, priceOf, setStock, startPayment } from './buyers.ts'
import { seededRandom } from './clock.ts'
import { describeEach } from './describe-unless.ts'
import { type EngineSet, engineSets, provisionWith, type ShopEnvironment } from './engine-sets.ts'
import { notSet } from './missing.ts'
import { type ShopProcess, startShopProcess } from './shop-process.ts'

const COPIES = 100
const PROCESSES = 3
const STOCK = 10_000
/** Open payments whose checks fill the limit meanwhile. */
const OTHERS = 10
/** Above the least that the provider takes. */
const QUANTITY = 50
const CHECKS_PER_SECOND = 3
const AT_REST = { timeout: 240_000, interval: 500 }
const secrets = { apiKey: 'key-of-the-double', ipnSecret: 'np-ipn-secret-for-tests' }

const shops: readonly EngineSet[] = [
  {
    name: 'embedded engines and Redis',
    isEmbedded: true,
    missing: notSet('REDIS_URL'),
    provision: async () => provisionWith({ REDIS_URL: process.env['REDIS_URL'] ?? '' }),
  },
  // Without Redis each process has jobs of its own, and the bot may be called twice with one key.
  ...engineSets
    .filter(({ isEmbedded }) => !isEmbedded)
    .map((engines) => ({ ...engines, missing: engines.missing ?? notSet('REDIS_URL') })),
]

/** The owner's bot; how often it was called for each order. */
interface Bot {
  readonly url: string
  readonly calls: Map<string, number>
  stop(): Promise<void>
}

describeEach(shops, `a webhook that comes ${COPIES} times at once to ${PROCESSES} processes`, (engines) => {
  let shop: ShopEnvironment
  let double: NowPaymentsDouble
  let bot: Bot
  const running: ShopProcess[] = []

  beforeEach(async () => {
    ;[shop, double, bot] = await Promise.all([engines.provision(), nowPaymentsDouble(secrets), startBot()])
    const env = {
      ...shop.env,
      ADMIN_PASSWORD,
      ORDER_TTL_MINUTES: '60',
      PAYMENTS: 'live',
      NOWPAYMENTS_URL: double.url,
      NOWPAYMENTS_API_KEY: secrets.apiKey,
      NOWPAYMENTS_IPN_SECRET: secrets.ipnSecret,
      DELIVERY: 'webhook',
      DELIVERY_WEBHOOK_URL: bot.url,
      DELIVERY_WEBHOOK_SECRET: 'a secret that only the bot and the shop know',
    }
    for (let index = 0; index < PROCESSES; index += 1) running.push(await startShopProcess(env))
  }, 120_000)

  afterEach(async () => {
    await Promise.all(running.splice(0).map(async (part) => part.kill()))
    await Promise.all([double?.stop(), bot?.stop(), shop?.remove()])
  }, 60_000)

  it('is one receipt, handed over once, in the revenue once', { timeout: 600_000 }, async () => {
    const urls = running.map(({ url }) => url)
    const [first = ''] = urls
    await setStock(first, STOCK)
    const beganMs = Date.now()
    for (let other = 0; other < OTHERS; other += 1) await opened(first, `other-${other}`)
    const { orderId, paymentId, amount } = await opened(first, 'buyer')

    // Old news and the money's come together, in any order, while the workers poll.
    const news = []
    for (const word of ['confirming', 'sending', 'finished']) {
      await double.act(paymentId, { do: word, amount, webhooks: 0 })
      news.push(double.webhook(paymentId))
    }
    const [confirming, sending, finished] = news
    const copies = [...Array.from({ length: COPIES }, () => finished), confirming, confirming, sending, sending]
    let unanswered = shuffled(copies.flatMap((copy) => copy ?? []))
    while (unanswered.length > 0) {
      const statuses = await Promise.all(
        unanswered.map(async ({ body, signature }, index) => hook(urls[index % urls.length] ?? '', body, signature)),
      )
      expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([])
      // The provider repeats what was not answered by 200.
      unanswered = unanswered.filter((_, index) => statuses[index] === 503)
    }

    await expect
      .poll(async () => (await ask(first, 'GET', `/api/orders/${orderId}`)).body['status'], AT_REST)
      .toBe('completed')
    await expect.poll(async () => (await auditShop(shop.env)).problems, AT_REST).toEqual([])
    const { orders } = await auditShop(shop.env)
    const order = orders.get(orderId)
    expect(order?.receipts.map(({ receiptId }) => receiptId)).toEqual([paymentId])
    expect(order && paidCents(order)).toBe(order?.placed.totalCents)
    expect(order?.attention).toEqual([])
    expect([...bot.calls]).toEqual([[orderId, 1]])
    const headers = await asOwner(first)
    for (const url of urls) {
      const revenue = async () => (await ask(url, 'GET', '/api/admin/analytics', { headers })).body['totalRevenue']
      await expect.poll(revenue, AT_REST).toBe(Number(priceOf(QUANTITY)))
    }
    expect(beyondLimit(double.calls, beganMs)).toEqual([])
  })
})

/** An order with an open payment. */
async function opened(url: string, buyer: string): Promise<{ orderId: string; paymentId: string; amount: string }> {
  const placed = await placeOrder(url, buyer, QUANTITY)
  expect(placed.status).toBe(201)
  const orderId = String(placed.body['id'])
  const { status, body } = await startPayment(url, orderId, QUANTITY)
  expect(status).toBe(200)
  return { orderId, paymentId: String(body['payment_id']), amount: String(body['pay_amount']) }
}

/** Calls above the limit of all processes together. A call comes after it was allowed, so that of the first n too many can only have come too early. */
function beyondLimit(calls: NowPaymentsDouble['calls'], beganMs: number): string[] {
  const checks = calls.filter(({ path }) => path.includes('/payment/'))
  return checks
    .filter(({ at }, index) => index + 1 > CHECKS_PER_SECOND * (Math.ceil((Date.parse(at) - beganMs) / 1_000) + 1))
    .map(({ at, path }) => `${at} ${path}`)
}

async function hook(url: string, body: string, signature: string): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-nowpayments-sig': signature }
  const answer = await fetch(`${url}/api/webhooks/nowpayments`, { method: 'POST', headers, body })
  await answer.body?.cancel()
  return answer.status
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  const random = seededRandom(17)
  return items
    .map((item) => [random.fraction(), item] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, item]) => item)
}

async function startBot(): Promise<Bot> {
  const calls = new Map<string, number>()
  const server: Server = createServer((request: IncomingMessage, response) => {
    const key = String(request.headers['idempotency-key'])
    calls.set(key, (calls.get(key) ?? 0) + 1)
    request.resume()
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/deliver`,
    calls,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}
