import { describe, expect, it } from 'vitest'
import { IN_PLACE_MAX, inventory, type Inventory, type InventoryCommand } from '../../domain/inventory/inventory.ts'
import type { InventoryEvent } from '../../domain/inventory/events.ts'
import type { EventLog } from '../../event-store/event-log.ts'
import { EventStoreDamaged } from '../../event-store/event-store.ts'
import { seededRandom } from '../../testing/clock.ts'
import { shapesOf } from '../../testing/stored-shapes.ts'
import { STOCK, testShop, type TestShop } from '../../commands/testing/test-shop.ts'
import { HotStream } from './hot-stream.ts'
import { readInventorySnapshot, writeInventorySnapshot } from './inventory-snapshot.ts'

const SNAPSHOT_BYTES_MAX = 700_000
const OPEN_MAX = 20_000

function stockOf(log: EventLog) {
  return new HotStream<Inventory, InventoryEvent>(log, STOCK, inventory)
}

/** All of the state, in an order of its own. */
function plain({ state, revision, position }: HotStream<Inventory, InventoryEvent>) {
  const open = [...state.open.values()].toSorted((a, b) => a.serial - b.serial)
  const serialsOf = open.map(({ orderId }) => state.serialsOf.get(orderId))
  return { ...state, open, serialsOf, revision, position }
}

async function change({ shop, caller }: TestShop, command: InventoryCommand) {
  return shop.hot.changeStock(command, caller())
}

const at = (minute: number): string => `2026-01-01T00:${String(minute).padStart(2, '0')}:00.123Z`

async function shopThatHasSold(): Promise<TestShop> {
  const test = await testShop()
  const { random } = test.shop
  const [one, two] = [random.uuid(), random.uuid()]
  const reserve = async (orderId: string, claimAt: number, quantityM: number, minute: number) =>
    change(test, {
      type: 'ReserveStock',
      orderId,
      claimAt,
      quantityM,
      outdatedSerials: [],
      openMax: OPEN_MAX,
      at: at(minute),
    })
  await reserve(one, 0, 100, 5)
  // Another process's clock is behind.
  await reserve(two, 0, 0, 3)
  await reserve(one, 300, 50, 9)
  await change(test, { type: 'AdjustStock', differenceM: 70, editKey: 'edit-1', adminId: 'owner', at: at(10) })
  await reserve(random.uuid(), 2, 40, 11)
  await reserve(random.uuid(), 0, 30, 12)
  await change(test, { type: 'ReleaseStock', serial: 5, at: at(12) })
  await change(test, { type: 'CommitStock', serial: 4, at: at(13) })
  return test
}

describe('the snapshot of stock-main', () => {
  it('stores what its version stores', async () => {
    const test = await shopThatHasSold()
    const { log, hot } = test.shop
    await writeInventorySnapshot(log, hot.inventory)
    const snapshot = await log.readSnapshot(STOCK)
    const shapes = shapesOf(`stock-snapshot@${snapshot?.schemaVersion}`, new Map([['sold', snapshot?.state]]))
    expect(shapes.changed, 'it stores something else now: raise SCHEMA_VERSION').toEqual([])
    expect(shapes.toAdd, 'add these lines to src/testing/stored-shapes.txt').toEqual([])
  })

  it('restores what a replay of the whole stream gives', async () => {
    const test = await shopThatHasSold()
    const { log, hot } = test.shop
    await writeInventorySnapshot(log, hot.inventory)
    await change(test, { type: 'ReleaseStock', serial: 2, at: '2026-01-01T00:20:00.000Z' })
    const [restored, replayed] = [stockOf(log), stockOf(log)]
    const folded = await readInventorySnapshot(log, restored)
    await replayed.refresh()
    expect(folded).toBe(1)
    expect(plain(restored)).toEqual(plain(replayed))
  })

  it('never replaces a newer state', async () => {
    const test = await shopThatHasSold()
    const { log, hot } = test.shop
    await writeInventorySnapshot(log, hot.inventory)
    await change(test, { type: 'ReleaseStock', serial: 2, at: at(20) })
    const stock = stockOf(log)
    await stock.refresh()
    const before = plain(stock)
    expect(await readInventorySnapshot(log, stock)).toBe(0)
    expect(plain(stock)).toEqual(before)
  })

  it.for<[string, (shot: { schemaVersion: number; eventId: string; revision: number; state: string }) => object]>([
    [
      'names another event',
      ({ eventId }) => ({ eventId: eventId.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) }),
    ],
    ['lies beyond the end of the stream', ({ revision }) => ({ revision: revision + 1 })],
    ['has the shape of another release', ({ schemaVersion }) => ({ schemaVersion: schemaVersion + 1 })],
    ['is cut short', ({ state }) => ({ state: state.slice(0, -5) })],
    [
      "has lost a reservation's last byte",
      ({ state }) => ({ state: state.replace(/[\w-]{2}("[^"]*"editKeys)/, '$1') }),
    ],
    ['is no JSON of ours', () => ({ state: '{"freeM":5}' })],
  ])('is ignored when it %s', async ([, damage]) => {
    const test = await shopThatHasSold()
    const { log, hot } = test.shop
    await writeInventorySnapshot(log, hot.inventory)
    const written = await log.readSnapshot(STOCK)
    if (!written) throw new Error('a snapshot was written')
    await log.writeSnapshot(STOCK, { ...written, ...damage(written) })
    const restored = stockOf(log)
    const folded = await readInventorySnapshot(log, restored)
    expect(folded).toBe(hot.inventory.revision + 1)
    expect(plain(restored)).toEqual(plain(hot.inventory))
  })

  it('is ignored when the engine finds it damaged', async () => {
    const test = await shopThatHasSold()
    const { log, hot } = test.shop
    const damaged: EventLog = {
      ...log,
      readSnapshot: async () => {
        throw new EventStoreDamaged('played')
      },
    }
    const restored = stockOf(log)
    await readInventorySnapshot(damaged, restored)
    expect(plain(restored)).toEqual(plain(hot.inventory))
  })

  it('fits into one event while as many orders are open as may be', async () => {
    const { shop } = await testShop()
    const random = seededRandom(7)
    const editKeys = Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(255, 'k'))
    let state: Inventory = { ...inventory.initial, isOpen: true, freeM: 1_000_000, editKeys }
    for (let index = 0; index < OPEN_MAX + IN_PLACE_MAX; index += 1) {
      const serial = 5_000_000 + index * 3
      const quantityM = 1 + Math.floor(random.fraction() * 50_000)
      const reservedAt = new Date(1_767_225_600_000 + index * 180).toISOString()
      state = inventory.evolve(state, {
        type: 'StockReserved',
        data: { orderId: random.uuid(), claimAt: 0, serial, quantityM, at: reservedAt },
      })
    }
    const stock = stockOf(shop.log)
    stock.restore(state, 0, '1')
    await writeInventorySnapshot(shop.log, stock)
    const snapshot = await shop.log.readSnapshot(STOCK)
    expect(snapshot?.state.length).toBeLessThan(SNAPSHOT_BYTES_MAX)
    const restored = stockOf(shop.log)
    await readInventorySnapshot(shop.log, restored)
    expect([...restored.state.open.values()]).toHaveLength(OPEN_MAX + IN_PLACE_MAX)
    expect(plain(restored).open).toEqual(plain(stock).open)
  })
})
