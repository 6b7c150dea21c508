import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { RequestHandler } from 'express'
import helmet from 'helmet'

/** As Express finds its routes: in any case. */
const DATA = /^\/api(?:\/|$)/i

interface Options {
  readonly isSecure: boolean
  readonly scriptHosts: readonly string[]
}

/** What a browser may load and do on the shop's pages, and with its data. Made once; the same for every answer of either kind. */
export function securityHeaders(options: Options): RequestHandler {
  const page = pageHeaders(options)
  const data = dataHeaders(options)
  return ({ path }, response, next) => {
    for (const [name, value] of DATA.test(path) ? data : page) response.setHeader(name, value)
    next()
  }
}

/** Nothing is ever loaded by it, shown in a frame, kept or found: the rest of what pages need would say nothing here. */
function dataHeaders({ isSecure }: Options): [name: string, value: string][] {
  const headers = headersOf(
    helmet({
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
    }),
  )
  return [...headers, ['Cache-Control', 'no-store'], ['X-Robots-Tag', 'noindex']]
}

function pageHeaders({ isSecure, scriptHosts }: Options): [name: string, value: string][] {
  const hosts = [...scriptHosts]
  return headersOf(
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
