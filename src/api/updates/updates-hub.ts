import type { Response } from 'express'
import { Limit, memoryLimiter, type Taken } from '../auth/limit.ts'
import { RequestError } from '../http/errors.ts'

const HEARTBEAT_MS = 15_000
const CONNECTIONS_MAX = 5_000
const PER_NETWORK_MAX = 100
/** Minimum interval of shared topics, since each message makes every screen fetch again. */
const SHARED_EVERY_MS = 1_000
/** Buffered bytes after which a slow connection is dropped; its browser reconnects. */
const UNSENT_BYTES_MAX = 65_536

/** The screen asks at once, instead of after its browser's pause before it reconnects. */
const SESSION_OVER = 'event: session-over\ndata: {}\n\n'

interface Subscriber {
  /** The caller's networks, narrowest first. */
  readonly networks: readonly string[]
  readonly topics: ReadonlySet<string>
  /** False ends the connection, once the session that it needs is over. */
  readonly isSessionOpen: () => boolean
}

export type UpdatesHub = ReturnType<typeof updatesHub>

/** Open push connections of this process. */
export function updatesHub() {
  const connections = new Map<Response, Subscriber & Pick<Taken, 'giveBack'>>()
  const places = new Limit(memoryLimiter, { name: 'pages', max: PER_NETWORK_MAX, windowS: 0 })
  /** Shared topics sent recently, with the position to send next. */
  const throttled = new Map<string, { next: string | undefined; readonly timer: NodeJS.Timeout }>()
  let isClosed = false

  const drop = (response: Response, farewell?: string): void => {
    const listener = connections.get(response)
    if (!listener) return
    connections.delete(response)
    void listener.giveBack()
    response.end(farewell)
  }
  const write = (response: Response, text: string): void => {
    if (response.writableLength > UNSENT_BYTES_MAX) {
      drop(response)
      response.destroy()
    } else response.write(text)
  }
  const send = (topic: string, position: string): void => {
    const text = `data: ${JSON.stringify({ topic, position })}\n\n`
    for (const [response, { topics }] of connections) if (topics.has(topic)) write(response, text)
  }
  const dropExpired = (): void => {
    for (const [response, listener] of connections) if (!listener.isSessionOpen()) drop(response, SESSION_OVER)
  }
  const sendAndThrottle = (topic: string, position: string): void => {
    send(topic, position)
    const timer = setTimeout(() => {
      const next = throttled.get(topic)?.next
      throttled.delete(topic)
      if (next !== undefined) sendAndThrottle(topic, next)
    }, SHARED_EVERY_MS).unref()
    throttled.set(topic, { next: undefined, timer })
  }
  const heartbeat = setInterval(() => {
    dropExpired()
    for (const response of connections.keys()) write(response, ': still here\n\n')
  }, HEARTBEAT_MS).unref()

  return {
    async open(response: Response, listener: Subscriber): Promise<void> {
      const taken = await places.take(listener.networks)
      if (typeof taken === 'number') throw tooMany()
      // 'close' was already emitted, so nothing would drop it later.
      if (response.closed) return taken.giveBack()
      if (isClosed || connections.size >= CONNECTIONS_MAX) {
        await taken.giveBack()
        throw tooMany()
      }
      beginStream(response)
      response.on('close', () => drop(response))
      connections.set(response, { ...listener, giveBack: taken.giveBack })
      write(response, 'retry: 3000\n\n')
    },
    /** Something under this topic changed, up to this position. */
    publish(topic: string, position: string): void {
      if (connections.size === 0) return
      const recent = throttled.get(topic)
      if (topic.startsWith('order:')) send(topic, position)
      else if (recent) recent.next = position
      else sendAndThrottle(topic, position)
    },
    /** Drops connections whose session is over. */
    dropExpired,
    get size(): number {
      return connections.size
    },
    close(): void {
      isClosed = true
      clearInterval(heartbeat)
      for (const { timer } of throttled.values()) clearTimeout(timer)
      for (const response of connections.keys()) drop(response)
    },
  }
}

function tooMany(): RequestError {
  const message = 'Too many live connections from your network. This page refreshes every few seconds instead.'
  return new RequestError('request/too-many-connections', message, { retryAfterS: 60 })
}

function beginStream(response: Response): void {
  response.status(200).set({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'X-Accel-Buffering': 'no',
    Connection: 'keep-alive',
  })
  response.flushHeaders()
}
