import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import type { OrderList } from '../api/contract/order-list-query.ts'
import { paidCents } from '../domain/order/order-money.ts'
import type { Webhook } from '../payments/testing/double.ts'
import { NowPaymentsDouble } from '../payments/nowpayments/testing/nowpayments-double.ts'
import { auditShop } from './audit-shop.ts'
import { ADMIN_PASSWORD, type Answer, ask, asOwner, placeOrder, priceOf, setStock, startPayment } from './buyers.ts'
import { describeEach } from './describe-unless.ts'
import { engineSets, type ShopEnvironment } from './engine-sets.ts'
import { freePort } from '../ports/testing/free-port.ts'
import { viewFiles } from './shop-folder.ts'
import { killStarted, type ShopProcess, startShopProcess } from './shop-process.ts'

const STOCK = 100_000
/** Above the provider's minimum. */
const PAID_QUANTITY = 50
const TRIES_MAX = 5
const PAUSES_MAX = 100
const AT_REST = { timeout: 240_000, interval: 1_000 }

describeEach(engineSets, 'a shop of several processes', (engines) => {
  let shop: ShopEnvironment
  const started: Promise<ShopProcess>[] = []

  beforeEach(async () => {
    shop = await engines.provision()
  }, 60_000)

  afterEach(async () => {
    await killStarted(started)
    await shop.remove()
  }, 60_000)

  async function start(roles: string, env: Record<string, string> = {}): Promise<ShopProcess> {
    const starting = startShopProcess({
      ...shop.env,
      ROLES: roles,
      ADMIN_PASSWORD,
      SANDBOX_DELAY_MS: '50',
      ORDER_TTL_MINUTES: '60',
      ...env,
    })
    started.push(starting)
    return starting
  }

  async function problems(): Promise<readonly string[]> {
    return (await auditShop(shop.env)).problems
  }

  it('two processes of each role, started together, sell and deliver', { timeout: 600_000 }, async () => {
    const roles = ['api', 'api', 'projector', 'projector', 'worker', 'worker']
    const parts = await Promise.all(roles.map(async (role) => start(role)))
    const urls = parts.flatMap(({ url }) => (url === '' ? [] : [url])) as [string, string]
    await expect.poll(async () => (await ask(urls[0], 'GET', '/readyz')).status, AT_REST).toBe(200)
    await setStock(urls[0], STOCK)
    const orderIds = await Promise.all(
      Array.from({ length: 60 }, async (_, buyer) => {
        const [here, there] = buyer % 2 === 0 ? urls : ([urls[1], urls[0]] as const)
        const placed = await placeOrder(here, `buyer-${buyer}`)
        expect(placed.status).toBe(201)
        const orderId = String(placed.body['id'])
        expect((await startPayment(there, orderId)).status).toBe(200)
        return orderId
      }),
    )
    await expect.poll(async () => undelivered(urls, orderIds), AT_REST).toEqual([])
    await expect.poll(problems, AT_REST).toEqual([])
  })

  it('each process returns what another one has just written', { timeout: 120_000 }, async () => {
    const [one, other] = await Promise.all([start('api'), start('api'), start('projector')])
    const owner = await asOwner(one.url)
    for (let round = 0; round < 10; round += 1) {
      const placed = await placeOrder(one.url, `buyer-${round}`)
      const seen = { 'x-position': String(placed.headers['x-position']) }
      const read = await ask(other.url, 'GET', `/api/orders/${String(placed.body['id'])}`, { headers: seen })
      expect(read.status).toBe(200)
      // A view that is not up to date in time answers 503; the client retries.
      const listed = async () => {
        const { status, body } = await ask(other.url, 'GET', '/api/orders', { headers: { ...owner, ...seen } })
        return status === 200 ? (body as unknown as OrderList).orders.map(({ id }) => id) : []
      }
      await expect.poll(listed, AT_REST).toContain(placed.body['id'])
    }
  })

  it('a hundred concurrent copies of a webhook make one receipt', { timeout: 600_000 }, async () => {
    const double = await new NowPaymentsDouble().listen()
    onTestFinished(() => double.stop())
    const live = { PAYMENTS: 'live', ...double.env }
    const parts = await Promise.all([1, 2, 3].map(async () => start('api,projector,worker', live)))
    const urls = parts.map(({ url }) => url)
    const [first = ''] = urls
    await setStock(first, STOCK)
    const placed = await placeOrder(first, 'buyer', PAID_QUANTITY)
    const orderId = String(placed.body['id'])
    const { body: payment } = await startPayment(first, orderId, PAID_QUANTITY)
    const [paymentId = ''] = double.paymentIds(String(payment['payment_id']))
    // Reports of every status arrive concurrently, in any order, while the workers poll.
    const news: Webhook[] = []
    for (const word of ['confirming', 'sending', 'finished']) {
      await double.act(paymentId, { do: word, amount: String(payment['pay_amount']), webhooks: 0 })
      news.push(double.webhook(paymentId))
    }
    const copies = Array.from({ length: 100 }, (_, index) => news[[0, 1][index % 10] ?? 2])
    let unanswered = copies.flatMap((copy) => copy ?? [])
    while (unanswered.length > 0) {
      const statuses = await Promise.all(
        unanswered.map(async (copy, index) => webhookAt(urls[index % urls.length] ?? '', copy)),
      )
      expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([])
      // The provider repeats a webhook until it gets 200.
      unanswered = unanswered.filter((_, index) => statuses[index] === 503)
    }
    await expect.poll(async () => undelivered([first], [orderId]), AT_REST).toEqual([])
    await expect.poll(problems, AT_REST).toEqual([])
    const order = (await auditShop(shop.env)).orders.get(orderId)
    expect(order?.receipts.map(({ receiptId }) => receiptId)).toEqual([paymentId])
    expect(order && paidCents(order)).toBe(order?.placed.totalCents)
    expect(order?.attention).toEqual([])
    const headers = await asOwner(first)
    for (const url of urls) {
      const revenue = async () => (await ask(url, 'GET', '/api/admin/analytics', { headers })).body['totalRevenue']
      await expect.poll(revenue, AT_REST).toBe(Number(priceOf(PAID_QUANTITY)))
    }
  })

  it('lists show what is sold after the projector that folds was killed', { timeout: 300_000 }, async () => {
    const [api, holder] = [await start('api'), await start('projector')]
    const owner = await asOwner(api.url)
    const listed = async (seen: Record<string, string> = {}) =>
      ask(api.url, 'GET', '/api/orders', { headers: { ...owner, ...seen } })
    await expect.poll(async () => (await listed()).status, AT_REST).toBe(200)
    await start('projector')
    for (const buyer of ['before', 'after']) {
      const placed = await placeOrder(api.url, buyer)
      expect(placed.status).toBe(201)
      const seen = { 'x-position': String(placed.headers['x-position']) }
      const shown = async () => {
        const { status, body } = await listed(seen)
        expect([200, 503]).toContain(status)
        return status === 200 ? (body as unknown as OrderList).orders.map(({ id }) => id) : []
      }
      await expect.poll(shown, AT_REST).toContain(placed.body['id'])
      if (buyer === 'before') await holder.kill()
    }
    await expect.poll(problems, AT_REST).toEqual([])
  })

  it('a projector that was paused does not set the views back', { timeout: 600_000 }, async () => {
    const [api, sleeper] = await Promise.all([start('api'), start('projector'), start('projector'), start('worker')])
    await setStock(api.url, STOCK)
    const orderIds: string[] = []
    for (let round = 0; round < 8; round += 1) {
      const placing = Array.from({ length: 12 }, async (_, buyer) => {
        const placed = await placeOrder(api.url, `buyer-${round}-${buyer}`)
        expect(placed.status).toBe(201)
        orderIds.push(String(placed.body['id']))
        await startPayment(api.url, String(placed.body['id']))
      })
      // Pauses the projector at a random moment.
      await Promise.race(placing)
      if (round % 2 === 0) sleeper.pause()
      else sleeper.resume()
      await Promise.all(placing)
    }
    await pauseBetweenWrites(sleeper, shop.env)
    await expect.poll(async () => undelivered([api.url], orderIds), AT_REST).toEqual([])
    await expect.poll(problems, AT_REST).toEqual([])
    sleeper.resume()
    const { body } = await placeOrder(api.url, 'after-the-pause')
    orderIds.push(String(body['id']))
    await expect.poll(problems, AT_REST).toEqual([])
  })

  it('a rolling restart makes one order of each that was placed', { timeout: 600_000 }, async () => {
    const ports = [await freePort(), await freePort()]
    const all = 'api,projector,worker'
    const parts = await Promise.all(ports.map(async (port) => start(all, { PORT: String(port) })))
    const urls = ports.map((port) => `http://127.0.0.1:${port}`)
    await setStock(urls[0] ?? '', STOCK)
    const acknowledged: string[] = []
    const refused: string[] = []
    const over = new AbortController()
    const buyers = Array.from({ length: 6 }, async (_, buyer) => {
      for (let serial = 0; !over.signal.aborted; serial += 1) {
        const { status, body } = await placeAtAny(urls, serial, `buyer-${buyer}-${serial}`)
        // 200: the first attempt placed the order, but its response was lost.
        if (status === 201 || status === 200) acknowledged.push(String(body['id']))
        else refused.push(`${status} ${String(body['code'])}`)
      }
    })
    for (const [index, part] of parts.entries()) {
      const before = acknowledged.length
      await expect.poll(() => acknowledged.length - before, AT_REST).toBeGreaterThan(20)
      expect(await part.stop()).toBe(0)
      await start(all, { PORT: String(ports[index]) })
    }
    const before = acknowledged.length
    await expect.poll(() => acknowledged.length - before, AT_REST).toBeGreaterThan(20)
    over.abort()
    await Promise.all(buyers)
    expect(refused).toEqual([])
    await expect.poll(problems, AT_REST).toEqual([])
    const { orders } = await auditShop(shop.env)
    expect([...orders.keys()].toSorted()).toEqual(acknowledged.toSorted())
  })
})

/** A file of views has one writer at a time, so a projector paused in the middle of a write blocks all others. */
async function pauseBetweenWrites(process: ShopProcess, env: Readonly<Record<string, string>>): Promise<void> {
  for (let attempt = 0; attempt < PAUSES_MAX; attempt += 1) {
    process.pause()
    if (env['MONGODB_URL'] !== undefined || areFree(env['DATA_DIR'] ?? '')) return
    process.resume()
    await pause(attempt)
  }
  throw new Error('the views are written to without end')
}

function areFree(folder: string): boolean {
  return [...viewFiles(folder, 'people'), ...viewFiles(folder, 'others')].every((file) => isFree(join(folder, file)))
}

function isFree(file: string): boolean {
  const database = new DatabaseSync(file)
  try {
    database.exec('BEGIN IMMEDIATE; ROLLBACK')
    return true
  } catch {
    return false
  } finally {
    database.close()
  }
}

async function undelivered(urls: readonly string[], orderIds: readonly string[]): Promise<string[]> {
  const answers = await Promise.all(
    orderIds.map(async (orderId, index) => ask(urls[index % urls.length] ?? '', 'GET', `/api/orders/${orderId}`)),
  )
  return answers.flatMap(({ body }) => (body['status'] === 'completed' ? [] : [String(body['status'])]))
}

/** Like a load balancer: on a refused or broken connection, sends the same request with the same key to the next process. */
async function placeAtAny(urls: readonly string[], first: number, buyer: string): Promise<Answer> {
  for (let at = 0; ; at += 1)
    try {
      return await placeOrder(urls[(first + at) % urls.length] ?? '', buyer)
    } catch (error) {
      if (at >= TRIES_MAX) throw error
    }
}

async function webhookAt(url: string, { body, headers: signed }: Webhook): Promise<number> {
  const headers = { 'content-type': 'application/json', ...signed }
  const answer = await fetch(`${url}/api/webhooks/nowpayments`, { method: 'POST', headers, body })
  await answer.body?.cancel()
  return answer.status
}
