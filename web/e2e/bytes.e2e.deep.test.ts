import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, inject, it } from 'vitest'
import { frames } from '../../src/api/contract/frames.ts'

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
}

const folder = inject('webFolder')
const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>

/** Every script that must load before these entries run. */
function scriptsOf(...entries: string[]): Set<string> {
  const found = new Set<string>()
  const visit = (name: string) => {
    const chunk = manifest[name]
    if (chunk === undefined) throw new Error(`The build has no ${name}.`)
    if (found.has(chunk.file)) return
    found.add(chunk.file)
    for (const imported of chunk.imports ?? []) visit(imported)
  }
  for (const entry of entries) visit(entry)
  return found
}

function gzipKb(files: Iterable<string>): number {
  return [...files].reduce(
    (sum, file) => sum + gzipSync(readFileSync(join(folder, file)), { level: 9 }).length / 1000,
    0,
  )
}

const starter = manifest['src/after-paint.ts']
const all = ['src/after-paint.ts', starter?.dynamicImports?.[0] ?? 'main']
const landing = [...all, 'src/routes/landing.tsx']

it.for(Object.keys(frames))('the frame of %s loads one script, which waits until it is painted', (name) => {
  const page = readFileSync(join(folder, `${name}.html`), 'utf8')
  const scripts = page.matchAll(/<(?:script|link rel="modulepreload")[^>]* (?:src|href)="\/([^"]+)"/g)
  expect([...scripts].map(([, file]) => file)).toEqual([starter?.file])
})

it('the landing page loads at most 115 kB of script', () => {
  expect(gzipKb(scriptsOf(...landing))).toBeLessThanOrEqual(115)
})

it('all steps of checkout and payment add at most 25 kB of script', () => {
  const more = scriptsOf('src/routes/order.tsx').difference(scriptsOf(...landing))
  expect(gzipKb(more)).toBeLessThanOrEqual(25)
})

it.for(['paypal', 'crypto', 'upi'])('a purchase paid by %s loads at most 150 kB of script', (method) => {
  const steps = ['purchase', 'order'].map((step) => `src/routes/${step}.tsx`)
  const panel = `src/features/payment/${method}-panel.tsx`
  expect(gzipKb(scriptsOf(...landing, ...steps, panel))).toBeLessThanOrEqual(150)
})

it('buyers load no staff code', () => {
  const buyers = Object.keys(manifest).filter(
    (name) => name.startsWith('src/routes/') && name !== 'src/routes/admin.tsx',
  )
  const staff = manifest['src/routes/admin.tsx']?.file
  expect(staff).toBeDefined()
  expect([...scriptsOf(...all, ...buyers)]).not.toContain(staff)
})

it.for([
  ['display', 20_000],
  ['text', 25_000],
] as const)('the %s font has at most %i bytes', ([name, bytesMax]) => {
  const { file = '' } = manifest[`src/fonts/${name}.woff2`] ?? {}
  expect(readFileSync(join(folder, file)).length).toBeLessThanOrEqual(bytesMax)
})
