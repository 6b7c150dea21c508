import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hotStates } from '../../shop/hot/hot-states.ts'
import { readInventorySnapshot } from '../../shop/hot/inventory-snapshot.ts'
import { parseConfig } from '../../config.ts'
import { expiryOf } from '../../domain/order/deadline.ts'
import { endedAt, isDeleted, isOpen, outcomeOf, type PlacedOrder } from '../../domain/order/order-state.ts'
import type { RecordedEvent } from '../../event-store/event-log.ts'
import { allEvents, auditBooks } from '../../testing/audit-books.ts'
import type { Books } from '../verify/audit-books.ts'
import { seededRandom } from '../../testing/clock.ts'
import { FolderInUse, newShop } from './new-shop.ts'

import { firstPlacingMs, seedOrders } from './seed-orders.ts'
import { stories } from './stories.ts'

const NOW_MS = Date.parse('2026-06-01T12:00:00.000Z')
const COUNT = 400
const random = seededRandom(1)
const folder = mkdtempSync(join(tmpdir(), 'coinshop-seed-'))
const config = parseConfig({ DATA_DIR: folder })

let seeded: Awaited<ReturnType<typeof newShop>>
let events: RecordedEvent[]
let books: Books
let orders: PlacedOrder[]
let placed = 0

beforeAll(async () => {
  seeded = await newShop(config, { random, startMs: firstPlacingMs(NOW_MS) })
  await seedOrders(seeded, { count: COUNT, nowMs: NOW_MS, onProgress: (count) => (placed = count) })
  // Throws at an event that does not validate.
  events = await allEvents(seeded.shop.log)
  books = auditBooks(events, { atRest: true })
  orders = [...books.orders.values()]
})

afterAll(async () => {
  await seeded.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('a seeded shop', () => {
  it('has as many orders as were asked for, and reports its progress', () => {
    expect(orders).toHaveLength(COUNT)
    expect(placed).toBe(COUNT)
  })

  it('has balanced books', () => expect(books.problems).toStrictEqual([]))

  it.for(['pending', 'completed', 'expired', 'cancelled'] as const)('has orders that are %s', (status) =>
    expect(orders.filter((order) => (outcomeOf(order) ?? 'pending') === status && !isDeleted(order))).not.toHaveLength(
      0,
    ),
  )

  it('has deleted orders, and some that need attention', () => {
    expect(orders.filter(isDeleted).map(outcomeOf)).toContain('completed')
    const reasons = new Set(orders.flatMap(({ attention }) => attention.map(({ reason }) => reason)))
    expect([...reasons]).toEqual(expect.arrayContaining(['over', 'late-and-short']))
  })

  it('was paid by every method', () =>
    expect(
      new Set(orders.flatMap(({ attempts, receipts }) => (receipts.length > 0 ? [attempts.at(-1)?.method] : []))),
    ).toStrictEqual(new Set(['crypto', 'paypal', 'upi'])))

  it('has customers who came back', () => {
    const customers = new Set(orders.map(({ placed }) => placed.customerId))
    expect(customers.size).toBeGreaterThan(COUNT / 4)
    expect(customers.size).toBeLessThan(COUNT / 2)
  })

  it('leaves no overdue work to the workers', () => {
    const now = new Date(NOW_MS).toISOString()
    const pending = orders.filter(isOpen)
    for (const order of pending) expect((expiryOf(order) ?? '') > now).toBe(true)
    const weekAgo = new Date(NOW_MS - 13 * 86_400_000).toISOString()
    const watched = orders.filter(({ attempts }) => attempts.some(({ isWatched }) => isWatched))
    for (const order of watched) expect((endedAt(order) ?? now) > weekAgo).toBe(true)
  })

  it('spans two years that end now', () => {
    const times = orders.map(({ placed }) => placed.at).toSorted()
    expect(times.at(0)).toBe(new Date(firstPlacingMs(NOW_MS)).toISOString())
    expect(Date.parse(times.at(-1) ?? '')).toBeGreaterThan(NOW_MS - 60 * 60_000)
    expect(events.every(({ recordedAt }) => recordedAt >= firstPlacingMs(NOW_MS) && recordedAt <= NOW_MS)).toBe(true)
  })

  it('lets the buyers of its orders be read with the keys of its vault', async () => {
    const placed = events.find(({ type }) => type === 'OrderPlaced')
    if (!placed) throw new Error('there are orders')
    const opened = (await seeded.shop.log.openPersonal([placed])).get(placed.id)
    expect(opened).toMatchObject({ customerEmail: 'ada.abel.0@example.test', discordUsername: 'ada_abel0' })
  })

  it('starts from its snapshot', async () => {
    const { log, clock } = seeded.shop
    const { inventory } = hotStates({ log, clock, random })
    expect(await readInventorySnapshot(log, inventory)).toBe(0)
    expect(inventory.state.freeM).toBe(books.freeM)
  })
})

describe('seeding', () => {
  it('includes every story in a small shop', async () => {
    const small = mkdtempSync(join(tmpdir(), 'coinshop-seed-'))
    const shop = await newShop(parseConfig({ DATA_DIR: small }), { random, startMs: firstPlacingMs(NOW_MS) })
    try {
      await seedOrders(shop, { count: stories.length + 3, nowMs: NOW_MS })
      const audited = auditBooks(await allEvents(shop.shop.log), { atRest: true })
      expect(audited.problems).toStrictEqual([])
      const statuses = new Set([...audited.orders.values()].map(outcomeOf))
      expect(statuses).toStrictEqual(new Set([undefined, 'completed', 'expired', 'cancelled']))
    } finally {
      await shop.close()
      rmSync(small, { recursive: true, force: true })
    }
  })

  it('refuses a folder that is not empty', async () => {
    const used = mkdtempSync(join(tmpdir(), 'coinshop-seed-'))
    writeFileSync(join(used, 'notes.txt'), 'mine')
    const opening = newShop(parseConfig({ DATA_DIR: used }), { random, startMs: NOW_MS })
    await expect(opening).rejects.toThrow(FolderInUse)
    rmSync(used, { recursive: true, force: true })
  })
})
