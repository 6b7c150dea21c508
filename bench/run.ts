import { execFileSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { besideBases } from './base.ts'
import { figuresFor, figuresOnServers, type Round } from './figures.ts'
import { copyOf, newFolder, removeFolder, seed } from './folders.ts'
import { runCommand } from '../src/cli/command-line.ts'
import { commandOptions, type Options, optionsFrom, type ScenarioName } from './options.ts'
import { startHelloWorld } from './processes.ts'
import { besideClients, comparison, report } from './report.ts'
import { measureDelivering } from './scenarios/delivering.ts'
import { measureLog } from './scenarios/log.ts'
import { measurePlacing } from './scenarios/placing.ts'
import { measureReads, requestsPerSecond } from './scenarios/reads.ts'
import type { Scenario } from './scenarios/scenario.ts'
import { measureVisible } from './scenarios/visible.ts'
import { measureOnServers } from './servers/measure.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Logs above this are measured in the first round only: their views take minutes to build. */
const REPEATED_ORDERS_MAX = 100_000

const onNewShops: Readonly<Record<Exclude<ScenarioName, 'log'>, Scenario>> = {
  reads: measureReads,
  place: measurePlacing,
  deliver: measureDelivering,
  visible: measureVisible,
}

/** What was measured of one checkout so far. */
interface Side {
  readonly root: string
  readonly rounds: Record<string, number>[]
  /** Its seeded data folders, by the number of orders. */
  readonly folders: Map<number, string>
}

process.on('SIGTERM', () => process.exit(143))

await runCommand({
  name: 'bench',
  does: 'measures this shop beside a bare Express hello-world, on this machine',
  options: commandOptions,
  notes: `Every shop is one process with all its roles, started as by npm start, but with RATE_LIMIT=off and DELIVERY=instant. The books are balanced after each load.
With --servers one shop fills an empty EventStoreDB, and databases of its own, which are dropped in the end. Beside each figure stands what the client of that server does alone: appends of the same
bytes, reads of the same log, bulk inserts of the same documents.

Exit codes: 0 done, 1 the books do not balance or it could not be done, 2 wrong usage.`,
  async run(values) {
    const options = optionsFrom(values)
    const { bases } = options
    if (bases) process.stdout.write(`${await besideBases(ROOT, { ...options, bases }, say)}\n`)
    else await (options.isOnServers ? onServers(options) : main(options))
    return 0
  },
})

async function main(options: Options): Promise<void> {
  const after: Side = { root: ROOT, rounds: [], folders: new Map() }
  const before: Side | undefined =
    options.against === undefined ? undefined : { root: options.against, rounds: [], folders: new Map() }
  const sides = before ? [before, after] : [after]
  const hello = await startHelloWorld()
  try {
    if (options.scenarios.has('log')) await seedFolders(sides, options)
    for (let index = 0; index < options.rounds; index += 1) {
      // The other one goes first in the next round.
      await measureRound(index % 2 === 0 ? sides : sides.toReversed(), options, { index, helloUrl: hello.url })
    }
  } finally {
    hello.stop()
  }
  for (const { folders } of sides) for (const folder of folders.values()) await removeFolder(folder)
  const figures = figuresFor(options.sizes)
  const tables = before ? comparison(figures, before.rounds, after.rounds) : report(figures, after.rounds)
  process.stdout.write(`${headerOf(sides, options)}\n\n${tables}\n`)
}

async function onServers(options: Options): Promise<void> {
  const { shop, alone, described } = await measureOnServers(ROOT, options, say)
  const header = [headerOf([{ root: ROOT }], options), ...described].join('\n')
  process.stdout.write(`${header}\n\n${besideClients(figuresOnServers, alone, shop)}\n`)
}

/** One seeding for each size, by the older checkout: the newer one must open its folders anyway. */
async function seedFolders([first, ...others]: readonly Side[], { sizes }: Options): Promise<void> {
  if (!first) return
  for (const orders of sizes) {
    const folder = await newFolder()
    first.folders.set(orders, folder)
    say(`seeding ${orders} orders`)
    await seed(first.root, folder, orders)
    for (const { folders } of others) folders.set(orders, await copyOf(folder))
  }
}

async function measureRound(
  sides: readonly Side[],
  options: Options,
  { index, helloUrl }: { index: number; helloUrl: string },
): Promise<void> {
  const { scenarios, sizes, rounds } = options
  const hello = await requestsPerSecond(helloUrl, options.seconds)
  for (const side of sides) side.rounds.push({ hello })

  /** Every checkout, one after another, before the next scenario: what the machine does meanwhile meets all of them. */
  async function each(what: string, measure: (side: Side) => Promise<Round>): Promise<void> {
    for (const side of sides) {
      say(`round ${index + 1} of ${rounds}: ${what}${sides.length > 1 ? `, ${side.root}` : ''}`)
      Object.assign(side.rounds[index] ?? {}, await measure(side))
    }
  }

  for (const [name, measure] of Object.entries(onNewShops))
    if (scenarios.has(name as ScenarioName)) await each(name, async ({ root }) => measure(root, options))
  if (!scenarios.has('log')) return
  for (const orders of sizes.filter((size) => index === 0 || size <= REPEATED_ORDERS_MAX))
    await each(`a log of ${orders} orders`, async ({ root, folders }) =>
      measureLog(root, options, { folder: folders.get(orders) ?? '', orders }),
    )
}

function headerOf(sides: readonly Pick<Side, 'root'>[], { rounds, seconds }: Options): string {
  const [processor, ...others] = cpus()
  return [
    `${processor?.model.replaceAll(/\s+/g, ' ').trim() ?? 'unknown processor'}, ${others.length + 1} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`,
    `${sides.map(({ root }) => commitOf(root)).join(' before, ')}${sides.length > 1 ? ' after' : ''}; ${rounds} rounds, ${seconds} s for each load`,
  ].join('\n')
}

/** With a plus where files were changed since. */
function commitOf(cwd: string): string {
  try {
    const git = (...words: string[]): string =>
      execFileSync('git', words, { cwd, encoding: 'utf8', stdio: 'pipe' }).trim()
    return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', '--', 'src') === '' ? '' : '+'}`
  } catch {
    return 'unknown commit'
  }
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
