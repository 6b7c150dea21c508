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
  const data = dataHeaders(options)
  return (request, response, next) => {
    if (!DATA.test(request.path)) {
      page(request, response, next)
      return
    }
    response.setHeader('Cache-Control', 'no-store')
    response.setHeader('X-Robots-Tag', 'noindex')
    data(request, response, next)
  }
}

/** For API answers, which load nothing and are never framed; headers that only matter to pages are left out. */
function dataHeaders({ isSecure }: Options): ReturnType<typeof helmet> {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: isSecure,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  })
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
        // A product's picture may be on any host.
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
    // An order's address grants access, so no other site may learn it.
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: isSecure,
    // A wallet's popup messages the page that opened it.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
  })
}
