import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const src = dirname(fileURLToPath(import.meta.url))

/** Allowed imports by folder. Every folder may import itself; the folders of `engines` are listed by their own names. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  ports: [],
  'event-store': ['ports', 'sqlite', 'eventstoredb'],
  eventstoredb: ['ports'],
  mongodb: ['ports'],
  sqlite: [],
  redis: ['ports'],
  'view-store': ['ports', 'mongodb', 'sqlite'],
  'job-queue': ['ports', 'redis'],
  vault: ['ports', 'mongodb', 'sqlite'],
  engines: ['event-store', 'vault', 'view-store'],
  'open-engines.ts': [
    'config.ts',
    'ports',
    'event-store',
    'vault',
    'view-store',
    'job-queue',
    'mongodb',
    'eventstoredb',
  ],
  log: ['config.ts', 'domain', 'ports', 'event-store', 'vault', 'open-engines.ts'],
  payments: ['config.ts', 'domain', 'ports'],
  messages: ['config.ts', 'domain', 'ports'],
  words: ['domain'],
  shop: ['config.ts', 'domain', 'ports', 'event-store', 'vault', 'log', 'payments', 'messages'],
  commands: ['domain', 'shop', 'event-store', 'vault', 'log', 'payments'],
  projections: ['domain', 'ports', 'event-store', 'log', 'view-store'],
  projector: ['domain', 'event-store', 'log', 'view-store', 'projections', 'ports'],
  history: ['domain', 'event-store', 'log', 'view-store', 'projections', 'projector'],
  workers: [
    'domain',
    'ports',
    'shop',
    'commands',
    'projections',
    'job-queue',
    'payments',
    'messages',
    'words',
    'vault',
    'log',
    'event-store',
    'projector',
  ],
  api: [
    'config.ts',
    'domain',
    'ports',
    'shop',
    'commands',
    'projections',
    'payments',
    'messages',
    'vault',
    'words',
    'api/contract',
  ],
  'api/contract': [],
}
/** Further imports that a folder's tests may use. */
const testsMayImport: Readonly<Record<string, readonly string[]>> = {
  sqlite: ['event-store', 'vault', 'view-store'],
  'event-store': ['domain', 'log'],
  shop: ['commands'],
  projections: ['projector', 'vault'],
  projector: ['engines', 'vault'],
  words: ['log', 'projections', 'projector', 'shop'],
  workers: ['api/contract', 'engines'],
}
/** Allowed imports in `web/src`. Features do not import each other; folders of `admin` may import `admin/shared`, top-level files everything. */
const pagesMayImport: Readonly<Record<string, readonly string[]>> = {
  routes: ['features', 'components', 'api', 'lib', 'claims.ts', 'method-words.ts'],
  features: ['components', 'api', 'lib', 'claims.ts', 'method-words.ts'],
  components: ['api', 'lib', 'claims.ts'],
  api: ['lib'],
  lib: [],
  'claims.ts': [],
  'method-words.ts': ['lib', 'claims.ts'],
}

interface Import {
  /** Relative to `src/`, e.g. `domain/order/order.ts`. */
  readonly file: string
  /** A file in `src/`, or a package. */
  readonly target: string
  readonly isPackage: boolean
}

/** The folder's name in the table; for a top-level file, its own name. */
function folderOf(file: string): string {
  if (file.startsWith('api/contract/')) return 'api/contract'
  return file.replace(/^engines\/(?!testing\/)/, '').split('/')[0] ?? file
}

function isForTesting(file: string): boolean {
  return file.split('/').includes('testing')
}

function isTest(file: string): boolean {
  return file.endsWith('.test.ts') || isForTesting(file)
}

/** Returns the forbidden imports, as `file -> folder`. */
function offences(imports: readonly Import[], allows = isAllowed): string[] {
  return imports
    .filter((found) => !allows(found))
    .map(({ file, target, isPackage }) => `${file} -> ${isPackage ? target : folderOf(target)}`)
}

function isAllowed({ file, target, isPackage }: Import): boolean {
  const from = folderOf(file)
  if (isPackage) return mayUsePackage(file, target)
  const to = folderOf(target)
  if (
    from === 'api/contract' &&
    [
      'domain/payment-methods.ts',
      'domain/pricing.ts',
      'domain/words.ts',
      'domain/order/buyer-texts.ts',
      'domain/settings/shop-texts.ts',
    ].includes(target)
  )
    return true
  // A developer's command, imported when it runs: the image does not contain it.
  if (file === 'cli/doubles.ts' && /^(payments|messages)\//.test(target)) return true
  // Tests may import `testing/` of every folder; the image contains none.
  if (isTest(target) && !isTest(file)) return false
  if (isTest(target) && file.endsWith('.test.ts')) return true
  if (from === 'process' && to === 'cli') return false
  if (isTest(file) && testsMayImport[from]?.includes(to)) return true
  return from === to || seesEverything(file) || (mayImport[from]?.includes(to) ?? false)
}

/** Screens share only the contract, the price formula and the texts of amounts with the server. */
function isAllowedInPages({ file, target, isPackage }: Import): boolean {
  if (isPackage) return !/^(?:#|node:)/.test(target) || file === 'prerender.tsx'
  if (/^(?:api\/contract\/|domain\/(?:money|pricing)\.ts$)/.test(target)) return true
  const [from = ''] = file.split('/')
  const [to = ''] = target.split('/')
  if (from === to) return from !== 'features' || featureOf(file) === featureOf(target) || isSharedByStaff(file, target)
  return to !== '..' && (pagesMayImport[from]?.includes(to) ?? true)
}

/** Each folder of `admin` is a feature. */
function featureOf(file: string): string {
  return file
    .split('/')
    .slice(0, file.startsWith('features/admin/') ? 3 : 2)
    .join('/')
}

function isSharedByStaff(file: string, target: string): boolean {
  return file.startsWith('features/admin/') && target.startsWith('features/admin/shared/')
}

/** Code that assembles the shop, for its owner or for a test, and its tests. */
function seesEverything(file: string): boolean {
  return ['process', 'cli', 'testing'].includes(folderOf(file)) || (isTest(file) && !file.includes('/'))
}

/** The domain uses no packages but zod, and the contract only what runs in a browser. */
function mayUsePackage(file: string, name: string): boolean {
  if (isTest(file)) return true
  const from = folderOf(file)
  if (from === 'domain') return name === 'zod' && file.endsWith('events.ts')
  if (from === 'api/contract') return name === 'zod/mini'
  return true
}

/** Static imports, re-exports and `import()`, including types. */
function importsOf(file: string, source: string): Import[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\//g, '')
  const found = code.matchAll(/^\s*(?:import|export)\b(?:[^'";]*?\bfrom)?\s*'([^']+)'|\bimport\(\s*'([^']+)'/gm)
  return [...found].map(([, fixed, dynamic]) => resolved(file, fixed ?? dynamic ?? ''))
}

function resolved(file: string, specifier: string): Import {
  const inside = specifier.startsWith('.')
    ? join(dirname(file), specifier)
    : specifier.replace(/^#contract\//, 'api/contract/').replace(/^#(money|pricing)$/, 'domain/$1.ts')
  const isPackage = inside === specifier
  return { file, target: inside, isPackage }
}

function sourceFiles(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|js)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort()
}

describe('the folders of the shop', () => {
  const files = sourceFiles(src)

  it('the folders of src import only what the table allows', () => {
    const imports = files.flatMap((file) => importsOf(file, readFileSync(join(src, file), 'utf8')))
    expect(imports.length).toBeGreaterThan(files.length)
    expect(offences(imports)).toStrictEqual([])
  })

  it('no arrow of the table points up, and on one floor engines alone use ports and configuration', () => {
    const page = readFileSync(join(src, '../docs/architecture.md'), 'utf8')
    const drawn = [...page.matchAll(/^ {4}(\d) {2}(\S.*)$/gm)].flatMap(([, floor, rooms = '']) =>
      rooms.split(/ {2,}/).map((room) => [room, Number(floor)] as const),
    )
    const floors = new Map(drawn)
    const room = (folder: string): string => {
      if (folder === 'api/contract') return 'api'
      return floors.has(folder) ? folder : 'engines'
    }
    const arrows = Object.entries(mayImport).flatMap(([from, targets]) =>
      targets.map((to) => [room(from), room(to)] as const).filter(([one, other]) => one !== other),
    )
    const level = arrows.filter(([from, to]) => (floors.get(from) ?? 0) <= (floors.get(to) ?? 9))
    expect(new Set(level.map((arrow) => arrow.join(' -> ')))).toEqual(
      new Set(['engines -> ports', 'engines -> config.ts']),
    )
    expect(mayImport['engines']).not.toContain('domain')
  })

  it('nothing in src imports the simulation', () => {
    const imports = files.flatMap((file) => importsOf(file, readFileSync(join(src, file), 'utf8')))
    expect(imports.filter(({ target }) => target.startsWith('../simulation/'))).toEqual([])
  })

  it('the table lists every folder of src', () => {
    const folders = new Set(files.filter((file) => file.includes('/')).map(folderOf))
    const known = new Set([...Object.keys(mayImport), 'process', 'cli', 'testing'])
    expect([...folders].filter((folder) => !known.has(folder))).toStrictEqual([])
  })

  it('the image leaves out tests and their helpers', () => {
    const left = readFileSync(join(src, '../.dockerignore'), 'utf8').split('\n')
    expect(left).toEqual(expect.arrayContaining(['**/*.test.ts', '**/testing']))
  })
})

it('each file that a page for developers names exists', () => {
  const root = join(src, '..')
  const folders = ['bench', 'docs', 'loadtests', 'simulation', 'src', 'web']
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join('/', folder, file)),
  )
  const existing = [...files, ...readdirSync(root).map((file) => join('/', file))]
  const pages = [
    'README.md',
    'docs/architecture.md',
    'docs/how-to-change.md',
    'docs/one-order.md',
    'docs/tests.md',
    'simulation/README.md',
  ]
  const named = pages.flatMap((page) =>
    // Patterns, such as `decide-*.ts` and `<name>.sql`, do not match.
    [...readFileSync(join(root, page), 'utf8').matchAll(/`(\w[\w./-]*?)\/?`/g)].map(([, path = '']) => ({
      page,
      path,
    })),
  )
  const paths = named.filter(({ path }) =>
    /^(bench|docs|loadtests|simulation|src|web)\/|\.(json|md|sql|tsx?|txt|yml)$/.test(path),
  )
  expect(paths.length).toBeGreaterThan(100)
  expect(paths.filter(({ path }) => !existing.some((file) => file.endsWith(join('/', path))))).toEqual([])
})

const found = (file: string, source: string) => offences(importsOf(file, source))

it('the pages import only what their table allows', () => {
  const pages = join(src, '../web/src')
  const files = sourceFiles(pages).filter((file) => !isTest(file))
  const imports = files.flatMap((file) => importsOf(file, readFileSync(join(pages, file), 'utf8')))
  expect(imports.length).toBeGreaterThan(files.length)
  expect(offences(imports, isAllowedInPages)).toStrictEqual([])
  const refused = {
    'features/order/a.tsx': '../payment/b.tsx',
    'features/payment/a.tsx': '../admin/shared/b.tsx',
    'features/admin/orders/a.tsx': '../settings/b.tsx',
    'features/admin/shared/a.tsx': '../orders/b.tsx',
    'api/a.ts': '#domain',
    'lib/a.ts': 'node:fs',
  }
  for (const [file, name] of Object.entries(refused))
    expect(offences(importsOf(file, `import { a } from '${name}'`), isAllowedInPages)).toHaveLength(1)
})

/** One import of each form, and one of each exception. */
it('the check finds each form of a forbidden import, and no allowed one', () => {
  const orders = 'api/routes/orders.ts'
  expect(found(orders, `import {\n  a,\n} from '../../workers/a.ts'`)).toEqual([`${orders} -> workers`])
  expect(found(orders, `export { a } from '../../workers/a.ts'`)).toEqual([`${orders} -> workers`])
  expect(found(orders, `const a = await import('../../engines/event-store/a.ts')`)).toEqual([
    `${orders} -> event-store`,
  ])
  expect(found('domain/order/order.ts', `import * as z from 'zod'`)).toEqual(['domain/order/order.ts -> zod'])
  expect(found('process/main.js', `import '../testing/clock.ts'`)).toEqual(['process/main.js -> testing'])
  expect(found('process/main.js', `import '../cli/verbs.ts'`)).toEqual(['process/main.js -> cli'])
  expect(found(orders, `import { a } from '../../process/world.ts'`)).toEqual([`${orders} -> process`])
  expect(
    found('domain/order/events.ts', `import * as z from 'zod'\n/* import { a } from '../../engines/vault/a.ts' */`),
  ).toEqual([])
  expect(found('shop/keys.test.ts', `import { a } from '../commands/place-order.ts'`)).toEqual([])
})
