import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { GatewayName } from '../domain/payment-methods.ts'
import type { Act } from '../payments/testing/double.ts'
import { receiptStream } from '../shop/keys.ts'
import { providerOfTest } from './shops.ts'
import type { ProviderShop } from './start-provider-shop.ts'
import type { TestShop } from './start-shop.ts'

/** The order of money that names an order which is not in the log. */
export const MISSING = '00000000-0000-4000-8000-000000000000'
export const HOURS_MS = 2 * 3_600_000
export const DAY_MS = 24 * 3_600_000

/** A row of arrivals.txt. */
export interface ArrivalRow {
  readonly arrives: string
  readonly events: string
  readonly buyer: string
  readonly staffSee: string
  readonly staffCan: string
}

/** By what a row says of the money: lets that happen, and answers the order that it happens to. */
export type Plays<Name extends GatewayName> = Readonly<Record<string, (live: ProviderShop<Name>) => Promise<string>>>

interface Arrivals<Name extends GatewayName> {
  readonly gateway: Name
  /** The line above its rows in arrivals.txt. */
  readonly table: string
  readonly plays: Plays<Name>
  /** Sends the shop all news of its payments a second time. */
  readonly newsAgain: (live: ProviderShop<Name>) => Promise<void>
  /** The receipt of the money that has no order, where a case has such. */
  readonly unplaced?: (live: ProviderShop<Name>) => string | undefined
}

/** Tests that every case is a row of the table, and that every row comes true. */
export function testArrivals<Name extends GatewayName>(arrivals: Arrivals<Name>): void {
  const { gateway, table, plays, newsAgain, unplaced } = arrivals
  const rows = arrivalRows(table)

  it('every way in which the money can arrive is a row of arrivals.txt', () => {
    expect(rows.map(({ arrives }) => arrives).toSorted()).toEqual(Object.keys(plays).toSorted())
  })

  it.for(rows)('$arrives', async (row) => {
    const live = await providerOfTest(gateway, { terms: { deliveryMode: 'staff' } })
    const orderId = (await plays[row.arrives]?.(live)) ?? ''
    const happened =
      orderId === MISSING ? await unplacedRow(live, gateway, unplaced?.(live)) : await arrivalRow(live, orderId)
    expect({ arrives: row.arrives, ...happened }).toEqual(row)
    const head = await live.shop.log.head()
    await newsAgain(live)
    if (orderId !== MISSING) await live.work(orderId)
    expect(await live.shop.log.head()).toBe(head)
  })
}

/** Opens a payment and lets this happen to it; then the workers look. */
export async function opened(
  live: ProviderShop,
  happens: (paymentId: string, orderId: string) => Promise<unknown>,
): Promise<string> {
  const { orderId, paymentId } = await live.opened()
  await happens(paymentId, orderId)
  await live.work(orderId)
  return orderId
}

/** Opens a payment to which this happens in turn: an act, the name of one, or the milliseconds that pass, before which the workers look. */
export function acting(...steps: readonly (string | number | Act)[]): (live: ProviderShop) => Promise<string> {
  return async (live) =>
    opened(live, async (id, orderId) => {
      for (const step of steps) {
        if (typeof step !== 'number') await live.double.act(id, typeof step === 'string' ? { do: step } : step)
        else {
          await live.work(orderId)
          live.advance(step)
        }
      }
    })
}

/** Places an order whose payment was opened at the provider, which did not answer. */
export async function unanswered(live: ProviderShop): Promise<{ orderId: string; lost: string }> {
  const orderId = await live.placed()
  live.double.fail({ answer: 'lost', on: 'create' })
  expect((await live.create(orderId)).status).toBe(503)
  // The provider is given a pause after the failure.
  live.advance(2_000)
  return { orderId, lost: live.double.paymentIds()[0] ?? '' }
}

/** This happens at the payment that was opened and not answered. */
export function actingUnanswered(what: string): (live: ProviderShop) => Promise<string> {
  return async (live) => {
    const { orderId, lost } = await unanswered(live)
    await live.double.act(lost, { do: what })
    await live.work(orderId)
    return orderId
  }
}

export async function deliver(live: ProviderShop, orderId: string): Promise<void> {
  const { status } = await live.post('/api/process-order', { orderId }, { token: await live.logIn() })
  expect(status).toBe(200)
}

const tables = readFileSync(new URL('arrivals.txt', import.meta.url), 'utf8').split('\n\n')

function arrivalRows(table: string): ArrivalRow[] {
  const rows = tables.find((text) => text.startsWith(`${table}\n`)) ?? ''
  return rows
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((row): ArrivalRow => {
      const [arrives = '', events = '', buyer = '', staffSee = '', staffCan = ''] = row.split(' | ')
      return { arrives, events, buyer, staffSee, staffCan }
    })
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
async function unplacedRow(shop: TestShop, provider: GatewayName, receiptId = ''): Promise<Happened> {
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
