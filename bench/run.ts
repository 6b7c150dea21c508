import { existsSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { program, runProgram, UsageError, value, wholeNumber } from '../src/cli/program.ts'
import { checkedOut, nodeOf } from './base.ts'
import { balanceBooks, newFolder, removeFolder, seed } from './folders.ts'
import { costFor, costOf, type MeasuredShop, measuredShop, type RequestName, requests, warmUp } from './per-request.ts'
import { startHelloWorld } from './processes.ts'
import { measureLog } from './rebuild.ts'
import { type Figure, report } from './report.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const scenarioNames = ['reads', 'place', 'lists', 'rebuild'] as const

interface Checkouts {
  readonly roots: readonly string[]
  readonly node: string
  readonly rounds: number
}

interface Asked {
  readonly only?: readonly string[]
  readonly base?: readonly string[]
  readonly orders: number
  readonly rounds: number
}

await runProgram(
  program('bench', 'Measures this shop beside a bare Express hello-world, on this machine.')
    .option('--only <NAMES>', `only these, separated by commas: ${scenarioNames.join(', ')}`, scenariosOf)
    .option(
      '--base <COMMIT,COMMIT>',
      'also measures these commits, each cloned and installed for the run; all on the Node of the first one',
      (given: string) => value(given).split(','),
    )
    .option('--orders <N>', 'size of the log of lists and rebuild', wholeNumber(100, 10_000_000), 100_000)
    .option('--rounds <N>', 'each figure is the median of this many rounds', wholeNumber(1, 25), 3)
    .addHelpText(
      'after',
      `
Every shop is one process with all its roles, started as by npm start, but with RATE_LIMIT=off and DELIVERY=instant.
Requests are measured by the processor time of the shop's process (Linux only). The books of this checkout are balanced after the orders.`,
    )
    .action(bench),
)

async function bench({ only = scenarioNames, base = [], orders, rounds }: Asked): Promise<void> {
  const isAsked = (name: string): boolean => only.some((one) => one === name)
  const names = requests.filter(({ scenario }) => isAsked(scenario)).map(({ name }) => name)
  if (names.length > 0 && !existsSync('/proc/self/schedstat'))
    throw new UsageError('reads and place need Linux: use --only lists,rebuild')
  const roots: string[] = []
  for (const commit of base) {
    say(`${commit}: cloning, and npm ci (about a minute)`)
    roots.push(await checkedOut(ROOT, commit))
  }
  const node = roots[0] === undefined ? process.execPath : nodeOf(roots[0])
  const checkouts = { roots: [...roots, ROOT], node, rounds }
  const figures = names.length > 0 ? await requestFigures(checkouts, names) : []
  const ofLog = await logFigures(checkouts, { orders, lists: isAsked('lists'), rebuild: isAsked('rebuild') })
  const [processor, ...others] = cpus()
  say(
    `${processor?.model.trim()}, ${others.length + 1} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${rounds} rounds`,
  )
  process.stdout.write(`${report([...base, 'this'], [...figures, ...ofLog])}\n`)
  for (const root of roots) await removeFolder(root)
}

/** Each shop after the other before the next request, so that what the machine does meanwhile meets all of them. */
async function requestFigures({ roots, node, rounds }: Checkouts, names: readonly RequestName[]): Promise<Figure[]> {
  const hello = await startHelloWorld(node)
  const shops: MeasuredShop[] = []
  for (const root of roots) shops.push(await measuredShop(root, await newFolder(), node))
  say('warming up')
  await warmUp(hello, shops, names)
  const ofHello: number[] = []
  const costs = names.map((name) => ({ name, us: [] as number[][], perSecond: [] as number[][] }))
  for (let round = 0; round < rounds; round += 1) {
    say(`requests, round ${round + 1} of ${rounds}`)
    ofHello.push((await costOf(hello, '')).us)
    for (const { name, us, perSecond } of costs) {
      const each = await inTurn(shops, round, async (shop) => costFor(shop, name))
      us.push(each.map((cost) => cost.us))
      perSecond.push(each.map((cost) => cost.perSecond))
    }
  }
  hello.stop()
  for (const [index, shop] of shops.entries()) {
    await shop.stop()
    // This checkout comes last; until version 0.2.0 it does not have to open the folder of another.
    if (index === shops.length - 1) await balanceBooks(shop.folder, shop.acknowledged)
    await removeFolder(shop.folder)
  }
  return requests.flatMap(({ name, title }) => {
    const cost = costs.find((one) => one.name === name)
    if (!cost) return []
    const perSecond = { name: `${title}, 64 connections, /s`, rounds: cost.perSecond }
    return [{ name: `${title}, us`, rounds: cost.us, hello: ofHello }, ...(name === 'place' ? [perSecond] : [])]
  })
}

async function logFigures(
  { roots, node, rounds }: Checkouts,
  { orders, lists, rebuild }: { orders: number; lists: boolean; rebuild: boolean },
): Promise<Figure[]> {
  if (!(lists || rebuild)) return []
  const sides: { root: string; node: string; folder: string }[] = []
  for (const [index, root] of roots.entries()) {
    say(`seeding ${orders} orders, checkout ${index + 1} of ${roots.length}`)
    const folder = await newFolder()
    // By its own program: until version 0.2.0 no checkout has to open the folder of another.
    await seed({ root, node }, folder, orders)
    sides.push({ root, node, folder })
  }
  const measured: { rebuild: number; lists: number | undefined }[][] = []
  for (let round = 0; round < rounds; round += 1) {
    say(`rebuild${lists ? ' and lists' : ''}, round ${round + 1} of ${rounds}`)
    measured.push(await inTurn(sides, round, async (side) => measureLog(side, lists)))
  }
  for (const { folder } of sides) await removeFolder(folder)
  const figure = (name: string, of: 'rebuild' | 'lists'): Figure => ({
    name,
    rounds: measured.map((round) => round.map((one) => one[of] ?? Number.NaN)),
  })
  return [
    ...(rebuild ? [figure('rebuild of all views, events/s', 'rebuild')] : []),
    ...(lists ? [figure('order list, slowest question, p95 ms', 'lists')] : []),
  ]
}

/** One after another; in every second round the last one first. */
async function inTurn<Side, Result>(
  sides: readonly Side[],
  round: number,
  measure: (side: Side) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const turns = [...sides.entries()]
  for (const [at, side] of round % 2 === 0 ? turns : turns.toReversed()) results[at] = await measure(side)
  return results
}

function scenariosOf(given: string): readonly string[] {
  const names = given.split(',')
  const unknown = names.find((name) => !scenarioNames.some((known) => known === name))
  if (unknown !== undefined) throw new UsageError(`--only knows no '${unknown}': ${scenarioNames.join(', ')}`)
  return names
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
