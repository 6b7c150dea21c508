import { thisMachine } from './machine.ts'
import { figure, Notebook } from './notebook.ts'
import { helpText, type Options, parseOptions, UsageError } from './options.ts'
import type { Budget } from './profile/budget.ts'
import { printed } from './report/print.ts'
import { recordsIn, writeRecords } from './report/write.ts'
import type { LargeResults, Records, Results, Run } from './results.ts'
import { type Bench, CONNECTIONS, placeId } from './scenarios/bench.ts'
import { measureBudgets } from './scenarios/budget.ts'
import { DELIVER_ID, measureDelivering } from './scenarios/delivering.ts'
import { measurePlacing, placeConnections } from './scenarios/placing.ts'
import { measureHelloWorld, measureReads } from './scenarios/reads.ts'
import { endRebuild, measureRebuild, rebuildScene, type RebuildScene } from './scenarios/rebuild.ts'
import { measureServers } from './scenarios/servers.ts'
import { measureSizes, type Sizes } from './scenarios/sizes.ts'
import { measureVisible } from './scenarios/visible.ts'
import { measureWallet } from './scenarios/wallet.ts'
import { BooksDoNotBalance } from './shop/books.ts'
import { startBenchShop } from './shop/bench-shop.ts'
import { newFolder, removeFolder } from './shop/folders.ts'
import { startHelloWorld } from './shop/hello-world-process.ts'

/** Without `--full` no round begins that would end after this. */
const TIME_MAX_MS = 9 * 60_000
/** Where nothing was delivered in this run: the pace of the soak. */
const SOAK_PER_SECOND = 100

process.on('SIGINT', () => process.exit(130))
process.on('SIGTERM', () => process.exit(143))

try {
  const options = parseOptions(process.argv.slice(2))
  if (options === 'help') process.stdout.write(`${helpText()}\n`)
  else await main(options)
} catch (error) {
  const isUsage = error instanceof UsageError
  const isTold = isUsage || error instanceof BooksDoNotBalance
  const text = error instanceof Error ? (isTold ? error.message : (error.stack ?? error.message)) : String(error)
  process.stderr.write(`${text}\n`)
  process.exitCode = isUsage ? 2 : 1
}

async function main(options: Options): Promise<void> {
  const run: Run = {
    machine: thisMachine(),
    command: ['npm run bench', ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])].join(' '),
    at: new Date().toISOString(),
    rounds: options.rounds,
    seconds: options.seconds,
  }
  const hello = await startHelloWorld()
  try {
    const bench: Bench = {
      options,
      hello,
      notebook: new Notebook(),
      say: (text) => void process.stderr.write(`${text}\n`),
    }
    const latest = await measured(bench, run)
    await keep(options, { latest, large: undefined })
    const large = options.scenarios.has('sizes') ? await measuredLarge(bench, run, latest) : undefined
    process.stdout.write(printed({ latest, large }))
  } finally {
    hello.stop()
  }
}

/** Writes the page. What only `--full` measures stays as it was until it is measured again. */
async function keep({ docs }: Options, { latest, large }: Records): Promise<void> {
  if (docs === undefined) return
  await writeRecords(docs, { latest, large: large ?? recordsIn(docs)?.large })
  process.stderr.write(`${docs}/benchmarks.md was written\n`)
}

async function measured(bench: Bench, run: Run): Promise<Results> {
  const { options, notebook, say } = bench
  const { scenarios } = options
  const scene = scenarios.has('rebuild') ? await rebuildScene(bench) : undefined
  const rounds = await measureRounds(bench, scene)
  if (scene) await endRebuild(scene)
  let budgets: Budget[] = []
  if (scenarios.has('budget')) {
    say('the budget of an order')
    budgets = await measureBudgets(bench)
  }
  return {
    run: { ...run, rounds },
    measures: notebook.measures,
    budgets,
    bytesPerEvent: scene && scene.bytes / scene.events,
  }
}

/** Every scenario once in each round, so that what the machine does meanwhile meets all of them. Answers how many rounds there were. */
async function measureRounds(bench: Bench, scene: RebuildScene | undefined): Promise<number> {
  const { options, say } = bench
  const { scenarios, isFull } = options
  const beganAt = performance.now()
  for (let round = 0; round < options.rounds; round += 1) {
    const spentMs = performance.now() - beganAt
    if (!isFull && round > 0 && spentMs + spentMs / round > TIME_MAX_MS) {
      say(`${round} rounds have taken ${Math.round(spentMs / 1_000)} s: no more of them`)
      return round
    }
    const tell = (what: string): void => say(`round ${round + 1} of ${options.rounds}: ${what}`)
    tell('hello-world')
    await measureHelloWorld(bench, scenarios.has('place') ? placeConnections : [CONNECTIONS])
    if (scenarios.has('reads')) {
      tell('reads')
      await measureReadsAlone(bench)
    }
    if (scenarios.has('place')) {
      tell('placing')
      await measurePlacing(bench)
    }
    if (scenarios.has('deliver')) {
      tell('delivering')
      await measureDelivering(bench)
    }
    if (scenarios.has('wallet')) {
      tell('wallet payments')
      await measureWallet(bench)
    }
    if (scenarios.has('visible')) {
      tell('append to visible')
      await measureVisible(bench)
    }
    if (scene) {
      tell('rebuilding all views')
      await measureRebuild(bench, scene)
    }
    if (scenarios.has('servers')) {
      tell('servers')
      await measureServers(bench)
    }
  }
  return options.rounds
}

async function measureReadsAlone(bench: Bench): Promise<void> {
  const folder = await newFolder()
  const shop = await startBenchShop(folder)
  try {
    await measureReads(bench, shop)
  } finally {
    await shop.stop()
  }
  await removeFolder(folder)
}

/** An hour's work is not lost where its end fails: the page is written after each size. */
async function measuredLarge(bench: Bench, run: Run, latest: Results): Promise<LargeResults> {
  const delivered = figure(bench.notebook.measures, DELIVER_ID, 'perSecond')
  const placed = figure(bench.notebook.measures, placeId(CONNECTIONS), 'perSecond')
  const full = delivered?.median ?? placed?.median
  const rate = full === undefined ? SOAK_PER_SECOND : full / 2
  const keepSoFar = async (sizes: Sizes): Promise<void> => keep(bench.options, { latest, large: { run, ...sizes } })
  return { run, ...(await measureSizes(bench, rate, keepSoFar)) }
}
