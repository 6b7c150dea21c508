import { createServer, type RequestListener, type Server } from 'node:http'

/** Timeout for receiving a request; its headers have a shorter one. */
const REQUEST_MS = 30_000
const HEADERS_MS = 10_000
/** Interval of the check for these timeouts. */
const CHECK_MS = 5_000
const IDLE_MS = 65_000
const HEADER_BYTES_MAX = 16_384
const CONNECTIONS_MAX = 10_000
const RETRY_AFTER_S = 1

/** It may listen before there is a shop: until it is given one, it answers 503. */
export function shopServer(): Server {
  const server = createServer(
    {
      requestTimeout: REQUEST_MS,
      headersTimeout: HEADERS_MS,
      connectionsCheckingInterval: CHECK_MS,
      keepAliveTimeout: IDLE_MS,
      maxHeaderSize: HEADER_BYTES_MAX,
    },
    starting,
  )
  server.maxConnections = CONNECTIONS_MAX
  return server
}

/** From now on this answers. */
export function giveTo(server: Server, app: RequestListener): void {
  server.removeListener('request', starting).on('request', app)
}

const starting: RequestListener = (_request, response) => {
  const code = 'shop/starting'
  const problem = { type: `urn:coinshop:${code}`, title: 'Service Unavailable', status: 503, code }
  response
    .writeHead(503, {
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      'Retry-After': RETRY_AFTER_S,
    })
    .end(JSON.stringify({ ...problem, message: 'The shop is starting. Please try again in a moment.' }))
}
