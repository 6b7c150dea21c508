import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { createServer, type Plugin } from 'vite'
import { lucideIcons } from './icons.ts'

/** Writes `landing.html`: the page with the landing screen prerendered without data. */
export function landingPage(): Plugin {
  let root = ''
  return {
    name: 'landing-page',
    apply: 'build',
    configResolved: (config) => {
      root = config.root
    },
    async writeBundle({ dir = '' }) {
      const page = await readFile(join(dir, 'index.html'), 'utf8')
      const picture = await landingPicture(root)
      // The content security policy blocks both.
      if (/<script|\sstyle=/.test(picture)) throw new Error('The landing page has a script or a style in it.')
      // The page is visible without scripts, so styles and fonts load first.
      const html = page
        .replaceAll(/<(?:script type="module"|link rel="modulepreload")/g, '$& fetchpriority="low"')
        .replace('<div id="root"></div>', () => `<div id="root">${picture}</div>`)
      await writeFile(join(dir, 'landing.html'), html)
    },
  }
}

async function landingPicture(root: string): Promise<string> {
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
    return await (module as { prerender: (address: string) => Promise<string> }).prerender('/')
  } finally {
    await server.close()
  }
}
