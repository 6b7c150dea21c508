import { existsSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { program, runProgram, UsageError, value, wholeNumber } from '../src/cli/program.ts'
import { auditShop } from '../src/testing/audit-shop.ts'
import { folderOfRun } from './leftovers.ts'
import { checkOut, nodeOf } from './base.ts'
import { type Checkout, measureLog, seedFolder } from './log.ts'
import { type Figure, report } from './report.ts'
import {
  costOf,
  costOfHello,
  type LoadedShop,
  type Request,
  requests,
  startHelloWorld,
  startLoadedShop,
  warmUp,
} from './requests.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PROBLEMS_SHOWN_MAX = 10
const scenarioNames = ['reads', 'place', 'pay', 'lists', 'rebuild'] as const

interface BenchOptions {
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

async function bench({ only = scenarioNames, base = [], orders, rounds }: BenchOptions): Promise<void> {
  const isAsked = (name: string): boolean => only.some((one) => one === name)
  const asked = requests.filter(({ scenario }) => isAsked(scenario))
  if (asked.length > 0 && !existsSync('/proc/self/schedstat'))
    throw new UsageError('reads, place and pay need Linux: use --only lists,rebuild')
  const roots: string[] = []
  for (const commit of base) {
    say(`${commit}: cloning, and npm ci (about a minute)`)
    roots.push(await checkOut(ROOT, commit))
  }
  const node = roots[0] === undefined ? process.execPath : nodeOf(roots[0])
  const checkouts = [...roots, ROOT].map((root) => ({ root, node }))
  const figures = [
    ...(asked.length > 0 ? await requestFigures(checkouts, asked, rounds) : []),
    ...(await logFigures(checkouts, { orders, rounds, lists: isAsked('lists'), rebuild: isAsked('rebuild') })),
  ]
  const [processor, ...others] = cpus()
  say(
    `${processor?.model.trim()}, ${others.length + 1} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${rounds} rounds`,
  )
  process.stdout.write(`${report([...base, 'this'], figures)}\n`)
}

/** Measures a request on all shops before the next one, so that other work of the machine affects all of them. */
async function requestFigures(
  checkouts: readonly Checkout[],
  asked: readonly Request[],
  rounds: number,
): Promise<Figure[]> {
  const hello = await startHelloWorld(checkouts[0]?.node)
  const shops: LoadedShop[] = []
  for (const checkout of checkouts) shops.push(await startLoadedShop(folderOfRun(), checkout))
  say('warming up')
  await warmUp(hello, shops, asked)
  const ofHello: number[] = []
  const costs = asked.map((request) => ({ request, us: [] as number[][], perSecond: [] as number[][] }))
  for (let round = 0; round < rounds; round += 1) {
    say(`requests, round ${round + 1} of ${rounds}`)
    ofHello.push((await costOfHello(hello)).us)
    for (const { request, us, perSecond } of costs) {
      const each = await inTurn(shops, round, async (shop) => costOf(shop, request))
      us.push(each.map((cost) => cost.us))
      perSecond.push(each.map((cost) => cost.perSecond))
    }
  }
  hello.stop()
  for (const shop of shops) await shop.stop()
  const own = shops.at(-1)
  if (own) await balanceBooks(own)
  return costs.flatMap(({ request: { title, name }, us, perSecond }) => [
    { name: `${title}, us`, rounds: us, hello: ofHello },
    ...(name === 'place' ? [{ name: `${title}, 64 connections, /s`, rounds: perSecond }] : []),
  ])
}

async function balanceBooks({ folder, acknowledged }: LoadedShop): Promise<void> {
  const { problems } = await auditShop({ DATA_DIR: folder }, { acknowledged })
  if (problems.length === 0) return
  throw new Error(
    `the books do not balance, ${problems.length} problems:\n${problems.slice(0, PROBLEMS_SHOWN_MAX).join('\n')}`,
  )
}

async function logFigures(
  checkouts: readonly Checkout[],
  { orders, rounds, lists, rebuild }: { orders: number; rounds: number; lists: boolean; rebuild: boolean },
): Promise<Figure[]> {
  if (!(lists || rebuild)) return []
  const sides: (Checkout & { folder: string })[] = []
  for (const checkout of checkouts) {
    say(`seeding ${orders} orders, checkout ${sides.length + 1} of ${checkouts.length}`)
    sides.push({ ...checkout, folder: await seedFolder(checkout, orders) })
  }
  const measured: { rebuild: number; lists: number }[][] = []
  for (let round = 0; round < rounds; round += 1) {
    say(`rebuild${lists ? ' and lists' : ''}, round ${round + 1} of ${rounds}`)
    measured.push(await inTurn(sides, round, async (side) => measureLog(side, lists)))
  }
  const figure = (name: string, of: 'rebuild' | 'lists'): Figure => ({
    name,
    rounds: measured.map((round) => round.map((one) => one[of])),
  })
  return [
    ...(rebuild ? [figure('rebuild of all views, events/s', 'rebuild')] : []),
    ...(lists ? [figure('order list, slowest question, p95 ms', 'lists')] : []),
  ]
}

/** One after another; every second round in reverse. */
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
