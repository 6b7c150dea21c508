import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Timeout for receiving a whole request. */
const REQUEST_MS = 30_000
const HEADERS_MS = 10_000
/** How often the server looks for connections past these timeouts. */
const CHECK_MS = 5_000
const IDLE_MS = 65_000
const HEADER_BYTES_MAX = 16_384
const CONNECTIONS_MAX = 10_000

export interface ShopServer {
  readonly server: Server
  /** Resolves with the port once it listens; rejects if it cannot. */
  listen(port: number, host: string): Promise<number>
  /** Stops accepting connections. Cuts busy ones off after `graceMs`. */
  close(graceMs?: number): Promise<void>
}

/** A server with timeouts and size limits, since strangers can reach it. */
export function shopServer(app: RequestListener): ShopServer {
  const server = createServer(
    {
      requestTimeout: REQUEST_MS,
      headersTimeout: HEADERS_MS,
      connectionsCheckingInterval: CHECK_MS,
      keepAliveTimeout: IDLE_MS,
      maxHeaderSize: HEADER_BYTES_MAX,
    },
    app,
  )
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
