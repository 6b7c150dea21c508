import type { RequestHandler } from 'express'
import helmet from 'helmet'
import type { ProviderWindows } from '../../payments/payment-provider.ts'

/** Case-insensitive, as Express's routes are. */
const DATA = /^\/api(?:\/|$)/i

/** Matches as React Router does: any case, repeated slashes. */
const PAYMENT_PAGE = /^\/+order\/+[^/]+\/+payment\/*$/i

interface Options {
  readonly isSecure: boolean
  readonly windows: ProviderWindows
}

const noWindows: ProviderWindows = { hosts: [], hasInlineStyles: false }

/** Only the payment page may load what a provider's window needs. */
export function securityHeaders({ isSecure, windows }: Options): RequestHandler {
  const page = pageHeaders({ isSecure, windows: noWindows })
  const paymentPage = pageHeaders({ isSecure, windows })
  const data = Object.entries(dataHeaders(isSecure))
  return (request, response, next) => {
    const { path } = request
    if (!DATA.test(path)) {
      ;(PAYMENT_PAGE.test(path) ? paymentPage : page)(request, response, next)
      return
    }
    for (const [name, value] of data) response.setHeader(name, value)
    next()
  }
}

/** For API responses, which load nothing and are never framed: the relevant part of helmet's headers. */
function dataHeaders(isSecure: boolean): Readonly<Record<string, string>> {
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

function pageHeaders({ isSecure, windows: { hosts, hasInlineStyles } }: Options): ReturnType<typeof helmet> {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...hosts],
        styleSrc: ["'self'", ...(hasInlineStyles ? ["'unsafe-inline'", ...hosts] : [])],
        imgSrc: ["'self'", 'data:', ...hosts],
        connectSrc: ["'self'", ...hosts],
        frameSrc: hosts.length === 0 ? ["'none'"] : [...hosts],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        // A provider's script may submit a form to its own page.
        formAction: ["'self'", ...hosts],
        frameAncestors: ["'none'"],
        ...(isSecure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    // An order's URL grants access, so other sites see at most the origin, which Cashfree checks.
    referrerPolicy: { policy: hosts.length === 0 ? 'no-referrer' : 'strict-origin' },
    strictTransportSecurity: isSecure,
    // A wallet's popup messages the page that opened it.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
  })
}
