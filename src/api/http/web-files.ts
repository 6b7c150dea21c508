import { join, posix, sep } from 'node:path'
import { type Request, type RequestHandler, Router } from 'express'
import expressStaticGzip from 'express-static-gzip'

const INDEX = '/index.html'
/** The same page with the landing screen prerendered. */
const LANDING = '/landing.html'
/** Case-insensitive, as the screens' routes are. */
const ORDER_PAGES = /^\/(order|checkout)(\/|$)/i
/** Files that are never served under their own names. */
const HIDDEN_FILES = /^\/landing\.html$|\.(?:br|gz)$/

/** Serves the built screens, precompressed; every address without a file is a screen. */
export function webFiles(folder: string | undefined): Router {
  const router = Router({ caseSensitive: true, strict: true })
  router.use((request, response, next) => {
    if (request.method === 'GET' || request.method === 'HEAD') next()
    else response.status(405).type('text/plain').send('Only GET\n')
  })
  if (folder !== undefined) {
    const files = filesIn(folder)
    router.use((request, response, next) => {
      if (HIDDEN_FILES.test(plainPath(request))) next()
      else files(request, response, next)
    })
    router.use(screens(files))
  }
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
        const isImmutable = file.startsWith(join(folder, 'assets', sep))
        response.setHeader('Cache-Control', isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    },
  }) as RequestHandler
}

/** Serves the same page to every navigation; the page renders the screen of its URL. `/` gets the prerendered landing page. */
function screens(files: RequestHandler): RequestHandler {
  return (request, response, next) => {
    const path = plainPath(request)
    if (!isNavigation(request, path)) {
      next()
      return
    }
    if (ORDER_PAGES.test(path)) response.set('X-Robots-Tag', 'noindex')
    request.url = path === '/' ? LANDING : INDEX
    void files(request, response, next)
  }
}

/** A navigation, not a missing script or picture. */
function isNavigation(request: Request, path: string): boolean {
  if (path.startsWith('/assets/')) return false
  return path === '/' || request.accepts(['json', 'html']) === 'html'
}

/** The path as the file server resolves it, so that each rule here covers every spelling. Throws `URIError` if it cannot be decoded. */
function plainPath({ path }: Request): string {
  return posix.normalize(decodeURIComponent(path))
}
