import type { RequestHandler } from 'express'
import helmet from 'helmet'

/** As Express finds its routes: in any case. */
const DATA = /^\/api(?:\/|$)/i

interface Options {
  readonly isSecure: boolean
  readonly scriptHosts: readonly string[]
}

/** What a browser may load and do on the shop's pages, and with its data. */
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

/** Data loads nothing and is shown in no frame; headers that only matter to pages are left out. */
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
    // An order's address is its key: no other site may learn it.
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: isSecure,
    // A wallet's window talks to the page that opened it.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
  })
}
