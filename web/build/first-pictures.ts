import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import react from '@vitejs/plugin-react'
import { createServer, type Plugin } from 'vite'

const SHOP = '/api/shop'
const PRICING = '/api/pricing'
const SETTINGS = '/api/payment-settings'
const PRODUCTS = '/api/products'

interface Screen {
  /** `_` stands for an order's id: the prerendered page must not depend on it. */
  readonly address: string
  readonly module: string
  /** Preloaded API answers, besides the order's own. */
  readonly asks: readonly string[]
}

const screens: readonly Screen[] = [
  { address: '/', module: 'src/routes/landing.tsx', asks: [SHOP, PRICING, SETTINGS, PRODUCTS] },
  { address: '/purchase', module: 'src/routes/purchase.tsx', asks: [SHOP, PRICING, SETTINGS] },
  { address: '/checkout/_', module: 'src/routes/order.tsx', asks: [SHOP] },
  { address: '/order/_', module: 'src/routes/order.tsx', asks: [SHOP] },
  { address: '/order/_/payment-method', module: 'src/routes/order.tsx', asks: [SHOP, SETTINGS] },
  { address: '/order/_/payment', module: 'src/routes/order.tsx', asks: [SHOP, SETTINGS] },
  { address: '/order/_/confirm', module: 'src/routes/order.tsx', asks: [SHOP] },
]

type Chunks = Readonly<Record<string, { type: string; facadeModuleId?: string | null; imports?: readonly string[] }>>

/** A frame begins only once the styles are there; the task after it runs when that frame is painted. */
const AFTER_PAINT = `requestAnimationFrame(() =>
  setTimeout(() => document.head.append(document.getElementById('after-paint').content)),
)
`

/**
 * Writes `screens/<address>.html`: the page with what this screen needs asked for at once, and with its first
 * picture, made from the components themselves.
 */
export function firstPictures(): Plugin {
  let root = ''
  let afterPaint = ''
  return {
    name: 'first-pictures',
    apply: 'build',
    buildStart() {
      afterPaint = this.emitFile({ type: 'asset', name: 'after-paint.js', source: AFTER_PAINT })
    },
    configResolved: (config) => {
      root = config.root
    },
    async writeBundle({ dir = '' }, bundle) {
      const page = await readFile(join(dir, 'index.html'), 'utf8')
      const pictures = await picturesOf(root)
      for (const { address, module, asks } of screens) {
        const scripts = scriptsOf(join(root, module), bundle as Chunks)
          .filter((file) => !page.includes(file))
          .map((file) => `    <link rel="modulepreload" crossorigin href="/${file}">\n`)
        const links = [...asks.map(answerLink), ...scripts].join('')
        const picture = withPicture(page.replace('  </head>', `${links}  </head>`), pictures.get(address) ?? '')
        const html = address === '/' ? startedAfterPaint(picture, `/${this.getFileName(afterPaint)}`) : picture
        const file = join(dir, 'screens', address === '/' ? 'index.html' : `${address}.html`)
        await mkdir(dirname(file), { recursive: true })
        await writeFile(file, html)
      }
    },
  }
}

/** The browser uses a preload only for an identical request. */
function answerLink(path: string): string {
  return `    <link rel="preload" as="fetch" crossorigin="use-credentials" href="${path}">\n`
}

/** The page is visible without scripts, so styles and fonts load first. */
function withPicture(page: string, picture: string): string {
  return page
    .replaceAll(/<(?:script type="module"|link rel="modulepreload")/g, '$& fetchpriority="low"')
    .replace('<div id="root"></div>', () => `<div id="root">${picture}</div>`)
}

/**
 * The landing page is read before it is used: only its largest script is loaded beside the text, all other loads begin once it is painted (decision 39).
 * Expects each script and preload in a line of its own, the entry first, as Vite writes them.
 */
function startedAfterPaint(page: string, loader: string): string {
  const loads = /^ *<(?:script type="module"|link rel="modulepreload"|link rel="preload" as="fetch").*\n/gm
  const later = page.match(loads) ?? []
  const entry = / src="([^"]+)"/.exec(later[0] ?? '')?.[1]
  if (entry === undefined) throw new Error('The page does not begin with the entry script.')
  const links = [
    `    <script async src="${loader}"></script>\n`,
    `    <link rel="modulepreload" fetchpriority="low" crossorigin href="${entry}">\n`,
    `    <template id="after-paint">\n${later.join('')}    </template>\n`,
  ]
  return page.replaceAll(loads, '').replace('    <link rel="stylesheet"', (link) => `${links.join('')}${link}`)
}

/** A module's own chunk and all that it imports. */
function scriptsOf(module: string, bundle: Chunks): string[] {
  const found = new Set<string>()
  const visit = (file: string) => {
    if (found.has(file)) return
    found.add(file)
    for (const imported of bundle[file]?.imports ?? []) visit(imported)
  }
  const entry = Object.keys(bundle).find((file) => bundle[file]?.facadeModuleId === module)
  if (entry === undefined) throw new Error(`The build has no ${module}.`)
  visit(entry)
  return [...found]
}

async function picturesOf(root: string): Promise<Map<string, string>> {
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    plugins: [react()],
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  })
  try {
    const { firstPicture } = (await server.ssrLoadModule('/src/first-picture.tsx')) as {
      firstPicture: (address: string) => Promise<string>
    }
    const pictures = new Map<string, string>()
    for (const { address } of screens) {
      const html = await firstPicture(address)
      // The content security policy blocks both.
      if (/<script|\sstyle=/.test(html))
        throw new Error(`The first picture of ${address} has a script or a style in it.`)
      pictures.set(address, html)
    }
    return pictures
  } finally {
    await server.close()
  }
}
