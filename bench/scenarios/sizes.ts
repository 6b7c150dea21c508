import { drive } from '../load/load.ts'
import { cancelling } from '../load/orders.ts'
import { percentilesOf } from '../statistics.ts'
import { Notebook, type Measure } from '../notebook.ts'
import { type BenchShop, startBenchShop } from '../shop/bench-shop.ts'
import { balanceBooks } from '../shop/books.ts'
import { logSize, newFolder, removeFolder, seed, withoutSnapshots } from '../shop/folders.ts'
import { type Bench, CONNECTIONS } from './bench.ts'
import { type ListFigure, measureAnalytics, measureLists } from './lists.ts'
import { notePlacing, placeConnections, placeOrders } from './placing.ts'
import { measureHelloWorld, measureReads } from './reads.ts'
import { measureRebuild } from './rebuild.ts'
import { measureSoak, type Soak } from './soak.ts'

/** So many orders are placed in a round, and cancelled after it: a shop takes 20,000 open ones. */
const PLACED_MAX = 18_000

/** What a shop does with so many orders in its log. */
export interface SizeResult {
  readonly orders: number
  readonly events: number
  readonly bytesPerEvent: number
  readonly seededPerSecond: number
  readonly measures: readonly Measure[]
  readonly lists: readonly ListFigure[]
}

/** Everything that could grow with the log, at each size; the soak runs at the largest. */
export async function measureSizes(
  bench: Bench,
  soakRate: number | undefined,
): Promise<{ sizes: SizeResult[]; soak: Soak | undefined }> {
  const { options } = bench
  const sizes: SizeResult[] = []
  let soak: Soak | undefined
  for (const orders of options.sizes) {
    const isLargest = orders === Math.max(...options.sizes)
    const outcome = await atSize(bench, orders, isLargest ? soakRate : undefined)
    sizes.push(outcome.size)
    soak ??= outcome.soak
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
    bench.say(`round ${round + 1} of ${options.rounds}: starts`)
    await measureStarts(bench, folder)
  }

  const shop = await startBenchShop(folder)
  let lists: ListFigure[]
  let soak: Soak | undefined
  try {
    await shop.caughtUp()
    await shop.settled()
    bench.say('order list')
    lists = await measureLists(shop)
    notebook.note(
      { id: 'analytics', name: 'GET /api/admin/analytics', unit: 'requests' },
      percentilesOf(await measureAnalytics(shop)),
    )
    await measureHelloWorld(bench, placeConnections)
    for (let round = 0; round < options.rounds; round += 1) {
      bench.say(`round ${round + 1} of ${options.rounds}: reads and placing`)
      await measureHelloWorld(bench, [CONNECTIONS])
      await measureReads(bench, shop)
      await measurePlacingHere(bench, shop, acknowledged)
    }
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
  return { size: { orders, events, bytesPerEvent, seededPerSecond: orders / seconds, measures, lists }, soak }
}

/** From the start of the process to the first answer, after it was killed; with what it keeps beside the log, and without. */
async function measureStarts({ notebook }: Bench, folder: string): Promise<void> {
  const withSnapshot = { id: 'start', name: 'start to first answer', unit: 'starts' }
  notebook.note(withSnapshot, { ms: await firstAnswerMs(folder) })
  const without = { id: 'start-without', name: 'start to first answer, without snapshot', unit: 'starts' }
  notebook.note(without, { ms: await withoutSnapshots(folder, async () => firstAnswerMs(folder)) })
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
