import { afterEach, describe, expect, it } from 'vitest'
import { engineErrors, failingEngine } from '../../testing/failing-engine.ts'
import { orderBody } from '../../testing/orders.ts'
import { startShop, type TestShop } from '../../testing/start-shop.ts'

const PER_CUSTOMER_MAX = 5

describe('the limit on unpaid orders', () => {
  const log = failingEngine()
  let shop: TestShop
  afterEach(async () => {
    log.fail(undefined)
    await shop.stop()
  })

  const place = async (key: string) =>
    (await shop.post('/api/orders', orderBody(), { headers: { 'Idempotency-Key': key } })).status

  it('counts each placed order once: no repeat, and none that failed', async () => {
    shop = await startShop({ config: { hasRateLimits: true }, wrapStore: log.wrap })
    for (let order = 1; order < PER_CUSTOMER_MAX; order += 1) expect(await place(`key-${order}`)).toBe(201)
    for (let tries = 0; tries < PER_CUSTOMER_MAX; tries += 1) expect(await place('key-1')).toBe(200)
    log.fail(engineErrors.logAway)
    for (let tries = 0; tries < PER_CUSTOMER_MAX; tries += 1)
      expect((await shop.post('/api/orders', orderBody())).status).toBe(503)
    log.fail(undefined)
    expect(await place('key-last')).toBe(201)
    expect(await place('key-more')).toBe(429)
  })
})
