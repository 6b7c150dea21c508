import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ShopEvent } from '../domain/events.ts'
import type { InventoryEvent } from '../domain/inventory/events.ts'
import { inventory } from '../domain/inventory/inventory.ts'
import { STOCK_STREAM } from '../domain/stream-names.ts'
import {
  approved,
  cancelled,
  completed,
  day,
  deleted,
  disputeClosed,
  disputed,
  expired,
  failed,
  placed,
  received,
  refunded,
  reinstated,
  requested,
  TOTAL_CENTS,
} from '../domain/testing/order-samples.ts'
import type { PaymentMethod } from '../domain/payment-methods.ts'
import type { RecordedEvent } from '../log/event-log.ts'
import { analyticsProjection, type RevenueDocument, type TotalsDocument } from '../projections/analytics.ts'
import { cleanFold, recorded } from '../projector/testing/clean-fold.ts'
import { ofOrder, salesHistories, shopHistories } from '../projections/testing/histories.ts'
import { shopLog } from '../projections/testing/shop-log.ts'
import { exportShop } from './export-shop.ts'
import type { Moment } from './moment.ts'
import { questions } from './questions.ts'

const timeZone = 'Asia/Kolkata'
const whole: Moment = { beforeMs: Number.MAX_SAFE_INTEGER }

type Rows = readonly Readonly<Record<string, unknown>>[]

/** Exports a shop with these events. Returns a function that runs queries and questions. */
async function exported(...events: readonly ShopEvent[]) {
  const log = shopLog()
  await log.record(...events)
  const database = new DatabaseSync(':memory:')
  await exportShop(database, { store: log.store, moment: whole, timeZone })
  return (asked: string): Rows => {
    const sql = questions().find(({ name }) => name === asked)?.sql ?? asked
    return database
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }))
  }
}

const change = (adminId: string | null, basePriceCents: number, at: string): ShopEvent => ({
  type: 'SettingsChanged',
  data: { changes: { basePriceCents }, adminId, at },
})

/** The figures of the dashboard after these events. */
function dashboardOf(events: readonly RecordedEvent[]) {
  const documents = [...cleanFold(analyticsProjection({ timeZone }), events)]
  const rowsOf = (by: 'day' | 'method') =>
    documents
      .filter(([id]) => id.startsWith(`${by}-`))
      .map(([, { body }]) => body as RevenueDocument)
      .map((row) => ({ [by]: row[by], completed: row.completedOrders, revenueCents: row.revenueCents }))
      .filter(({ completed: count, revenueCents }) => count !== 0 || revenueCents !== 0)
      .toSorted((a, b) => (String(a[by]) < String(b[by]) ? -1 : 1))
  const totals = documents.find(([id]) => id === 'totals')?.[1].body as TotalsDocument | undefined
  return {
    totals: totals ?? { orders: 0, revenueCents: 0, coinsM: 0 },
    days: rowsOf('day'),
    methods: rowsOf('method'),
  }
}

const days = fc.integer({ min: 0, max: 70 })
/** Sold orders, some approved, disputed, refunded or deleted. */
const soldHistories: fc.Arbitrary<ShopEvent[]> = fc
  .array(
    fc.record({
      paymentMethod: fc.constantFrom('paypal', 'crypto', 'upi'),
      isApproved: fc.boolean(),
      isDisputed: fc.boolean(),
      soldOn: days,
      refund: fc.option(fc.record({ revenueCents: fc.integer({ min: 1, max: TOTAL_CENTS }), on: days })),
      isDeleted: fc.boolean(),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((orders) =>
    orders.flatMap((order, index) => soldOrder(order, { orderId: `order-${index}`, customerId: 'buyer' })),
  )

function soldOrder(
  life: {
    paymentMethod: PaymentMethod
    isApproved: boolean
    isDisputed: boolean
    soldOn: number
    refund: { revenueCents: number; on: number } | null
    isDeleted: boolean
  },
  names: { orderId: string; customerId: string },
): ShopEvent[] {
  const { paymentMethod, soldOn, refund, isDeleted } = life
  const completedAt = day(soldOn)
  const refundCents = refund?.revenueCents ?? 0
  const events: ShopEvent[] = [
    placed({ paymentMethod }),
    requested(1, paymentMethod),
    received(1, life.isApproved ? 400 : TOTAL_CENTS),
    ...(life.isApproved ? [approved()] : []),
    completed({ paymentMethod, at: completedAt }),
    ...(life.isDisputed ? [disputed(), disputeClosed('lost')] : []),
    ...(refund
      ? [refunded(refundCents, { revenueCents: refundCents, paymentMethod, at: day(soldOn + refund.on) })]
      : []),
    ...(isDeleted ? [deleted({ paymentMethod, completedAt, totalCents: TOTAL_CENTS - refundCents })] : []),
  ]
  return events.map((event) => ofOrder(event, names))
}

const TOTALS = `SELECT COUNT(*) AS orders, coalesce(SUM(revenueCents), 0) AS revenueCents,
  coalesce(SUM(quantityM) FILTER (WHERE completedOn IS NOT NULL), 0) AS coinsM FROM orders WHERE NOT isDeleted`

it('an export has the figures of the dashboard and the stock of the decider', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(shopHistories, salesHistories, soldHistories), async (history) => {
      const ask = await exported(...history)
      const events = recorded(...history)
      const dashboard = dashboardOf(events)
      expect(ask(TOTALS)).toEqual([dashboard.totals])
      expect(ask('revenue-by-day')).toEqual(dashboard.days)
      const methods = ask('by-method').filter((row) => row['completed'] !== 0 || row['revenueCents'] !== 0)
      expect(methods.map(({ placed: _placed, paid: _paid, ...row }) => row)).toEqual(dashboard.methods)
      const { freeM, openM: reservedM } = events
        .filter(({ stream }) => stream === STOCK_STREAM)
        .reduce((state, event) => inventory.evolve(state, event as InventoryEvent), inventory.initial)
      expect(ask('stock').at(-1) ?? { freeM: 0, reservedM: 0 }).toMatchObject({ freeM, reservedM })
    }),
  )
})

it('an export has every event as JSON and each order as its decider has it', async () => {
  const ask = await exported(placed(), requested(1, 'upi'), received(1, 400))
  const facts = ask('SELECT data FROM events ORDER BY position').map(({ data }) => JSON.parse(String(data)) as unknown)
  expect(facts[2]).toEqual(received(1, 400).data)
  expect(ask('SELECT position, receivedCents, isPaid, status FROM orders')).toEqual([
    { position: 1, receivedCents: 400, isPaid: 0, status: 'pending' },
  ])
})

describe('the questions', () => {
  it('the questions count revenue on the day of completion and a refund on its own day', async () => {
    // Already February in Kolkata.
    const at = '2026-01-31T18:30:00.000Z'
    const refund = refunded(400, { revenueCents: 300, at: '2026-03-15T00:00:00.000Z' })
    const sold = [placed(), requested(1, 'upi'), received(1, 1000), completed({ at }), refund]
    const months = [
      { month: '2026-02', completed: 1, revenueCents: 1000, differenceCents: null },
      { month: '2026-03', completed: 0, revenueCents: -300, differenceCents: -1300 },
    ]
    expect((await exported(...sold))('revenue-by-month')).toEqual(months)
    const ask = await exported(...sold, deleted({ completedAt: at, totalCents: 700 }))
    expect(ask('revenue-by-month')).toMatchObject([{ completed: 0, revenueCents: 300 }, { revenueCents: -300 }])
    expect(ask('refunds')).toEqual([{ month: '2026-03', refundedCents: 400 }])
  })

  it('the questions count an approved order as paid', async () => {
    const ask = await exported(placed(), approved(), completed())
    expect(ask('conversion')).toMatchObject([{ placed: 1, paid: 1, percent: 100 }])
  })

  it('the questions say who changed a setting, from what to what, and the orders until the next change', async () => {
    const [first, next] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z']
    const ask = await exported(change(null, 5, first), placed({ settingsRevision: 0 }), change('owner', 6, next))
    const setting = 'basePriceCents'
    expect(ask('setting-changes')).toEqual([
      { at: first, admin: null, setting, before: null, after: 5, orders: 1 },
      { at: next, admin: 'owner', setting, before: 5, after: 6, orders: 0 },
    ])
    expect(ask('settings')).toEqual([{ setting, value: 6, since: next }])
  })

  const paid = [placed(), requested(1, 'upi'), received(1, 1000)]
  it.for<[events: readonly ShopEvent[], ending: string | null]>([
    [[placed()], null],
    [[placed(), expired()], 'never-begun'],
    [[placed(), requested(1, 'upi'), failed(1), expired()], 'payment-failed'],
    [[placed(), requested(1, 'upi'), expired()], 'late'],
    [[placed(), requested(1, 'upi'), received(1, 400), expired()], 'late'],
    [[placed(), cancelled()], 'cancelled'],
    [[placed(), deleted()], 'by-staff'],
    [[...paid, refunded(1000, { endsOrder: true })], 'by-staff'],
    [[placed(), expired(), deleted()], 'never-begun'],
    [[placed(), requested(1, 'upi'), expired(), received(1, 1000), reinstated(9)], null],
    [[...paid, completed()], null],
    [[...paid, completed(), deleted({ completedAt: placed().data.at })], null],
  ])('the questions say why an order ended: %#, %s', async ([events, ending]) => {
    expect((await exported(...events))('SELECT ending FROM orders')).toEqual([{ ending }])
  })
})
