import { hash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import type { Request, RequestHandler, Response } from 'express'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}
/** Everything is kept in memory: a build is far smaller than this. */
const BUILD_BYTES_MAX = 50_000_000
const ORDER_PAGES = /^\/(order|checkout)(\/|$)/
/** What looks like an id there, unless the id was left out: `/order/payment`. */
const ORDER_ID = /^\/(order|checkout)\/(?!payment(?:-method)?\/?$)[^/]+/
/** Letters, digits and dashes alone: the id becomes a part of a header. */
const PAGE_OF_ORDER = /^\/(?:order|checkout)\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:\/|$)/
const SCREENS = '/screens/'
const ROBOTS =
  'User-agent: *\nDisallow: /api/\nDisallow: /admin\nDisallow: /order/\nDisallow: /pay/\nDisallow: /checkout/\n'

interface WebFile {
  readonly type: string
  readonly etag: string
  readonly plain: Buffer
  readonly br: Buffer | undefined
  readonly gzip: Buffer | undefined
  readonly isForEver: boolean
}

/** The built browser part, from memory; every address that is no file is one of its screens. */
export function webFiles(folder: string | undefined, shopName: string): RequestHandler {
  const files = folder === undefined ? new Map<string, WebFile>() : filesIn(folder)
  const index = files.get('/index.html')
  const screens = screensAmong(files)
  if (!files.has('/robots.txt')) files.set('/robots.txt', madeHere('.txt', ROBOTS))
  const page = index ?? madeHere('.html', plainPage(shopName))

  return (request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const file = isRead ? files.get(request.path) : undefined
    if (file) {
      send(request, response, file)
      return
    }
    const isScreen = isRead && isNavigation(request) && (index !== undefined || request.path === '/')
    if (!isScreen) {
      response
        .status(isRead ? 404 : 405)
        .type('text/plain')
        .send(isRead ? 'Not found\n' : 'Only GET\n')
      return
    }
    if (ORDER_PAGES.test(request.path)) response.set('X-Robots-Tag', 'noindex')
    const orderId = PAGE_OF_ORDER.exec(request.path)?.[1]
    // What the page is about is on its way before any script has come. It must be asked for exactly as the script does.
    if (orderId !== undefined)
      response.set('Link', `</api/orders/${orderId}>; rel=preload; as=fetch; crossorigin=use-credentials`)
    // What follows the question mark may ask for another first picture than the one that was made.
    send(request, response, (request.url.includes('?') ? undefined : screens.get(screenOf(request.path))) ?? page)
  }
}

/** Pages made for one screen each; they have no address of their own. */
function screensAmong(files: Map<string, WebFile>): Map<string, WebFile> {
  const screens = new Map<string, WebFile>()
  for (const [path, file] of files) {
    if (!path.startsWith(SCREENS)) continue
    files.delete(path)
    screens.set(path, file)
  }
  return screens
}

/** `_` stands for an order's id. */
function screenOf(path: string): string {
  return path === '/' ? `${SCREENS}index.html` : `${SCREENS.slice(0, -1)}${path.replace(ORDER_ID, '/$1/_')}.html`
}

/** A browser that opens an address, not a script or picture that is missing. */
function isNavigation(request: Request): boolean {
  if (request.path.startsWith('/assets/')) return false
  return request.path === '/' || request.accepts(['json', 'html']) === 'html'
}

function send(request: Request, response: Response, file: WebFile): void {
  response.set({
    'Cache-Control': file.isForEver ? 'public, max-age=31536000, immutable' : 'no-cache',
    ETag: file.etag,
    Vary: 'Accept-Encoding',
    'Content-Type': file.type,
  })
  if (request.fresh) {
    response.status(304).end()
    return
  }
  const encoding = request.acceptsEncodings(...(file.br ? ['br'] : []), ...(file.gzip ? ['gzip'] : []), 'identity')
  const body = (encoding === 'br' && file.br) || (encoding === 'gzip' && file.gzip) || file.plain
  if (body !== file.plain) response.set('Content-Encoding', String(encoding))
  response.set('Content-Length', String(body.length))
  response.end(request.method === 'HEAD' ? undefined : body)
}

function filesIn(folder: string): Map<string, WebFile> {
  const read = new Map<string, Buffer>()
  let bytes = 0
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name)
    if (name.startsWith('.') || !statSync(path).isFile()) continue
    const content = readFileSync(path)
    bytes += content.length
    if (bytes > BUILD_BYTES_MAX) throw new RangeError(`${folder} is too large to be the build of the shop`)
    read.set(`/${name.split(sep).join('/')}`, content)
  }
  const files = new Map<string, WebFile>()
  for (const [path, plain] of read) {
    const type = types[extname(path)]
    if (type === undefined) continue
    const isForEver = path.startsWith('/assets/')
    files.set(path, {
      type,
      etag: etagOf(plain),
      plain,
      br: read.get(`${path}.br`),
      gzip: read.get(`${path}.gz`),
      isForEver,
    })
  }
  return files
}

function madeHere(extension: string, text: string): WebFile {
  const plain = Buffer.from(text)
  const type = types[extension] ?? 'text/plain'
  return { type, etag: etagOf(plain), plain, br: undefined, gzip: undefined, isForEver: false }
}

function etagOf(content: Buffer): string {
  return `"${hash('sha256', content, 'base64url').slice(0, 22)}"`
}

function plainPage(shopName: string): string {
  const name = shopName.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${name}</title><h1>${name}</h1>
<p>The API of this shop runs here; its pages have not been built. See <a href="/api/openapi.json">what it can be asked</a>.</p></html>
`
}
