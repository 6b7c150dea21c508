import { eventstoredbEventStore } from '../../src/event-store/eventstoredb-event-store.ts'
import type { Round } from '../figures.ts'
import { balanceBooks, newFolder, removeFolder } from '../folders.ts'
import type { Options } from '../options.ts'
import { type BenchShop, raiseStock, startBenchShop } from '../processes.ts'
import { delivered, placeAndPay } from '../scenarios/delivering.ts'
import { OPEN_ORDERS_MAX, place, TRIAL_ORDERS } from '../scenarios/placing.ts'
import { clientAppends, engineAppends, placedEvents } from './appends.ts'
import { clientCatchUp, engineCatchUp } from './catch-up.ts'
import { insertMs } from './rebuild.ts'
import { type BenchServers, benchServers } from './servers.ts'

const DELIVERED_TOGETHER = 1_000
const WARM_UP_ORDERS = 1_000
const WARM_UP_TOGETHER = [1, 8, 64, 64]

/** The shop, and the clients of its servers alone, in the same rounds. */
export interface OnServers {
  readonly shop: readonly Round[]
  readonly alone: readonly Round[]
  readonly described: readonly string[]
}

interface Measuring {
  readonly root: string
  readonly options: Options
  readonly servers: BenchServers
  readonly folder: string
  readonly acknowledged: string[]
  readonly shop: Record<string, number>[]
  readonly alone: Record<string, number>[]
  readonly say: (text: string) => void
}

/** One shop on servers: its log is filled, read and folded; then it is loaded, and the log appended to beside it. */
export async function measureOnServers(
  root: string,
  options: Options,
  say: (text: string) => void,
): Promise<OnServers> {
  const servers = await benchServers()
  for (const line of servers.described) say(line)
  const folder = await newFolder()
  const rounds = Array.from({ length: options.rounds }, () => ({}))
  const [shop, alone] = [rounds, structuredClone(rounds)]
  const measuring: Measuring = { root, options, servers, folder, acknowledged: [], shop, alone, say }
  try {
    const views = servers.newDatabase().url
    await withShop(measuring, views, async (running) => fill(running, measuring))
    await inRounds(measuring, 'catch-up', measureCatchUp)
    await inRounds(measuring, 'rebuild of all views', measureRebuild)
    await withShop(measuring, views, async (running) => {
      await running.caughtUp()
      await place(running, WARM_UP_ORDERS, measuring.acknowledged)
      await inRounds(measuring, 'placing and appends', async (all, index) => measureWrites(all, index, running))
      await running.caughtUp()
    })
    say('balancing the books')
    await balanceBooks(folder, measuring.acknowledged, { ...servers.env, MONGODB_URL: views })
    return { shop, alone, described: servers.described }
  } finally {
    await servers.end()
    await removeFolder(folder)
  }
}

async function inRounds(
  measuring: Measuring,
  what: string,
  measure: (measuring: Measuring, index: number) => Promise<{ shop: Round; alone: Round }>,
): Promise<void> {
  const { options, say } = measuring
  for (let index = 0; index < options.rounds; index += 1) {
    say(`round ${index + 1} of ${options.rounds}: ${what}`)
    const { shop, alone } = await measure(measuring, index)
    Object.assign(measuring.shop[index] ?? {}, shop)
    Object.assign(measuring.alone[index] ?? {}, alone)
  }
}

async function withShop<Result>(
  { root, options, servers, folder }: Measuring,
  views: string,
  work: (shop: BenchShop) => Promise<Result>,
): Promise<Result> {
  const env = { ...servers.env, MONGODB_URL: views, SANDBOX_DELAY_MS: '0' }
  const shop = await startBenchShop(root, folder, { profile: options.profile, env })
  try {
    return await work(shop)
  } finally {
    await shop.stop()
  }
}

/** Orders that are placed, paid and delivered. */
async function fill(shop: BenchShop, { options, acknowledged, say }: Measuring): Promise<void> {
  const [orders = 0] = options.sizes
  const unpaid: string[] = []
  await raiseStock(shop)
  // Servers that have just started are slow, and take few connections at once.
  for (const together of WARM_UP_TOGETHER) await place(shop, together, unpaid)
  while (acknowledged.length < orders) {
    await placeAndPay(shop, Math.min(DELIVERED_TOGETHER, orders - acknowledged.length), acknowledged)
    await delivered(shop, acknowledged.length)
    say(`filling the log: ${acknowledged.length} of ${orders} orders are delivered`)
  }
  acknowledged.push(...unpaid)
}

async function measureCatchUp({ servers }: Measuring, index: number): Promise<{ shop: Round; alone: Round }> {
  const { EVENTSTOREDB_URL: url } = servers.env
  return inTurn(
    index,
    async () => engineCatchUp(url),
    async () => clientCatchUp(url),
  )
}

/** Afterwards the MongoDB driver inserts the same documents. */
async function measureRebuild(measuring: Measuring, index: number): Promise<{ shop: Round; alone: Round }> {
  const events = measuring.shop[index]?.['events'] ?? Number.NaN
  const [views, copy] = [measuring.servers.newDatabase(), measuring.servers.newDatabase()]
  const rebuildMs = await withShop(measuring, views.url, async (shop) => {
    const beganAt = performance.now()
    await shop.caughtUp()
    return performance.now() - beganAt
  })
  const alone = { rebuild: (1_000 * events) / (await insertMs({ from: views.url, to: copy.url })) }
  await Promise.all([views.drop(), copy.drop()])
  return { shop: { rebuild: (1_000 * events) / rebuildMs }, alone }
}

async function measureWrites(
  { options, servers, acknowledged }: Measuring,
  index: number,
  running: BenchShop,
): Promise<{ shop: Round; alone: Round }> {
  const { EVENTSTOREDB_URL: url } = servers.env
  const { seconds, rounds, sizes } = options
  const trial = await place(running, TRIAL_ORDERS, acknowledged)
  const open = acknowledged.length - (sizes[0] ?? 0)
  const amount = Math.min(Math.ceil(trial.perSecond * seconds), Math.floor((OPEN_ORDERS_MAX - open) / (rounds - index)))
  const placed = await place(running, amount, acknowledged)
  await running.caughtUp()
  const events = await sampleOf(url)
  const { shop, alone } = await inTurn(
    index,
    async () => engineAppends(url, events, seconds),
    async () => clientAppends(url, events, seconds),
  )
  return { shop: { ...shop, place: placed.perSecond }, alone: { ...alone, place: alone['append'] ?? Number.NaN } }
}

async function sampleOf(url: string) {
  const store = eventstoredbEventStore({ url })
  try {
    return await placedEvents(store)
  } finally {
    await store.close()
  }
}

/** The other one goes first in the next round. */
async function inTurn(
  index: number,
  ofShop: () => Promise<Round>,
  ofClient: () => Promise<Round>,
): Promise<{ shop: Round; alone: Round }> {
  if (index % 2 === 0) {
    const shop = await ofShop()
    return { shop, alone: await ofClient() }
  }
  const alone = await ofClient()
  return { shop: await ofShop(), alone }
}
