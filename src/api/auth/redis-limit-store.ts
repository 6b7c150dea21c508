import { createHmac, randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import { type LimitStore, memoryPlaces, type PlaceKey, type Places, triesBy } from './limit-store.ts'

/** Timeout for a call; then this process counts in its own memory. */
const ANSWER_MS = 250
/** A connection without an answer for this long is closed. */
const SILENT_MS = 1_000
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
    tries({ name, max, windowS }) {
      const tries = triesBy(limiterFor({ keyPrefix: name, points: max, duration: windowS }))
      return {
        take: async (key) => tries.take(hidden(key)),
        add: async (key, count) => tries.add(hidden(key), count),
        count: async (key) => tries.count(hidden(key)),
        forget: async (key) => tries.forget(hidden(key)),
      }
    },

    places: ({ heldMs }) => redisPlaces({ client, heldMs, nameOf: (key) => `${prefix}:places:${hidden(key)}` }),

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
  /** Once for each outage. */
  readonly onTrouble?: (error: Error) => void
}

type LimiterFor = (options: { keyPrefix: string; points: number; duration: number }) => RateLimiterRedis

/** Limits whose keys name nobody, such as calls to a provider. */
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

function clientFor({ url, onTrouble }: RedisOptions): RedisWithPlaces {
  const client = new Redis(url, {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: ANSWER_MS,
    socketTimeout: SILENT_MS,
    retryStrategy: (times) => Math.min(RECONNECT_MS * times, RECONNECT_MS_MAX),
    scripts: {
      takePlaces: { lua: TAKE_PLACES },
      keepPlaces: { lua: KEEP_PLACES, numberOfKeys: 1 },
      endPlaces: { lua: END_PLACES, numberOfKeys: 1 },
    },
  }) as RedisWithPlaces
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

interface RedisWithPlaces extends Redis {
  takePlaces(
    keyCount: number,
    ...keysAndArguments: (string | number)[]
  ): Promise<readonly [full: number, ...heldM: number[]]>
  keepPlaces(name: string, ...given: (string | number)[]): Promise<unknown>
  endPlaces(name: string): Promise<unknown>
}

/**
 * KEYS: holders of places; ARGV: now, expiry, the ticket (its millions after the last colon), then each maximum. Returns the number of the key that
 * is full, or 0 and the millions that each key held before.
 */
const TAKE_PLACES = `
local answer = {0}
for i, key in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', key, '-inf', ARGV[1])
  if redis.call('ZCARD', key) >= tonumber(ARGV[3 + i]) then return {i} end
  local held = 0
  for _, ticket in ipairs(redis.call('ZRANGE', key, 0, -1)) do
    held = held + (tonumber(string.match(ticket, ':(%d+)$')) or 0)
  end
  answer[i + 1] = held
end
for _, key in ipairs(KEYS) do
  redis.call('ZADD', key, ARGV[2], ARGV[3])
  redis.call('PEXPIREAT', key, ARGV[2])
end
return answer`

/** KEYS: the name; ARGV: expiry, the ticket, the holders. */
const KEEP_PLACES = `return redis.call('SET', KEYS[1], cjson.encode(ARGV), 'PXAT', ARGV[1])`

/** KEYS: the name. */
const END_PLACES = `
local kept = redis.call('GETDEL', KEYS[1])
if not kept then return 0 end
local given = cjson.decode(kept)
for i = 3, #given do redis.call('ZREM', given[i], given[2]) end
return 1`

/** A place that cannot be given back now expires later. */
function ignored(): void {}

function redisPlaces(options: { client: RedisWithPlaces; heldMs: number; nameOf: (key: string) => string }): Places {
  const { client, heldMs, nameOf } = options
  const own = memoryPlaces()

  async function takeThere(keys: readonly PlaceKey[], ticket: string, until: number) {
    const names = keys.map(({ key }) => nameOf(key))
    return client.takePlaces(names.length, ...names, Date.now(), until, ticket, ...keys.map(({ max }) => max))
  }

  return {
    async take(keys, quantityM) {
      const ticket = `${randomUUID()}:${quantityM}`
      const until = Date.now() + heldMs
      let taken: Awaited<ReturnType<typeof takeThere>>
      try {
        taken = await takeThere(keys, ticket, until)
      } catch {
        return own.take(keys, quantityM)
      }
      const [full, ...heldM] = taken
      if (full > 0) return { full: keys[full - 1]?.key ?? '' }
      const names = keys.map(({ key }) => nameOf(key))
      return {
        place: {
          keep: (name) => void client.keepPlaces(nameOf(name), until, ticket, ...names).catch(ignored),
          giveBack() {
            for (const name of names) client.zrem(name, ticket).catch(ignored)
          },
        },
        heldM,
      }
    },
    end(name) {
      own.end(name)
      if (client.status === 'ready') client.endPlaces(nameOf(name)).catch(ignored)
    },
  }
}
