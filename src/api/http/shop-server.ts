import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { networksOf } from '../auth/networks.ts'
import type { Limit } from '../auth/limit.ts'

/** Timeout for receiving a whole request. */
const REQUEST_MS = 30_000
const HEADERS_MS = 10_000
/** How often the server looks for connections past these timeouts. */
const CHECK_MS = 5_000
const IDLE_MS = 65_000
const HEADER_BYTES_MAX = 16_384
const CONNECTIONS_MAX = 10_000
/** A connection on which nothing was sent or received for this long is closed, unless its request is still being worked on. */
const STALLED_MS = 60_000

export interface ShopServer {
  readonly server: Server
  /** Resolves with the port once it listens; rejects if it cannot. */
  listen(port: number, host: string): Promise<number>
  /** Stops accepting connections. Cuts busy ones off after `graceMs`. */
  close(graceMs?: number): Promise<void>
}

interface ShopServerOptions {
  /** Counts the connections of each network. Not for trusted proxies, whose connections carry many callers. */
  readonly connectionLimit?: Limit | undefined
  readonly isTrustedProxy?: (address: string) => boolean
  readonly stalledMs?: number
}

/** A server with timeouts and size limits, since strangers can reach it. */
export function shopServer(
  app: RequestListener,
  { connectionLimit, isTrustedProxy, stalledMs = STALLED_MS }: ShopServerOptions = {},
): ShopServer {
  const lastResponses = new WeakMap<Socket, ServerResponse>()
  /** Its last response has not closed. */
  const isAnswering = (socket: Socket): boolean => lastResponses.get(socket)?.closed === false
  const server = createServer(
    {
      requestTimeout: REQUEST_MS,
      headersTimeout: HEADERS_MS,
      connectionsCheckingInterval: CHECK_MS,
      keepAliveTimeout: IDLE_MS,
      maxHeaderSize: HEADER_BYTES_MAX,
    },
    (request, response) => {
      const { socket } = request
      // No browser or proxy pipelines. A queued response has no socket yet, so its file would stay open when the socket closes.
      if (isAnswering(socket)) {
        socket.destroy()
        return
      }
      lastResponses.set(socket, response)
      app(request, response)
    },
  )
  server.timeout = stalledMs
  server.on('timeout', (socket) => {
    if (!isAnswering(socket) || socket.writableLength > 0) socket.destroy()
  })
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? ''
    if (connectionLimit && isTrustedProxy?.(address) !== true) void limitConnection(connectionLimit, socket, address)
  })
  server.maxConnections = CONNECTIONS_MAX
  return {
    server,
    async listen(port, host) {
      server.listen(port, host)
      await once(server, 'listening')
      return (server.address() as AddressInfo).port
    },
    async close(graceMs = 0) {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeIdleConnections()
      const timer = setTimeout(() => server.closeAllConnections(), graceMs)
      await closed
      clearTimeout(timer)
    },
  }
}

async function limitConnection(limit: Limit, socket: Socket, address: string): Promise<void> {
  const taken = await limit.take(networksOf(address))
  if (typeof taken === 'number') socket.destroy()
  else if (socket.closed) await taken.giveBack()
  else socket.once('close', () => void taken.giveBack())
}
