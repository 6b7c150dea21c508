import type { OrderListFilter, OrderListQuery } from '../src/api/contract/order-list.ts'
import type { BenchShop } from './processes.ts'
import { percentile } from './statistics.ts'

const REQUESTS_EACH = 25
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

type Query = Readonly<Record<string, string>>

const sorts: readonly Query[] = ['createdAt', 'totalAmount'].flatMap((sort) =>
  ['asc', 'desc'].map((direction) => ({ sort, direction })),
)

/** The order list as staff ask for it, every single filter and search by each sort: p95 of the slowest, in milliseconds. */
export async function slowestList(shop: BenchShop): Promise<number> {
  const p95s: number[] = []
  for (const queries of questionsFor(await someOrders(shop)))
    for (const sort of sorts) {
      const delays: number[] = []
      for (let index = 0; index < WARM_UP_EACH + REQUESTS_EACH; index += 1) {
        const query = new URLSearchParams({ ...queries[index % queries.length], ...sort })
        const sentAt = performance.now()
        await shop.staff(`/api/orders?${query.toString()}`)
        if (index >= WARM_UP_EACH) delays.push(performance.now() - sentAt)
      }
      p95s.push(percentile(delays, 0.95))
    }
  return Math.max(...p95s)
}

/** From all ages of the shop. */
async function someOrders(shop: BenchShop): Promise<ListedOrder[]> {
  const orders: ListedOrder[] = []
  for (const sort of sorts) {
    const query = new URLSearchParams({ limit: String(SAMPLE_PAGE), ...sort })
    orders.push(...(await shop.staff<{ orders: ListedOrder[] }>(`/api/orders?${query.toString()}`)).orders)
  }
  return orders.filter((_, index) => index % 7 === 0)
}

/** What each filter is asked for. */
const filters: { readonly [Name in OrderListFilter]: NonNullable<OrderListQuery[Name]>[] } = {
  status: ['pending', 'completed', 'failed'],
  paymentMethod: ['paypal', 'crypto', 'upi'],
  attention: ['any', 'over'],
  deleted: ['true'],
  refunded: ['true'],
}

/** One filter or search each, with values that take turns. */
function questionsFor(orders: readonly ListedOrder[]): readonly (readonly Query[])[] {
  const search = (word: (order: ListedOrder) => string): Query[] => orders.map((order) => ({ search: word(order) }))
  const days = orders.map(({ createdAt }) => createdAt.slice(0, 'yyyy-mm-dd'.length))
  return [
    [{}],
    ...Object.entries(filters).flatMap(([name, values]) => values.map((value) => [{ [name]: value }])),
    days.map((from) => ({ from })),
    days.map((to) => ({ to })),
    search(({ orderNumber }) => orderNumber),
    search(({ id }) => id),
    search(({ customerEmail }) => customerEmail),
    search(({ discordUsername }) => discordUsername),
    search(({ discordUsername }) => discordUsername.slice(0, 3)),
    [{ search: 'crypto' }],
    search(({ totalAmount }) => totalAmount),
    days.map((day) => ({ search: day })),
  ]
}
