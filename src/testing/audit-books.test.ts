import { beforeAll, expect, it } from 'vitest'
import { firstPlacingMs } from '../cli/seeding/story-calendar.ts'
import { newShop } from '../cli/seeding/new-shop.ts'
import { seedOrders } from '../cli/seeding/seed-orders.ts'
import { parseConfig } from '../config.ts'
import type { RecordedEvent } from '../log/event-log.ts'
import { analyticsProjection, type TotalsDocument } from '../projections/analytics.ts'
import { cleanFold } from '../projector/testing/clean-fold.ts'
import { allEvents, auditBooks } from './audit-books.ts'
import { suiteFolder } from '../ports/testing/test-folder.ts'

const NOW_MS = Date.parse('2026-06-01T12:00:00.000Z')
const folder = suiteFolder()
let events: RecordedEvent[]

beforeAll(async () => {
  const startMs = firstPlacingMs(NOW_MS)
  const seeded = await newShop(parseConfig({ DATA_DIR: folder }), { seed: 3, startMs })
  await seedOrders(seeded, { count: 60, nowMs: NOW_MS })
  events = await allEvents(seeded.context.log)
  await seeded.close()
})

function indexOf(type: RecordedEvent['type']): number {
  const index = events.findIndex((event) => event.type === type)
  expect(index).toBeGreaterThan(0)
  return index
}

const without = (type: RecordedEvent['type']) => events.toSpliced(indexOf(type), 1)

function twice(type: RecordedEvent['type']): RecordedEvent[] {
  const again = events[indexOf(type)]
  if (!again) throw new TypeError(`no ${type} happened`)
  return [...events, { ...again, revision: events.filter(({ stream }) => stream === again.stream).length }]
}

type Refund = Extract<RecordedEvent, { type: 'RefundRecorded' }>

const ofAnother = (event: Refund): Refund => ({
  ...event,
  data: { ...event.data, parts: [{ receiptId: 'another', amountCents: event.data.amountCents }] },
})
const ofLess = (event: Refund): Refund => ({ ...event, data: { ...event.data, amountCents: 1 } })

it('the books of a seeded shop balance', () => expect(auditBooks(events, { atRest: true }).problems).toEqual([]))

it('the books have the revenue of the dashboard', () => {
  const totals = cleanFold(analyticsProjection({ timeZone: 'UTC' }), events).get('totals')?.body as TotalsDocument
  expect(auditBooks(events, { atRest: true }).revenueCents).toBe(totals.revenueCents)
  expect(totals.revenueCents).toBeGreaterThan(0)
})

it.each<[string, () => RecordedEvent[], RegExp]>([
  ['an order lacks an event', () => without('PaymentRequested'), /has revision \d+ where \d+ should be/],
  ['an order was placed twice', () => twice('OrderPlaced'), /was placed twice/],
  ['a serial was given twice', () => twice('StockReserved'), /serial \d+ was given twice/],
  ['a serial was ended twice', () => twice('StockCommitted'), /serial \d+ was ended twice/],
  ['coins were given away that nobody reserved', () => without('StockReserved'), /M sold is not the/],
  ['a receipt was not claimed', () => without('ReceiptClaimed'), /which has not claimed it/],
  ['a refund was noted twice', () => twice('RefundRecorded'), /more of receipt .+ was paid or taken back than/],
  [
    'a refund is of a receipt that never came',
    () => events.map((event) => (event.type === 'RefundRecorded' ? ofAnother(event) : event)),
    /has a refund of a receipt that it never had/,
  ],
  [
    'a refund does not add up',
    () => events.map((event) => (event.type === 'RefundRecorded' ? ofLess(event) : event)),
    /does not add up/,
  ],
  [
    'coins were sold to an order that was released',
    () => events.map((event) => (event.type === 'StockCommitted' ? { ...event, type: 'StockReleased' } : event)),
    /was ended by release, but its order says commit/,
  ],
  [
    'an order was delivered that nobody paid',
    () => events.filter(({ type }) => type !== 'PaymentReceived' && type !== 'OrderApproved'),
    /was completed, and was neither paid nor approved/,
  ],
  [
    'an order that stands holds nothing',
    () => events.filter(({ type }) => type !== 'StockReleased' && type !== 'StockCommitted'),
    /is open, but: (commit|release)/,
  ],
])('the books do not balance when %s', (_, changed, problem) =>
  expect(auditBooks(changed(), { atRest: true }).problems.join('\n')).toMatch(problem),
)
