import { median, percentilesOf } from '../statistics.ts'
import type { BenchShop } from '../shop/bench-shop.ts'

const REQUESTS_EACH = 40
const WARM_UP_EACH = 2
const SAMPLE_PAGE = 100

interface ListedOrder {
  readonly id: string
  readonly orderNumber: string
  readonly customerEmail: string
  readonly discordUsername: string
  readonly totalAmount: string
  readonly createdAt: string
}

export interface ListFigure {
  /** The single filter or search. */
  readonly filter: string
  readonly sort: string
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

const sorts = ['createdAt', 'totalAmount'].flatMap((sort) =>
  ['asc', 'desc'].map((direction) => ({ sort, direction, name: `${sort} ${direction}` })),
)

/** The order list with every single filter and search, by each sort, as staff ask for it. */
export async function measureLists(shop: BenchShop): Promise<ListFigure[]> {
  const orders = await someOrders(shop)
  const figures: ListFigure[] = []
  for (const [filter, conditions] of Object.entries(filtersFor(orders)))
    for (const { sort, direction, name } of sorts) {
      const delays: number[] = []
      for (let index = -WARM_UP_EACH; index < REQUESTS_EACH; index += 1) {
        const condition = conditions[(index + WARM_UP_EACH) % conditions.length] ?? {}
        const query = new URLSearchParams({ ...condition, sort, direction })
        const began = performance.now()
        await shop.staff(`/api/orders?${query.toString()}`)
        if (index >= 0) delays.push(performance.now() - began)
      }
      figures.push({ filter, sort: name, ...percentilesOf(delays) })
    }
  return figures
}

/** The same questions, asked in several rounds: the middle of what these say. */
export function middleOf(rounds: readonly (readonly ListFigure[])[]): ListFigure[] {
  const [first = []] = rounds
  return first.map(({ filter, sort }) => {
    const asked = rounds.flatMap((figures) => figures.filter((one) => one.filter === filter && one.sort === sort))
    const middle = (of: 'p50' | 'p95' | 'p99'): number => median(asked.map((one) => one[of]))
    return { filter, sort, p50: middle('p50'), p95: middle('p95'), p99: middle('p99') }
  })
}

/** Milliseconds of GET /api/admin/analytics. */
export async function measureAnalytics(shop: BenchShop): Promise<number[]> {
  const delays: number[] = []
  for (let index = -WARM_UP_EACH; index < 2 * REQUESTS_EACH; index += 1) {
    const began = performance.now()
    await shop.staff('/api/admin/analytics')
    if (index >= 0) delays.push(performance.now() - began)
  }
  return delays
}

/** From all ages of the shop. */
async function someOrders(shop: BenchShop): Promise<ListedOrder[]> {
  const orders: ListedOrder[] = []
  for (const { sort, direction } of sorts) {
    const path = `/api/orders?limit=${SAMPLE_PAGE}&sort=${sort}&direction=${direction}`
    orders.push(...(await shop.staff<{ orders: ListedOrder[] }>(path)).orders)
  }
  return orders.filter((_, index) => index % 7 === 0)
}

type Condition = Readonly<Record<string, string>>

function filtersFor(orders: readonly ListedOrder[]): Readonly<Record<string, readonly Condition[]>> {
  const search = (word: (order: ListedOrder) => string): Condition[] => orders.map((order) => ({ search: word(order) }))
  const days = orders.map(({ createdAt }) => createdAt.slice(0, 'yyyy-mm-dd'.length))
  return {
    none: [{}],
    'status pending': [{ status: 'pending' }],
    'status completed': [{ status: 'completed' }],
    'status failed': [{ status: 'failed' }],
    'method paypal': [{ paymentMethod: 'paypal' }],
    'method crypto': [{ paymentMethod: 'crypto' }],
    'method upi': [{ paymentMethod: 'upi' }],
    'needs attention': [{ attention: 'any' }],
    'one cause of attention': [{ attention: 'over' }],
    deleted: [{ deleted: 'true' }],
    'dates from': days.map((from) => ({ from })),
    'dates to': days.map((to) => ({ to })),
    'search number': search(({ orderNumber }) => orderNumber),
    'search id': search(({ id }) => id),
    'search e-mail': search(({ customerEmail }) => customerEmail),
    'search chat name': search(({ discordUsername }) => discordUsername),
    'search beginning of a name': search(({ discordUsername }) => discordUsername.slice(0, 3)),
    'search method': [{ search: 'crypto' }],
    'search amount': search(({ totalAmount }) => totalAmount),
    'search day': days.map((day) => ({ search: day })),
  }
}
