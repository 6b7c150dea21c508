import { createHmac, randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import { type LimitStore, memoryPermits, type PermitKey, type Permits, rateLimitBy } from './limit-store.ts'

/** Timeout for a call; then this process counts in its own memory. */
const ANSWER_MS = 250
/** A connection without an answer for so many times longer is closed. */
const SILENT_TIMES = 4
const RECONNECT_MS = 500
const RECONNECT_MS_MAX = 2_000

export class LimitsAway extends Error {
  override readonly name = 'LimitsAway'
}

export interface RedisLimitStore extends LimitStore {
  /** Throws `LimitsAway` where Redis does not answer. */
  ping(): Promise<void>
  close(): void
}

/**
 * Limits in Redis, shared by all processes of a shop. While Redis is away each process counts in its own memory, so that no request is refused or
 * waits for it. Addresses and accounts are stored as HMACs only.
 */
export function redisLimitStore(options: RedisOptions & { readonly secret: Uint8Array }): RedisLimitStore {
  const { secret, prefix } = options
  const client = clientFor(options)
  const limiterFor = limitersOn(client, prefix)
  const hidden = (key: string): string => createHmac('sha256', secret).update(key).digest('base64url')

  return {
    rateLimit({ name, max, windowS }) {
      const limit = rateLimitBy(limiterFor({ keyPrefix: name, points: max, duration: windowS }))
      return {
        consume: async (key, points) => limit.consume(hidden(key), points),
        add: async (key, count) => limit.add(hidden(key), count),
        count: async (key) => limit.count(hidden(key)),
        secondsLeft: async (key) => limit.secondsLeft(hidden(key)),
        reset: async (key) => limit.reset(hidden(key)),
      }
    },

    permits: ({ heldMs }) => redisPermits({ client, heldMs, nameOf: (key) => `${prefix}:places:${hidden(key)}` }),

    async ping() {
      await client.ping().catch((error: unknown) => {
        throw new LimitsAway('the rate limits cannot be counted together', { cause: error })
      })
    },
    close: () => client.disconnect(),
  }
}

interface RedisOptions {
  readonly url: string
  /** Prefix of every key of this shop. */
  readonly prefix: string
  readonly answerMs?: number
  /** Once for each outage. */
  readonly onTrouble?: (error: Error) => void
}

type LimiterFor = (options: { keyPrefix: string; points: number; duration: number }) => RateLimiterRedis

/** Limits whose keys hold no personal data, such as calls to a provider. */
export function redisLimiters(options: RedisOptions): { readonly limiterFor: LimiterFor; readonly close: () => void } {
  const client = clientFor(options)
  return { limiterFor: limitersOn(client, options.prefix), close: () => client.disconnect() }
}

/** While Redis is away, each process counts in its own memory. */
function limitersOn(client: Redis, prefix: string): LimiterFor {
  return ({ keyPrefix, ...counted }) =>
    new RateLimiterRedis({
      ...counted,
      storeClient: client,
      keyPrefix: `${prefix}:${keyPrefix}`,
      rejectIfRedisNotReady: true,
      insuranceLimiter: new RateLimiterMemory({ ...counted, keyPrefix }),
    })
}

function clientFor({ url, answerMs = ANSWER_MS, onTrouble }: RedisOptions): RedisWithPermits {
  const client = new Redis(url, {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: answerMs,
    socketTimeout: SILENT_TIMES * answerMs,
    retryStrategy: (times) => Math.min(RECONNECT_MS * times, RECONNECT_MS_MAX),
    scripts: {
      takePermits: { lua: TAKE_PERMITS },
      bindPermits: { lua: BIND_PERMITS, numberOfKeys: 1 },
      releasePermits: { lua: RELEASE_PERMITS, numberOfKeys: 1 },
    },
  }) as RedisWithPermits
  let isAway = false
  client.on('error', (error: Error) => {
    if (!isAway)
      onTrouble?.(new LimitsAway(`rate limits are counted by each process, since Redis is away: ${error.message}`))
    isAway = true
  })
  client.on('ready', () => {
    isAway = false
  })
  return client
}

interface RedisWithPermits extends Redis {
  takePermits(
    keyCount: number,
    ...keysAndArguments: (string | number)[]
  ): Promise<readonly [full: number, ...heldM: number[]]>
  bindPermits(name: string, ...given: (string | number)[]): Promise<unknown>
  releasePermits(name: string): Promise<unknown>
}

/**
 * KEYS: holders of permits; ARGV: now, expiry, the member (`<uuid>:<quantityM>`), then each maximum. Returns the number of the key that is full, or 0
 * and the millions that each key held before.
 */
const TAKE_PERMITS = `
local answer = {0}
for i, key in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', key, '-inf', ARGV[1])
  if redis.call('ZCARD', key) >= tonumber(ARGV[3 + i]) then return {i} end
  local held = 0
  for _, member in ipairs(redis.call('ZRANGE', key, 0, -1)) do
    held = held + (tonumber(string.match(member, ':(%d+)$')) or 0)
  end
  answer[i + 1] = held
end
for _, key in ipairs(KEYS) do
  redis.call('ZADD', key, ARGV[2], ARGV[3])
  redis.call('PEXPIREAT', key, ARGV[2])
end
return answer`

/** KEYS: the order; ARGV: expiry, the member, the holders. */
const BIND_PERMITS = `return redis.call('SET', KEYS[1], cjson.encode(ARGV), 'PXAT', ARGV[1])`

/** KEYS: the order. */
const RELEASE_PERMITS = `
local kept = redis.call('GETDEL', KEYS[1])
if not kept then return 0 end
local given = cjson.decode(kept)
for i = 3, #given do redis.call('ZREM', given[i], given[2]) end
return 1`

/** A permit that cannot be released now expires later. */
function ignored(): void {}

function redisPermits(options: { client: RedisWithPermits; heldMs: number; nameOf: (key: string) => string }): Permits {
  const { client, heldMs, nameOf } = options
  const own = memoryPermits()

  async function takeThere(keys: readonly PermitKey[], member: string, until: number) {
    const names = keys.map(({ key }) => nameOf(key))
    return client.takePermits(names.length, ...names, Date.now(), until, member, ...keys.map(({ max }) => max))
  }

  return {
    async take(keys, quantityM) {
      const member = `${randomUUID()}:${quantityM}`
      const until = Date.now() + heldMs
      let taken: Awaited<ReturnType<typeof takeThere>>
      try {
        taken = await takeThere(keys, member, until)
      } catch {
        return own.take(keys, quantityM)
      }
      const [full, ...heldM] = taken
      if (full > 0) return { full: keys[full - 1]?.key ?? '' }
      const names = keys.map(({ key }) => nameOf(key))
      return {
        permit: {
          bindTo: (orderId) => void client.bindPermits(nameOf(orderId), until, member, ...names).catch(ignored),
          release() {
            for (const name of names) client.zrem(name, member).catch(ignored)
          },
        },
        heldM,
      }
    },
    releaseFor(orderId) {
      own.releaseFor(orderId)
      if (client.status === 'ready') client.releasePermits(nameOf(orderId)).catch(ignored)
    },
  }
}
