import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hotStates } from '../../shop/hot/hot-states.ts'
import { readInventorySnapshot } from '../../shop/hot/inventory-snapshot.ts'
import { parseConfig } from '../../config.ts'
import { expiryOf } from '../../domain/order/deadline.ts'
import { endedAt, isOpen, type PlacedOrder } from '../../domain/order/order-state.ts'
import { orderAfter } from '../../domain/order/evolve.ts'
import { isOrderEvent } from '../../projections/order-events.ts'
import type { RecordedEvent } from '../../log/event-log.ts'
import { allEvents, auditBooks } from '../../testing/audit-books.ts'
import { suiteFolder, testFolder } from '../../ports/testing/test-folder.ts'
import type { Books } from '../../shop/books.ts'
import { systemRandom } from '../../process/system.ts'
import { firstPlacingMs } from './story-calendar.ts'
import { newShop } from './new-shop.ts'
import { seedOrders } from './seed-orders.ts'

const NOW_MS = Date.parse('2026-06-01T12:00:00.000Z')
const startMs = firstPlacingMs(NOW_MS)
const COUNT = 300
const folder = suiteFolder()

let seeded: Awaited<ReturnType<typeof newShop>>
let events: RecordedEvent[]
let books: Books
let orders: PlacedOrder[]
let placed = 0

beforeAll(async () => {
  seeded = await newShop(parseConfig({ DATA_DIR: folder }), { seed: 1, startMs })
  await seedOrders(seeded, { count: COUNT, nowMs: NOW_MS, onProgress: (count) => (placed = count) })
  // Throws on an invalid event.
  events = await allEvents(seeded.context.log)
  books = auditBooks(events, { atRest: true })
  orders = [...books.orders.values()]
})

afterAll(async () => seeded.close())

/** The events of a small new shop. */
async function seededEvents(count: number, seed: number): Promise<RecordedEvent[]> {
  const shop = await newShop(parseConfig({ DATA_DIR: testFolder() }), { seed, startMs })
  try {
    await seedOrders(shop, { count, nowMs: NOW_MS })
    return await allEvents(shop.context.log)
  } finally {
    await shop.close()
  }
}

/** The events of each order in one line, with the causes that began at each. */
function histories(all: readonly RecordedEvent[]): string[] {
  const orders = Map.groupBy(all.filter(isOrderEvent), ({ stream }) => stream)
  return [...orders.values()].map((events) => {
    let order: PlacedOrder | undefined
    const words = events.map((event) => {
      const known = new Set(order?.attention.map(({ reason }) => reason))
      order = orderAfter(order, event)
      const begun = order?.attention.filter(({ reason }) => !known.has(reason)) ?? []
      const failure = event.type === 'PaymentFailed' ? [event.data.reason] : []
      return [event.type, ...begun.map(({ reason }) => reason), ...failure].join(':')
    })
    return `${words.join(' ')} `
  })
}

const endings: readonly (readonly [string, RegExp])[] = [
  ['paid in full and handed over by staff', /Started PaymentReceived OrderReady OrderCompleted/],
  ['paid in full and handed over at once', /Started PaymentReceived OrderCompleted/],
  ['paid short, then the remainder', /PaymentReceived:short .*PaymentReceived .*OrderCompleted/],
  ['paid short, and no more', /PaymentReceived:short .*OrderExpired:unearned/],
  ['paid too much', /PaymentReceived:over .*OrderCompleted/],
  ['refunded before the hand-over', /PaymentReceived OrderReady RefundRecorded (?!.*OrderCompleted)/],
  ['refunded in part after it', /OrderCompleted .*RefundRecorded/],
  ['refunded of what was too much', /PaymentReceived:over .*OrderCompleted .*RefundRecorded/],
  ['paid late, with stock', /OrderExpired .*PaymentReceived OrderReinstated .*OrderCompleted/],
  ['paid late, without stock', /OrderExpired .*PaymentReceived ReinstatementRefused:unearned /],
  ['failed for good', /PaymentFailed:declined OrderExpired/],
  ['given up while paying', /PaymentFailed:cancelled OrderExpired/],
  ['paid by another method when one had failed', /PaymentFailed:failed PaymentMethodChosen .*OrderCompleted/],
  ['cancelled', /OrderPlaced OrderCancelled/],
  ['reversed after it was handed over', /OrderCompleted RefundReported PaymentReversed:reversed AttentionSettled/],
  [
    'reversed before it was handed over',
    /OrderReady RefundReported PaymentReversed:reversed:delivery-unknown OrderDel/,
  ],
  ['approved by staff without money', /OrderPlaced OrderApproved OrderCompleted/],
  ['deleted after it was handed over', /OrderCompleted (PaymentWatchEnded )?OrderDeleted/],
  ['deleted before it was paid', /OrderPlaced OrderDeleted/],
  ['never begun to pay', /OrderPlaced OrderExpired/],
  ['a pre-order that got its coins', /PaymentReceived PreOrderReserved (OrderReady )?OrderCompleted/],
]

/** Fields that depend on keys of the vault, which are random. */
const keyed = new Set(
  'vaultId personal requestHash orderNumber reference requestId paymentId address url intents receiptId refundId whereTo'.split(
    ' ',
  ),
)

const withoutKeys = (all: readonly RecordedEvent[]): string[] =>
  all.map(({ stream, type, recordedAt, metadata, data }) => {
    const told = { stream: stream.replace(/^(receipt-).*/, '$1'), type, recordedAt, metadata, data }
    return JSON.stringify(told, (key, value: unknown) => (keyed.has(key) ? undefined : value))
  })

it('a seeded shop has the requested number of orders and balanced books', () => {
  expect([orders.length, placed]).toEqual([COUNT, COUNT])
  expect(books.problems).toStrictEqual([])
})

it('a seeded shop has changing settings, products and stock', () => {
  const types = new Set(events.map(({ type }) => type))
  const changed = ['SettingsChanged', 'ProductCreated', 'ProductChanged', 'ProductDeleted', 'StockAdjusted'] as const
  expect(changed.filter((type) => !types.has(type))).toStrictEqual([])
  expect(new Set(orders.map(({ placed }) => placed.unitPriceTenThousandths)).size).toBeGreaterThan(3)
})

it('a seeded shop records every event at its own time, in order', () => {
  const times = events.map(({ recordedAt }) => recordedAt)
  expect(events.map(({ data }) => Date.parse(data.at))).toStrictEqual(times)
  expect(times.toSorted((one, other) => one - other)).toStrictEqual(times)
})

it('a seeded shop has no overdue work', () => {
  const now = new Date(NOW_MS).toISOString()
  const pending = orders.filter(isOpen)
  for (const order of pending) expect((expiryOf(order) ?? 'never') > now).toBe(true)
  const weekAgo = new Date(NOW_MS - 8 * 86_400_000).toISOString()
  const watched = orders.filter(({ attempts }) => attempts.some(({ isWatched }) => isWatched))
  for (const order of watched) expect((endedAt(order) ?? now) > weekAgo).toBe(true)
})

it('a seeded shop spans two years that end now', () => {
  const times = orders.map(({ placed }) => placed.at).toSorted()
  expect(times.at(0)).toBe(new Date(startMs).toISOString())
  expect(Date.parse(times.at(-1) ?? '')).toBeGreaterThan(NOW_MS - 60 * 60_000)
  expect(events.every(({ recordedAt }) => recordedAt >= startMs && recordedAt <= NOW_MS)).toBe(true)
})

it('the buyers of a seeded shop are readable with its vault', async () => {
  const placed = events.find(({ type }) => type === 'OrderPlaced')
  if (!placed) throw new Error('there are orders')
  const opened = (await seeded.context.log.openPersonal([placed])).get(placed.id)
  expect(opened).toMatchObject({ customerEmail: 'ada.abel.0@example.test', discordUsername: 'ada_abel0' })
})

it('a seeded shop starts from its snapshot', async () => {
  const { log, clock } = seeded.context
  const { inventory } = hotStates({ log, clock, random: systemRandom })
  expect(await readInventorySnapshot(seeded.stockFile, log, inventory)).toBe(0)
  expect(inventory.state.freeM).toBe(books.freeM)
})

it('seeding a small shop includes every ending of an order', async () => {
  const all = await seededEvents(60, 2)
  expect(auditBooks(all, { atRest: true }).problems).toStrictEqual([])
  const lines = histories(all)
  const missing = endings.filter(([, history]) => !lines.some((line) => history.test(line)))
  expect(missing.map(([name]) => name)).toStrictEqual([])
})

it('the same seed gives the same shop, and another seed another one', async () => {
  const [one, same, other] = [await seededEvents(40, 7), await seededEvents(40, 7), await seededEvents(40, 8)]
  expect(withoutKeys(same)).toStrictEqual(withoutKeys(one))
  expect(withoutKeys(other)).not.toStrictEqual(withoutKeys(one))
})

it('seeding rejects a folder that is not empty', async () => {
  const used = testFolder()
  writeFileSync(join(used, 'notes.txt'), 'mine')
  const opening = newShop(parseConfig({ DATA_DIR: used }), { seed: 1, startMs: NOW_MS })
  await expect(opening).rejects.toThrow('is not empty (notes.txt)')
})
