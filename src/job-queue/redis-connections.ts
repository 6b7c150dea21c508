import { Redis, type RedisOptions } from 'ioredis'
import { JobQueueAway } from './job-queue.ts'

/** A server that says nothing for this long is away. */
const SILENT_MS = 2_000
const CONNECT_MS = 2_000
/** How long a call waits for a connection that is just being made. */
const READY_MS = 1_000
const RECONNECT_MS = 100
const RECONNECT_MS_MAX = 2_000
const KEEP_ALIVE_MS = 10_000

/** The connections of one job queue: what happens to them is told once, and never as an unhandled error. */
interface RedisConnections {
  /** For calls: they are answered, or fail soon. Rejects with `JobQueueAway` where the server is not there. */
  forCalls(): Promise<Redis>
  /** For workers: their commands wait until the server is back. */
  forWork(): Redis
  end(): void
}

export function redisConnections(options: {
  readonly url: string
  /** The server is away, is not set up as a queue needs it, or says that something is wrong. Once for each outage. */
  readonly onTrouble: (error: Error) => void
}): RedisConnections {
  const { url, onTrouble } = options
  const opened: Redis[] = []
  let work: Redis | undefined
  let isAway = false
  let policyTold: string | undefined

  function kept(client: Redis): Redis {
    opened.push(client)
    client.on('error', (error: Error) => {
      if (!isAway) onTrouble(new JobQueueAway(`the job queue's Redis is away: ${lineOf(error)}`))
      isAway = true
    })
    client.on('ready', () => {
      isAway = false
    })
    return client
  }

  const calls = kept(
    new Redis(url, {
      ...shared,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      commandTimeout: SILENT_MS,
      // Otherwise what a hanging server was asked would pile up until it answers.
      socketTimeout: SILENT_MS,
    }),
  )
  calls.on('ready', () => void lookAtPolicy())

  /** A server that throws keys away when memory is short throws jobs away. */
  async function lookAtPolicy(): Promise<void> {
    const text = await calls.info('memory').catch(() => '')
    const policy = /^maxmemory_policy:(\S+)/m.exec(text)?.[1] ?? policyTold
    if (policy === policyTold) return
    policyTold = policy
    if (policy !== 'noeviction')
      onTrouble(new Error(`Redis may throw jobs away: set its maxmemory-policy to noeviction (it is ${policy})`))
  }

  /** BullMQ makes a connection of its own for every worker out of the one that it is given. */
  function patient(client: Redis): Redis {
    const duplicate = client.duplicate.bind(client)
    const info = client.info.bind(client) as (...given: unknown[]) => Promise<string>
    return Object.assign(kept(client), {
      duplicate: (override?: Partial<RedisOptions>) => patient(duplicate(override)),
      // It would print the policy for each of them.
      info: async (...given: unknown[]) => {
        const text = await info(...given)
        return given.length > 0 ? text : text.replace(/^maxmemory_policy:.*\r?\n/m, '')
      },
    })
  }

  async function forCalls(): Promise<Redis> {
    if (calls.status === 'ready') return calls
    const isReady = Promise.withResolvers<boolean>()
    const onReady = (): void => isReady.resolve(true)
    const timer = setTimeout(() => isReady.resolve(false), READY_MS)
    calls.once('ready', onReady)
    try {
      if (await isReady.promise) return calls
      throw new JobQueueAway("the job queue's Redis is away")
    } finally {
      clearTimeout(timer)
      calls.off('ready', onReady)
    }
  }

  return {
    forCalls,
    forWork: () => (work ??= patient(new Redis(url, { ...shared, maxRetriesPerRequest: null }))),
    end() {
      for (const client of opened) client.disconnect()
    },
  }
}

const shared = {
  connectTimeout: CONNECT_MS,
  keepAlive: KEEP_ALIVE_MS,
  retryStrategy: (times: number) =>
    Math.min(RECONNECT_MS * 2 ** Math.min(times, 10), RECONNECT_MS_MAX) * (0.5 + Math.random() / 2),
} satisfies RedisOptions

export function lineOf(error: unknown): string {
  const text =
    error instanceof Error ? error.message || ('code' in error ? String(error.code) : error.name) : String(error)
  return text.replaceAll(/\s+/g, ' ')
}
