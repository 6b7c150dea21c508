import { Redis } from 'ioredis'
import { afterEach, expect, it } from 'vitest'
import { redisMissing, redisServer } from '../../engines/redis/testing/redis-server.ts'
import { providerPace } from '../../payments/provider-pace.ts'
import { begunAtOnce } from '../../payments/testing/begun-at-once.ts'
import { describeUnless } from '../../testing/describe-unless.ts'
import type { OwnServer } from '../../ports/testing/own-server.ts'
import { Limit } from './limit.ts'
import { loginLimit } from './login-limit.ts'
import { orderLimit } from './order-limit.ts'
import { LimitsAway, redisLimiters } from './redis-limiter.ts'

const HERE = { networks: ['192.0.2.1'], browserId: undefined } as const
const ELSEWHERE = { networks: ['192.0.2.2'], browserId: undefined } as const
const wanted = { emailHmac: 'h', marketIds: [], quantityM: 10, freeM: 1_000 }
const OWNER = 'owner@example.test'
const LOGINS_MAX = 10
const ORDERS_MAX = 5
/** Redis may be slow on a busy machine. */
const PATIENT = { answerMs: 10_000 }

describeUnless(redisMissing, 'rate limits in Redis', () => {
  const ends: (() => Promise<unknown>)[] = []

  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end()
  })

  async function server(): Promise<OwnServer> {
    const redis = await redisServer()
    ends.push(async () => redis.remove())
    return redis
  }

  /** The limits of one process. */
  function counting({ url }: OwnServer, options: { readonly answerMs?: number }) {
    const troubles: string[] = []
    const store = redisLimiters({
      ...options,
      url,
      prefix: 'shop',
      secret: Buffer.from('a secret of the shop'),
      onTrouble: ({ message }) => troubles.push(message),
    })
    ends.push(async () => store.close())
    const limit = orderLimit(store.limiterFor, { ORDER_TTL_MINUTES: 60 })
    return {
      store,
      troubles,
      login: loginLimit(store.limiterFor),
      call: new Limit(store.limiterFor, { name: 'calls', max: 60, windowS: 60 }),
      limit,
      place: async (orderId: string) => (await limit.take(HERE.networks, wanted)).bindTo(orderId),
    }
  }

  async function processes(redis: OwnServer, count: number, options: { readonly answerMs?: number } = PATIENT) {
    const all = Array.from({ length: count }, () => counting(redis, options))
    for (const { store } of all) await expect.poll(async () => answers(store)).toBe(true)
    return all
  }

  it('limits in Redis count log-ins at all processes together', async () => {
    const [one, other] = await processes(await server(), 2)
    for (let tries = 0; tries < LOGINS_MAX; tries += 1) await (tries % 2 ? one : other)?.login.count(HERE, OWNER)
    await expect(one?.login.count(HERE, OWNER)).rejects.toMatchObject({ code: 'request/too-many' })
    await expect(other?.login.count(HERE, OWNER)).rejects.toMatchObject({ code: 'request/too-many' })
    await other?.login.count(ELSEWHERE, OWNER)
    await one?.login.reset(HERE)
    await other?.login.count(HERE, OWNER)
  })

  it('limits in Redis count unpaid orders at all processes together and release them wherever they end', async () => {
    const [one, other] = await processes(await server(), 2)
    for (let order = 0; order < ORDERS_MAX; order += 1) await (order % 2 ? one : other)?.place(`order ${order}`)
    await expect(one?.place('too many')).rejects.toThrow('You have too many unpaid orders')
    await expect(other?.place('too many')).rejects.toThrow('You have too many unpaid orders')
    // Every process receives every event.
    for (const process of [one, other, one]) process?.limit.onEvent('OrderCancelled', 'order 0')
    await one?.place('order 6')
    await expect(other?.place('too many')).rejects.toThrow('You have too many unpaid orders')
  })

  it('limits in Redis pace the calls to a provider for all processes together', async () => {
    const { url } = await server()
    const both = [1, 2].map(() => redisLimiters({ ...PATIENT, url, prefix: 'shop' }))
    for (const { close } of both) ends.push(async () => close())
    const limiters = both.map(({ limiterFor }) => limiterFor({ keyPrefix: 'ready', points: 1_000, duration: 60 }))
    // Before they are connected, both count in memory and do not see each other.
    const areConnected = async () => {
      for (const [index, limiter] of limiters.entries()) await limiter.consume(`by ${index}`)
      return Promise.all(limiters.map(async (limiter, index) => (await limiter.get(`by ${1 - index}`)) !== null))
    }
    await expect.poll(areConnected).toEqual([true, true])
    const paces = both.map(({ limiterFor }) => providerPace('provider', limiterFor))

    expect(await begunAtOnce(paces, 10)).toBe(2)
  })

  it.for(['away', 'hanging'])('limits go on in the process while Redis is %s', async (state) => {
    const redis = await server()
    const [patient] = await processes(redis, 1)
    await patient?.place('order 0')
    const [one] = await processes(redis, 1, {})
    if (state === 'away') await redis.kill()
    else redis.pause()
    for (let order = 1; order <= ORDERS_MAX; order += 1) await one?.place(`order ${order}`)
    await expect(one?.place('too many')).rejects.toThrow('You have too many unpaid orders')
    for (let tries = 0; tries < LOGINS_MAX; tries += 1) await one?.login.count(HERE, OWNER)
    await expect(one?.login.count(HERE, OWNER)).rejects.toMatchObject({ code: 'request/too-many' })
    await one?.call.consume(HERE.networks)
    one?.limit.onEvent('OrderCancelled', 'order 1')
    await one?.place('order 6')
    await expect(one?.store.ping()).rejects.toThrow(LimitsAway)
    await expect.poll(() => one?.troubles.length, { timeout: 10_000 }).toBe(1)
    if (state === 'away') await redis.start()
    else redis.resume()
    await expect.poll(async () => answers(one?.store), { timeout: 10_000 }).toBe(true)
    // A Redis that hung may count earlier calls late, so another address and account are used.
    await one?.login.count(ELSEWHERE, 'another@example.test')
  })

  it('limits in Redis store neither addresses nor accounts', async () => {
    const redis = await server()
    const [one] = await processes(redis, 1)
    await one?.login.count(HERE, OWNER)
    await one?.place('order 0')
    const client = new Redis(redis.url)
    ends.push(async () => client.disconnect())
    await expect.poll(async () => client.dbsize()).toBe(6)
    const keys = await client.keys('*')
    expect(keys.filter((key) => !key.startsWith('shop:'))).toEqual([])
    expect(keys.join()).not.toMatch(/192\.0|owner/)
  })
})

async function answers(store: { ping(): Promise<void> } | undefined): Promise<boolean> {
  return store === undefined
    ? false
    : store.ping().then(
        () => true,
        () => false,
      )
}
