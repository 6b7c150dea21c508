import { join, sep } from 'node:path'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import expressStaticGzip from 'express-static-gzip'

const INDEX = '/index.html'
const ORDER_PAGES = /^\/(order|checkout)(\/|$)/
/** An order id in a path, but not a screen name where the id is missing: `/order/payment`. */
const ORDER_ID = /^\/(order|checkout)\/(?!payment(?:-method)?\/?$)[^/]+/
/** Only letters, digits and dashes, since the id becomes part of a header. */
const PAGE_OF_ORDER = /^\/(?:order|checkout)\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:\/|$)/
/** Prerendered pages and precompressed copies are never served under their file names. */
const WITHOUT_ADDRESS = /^\/screens\/|\.(?:br|gz)$/
const ROBOTS =
  'User-agent: *\nDisallow: /api/\nDisallow: /admin\nDisallow: /order/\nDisallow: /pay/\nDisallow: /checkout/\n'

/** The built screens, precompressed; every address that is no file is a screen. */
export function webFiles(folder: string | undefined, shopName: string): Router {
  const router = Router({ caseSensitive: true, strict: true })
  router.use((request, response, next) => {
    if (request.method === 'GET' || request.method === 'HEAD') next()
    else response.status(405).type('text/plain').send('Only GET\n')
  })
  const files = folder === undefined ? undefined : filesIn(folder)
  if (files)
    router.use((request, response, next) => {
      if (WITHOUT_ADDRESS.test(request.path)) next()
      else files(request, response, next)
    })
  router.get('/robots.txt', (_request, response) => sendText(response, 'text/plain', ROBOTS))
  if (files) router.use(screens(files))
  const page = plainPage(shopName)
  router.get('/', (_request, response) => sendText(response, 'text/html', page))
  router.use((_request, response) => void response.status(404).type('text/plain').send('Not found\n'))
  return router
}

function filesIn(folder: string): RequestHandler {
  return expressStaticGzip(folder, {
    index: false,
    enableBrotli: true,
    orderPreference: ['br', 'gzip'],
    serveStatic: {
      redirect: false,
      acceptRanges: false,
      cacheControl: false,
      setHeaders(response, file) {
        const isForEver = file.startsWith(join(folder, 'assets', sep))
        response.setHeader('Cache-Control', isForEver ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    },
  }) as RequestHandler
}

/** Answers a navigation with the page made for that screen, or the general one. */
function screens(files: RequestHandler): RequestHandler {
  return (request, response, next) => {
    const { path, url } = request
    if (!isNavigation(request)) {
      next()
      return
    }
    if (ORDER_PAGES.test(path)) response.set('X-Robots-Tag', 'noindex')
    const orderId = PAGE_OF_ORDER.exec(path)?.[1]
    // Preloads the order before any script runs. The request must be exactly the script's own.
    if (orderId !== undefined)
      response.set('Link', `</api/orders/${orderId}>; rel=preload; as=fetch; crossorigin=use-credentials`)
    // Pages are prerendered without a query.
    request.url = url.includes('?') ? INDEX : screenOf(path)
    void files(request, response, (error?: unknown) => {
      request.url = INDEX
      if (error === undefined) void files(request, response, next)
      else next(error)
    })
  }
}

/** `_` stands for an order's id. */
function screenOf(path: string): string {
  return path === '/' ? '/screens/index.html' : `/screens${path.replace(ORDER_ID, '/$1/_')}.html`
}

/** A navigation, not a missing script or picture. */
function isNavigation(request: Request): boolean {
  if (request.path.startsWith('/assets/')) return false
  return request.path === '/' || request.accepts(['json', 'html']) === 'html'
}

function sendText(response: Response, type: string, text: string): void {
  response.set('Cache-Control', 'no-cache').type(type).send(text)
}

function plainPage(shopName: string): string {
  const name = shopName.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${name}</title><h1>${name}</h1>
<p>The API of this shop runs here; its pages have not been built. See <a href="/api/openapi.json">what it can be asked</a>.</p></html>
`
}
