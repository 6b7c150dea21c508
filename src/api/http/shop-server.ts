import { createServer, type RequestListener, type Server } from 'node:http'

/** Timeout for receiving a request; its headers have a shorter one. */
const REQUEST_MS = 30_000
const HEADERS_MS = 10_000
/** Interval of the check for these timeouts. */
const CHECK_MS = 5_000
const IDLE_MS = 65_000
const HEADER_BYTES_MAX = 16_384
const CONNECTIONS_MAX = 10_000

/** Bounded in time, size and number, as what stands in the open must be. */
export function shopServer(app: RequestListener): Server {
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
  return server
}
