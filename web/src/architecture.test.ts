import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = dirname(fileURLToPath(import.meta.url))

/** Who may import whom. A folder may always import itself, a feature no other feature. Files beside the folders put the pages together. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  routes: ['features', 'components', 'api', 'lib', 'claims.ts', 'payment-methods.ts'],
  features: ['components', 'api', 'lib', 'claims.ts', 'payment-methods.ts'],
  components: ['api', 'lib', 'claims.ts'],
  api: ['lib'],
  lib: [],
  'claims.ts': [],
  'payment-methods.ts': ['lib', 'claims.ts'],
}
/** All that the pages share with the server. */
const shared = /^#(?:contract\/[\w-]+\.ts|pricing)$/

function isAllowed(file: string, specifier: string): boolean {
  if (specifier.startsWith('#')) return shared.test(specifier)
  if (!specifier.startsWith('.')) return !specifier.startsWith('node:') || file === 'first-picture.tsx'
  const [from = '', ownFeature] = file.split('/')
  const [to = '', feature] = join(dirname(file), specifier).split('/')
  if (from === to) return from !== 'features' || feature === ownFeature
  return to !== '..' && (mayImport[from]?.includes(to) ?? true)
}

function offences(file: string, source: string): string[] {
  const found = source.matchAll(/^\s*(?:import|export)\b(?:[^'";]*?\bfrom)?\s*'([^']+)'|\bimport\(\s*'([^']+)'/gm)
  return [...found]
    .map(([, fixed, dynamic]) => fixed ?? dynamic ?? '')
    .filter((specifier) => !isAllowed(file, specifier))
    .map((specifier) => `${file} -> ${specifier}`)
}

it('imports only what the table allows', () => {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.test.ts'))
  expect(files.length).toBeGreaterThan(80)
  expect(files.flatMap((file) => offences(file, readFileSync(join(root, file), 'utf8')))).toStrictEqual([])
})

it('finds what the table does not allow', () => {
  const refused = { 'features/order/a.tsx': '../payment/b.tsx', 'api/a.ts': '#domain', 'lib/a.ts': 'node:fs' }
  for (const [file, specifier] of Object.entries(refused))
    expect(offences(file, `import { a } from '${specifier}'`)).toHaveLength(1)
})
