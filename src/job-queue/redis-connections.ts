import { Redis, type RedisOptions } from 'ioredis'
import { JobQueueAway } from './job-queue.ts'

/** Timeout after which a server counts as away. */
const SILENT_MS = 2_000
const CONNECT_MS = 2_000
/** Timeout for opening a connection. */
const READY_MS = 1_000
const RECONNECT_MS = 100
const RECONNECT_MS_MAX = 2_000
const KEEP_ALIVE_MS = 10_000

/** The connections of one job queue. An outage is reported once, and never as an unhandled error. */
interface RedisConnections {
  /** For calls, which fail fast. Rejects with `JobQueueAway` while the server is away. */
  forCalls(): Promise<Redis>
  /** For workers, whose commands wait until the server is back. */
  forWork(): Redis
  end(): void
}

export function redisConnections(options: {
  readonly url: string
  /** The server is away (once per outage) or misconfigured. */
  readonly onTrouble: (error: Error) => void
}): RedisConnections {
  const { url, onTrouble } = options
  const opened: Redis[] = []
  let work: Redis | undefined
  let isAway = false
  let reportedPolicy: string | undefined

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
      // Otherwise commands to a hanging server would pile up until it answers.
      socketTimeout: SILENT_MS,
    }),
  )
  calls.on('ready', () => void checkPolicy())

  /** A server that evicts keys when memory is short loses jobs. */
  async function checkPolicy(): Promise<void> {
    const text = await calls.info('memory').catch(() => '')
    const policy = /^maxmemory_policy:(\S+)/m.exec(text)?.[1] ?? reportedPolicy
    if (policy === reportedPolicy) return
    reportedPolicy = policy
    if (policy !== 'noeviction')
      onTrouble(new Error(`Redis may evict jobs: set its maxmemory-policy to noeviction (it is ${policy})`))
  }

  /** BullMQ duplicates the given connection for every worker. */
  function watched(client: Redis): Redis {
    const duplicate = client.duplicate.bind(client)
    const info = client.info.bind(client) as (...given: unknown[]) => Promise<string>
    return Object.assign(kept(client), {
      duplicate: (override?: Partial<RedisOptions>) => watched(duplicate(override)),
      // BullMQ would print a warning about the policy for each of them.
      info: async (...given: unknown[]) => {
        const text = await info(...given)
        return given.length > 0 ? text : text.replace(/^maxmemory_policy:.*\r?\n/m, '')
      },
    })
  }

  return {
    forCalls: async () => ready(calls),
    forWork: () => (work ??= watched(new Redis(url, { ...shared, maxRetriesPerRequest: null }))),
    end() {
      for (const client of opened) client.disconnect()
    },
  }
}

async function ready(client: Redis): Promise<Redis> {
  if (client.status === 'ready') return client
  const isReady = Promise.withResolvers<boolean>()
  const onReady = (): void => isReady.resolve(true)
  const timer = setTimeout(() => isReady.resolve(false), READY_MS)
  client.once('ready', onReady)
  try {
    if (await isReady.promise) return client
    throw new JobQueueAway("the job queue's Redis is away")
  } finally {
    clearTimeout(timer)
    client.off('ready', onReady)
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
