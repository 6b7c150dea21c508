import type { RequestHandler } from 'express'
import helmet from 'helmet'

/** Case-insensitive, as Express's routes are. */
const DATA = /^\/api(?:\/|$)/i

interface Options {
  readonly isSecure: boolean
  readonly scriptHosts: readonly string[]
}

export function securityHeaders(options: Options): RequestHandler {
  const page = pageHeaders(options)
  const data = Object.entries(dataHeaders(options))
  return (request, response, next) => {
    if (!DATA.test(request.path)) {
      page(request, response, next)
      return
    }
    for (const [name, value] of data) response.setHeader(name, value)
    next()
  }
}

/** For API answers, which load nothing and are never framed: all that matters to them of what helmet sets. */
function dataHeaders({ isSecure }: Options): Readonly<Record<string, string>> {
  return {
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex',
    'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    ...(isSecure && { 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }),
  }
}

function pageHeaders({ isSecure, scriptHosts }: Options): ReturnType<typeof helmet> {
  const hosts = [...scriptHosts]
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...hosts],
        styleSrc: ["'self'"],
        // A wallet's script shows pictures of hosts of its own.
        imgSrc: ["'self'", 'data:', ...(hosts.length === 0 ? [] : ['https:'])],
        connectSrc: ["'self'", ...hosts],
        frameSrc: hosts.length === 0 ? ["'none'"] : hosts,
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        // A provider's script may leave for its page by a form.
        formAction: ["'self'", ...hosts],
        frameAncestors: ["'none'"],
        ...(isSecure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    // An order's address grants access, so no other site may learn it.
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: isSecure,
    // A wallet's popup messages the page that opened it.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
  })
}
