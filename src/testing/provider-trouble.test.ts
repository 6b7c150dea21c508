import { setImmediate as turn } from 'node:timers/promises'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { expect, it, onTestFinished } from 'vitest'
import { setStock } from '../commands/set-stock.ts'
import { inProcessJobQueue } from '../job-queue/in-process-job-queue.ts'
import { providerPace } from '../payments/provider-pace.ts'
import { systemCaller } from '../shop/shop.ts'
import type { Policy } from '../workers/policy.ts'
import { Sweep } from '../workers/sweep.ts'
import { orderBody } from './orders.ts'
import { type ProviderShop, startProviderShop } from './start-provider-shop.ts'

type LiveShop = ProviderShop<'nowpayments'>

const PAYMENTS = 20
const OUTAGE_S = 130
/** The longest pause, twenty checks at three a second, and the pauses of jobs that failed. */
const BACK_S = 60 + 7 + 30
const CHECKS_PER_SECOND = 4
/** Pauses of 1, 2, 4, 8, 16, 32 and 60 s: so many times somebody is asked, and a second's calls may begin before the first has failed. */
const TRIES_MAX = 8
/** Turns of the event loop within which whatever can go on has gone on. */
const TURNS = 30

it('checks twenty payments again right after their provider is back, and no more often than it may', async () => {
  const world = await startWorld()
  const { live } = world
  onTestFinished(async () => world.stop())
  const orders = await opened(live)
  await world.pass(5)
  const beganAt = live.now()
  live.double.fail({ answer: '500', times: Number.MAX_SAFE_INTEGER })
  for (const { paymentId } of orders) await live.double.act(paymentId, { do: 'pay', webhooks: 0 })
  await world.pass(OUTAGE_S)
  for (const { orderId } of orders) expect(await live.typesOf(orderId)).not.toContain('PaymentReceived')
  const during = checksOf(live).filter((at) => at > beganAt)
  expect(during.length).toBeLessThanOrEqual(TRIES_MAX * CHECKS_PER_SECOND)
  expect(during.length).toBeGreaterThanOrEqual(TRIES_MAX - 1)

  live.double.recover()
  await world.pass(BACK_S)
  for (const { orderId } of orders) {
    const types = await live.typesOf(orderId)
    expect(types.filter((type) => type === 'PaymentReceived' || type === 'OrderCompleted')).toHaveLength(2)
  }
  expect(beyondLimit(checksOf(live), world.beganMs)).toEqual([])
  expect(live.double.calls.filter(({ method }) => method === 'POST')).toHaveLength(PAYMENTS)
})

async function opened(live: LiveShop): Promise<{ orderId: string; paymentId: string }[]> {
  const orders = []
  const enough = { stockM: 10_000, seenM: undefined, editKey: null, adminId: 'owner' }
  await setStock(live.shop, systemCaller(live.shop.random), enough)
  for (let buyer = 0; buyer < PAYMENTS; buyer += 1) {
    const customerEmail = `buyer-${buyer}@example.test`
    const placed = await live.post('/api/orders', { ...orderBody(), customerEmail })
    const orderId = String(placed.body['id'])
    live.advance(500)
    const { status, body } = await live.create(orderId)
    expect({ status, body }).toMatchObject({ status: 200 })
    orders.push({ orderId, paymentId: String(body['payment_id']) })
  }
  return orders
}

function checksOf({ double }: LiveShop): number[] {
  return double.calls.flatMap(({ path, method, at }) =>
    method === 'GET' && path.includes('/payment/') ? [Date.parse(at)] : [],
  )
}

/** A call comes after it was allowed: of the first n too many can only have come too early. */
function beyondLimit(checks: readonly number[], beganMs: number): number[] {
  return checks.filter((at, index) => index + 1 > CHECKS_PER_SECOND * (Math.floor((at - beganMs) / 1_000) + 1))
}

interface Steered {
  readonly live: LiveShop
  readonly beganMs: number
  /** Second by second: what is due is queued and done. */
  pass(seconds: number): Promise<void>
  stop(): Promise<void>
}

/** As the memory's, by the test's clock: what has to wait asks again at once. */
class SteeredLimiter extends RateLimiterMemory {
  private readonly now: () => number
  private second = -1
  private used = 0

  constructor(options: ConstructorParameters<typeof RateLimiterMemory>[0], now: () => number) {
    super(options)
    this.now = now
  }

  get isSpent(): boolean {
    return this.second === Math.floor(this.now() / 1_000) && this.used >= this.points
  }

  override async consume(): Promise<RateLimiterRes> {
    const second = Math.floor(this.now() / 1_000)
    if (this.second !== second) [this.second, this.used] = [second, 0]
    if (this.used >= this.points) return Promise.reject(new RateLimiterRes(0, 1))
    this.used += 1
    return new RateLimiterRes(this.points - this.used, 0)
  }
}

/** A live shop whose workers, pauses and limits go by the test's clock. */
async function startWorld(): Promise<Steered> {
  let now: () => number = Date.now
  const limiters: SteeredLimiter[] = []
  const pace = providerPace('steered', (options) => {
    const limiter = new SteeredLimiter(options, () => now())
    if (options.keyPrefix.endsWith('checks')) limiters.push(limiter)
    return limiter
  })
  let waiting = 0
  const live = await startProviderShop('nowpayments', {
    async pace(kind) {
      if (kind !== 'checks') return
      waiting += 1
      await pace(kind).finally(() => (waiting -= 1))
    },
  })
  now = () => live.now()
  const queue = inProcessJobQueue()
  let running = 0
  const policies = live.policies
    .filter(({ name }) => name === 'check-payments')
    .map((policy): Policy => ({
      ...policy,
      async run(...job) {
        running += 1
        await policy.run(...job).finally(() => (running -= 1))
      },
    }))
  const { clock, random } = live.shop
  const sweep = new Sweep({ policies, queue, clock, random, onTrouble: () => undefined })
  for (const policy of policies) queue.work(policy.name, async (job) => policy.run(job, systemCaller(random)), policy)
  /** What can go on has gone on: every check waits for its turn, and no turn is left in this second. */
  async function settled(): Promise<void> {
    for (let calm = 0; calm < TURNS;) {
      await turn()
      const isCalm = running === waiting && (waiting === 0 || limiters.every(({ isSpent }) => isSpent))
      calm = isCalm ? calm + 1 : 0
    }
  }
  const beganMs = live.now()
  return {
    live,
    beganMs,
    async pass(seconds) {
      for (let second = 0; second < seconds; second += 1) {
        live.advance(1_000)
        await sweep.sweepOnce()
        await settled()
      }
    },
    async stop() {
      await queue.close(0)
      await live.stop()
    },
  }
}
