import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import react from '@vitejs/plugin-react'
import { createServer, type Plugin } from 'vite'

interface Screen {
  readonly address: string
  readonly module: string
  /** Its first picture depends on the address alone, and stands in the page before any script has run. */
  readonly hasPicture: boolean
}

/** `_` stands for an order's id. */
const screens: readonly Screen[] = [
  { address: '/', module: 'src/routes/landing.tsx', hasPicture: true },
  { address: '/purchase', module: 'src/routes/purchase.tsx', hasPicture: true },
  { address: '/checkout/_', module: 'src/routes/checkout.tsx', hasPicture: false },
  { address: '/order/_', module: 'src/routes/order-status.tsx', hasPicture: false },
  { address: '/order/_/payment-method', module: 'src/routes/payment-method.tsx', hasPicture: false },
  { address: '/order/_/payment', module: 'src/routes/payment.tsx', hasPicture: false },
  { address: '/order/_/confirm', module: 'src/routes/confirm.tsx', hasPicture: false },
]

type Chunks = Readonly<Record<string, { type: string; facadeModuleId?: string | null; imports?: readonly string[] }>>

/**
 * Writes `screens/<address>.html`: the page with this screen's scripts asked for at once, and for some screens with
 * their first picture, made from the components themselves.
 */
export function firstPictures(): Plugin {
  let root = ''
  return {
    name: 'first-pictures',
    apply: 'build',
    configResolved: (config) => {
      root = config.root
    },
    async writeBundle({ dir = '' }, bundle) {
      const page = await readFile(join(dir, 'index.html'), 'utf8')
      const pictures = await picturesOf(root)
      for (const { address, module } of screens) {
        const links = scriptsOf(join(root, module), bundle as Chunks)
          .filter((file) => !page.includes(file))
          .map((file) => `    <link rel="modulepreload" crossorigin href="/${file}">\n`)
        const withScripts = page.replace('  </head>', `${links.join('')}  </head>`)
        const picture = pictures.get(address)
        const html = picture === undefined ? withScripts : withPicture(withScripts, picture)
        const file = join(dir, 'screens', address === '/' ? 'index.html' : `${address}.html`)
        await mkdir(dirname(file), { recursive: true })
        await writeFile(file, html)
      }
    },
  }
}

/** There is something to see without the scripts, so style and face go before them. */
function withPicture(page: string, picture: string): string {
  return page
    .replaceAll(/<(?:script type="module"|link rel="modulepreload")/g, '$& fetchpriority="low"')
    .replace('<div id="root"></div>', () => `<div id="root">${picture}</div>`)
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
    for (const { address, hasPicture } of screens) {
      if (!hasPicture) continue
      const html = await firstPicture(address)
      // The content security policy lets neither through.
      if (/<script|\sstyle=/.test(html))
        throw new Error(`The first picture of ${address} has a script or a style in it.`)
      pictures.set(address, html)
    }
    return pictures
  } finally {
    await server.close()
  }
}
