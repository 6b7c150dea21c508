import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { ShopOptions, TestShop } from './start-shop.ts'

export const HOURS_MS = 2 * 3_600_000
export const DAY_MS = 24 * 3_600_000

/** A row of docs/payments.md. */
export interface ArrivalRow {
  readonly arrives: string
  readonly events: string
  readonly buyer: string
  readonly staffSee: string
  readonly staffCan: string
}

/** A shop at a double of its provider. */
interface LiveShop extends TestShop {
  /** A new order with an open payment. */
  opened(): Promise<{ orderId: string; paymentId: string }>
  /** What the workers do with this order. */
  work(orderId: string): Promise<void>
}

/** By what a row says of the money: lets that happen, and answers the order that it happens to. */
export type Plays<Live extends LiveShop> = Readonly<Record<string, (live: Live) => Promise<string>>>

interface Arrivals<Live extends LiveShop> {
  /** Of the table in docs/payments.md. */
  readonly heading: string
  readonly plays: Plays<Live>
  readonly start: (options: ShopOptions) => Promise<Live>
  /** Sends the shop all news of its payments a second time. */
  readonly newsAgain: (live: Live, orderId: string) => Promise<void>
  readonly rowOf?: (live: Live, arrives: string, orderId: string) => Promise<ArrivalRow>
}

/** Tests that every case is a row of the table, and that every row comes true. */
export function testArrivals<Live extends LiveShop>(arrivals: Arrivals<Live>): void {
  const { heading, plays, start, newsAgain, rowOf = arrivalRow } = arrivals
  const rows = arrivalRows(heading)

  it('every way in which the money can arrive is a row of docs/payments.md', () => {
    expect(rows.map(({ arrives }) => arrives).toSorted()).toEqual(Object.keys(plays).toSorted())
  })

  it.for(rows)('$arrives', async (row) => {
    const live = await start({ policy: { deliveryMode: 'staff' } })
    try {
      const orderId = (await plays[row.arrives]?.(live)) ?? ''
      expect(await rowOf(live, row.arrives, orderId)).toEqual(row)
      const head = await live.shop.log.head()
      await newsAgain(live, orderId)
      expect(await live.shop.log.head()).toBe(head)
    } finally {
      await live.stop()
    }
  })
}

/** Opens a payment and lets this happen to it; then the workers look. */
export async function opened(
  live: LiveShop,
  happens: (paymentId: string, orderId: string) => Promise<unknown>,
): Promise<string> {
  const { orderId, paymentId } = await live.opened()
  await happens(paymentId, orderId)
  await live.work(orderId)
  return orderId
}

/** The same with a payment whose order has expired. */
export async function expired(live: LiveShop, happens: (paymentId: string) => Promise<unknown>): Promise<string> {
  return opened(live, async (paymentId, orderId) => {
    live.advance(HOURS_MS)
    await live.work(orderId)
    await happens(paymentId)
  })
}

const page = readFileSync(new URL('../../docs/payments.md', import.meta.url), 'utf8')

/** The table below a heading. */
function arrivalRows(heading: string): ArrivalRow[] {
  const section = page.split(/^#+ /m).find((text) => text.startsWith(`${heading}\n`)) ?? ''
  return [...section.matchAll(/^\| (.+) \| (.+) \| (.+) \| (.+) \| (.+) \|$/gm)]
    .map(([, arrives = '', events = '', buyer = '', staffSee = '', staffCan = '']): ArrivalRow => {
      return { arrives, events, buyer, staffSee, staffCan }
    })
    .filter(({ arrives }) => arrives !== 'money arrives' && !/^-+$/.test(arrives))
}

/** What became of an order, as its row says it. */
export async function arrivalRow(
  shop: Pick<TestShop, 'eventsOf' | 'get' | 'logIn'>,
  arrives: string,
  orderId: string,
): Promise<ArrivalRow> {
  const types = (await shop.eventsOf(`order-${orderId}`)).map(({ type }) => type)
  const events = types.filter((type) => !['OrderPlaced', 'PaymentRequested', 'PaymentStarted'].includes(type))
  const { body } = await shop.get(`/api/orders/${orderId}`, { token: await shop.logIn() })
  const { reasons = [] } = (body['attention'] ?? {}) as { reasons?: string[] }
  const can = Object.entries(body['may'] as Record<string, boolean>).filter(([, isAllowed]) => isAllowed)
  const staffCan = can.map(([what]) => what).filter((what) => what !== 'pay' && what !== 'requote')
  return {
    arrives,
    events: events.join(', ') || '-',
    buyer: [body['status'], body['paymentStatus'], ...(body['endedAs'] === 'refunded' ? ['refunded'] : [])].join(', '),
    staffSee: reasons.join(', ') || '-',
    staffCan: staffCan.join(', ') || '-',
  }
}
