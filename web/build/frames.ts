import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { createServer, type Plugin } from 'vite'
import { frames } from '../../src/api/contract/frames.ts'
import { lucideIcons } from './icons.ts'

type Prerender = (address: string) => Promise<string>

/** Writes a page for each frame: the screen prerendered without data. */
export function framePages(): Plugin {
  let root = ''
  let afterPaint = ''
  return {
    name: 'frames',
    apply: 'build',
    configResolved: (config) => {
      root = config.root
    },
    buildStart() {
      afterPaint = this.emitFile({ type: 'chunk', id: join(root, 'src/after-paint.ts') })
    },
    async writeBundle({ dir = '' }) {
      const starter = `<script type="module" fetchpriority="low" crossorigin src="/${this.getFileName(afterPaint)}"></script>`
      const page = await readFile(join(dir, 'index.html'), 'utf8')
      await withPrerender(root, async (prerender) => {
        for (const [name, address] of Object.entries(frames)) {
          const picture = await prerender(address)
          // The content security policy blocks both.
          if (/<script|\sstyle=/.test(picture)) throw new Error(`The frame of ${name} has a script or a style in it.`)
          const html = page
            // The page is visible without scripts, so styles and fonts load first.
            .replaceAll(/\s*<(?:script type="module"|link rel="modulepreload")[^>]*>(?:<\/script>)?/g, '')
            .replace('</head>', `  ${starter}\n  </head>`)
            .replace('<div id="root"></div>', () => `<div id="root">${picture}</div>`)
          await writeFile(join(dir, `${name}.html`), html)
        }
      })
    },
  }
}

async function withPrerender(root: string, use: (prerender: Prerender) => Promise<void>): Promise<void> {
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    plugins: [react(), lucideIcons()],
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  })
  try {
    const module = await server.ssrLoadModule('/src/prerender.tsx')
    await use((module as { prerender: Prerender }).prerender)
  } finally {
    await server.close()
  }
}
