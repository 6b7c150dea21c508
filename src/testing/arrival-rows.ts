import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { receiptStream } from '../shop/keys.ts'
import type { ShopOptions, TestShop } from './start-shop.ts'

/** The order of money that names an order which is not in the log. */
export const MISSING = '00000000-0000-4000-8000-000000000000'
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
  readonly newsAgain: (live: Live) => Promise<void>
  /** The money that has no order, where a case has such. */
  readonly unplaced?: (live: Live) => { readonly provider: string; readonly receiptId: string | undefined }
}

/** Tests that every case is a row of the table, and that every row comes true. */
export function testArrivals<Live extends LiveShop>(arrivals: Arrivals<Live>): void {
  const { heading, plays, start, newsAgain, unplaced } = arrivals
  const rows = arrivalRows(heading)

  it('every way in which the money can arrive is a row of docs/payments.md', () => {
    expect(rows.map(({ arrives }) => arrives).toSorted()).toEqual(Object.keys(plays).toSorted())
  })

  it.for(rows)('$arrives', async (row) => {
    const live = await start({ policy: { deliveryMode: 'staff' } })
    try {
      const orderId = (await plays[row.arrives]?.(live)) ?? ''
      const happened = orderId === MISSING ? await unplacedRow(live, unplaced?.(live)) : await arrivalRow(live, orderId)
      expect({ arrives: row.arrives, ...happened }).toEqual(row)
      const head = await live.shop.log.head()
      await newsAgain(live)
      if (orderId !== MISSING) await live.work(orderId)
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

export async function deliver(live: LiveShop, orderId: string): Promise<void> {
  const { status } = await live.post('/api/process-order', { orderId }, { token: await live.logIn() })
  expect(status).toBe(200)
}

/** Staff note what they paid back; by default all that is held. */
export async function refund(live: LiveShop, orderId: string, changes: Readonly<Record<string, unknown>> = {}) {
  const token = await live.logIn()
  const { revision, paidCents: amountCents } = (await live.get(`/api/orders/${orderId}`, { token })).body
  const body = { revision, amountCents, reason: 'asked-for', coinsGiven: false, ...changes }
  const { status } = await live.post(`/api/orders/${orderId}/refunds`, body, { token })
  expect(status).toBe(200)
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

type Happened = Omit<ArrivalRow, 'arrives'>

/** What became of an order, as its row says it. */
async function arrivalRow(shop: TestShop, orderId: string): Promise<Happened> {
  const types = (await shop.eventsOf(`order-${orderId}`)).map(({ type }) => type)
  const events = types.filter((type) => !['OrderPlaced', 'PaymentRequested', 'PaymentStarted'].includes(type))
  const { body } = await shop.get(`/api/orders/${orderId}`, { token: await shop.logIn() })
  const { reasons = [] } = (body['attention'] ?? {}) as { reasons?: string[] }
  const can = Object.entries(body['may'] as Record<string, boolean>).filter(([, isAllowed]) => isAllowed)
  const staffCan = can.map(([what]) => what).filter((what) => what !== 'pay' && what !== 'requote')
  return {
    events: events.join(', ') || '-',
    buyer: [body['status'], body['paymentStatus'], ...(body['endedAs'] === 'refunded' ? ['refunded'] : [])].join(', '),
    staffSee: reasons.join(', ') || '-',
    staffCan: staffCan.join(', ') || '-',
  }
}

/** Where there is no order, staff see the money itself. */
async function unplacedRow(
  shop: TestShop,
  { provider = '', receiptId = '' }: { provider?: string; receiptId?: string | undefined } = {},
): Promise<Happened> {
  const events = await shop.eventsOf(receiptStream(provider, receiptId))
  const { body } = await shop.get('/api/admin/unplaced-payments', { token: await shop.logIn() })
  expect(body['payments']).toMatchObject([{ provider, receiptId }])
  return {
    events: events.map(({ type }) => type).join(', '),
    buyer: '-',
    staffSee: 'money without an order',
    staffCan: 'settle',
  }
}
