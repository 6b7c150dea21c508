import { Redis, type RedisOptions } from 'ioredis'
import { backOffMs } from '../../ports/back-off.ts'
import { isAboutConnection } from './trouble.ts'

/** Timeout after which a server counts as away. */
const SILENT_MS = 2_000
const CONNECT_MS = 2_000
const RECONNECT_MS = 100
const RECONNECT_MS_MAX = 2_000
const KEEP_ALIVE_MS = 10_000
/** A worker's connection that is silent for longer is closed; its blocking calls last 10 s at most. */
const WORK_SILENT_MS = 12_000
/** The server at the other end is no longer the one that the shop needs, or not yet. */
const UNFIT = /^(READONLY|LOADING|MASTERDOWN) /
/** Pause between two reconnections for that reason. */
const UNFIT_MS = 2_000

/** Connections that report an outage once, and never as an unhandled error. */
interface RedisConnections {
  /** For calls, which fail fast. */
  readonly calls: Redis
  /** For workers, whose commands wait until the server is back. */
  forWork(): Redis
  /** The error of the connection that made a call fail, or else the call's own. */
  readonly causeOf: (error: unknown) => unknown
  end(): void
}

export function redisConnections(options: {
  readonly url: string
  /** Called once per outage. */
  readonly onAway: (error: Error) => void
}): RedisConnections {
  const { url, onAway } = options
  const opened: Redis[] = []
  let work: Redis | undefined
  let isAway = false
  let lastError: Error | undefined
  let unfitAt = -Infinity

  /** Its name may lead to another server by now. */
  function reconnectOnError(error: Error): boolean {
    const now = performance.now()
    if (!UNFIT.test(error.message) || now - unfitAt < UNFIT_MS) return false
    unfitAt = now
    lastError = error
    return true
  }

  // The ready check is a command that not every user may run, and it is repeated without a pause.
  const shared = { ...always, enableReadyCheck: false, reconnectOnError }

  function track(client: Redis): Redis {
    opened.push(client)
    client.on('error', (error: Error) => {
      if (!isAway) onAway(error)
      isAway = true
      lastError = error
    })
    client.on('ready', () => {
      isAway = false
      lastError = undefined
    })
    return client
  }

  const calls = track(
    new Redis(url, {
      ...shared,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      commandTimeout: SILENT_MS,
      // Otherwise commands to a hanging server would pile up until it answers.
      socketTimeout: SILENT_MS,
    }),
  )

  /** BullMQ duplicates the given connection for every worker. */
  function trackDuplicates(client: Redis): Redis {
    const duplicate = client.duplicate.bind(client)
    return Object.assign(track(client), {
      duplicate: (override?: Partial<RedisOptions>) => trackDuplicates(duplicate(override)),
    })
  }

  return {
    calls,
    forWork: () =>
      (work ??= trackDuplicates(
        new Redis(url, { ...shared, maxRetriesPerRequest: null, socketTimeout: WORK_SILENT_MS }),
      )),
    causeOf: (error) => (isAboutConnection(error) ? (lastError ?? error) : error),
    end() {
      for (const client of opened) client.disconnect()
    },
  }
}

const always = {
  connectTimeout: CONNECT_MS,
  keepAlive: KEEP_ALIVE_MS,
  retryStrategy: (times: number) => backOffMs(times, { from: RECONNECT_MS, max: RECONNECT_MS_MAX }, Math.random),
} satisfies RedisOptions
