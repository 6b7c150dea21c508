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
  return helmet({
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
  })
}
