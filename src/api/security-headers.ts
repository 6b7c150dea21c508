import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { RequestHandler } from 'express'
import helmet from 'helmet'

/** What a browser may load and do on the shop's pages. Made once; the same for every answer. */
export function securityHeaders({
  isSecure,
  scriptHosts,
}: {
  isSecure: boolean
  scriptHosts: readonly string[]
}): RequestHandler {
  const hosts = [...scriptHosts]
  const headers = headersOf(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          scriptSrc: ["'self'", ...hosts],
          styleSrc: ["'self'"],
          // A product's picture may lie anywhere.
          imgSrc: ["'self'", 'https:', 'data:'],
          connectSrc: ["'self'", ...hosts],
          frameSrc: hosts.length === 0 ? ["'none'"] : hosts,
          objectSrc: ["'none'"],
          baseUri: ["'none'"],
          formAction: ["'self'"],
          frameAncestors: ["'none'"],
          ...(isSecure ? { upgradeInsecureRequests: [] } : {}),
        },
      },
      // An order's address is its key: it is told to nobody.
      referrerPolicy: { policy: 'no-referrer' },
      strictTransportSecurity: isSecure,
      // A wallet's window talks to the page that opened it.
      crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    }),
  )
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value)
    next()
  }
}

/** What a middleware that looks at no request sets. */
function headersOf(middleware: ReturnType<typeof helmet>): [name: string, value: string][] {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  middleware(request, response, (error) => {
    if (error !== undefined) throw new TypeError('the security headers could not be made', { cause: error })
  })
  return Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)])
}
