import type { OrderListFilter, OrderListQuery } from '../src/api/contract/order-list-query.ts'
import { ask, asOwner } from '../src/testing/buyers.ts'
import { percentile } from './report.ts'

const REQUESTS_EACH = 25
const WARM_UP_EACH = 2
const SAMPLE_PAGE = 100

type Listed = Readonly<
  Record<'id' | 'orderNumber' | 'customerEmail' | 'discordUsername' | 'totalAmount' | 'createdAt', string>
>
type Query = Readonly<Record<string, string>>

const sorts: readonly Query[] = ['createdAt', 'totalAmount'].flatMap((sort) =>
  ['asc', 'desc'].map((direction) => ({ sort, direction })),
)

/** The values of each filter. */
const filters: { readonly [Name in OrderListFilter]: NonNullable<OrderListQuery[Name]>[] } = {
  status: ['pending', 'completed', 'failed'],
  paymentMethod: ['paypal', 'crypto', 'upi'],
  attention: ['any', 'over'],
  deleted: ['true'],
  refunded: ['true'],
  toPayBack: ['true'],
}

/** Measures the order list with every single filter and search in each order: p95 of the slowest, in milliseconds. */
export async function slowestList(url: string): Promise<number> {
  const headers = await asOwner(url)
  const list = async (query: Query) => {
    const { status, body } = await ask(url, 'GET', `/api/orders?${new URLSearchParams(query).toString()}`, { headers })
    if (status !== 200) throw new Error(`the order list answers ${status} to ${JSON.stringify(query)}`)
    return body['orders'] as Listed[]
  }
  const sampled: Listed[] = []
  for (const sort of sorts) sampled.push(...(await list({ limit: String(SAMPLE_PAGE), ...sort })))
  const p95s: number[] = []
  for (const queries of questionsFor(sampled.filter((_, index) => index % 7 === 0)))
    for (const sort of sorts) {
      const delays: number[] = []
      for (let index = 0; index < WARM_UP_EACH + REQUESTS_EACH; index += 1) {
        const sentAt = performance.now()
        await list({ ...queries[index % queries.length], ...sort })
        if (index >= WARM_UP_EACH) delays.push(performance.now() - sentAt)
      }
      p95s.push(percentile(delays, 0.95))
    }
  return Math.max(...p95s)
}

/** One filter or search each, with alternating values from all ages of the shop. */
function questionsFor(orders: readonly Listed[]): readonly (readonly Query[])[] {
  const search = (word: (order: Listed) => string): Query[] => orders.map((order) => ({ search: word(order) }))
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
