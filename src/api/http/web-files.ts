import { hash } from 'node:crypto'
import { statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, posix, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { type Request, type RequestHandler, Router } from 'express'
import expressStaticGzip from 'express-static-gzip'
import { html } from '../../words/html-text.ts'
import { frameAt, frames, orderAt } from '../contract/frames.ts'
import { PAGE_MARK } from '../contract/shop-words.ts'

/** The page without a screen in it. */
const INDEX = 'index.html'
/** Case-insensitive, as the screens' routes are. */
const ORDER_PAGES = /^\/(order|checkout)(\/|$)/i
/** Files that are never served under their own names. */
const HIDDEN_FILES = /\.(?:html|br|gz)$/

interface Texts {
  /** For the marks of the pages. */
  readonly words: () => Readonly<Record<string, string>>
  /** Rises when a word may have changed. */
  readonly revision: () => number
}

/** Serves the built files, precompressed; every address without a file is a screen, with the shop's own words in its page. */
export function webFiles(folder: string | undefined, texts: Texts): Router {
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
    router.use(screens(folder, texts))
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

/** Serves every navigation the page that renders the screen of its URL, with the screen's frame in it if the build has one. */
function screens(folder: string, texts: Texts): RequestHandler {
  const index = pageOf(join(folder, INDEX), texts)
  const framed = new Map(Object.keys(frames).map((name) => [name, pageOf(join(folder, `${name}.html`), texts)]))
  return async (request, response, next) => {
    const path = plainPath(request)
    const frame = frameAt(path, request.url.includes('?'))
    const page = isNavigation(request, path) ? ((await framed.get(frame ?? '')?.()) ?? (await index())) : undefined
    if (page === undefined) {
      next()
      return
    }
    if (ORDER_PAGES.test(path)) response.set('X-Robots-Tag', 'noindex')
    const orderId = frame === undefined ? undefined : orderAt(path)
    // The call that the screen makes first, so that it does not wait for the scripts.
    if (orderId !== undefined)
      response.set('Link', `</api/orders/${orderId}>; rel=preload; as=fetch; crossorigin=use-credentials`)
    const { tag, body } = page
    const encoding = encodings.find((name) => request.acceptsEncodings(name) !== false)
    if (encoding !== undefined) response.set('Content-Encoding', encoding)
    response
      .set({ 'Cache-Control': 'no-cache', ETag: `"${tag}-${encoding ?? 'plain'}"`, Vary: 'Accept-Encoding' })
      .type('html')
      .send(body[encoding ?? 'plain'])
  }
}

/** Preferred first. */
const encodings = ['br', 'gzip'] as const

interface Page {
  /** Of the build, its words and their revision: the same in every process. */
  readonly tag: string
  readonly body: Readonly<Record<(typeof encodings)[number] | 'plain', Buffer>>
}

/** Returns the page with the words of now, made once per build and revision; undefined without a build. */
function pageOf(file: string, { words, revision }: Texts): () => Promise<Page | undefined> {
  let made: { readonly of: string; readonly page: Promise<Page> } | undefined
  return async () => {
    const now = revision()
    const builtAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs
    if (builtAt === undefined) return undefined
    const of = `${builtAt} ${now}`
    if (made?.of !== of) {
      const page = filledPage(file, words(), now)
      made = { of, page }
      // Another request tries again.
      page.catch(() => (made = undefined))
    }
    return made.page
  }
}

async function filledPage(file: string, words: ReturnType<Texts['words']>, revision: number): Promise<Page> {
  const plain = Buffer.from(withWords(await readFile(file, 'utf8'), words))
  const [br, gz] = await Promise.all([promisify(brotliCompress)(plain), promisify(gzip)(plain, { level: 9 })])
  return { tag: `${hash('sha256', plain, 'base64url')}.${revision}`, body: { br, gzip: gz, plain } }
}

/** Replaces the marks by the words, escaped for texts and attributes. */
function withWords(built: string, words: Readonly<Record<string, string>>): string {
  return built.replaceAll(PAGE_MARK, (mark, word: string) => html(words[word] ?? mark))
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
