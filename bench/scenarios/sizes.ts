import { drive } from '../load/load.ts'
import { cancelling } from '../load/orders.ts'
import { percentilesOf } from '../statistics.ts'
import { figure, Notebook, type Measure } from '../notebook.ts'
import { type BenchShop, startBenchShop } from '../shop/bench-shop.ts'
import { balanceBooks } from '../shop/books.ts'
import { logSize, newFolder, removeFolder, seed, withoutSnapshots } from '../shop/folders.ts'
import { type Bench, CONNECTIONS } from './bench.ts'
import { type ListFigure, measureAnalytics, measureLists, middleOf } from './lists.ts'
import { notePlacing, placeConnections, placeOrders } from './placing.ts'
import { measureHelloWorld, measureReads } from './reads.ts'
import { measureRebuild } from './rebuild.ts'
import { measureSoak, type Soak } from './soak.ts'

/** So many orders are placed, and cancelled after it: a shop takes 20,000 open ones. */
const PLACED_MAX = 18_000
/** What takes longer to start is started once, not in each round. */
const REPEATED_START_MS_MAX = 10_000
const START_WITHOUT_ID = 'start-without'

/** What a shop does with so many orders in its log. */
export interface SizeResult {
  readonly orders: number
  readonly events: number
  readonly bytesPerEvent: number
  readonly seededPerSecond: number
  readonly measures: readonly Measure[]
  readonly lists: readonly ListFigure[]
}

export interface Sizes {
  readonly sizes: readonly SizeResult[]
  readonly soak: Soak | undefined
}

/** Everything that could grow with the log, at each size; the soak runs at the largest. What there is so far is told after each size. */
export async function measureSizes(
  bench: Bench,
  soakRate: number | undefined,
  onSize: (soFar: Sizes) => Promise<void>,
): Promise<Sizes> {
  const { options } = bench
  const sizes: SizeResult[] = []
  let soak: Soak | undefined
  for (const orders of options.sizes) {
    const isLargest = orders === Math.max(...options.sizes)
    const outcome = await atSize(bench, orders, isLargest ? soakRate : undefined)
    sizes.push(outcome.size)
    soak ??= outcome.soak
    await onSize({ sizes, soak })
  }
  return { sizes, soak }
}

async function atSize(
  { options, hello, say }: Bench,
  orders: number,
  soakRate: number | undefined,
): Promise<{ size: SizeResult; soak: Soak | undefined }> {
  const notebook = new Notebook()
  const bench: Bench = { options, hello, notebook, say: (text) => say(`${orders} orders: ${text}`) }
  const folder = await newFolder()
  const acknowledged: string[] = []
  bench.say('seeding')
  const { seconds } = await seed(folder, orders)
  const { events, bytes } = logSize(folder)

  bench.say('building all views')
  await measureRebuild(bench, { folder, events, bytes })
  for (let round = 0; round < options.rounds; round += 1) {
    bench.say(`starts, round ${round + 1} of ${options.rounds}`)
    await measureStart(bench, folder)
    if (round === 0 || isQuick(notebook)) await measureStartWithout(bench, folder)
  }

  const shop = await startBenchShop(folder)
  const lists: ListFigure[][] = []
  let soak: Soak | undefined
  try {
    await shop.caughtUp()
    await shop.settled()
    for (let round = 0; round < options.rounds; round += 1) {
      bench.say(`order list, round ${round + 1} of ${options.rounds}`)
      lists.push(await measureLists(shop))
      notebook.note(
        { id: 'analytics', name: 'GET /api/admin/analytics', unit: 'requests' },
        percentilesOf(await measureAnalytics(shop)),
      )
    }
    bench.say('reads and placing')
    await measureHelloWorld(bench, placeConnections)
    await measureReads(bench, shop)
    await measurePlacingHere(bench, shop, acknowledged)
    notebook.note({ id: 'memory', name: 'memory through lists, reads and placing', unit: 'megabytes' }, shop.memory())
  } finally {
    await shop.stop()
  }
  if (soakRate !== undefined && options.scenarios.has('soak')) soak = await measureSoak(bench, folder, soakRate)
  bench.say('balancing the books')
  await balanceBooks(folder, { acknowledged, atRest: false })
  await removeFolder(folder)
  const { measures } = notebook
  const bytesPerEvent = bytes / events
  const figures = { bytesPerEvent, seededPerSecond: orders / seconds, measures, lists: middleOf(lists) }
  return { size: { orders, events, ...figures }, soak }
}

/** From the start of the process to the first answer, after it was killed. */
async function measureStart({ notebook }: Bench, folder: string): Promise<void> {
  notebook.note({ id: 'start', name: 'start to first answer', unit: 'starts' }, { ms: await firstAnswerMs(folder) })
}

/** The same without what it keeps beside the log. */
async function measureStartWithout({ notebook }: Bench, folder: string): Promise<void> {
  const ms = await withoutSnapshots(folder, async () => firstAnswerMs(folder))
  notebook.note({ id: START_WITHOUT_ID, name: 'start to first answer, without snapshot', unit: 'starts' }, { ms })
}

function isQuick({ measures }: Notebook): boolean {
  return (figure(measures, START_WITHOUT_ID, 'ms')?.median ?? 0) < REPEATED_START_MS_MAX
}

async function firstAnswerMs(folder: string): Promise<number> {
  const beganAt = performance.now()
  const shop = await startBenchShop(folder)
  try {
    const answer = await fetch(`${shop.url}/api/pricing`)
    await answer.text()
    if (answer.status !== 200) throw new Error(`GET /api/pricing: ${answer.status}`)
    return performance.now() - beganAt
  } finally {
    await shop.kill()
  }
}

async function measurePlacingHere(bench: Bench, shop: BenchShop, acknowledged: string[]): Promise<void> {
  const { options } = bench
  const amountMax = Math.floor(PLACED_MAX / placeConnections.length)
  const before = acknowledged.length
  for (const connections of placeConnections) {
    const load = { connections, seconds: options.seconds, amountMax, acknowledged }
    notePlacing(bench, connections, await placeOrders(shop, load), shop)
  }
  const open = acknowledged.slice(before)
  const requests = [cancelling(open)]
  await drive({ url: shop.url, connections: CONNECTIONS, until: { amount: open.length }, requests })
}
