import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import subsetFont from 'subset-font'
import type { Plugin } from 'vite'

const require = createRequire(import.meta.url)
const family = '@fontsource-variable/bricolage-grotesque/files'
const printableAscii = Array.from({ length: 95 }, (_, index) => String.fromCodePoint(32 + index)).join('')

/** Headings and figures are set in one weight; the rupee sign lies in another file of the family. */
const cuts = [
  {
    name: 'display.woff2',
    file: 'bricolage-grotesque-latin-opsz-normal.woff2',
    text: `${printableAscii}é’“”–—·×−→…`,
  },
  { name: 'display-rupee.woff2', file: 'bricolage-grotesque-latin-ext-opsz-normal.woff2', text: '₹' },
]

/** Cuts the display face down to the characters and the weight that the shop sets; CSS finds it under `display-font/`. */
export function displayFont(cacheFolder: string): Plugin {
  return {
    name: 'display-font',
    async config() {
      await mkdir(cacheFolder, { recursive: true })
      await Promise.all(
        cuts.map(async ({ name, file, text }) => writeFile(join(cacheFolder, name), await cut(file, text))),
      )
      return { resolve: { alias: { 'display-font': cacheFolder } }, server: { fs: { allow: ['..', cacheFolder] } } }
    },
    transformIndexHtml(_html, { bundle }) {
      const file = Object.keys(bundle ?? {}).find((name) => /\/display-(?!rupee)[^/]*\.woff2$/.test(name))
      if (file === undefined) return []
      const attrs = { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: true }
      return [{ tag: 'link', attrs, injectTo: 'head' }]
    },
  }
}

async function cut(file: string, text: string): Promise<Uint8Array> {
  return subsetFont(await readFile(require.resolve(`${family}/${file}`)), text, {
    targetFormat: 'woff2',
    variationAxes: { wght: 700, opsz: 40 },
    keepFeatures: ['kern', 'tnum'],
    noHinting: true,
  })
}
