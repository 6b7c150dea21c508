import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = dirname(fileURLToPath(import.meta.url))

/** Who may import whom. A folder may always import itself, a feature no other feature. */
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

function roomOf(file: string): string {
  const [folder = '', feature] = file.split('/')
  return folder === 'features' ? `features/${feature}` : folder
}

function isAllowed(file: string, specifier: string): boolean {
  if (specifier.startsWith('#')) return shared.test(specifier)
  if (!specifier.startsWith('.')) return !specifier.startsWith('node:') || file === 'first-picture.tsx'
  const target = join(dirname(file), specifier).replaceAll('\\', '/')
  if (target.startsWith('..')) return false
  const [from, to] = [roomOf(file), roomOf(target)]
  // Files beside the folders put the pages together.
  const allowed = mayImport[from.split('/')[0] ?? '']
  return from === to || allowed === undefined || allowed.includes(to.split('/')[0] ?? '')
}

function offences(file: string, source: string): string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\//g, '')
  const found = code.matchAll(/^\s*(?:import|export)\b(?:[^'";]*?\bfrom)?\s*'([^']+)'|\bimport\(\s*'([^']+)'/gm)
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

const found = (file: string, specifier: string) => offences(file, `import { a } from '${specifier}'`).length

it('finds what the table does not allow, and nothing else', () => {
  const order = 'features/order/a.tsx'
  const refused = [found(order, '../payment/b.tsx'), found('api/a.ts', '#domain'), found('lib/a.ts', 'node:fs')]
  const allowed = [found(order, './b.ts'), found(order, '#contract/order.ts'), found('app.tsx', './routes/a.tsx')]
  expect([refused, allowed]).toEqual([
    [1, 1, 1],
    [0, 0, 0],
  ])
})
