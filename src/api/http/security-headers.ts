import type { RequestHandler } from 'express'
import helmet from 'helmet'
import type { ProviderWindows } from '../../payments/payment-provider.ts'

/** Case-insensitive, as Express's routes are. */
const DATA = /^\/api(?:\/|$)/i

/** React Router's own reading: any case, slashes more than once. */
const PAYMENT_PAGE = /^\/+order\/+[^/]+\/+payment\/*$/i

interface Options {
  readonly isSecure: boolean
  readonly windows: ProviderWindows
}

const noWindows: ProviderWindows = { hosts: [], hasInlineStyles: false }

/** Only the page of a payment may load what a provider's window needs. */
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

/** For API answers, which load nothing and are never framed: all that matters to them of what helmet sets. */
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
        // A provider's script may leave for its page by a form.
        formAction: ["'self'", ...hosts],
        frameAncestors: ["'none'"],
        ...(isSecure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    // An order's address grants access, so no other site may learn it. Cashfree checks the domain that opens its page.
    referrerPolicy: { policy: hosts.length === 0 ? 'no-referrer' : 'strict-origin' },
    strictTransportSecurity: isSecure,
    // A wallet's popup messages the page that opened it.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
  })
}
