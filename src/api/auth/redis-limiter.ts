import { createHmac } from 'node:crypto'
import { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible'
import { backOffMs } from '../../ports/back-off.ts'
import type { LimiterFor } from './limit.ts'

/** Timeout for a call; then this process counts in its own memory. */
const ANSWER_MS = 250
/** A connection silent for this many timeouts is closed. */
const SILENT_TIMES = 4
const RECONNECT_MS = 500
const RECONNECT_MS_MAX = 2_000

export class LimitsAway extends Error {
  override readonly name = 'LimitsAway'
}

/** Limits in Redis, shared by all processes of a shop. */
export interface RedisLimiters {
  readonly limiterFor: LimiterFor
  /** Throws `LimitsAway` if Redis does not answer. */
  ping(): Promise<void>
  readonly close: () => void
}

export interface RedisOptions {
  readonly url: string
  /** Prefix of every key of this shop. */
  readonly prefix: string
  /** Hashes the keys, which hold personal data: addresses and accounts. */
  readonly secret?: Uint8Array
  readonly answerMs?: number
  /** Called once per outage. */
  readonly onTrouble?: (error: Error) => void
}

/** While Redis is away each process counts in its own memory, so that no request is refused or waits for it. */
export function redisLimiters(options: RedisOptions): RedisLimiters {
  const { prefix, secret } = options
  const client = clientFor(options)
  return {
    limiterFor: ({ keyPrefix, ...counted }) =>
      new HashedKeys(
        {
          ...counted,
          storeClient: client,
          keyPrefix: `${prefix}:${keyPrefix}`,
          rejectIfRedisNotReady: true,
          insuranceLimiter: new RateLimiterMemory({ ...counted, keyPrefix }),
        },
        secret,
      ),
    async ping() {
      await client.ping().catch((error: unknown) => {
        throw new LimitsAway('the rate limits cannot be counted together', { cause: error })
      })
    },
    close: () => client.disconnect(),
  }
}

class HashedKeys extends RateLimiterRedis {
  private readonly secret: Uint8Array | undefined

  constructor(options: ConstructorParameters<typeof RateLimiterRedis>[0], secret: Uint8Array | undefined) {
    super(options)
    this.secret = secret
  }

  override getKey(key: string | number): string {
    const { secret } = this
    return super.getKey(secret ? createHmac('sha256', secret).update(String(key)).digest('base64url') : key)
  }
}

function clientFor({ url, answerMs = ANSWER_MS, onTrouble }: RedisOptions): Redis {
  const client = new Redis(url, {
    enableOfflineQueue: false,
    // Not every user may run the command of the ready check.
    enableReadyCheck: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: answerMs,
    socketTimeout: SILENT_TIMES * answerMs,
    retryStrategy: (times) => backOffMs(times, { from: RECONNECT_MS, max: RECONNECT_MS_MAX }, Math.random),
  })
  let isAway = false
  client.on('error', (error: Error) => {
    if (!isAway)
      onTrouble?.(new LimitsAway('rate limits are counted by each process, since Redis is away', { cause: error }))
    isAway = true
  })
  client.on('ready', () => {
    isAway = false
  })
  return client
}
