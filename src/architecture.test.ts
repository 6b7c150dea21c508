import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const src = dirname(fileURLToPath(import.meta.url))

/** Who may import whom. A folder may always import itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  ports: [],
  'event-store': ['domain', 'ports', 'vault', 'sqlite', 'eventstoredb'],
  eventstoredb: [],
  mongodb: [],
  sqlite: [],
  'view-store': ['ports', 'mongodb', 'sqlite'],
  'job-queue': ['ports'],
  vault: ['ports', 'mongodb', 'sqlite'],
  payments: ['domain', 'ports'],
  shop: ['domain', 'ports', 'event-store', 'vault', 'payments'],
  commands: ['domain', 'shop', 'event-store', 'vault', 'payments'],
  projections: ['domain', 'ports', 'event-store', 'view-store'],
  projector: ['domain', 'event-store', 'view-store', 'projections'],
  history: ['domain', 'event-store', 'view-store', 'projections', 'projector'],
  workers: ['domain', 'shop', 'commands', 'projections', 'job-queue', 'payments'],
  api: ['domain', 'ports', 'shop', 'commands', 'projections', 'payments', 'vault', 'api/contract'],
  'api/contract': [],
}
/** What the tests of a folder may use beyond that. */
const testsMayImport: Readonly<Record<string, readonly string[]>> = {
  sqlite: ['event-store', 'vault', 'view-store'],
  shop: ['commands'],
  projections: ['projector'],
}
/** The files that put the shop together. */
const composition = new Set([
  'main.js',
  'node-version.js',
  'run.js',
  'screens.js',
  'start.js',
  'assemble-shop.ts',
  'world.ts',
  'build.ts',
  'engine-watch.ts',
  'job-order.ts',
  'log-engines.ts',
  'open.ts',
  'run-shop.ts',
  'engines.ts',
  'payment-providers.ts',
  'probes.ts',
  'run-projector.ts',
  'history-thread.ts',
  'run-past.ts',
  'run-revenue.ts',
  'start-projector.ts',
  'start-past.ts',
  'start-revenue.ts',
  'stops.ts',
  'system.ts',
])

interface Import {
  /** As in `src/`, e.g. `domain/order/order.ts`. */
  readonly file: string
  /** A file in `src/`, or a package. */
  readonly target: string
  readonly isPackage: boolean
}

/** The folder that the table speaks of; for a file beside them, its own name. */
function folderOf(file: string): string {
  if (file.startsWith('api/contract/')) return 'api/contract'
  return file.split('/')[0] ?? file
}

function isForTesting(file: string): boolean {
  return file.split('/').includes('testing')
}

function isTest(file: string): boolean {
  return file.endsWith('.test.ts') || isForTesting(file)
}

/** What the table does not allow, as `file -> folder`. */
function offences(imports: readonly Import[]): string[] {
  return imports
    .filter((found) => !isAllowed(found))
    .map(({ file, target, isPackage }) => `${file} -> ${isPackage ? target : folderOf(target)}`)
}

function isAllowed({ file, target, isPackage }: Import): boolean {
  const from = folderOf(file)
  if (isPackage) return mayUsePackage(file, target)
  const to = folderOf(target)
  if (from === 'api/contract' && target === 'domain/payment-methods.ts') return true
  // Tests may be helped by what any folder has for testing; the image has none of it.
  if (isTest(target)) return isTest(file)
  if (to === 'config.ts' || composition.has(to)) return seesEverything(file)
  if (isTest(file) && testsMayImport[from]?.includes(to)) return true
  return from === to || seesEverything(file) || (mayImport[from]?.includes(to) ?? false)
}

/** What puts the shop together, for its owner or for a test, and the tests of that. */
function seesEverything(file: string): boolean {
  const from = folderOf(file)
  return composition.has(from) || from === 'cli' || isForTesting(file) || (isTest(file) && !file.includes('/'))
}

/** The rules know no machine, and the browser's part only what fits into a browser. */
function mayUsePackage(file: string, name: string): boolean {
  if (isTest(file)) return true
  const from = folderOf(file)
  if (from === 'domain') return name === 'zod' && file.endsWith('events.ts')
  if (from === 'api/contract') return name === 'zod/mini'
  return true
}

/** Static imports, re-exports and `import()`; types count like values. */
function importsOf(file: string, source: string): Import[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\//g, '')
  const found = code.matchAll(/^\s*(?:import|export)\b(?:[^'";]*?\bfrom)?\s*'([^']+)'|\bimport\(\s*'([^']+)'/gm)
  return [...found].map(([, fixed, dynamic]) => resolved(file, fixed ?? dynamic ?? ''))
}

function resolved(file: string, specifier: string): Import {
  const inside = specifier.startsWith('.')
    ? join(dirname(file), specifier)
    : specifier.replace(/^#contract\//, 'api/contract/').replace(/^#pricing$/, 'domain/pricing.ts')
  const isPackage = inside === specifier
  return { file, target: inside, isPackage }
}

function sourceFiles(): string[] {
  return readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|js)$/.test(entry.name))
    .map((entry) => relative(src, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort()
}

describe('the folders of the shop', () => {
  const files = sourceFiles()

  it('import only what the table allows', () => {
    const imports = files.flatMap((file) => importsOf(file, readFileSync(join(src, file), 'utf8')))
    expect(imports.length).toBeGreaterThan(files.length)
    expect(offences(imports)).toStrictEqual([])
  })

  it('are all in the table', () => {
    const folders = new Set(files.filter((file) => file.includes('/')).map(folderOf))
    const known = new Set([...Object.keys(mayImport), 'cli', 'testing'])
    expect([...folders].filter((folder) => !known.has(folder))).toStrictEqual([])
  })

  it('are in the image without what is there for testing', () => {
    const left = readFileSync(join(src, '../.dockerignore'), 'utf8').split('\n')
    expect(left).toEqual(expect.arrayContaining(['**/*.test.ts', '**/testing']))
  })
})

const offencesIn = (file: string, source: string) => offences(importsOf(file, source))

describe('the test of the table', () => {
  it.for<[file: string, source: string, offence: string]>([
    ['domain/order/order.ts', `import { a } from '../../vault/vault.ts'`, 'domain/order/order.ts -> vault'],
    ['domain/order/order.ts', `import type { A } from '../../vault/vault.ts'`, 'domain/order/order.ts -> vault'],
    ['domain/order/order.ts', `import * as z from 'zod'`, 'domain/order/order.ts -> zod'],
    ['domain/order/events.ts', `import { hash } from 'node:crypto'`, 'domain/order/events.ts -> node:crypto'],
    ['domain/order/order.test.ts', `import { a } from '../../vault/vault.ts'`, 'domain/order/order.test.ts -> vault'],
    ['domain/order/order.ts', `import { a } from '../testing/examples.ts'`, 'domain/order/order.ts -> domain'],
    ['cli/seed.ts', `import { a } from '../vault/testing/memory-vault.ts'`, 'cli/seed.ts -> vault'],
    ['main.js', `const a = await import('./testing/clock.ts')`, 'main.js -> testing'],
    ['workers/sweep.ts', `import { a } from '../event-store/event-log.ts'`, 'workers/sweep.ts -> event-store'],
    ['projections/a.test.ts', `import { a } from '../vault/vault.ts'`, 'projections/a.test.ts -> vault'],
    ['workers/sweep.ts', `import { a } from '../api/server.ts'`, 'workers/sweep.ts -> api'],
    ['api/routes/orders.ts', `export { a } from '../../workers/sweep.ts'`, 'api/routes/orders.ts -> workers'],
    ['api/routes/orders.ts', `const a = await import('../../event-store/a.ts')`, 'api/routes/orders.ts -> event-store'],
    ['api/contract/order.ts', `import * as z from 'zod'`, 'api/contract/order.ts -> zod'],
    ['api/contract/order.ts', `import { a } from '#pricing'`, 'api/contract/order.ts -> domain'],
    ['api/contract/order.ts', `import { a } from '../../domain/money.ts'`, 'api/contract/order.ts -> domain'],
    ['shop/shop.ts', `import { a } from '../config.ts'`, 'shop/shop.ts -> config.ts'],
    ['shop/shop.ts', `import { a } from '../run-shop.ts'`, 'shop/shop.ts -> run-shop.ts'],
    ['shop/shop.ts', `import '../projections/orders.ts'`, 'shop/shop.ts -> projections'],
    ['shop/keys.ts', `import { a } from '../commands/place-order.ts'`, 'shop/keys.ts -> commands'],
    [
      'projections/orders.ts',
      `import {\n  a,\n  b,\n} from '../commands/place-order.ts'`,
      'projections/orders.ts -> commands',
    ],
  ])('finds it in %s: %s', ([file, source, offence]) => expect(offencesIn(file, source)).toStrictEqual([offence]))

  it.for<[file: string, source: string]>([
    ['domain/order/events.ts', `import * as z from 'zod'`],
    ['domain/order/order.test.ts', `import { a } from '../testing/examples.ts'\nimport { it } from 'vitest'`],
    ['projections/orders.test.ts', `import { a } from '../testing/start-shop.ts'`],
    ['commands/place-order.ts', `import { a } from '../shop/shop.ts'\nimport { b } from '#pricing'`],
    ['shop/keys.test.ts', `import { a } from '../commands/place-order.ts'`],
    ['api/routes/orders.ts', `import { a } from '../contract/order.ts'\nimport express from 'express'`],
    ['api/contract/order.ts', `import * as z from 'zod/mini'\nimport { a } from './product.ts'`],
    ['api/contract/order.ts', `import { a } from '../../domain/payment-methods.ts'`],
    ['cli/doctor.ts', `import { a } from '../config.ts'\nimport { b } from '../workers/sweep.ts'`],
    ['config.test.ts', `import { a } from './config.ts'`],
    ['projections/testing/shop-log.ts', `import { a } from '../../vault/vault.ts'`],
    ['testing/start-shop.ts', `import { a } from '../workers/sweep.ts'`],
    ['run-shop.ts', `import { a } from './system.ts'\nimport { b } from './workers/sweep.ts'`],
    ['main.js', `import { a } from './config.ts'\nimport { b } from './api/server.ts'`],
    ['domain/order/order.ts', `/* import { a } from '../../vault/vault.ts' */`],
  ])('has nothing against %s: %s', ([file, source]) => expect(offencesIn(file, source)).toStrictEqual([]))
})
