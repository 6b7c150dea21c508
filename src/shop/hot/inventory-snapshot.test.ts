import { hash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { inventory, type Inventory, type InventoryCommand } from '../../domain/inventory/inventory.ts'
import type { InventoryEvent } from '../../domain/inventory/events.ts'
import type { EventLog } from '../../log/event-log.ts'
import { STOCK, testShop, type TestShop } from '../../testing/test-shop.ts'
import { HotStream } from './hot-stream.ts'
import { readInventorySnapshot, writeInventorySnapshot } from './inventory-snapshot.ts'

const OPEN_MAX = 20_000

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stock-'))
  file = join(folder, 'stock.json')
})

afterEach(() => rmSync(folder, { recursive: true }))

function stockOf(log: EventLog) {
  return new HotStream<Inventory, InventoryEvent>(log, STOCK, inventory)
}

/** All of the state, in an order of its own. */
function plain({ state, revision, position }: HotStream<Inventory, InventoryEvent>) {
  const open = [...state.open.values()].toSorted((a, b) => a.serial - b.serial)
  const serialsOf = open.map(({ orderId }) => state.serialsOf.get(orderId))
  return { ...state, open, serialsOf, revision, position }
}

async function change({ context, caller }: TestShop, command: InventoryCommand) {
  return context.hot.changeStock(command, caller())
}

const at = (minute: number): string => `2026-01-01T00:${String(minute).padStart(2, '0')}:00.123Z`

async function shopThatHasSold(): Promise<TestShop> {
  const test = await testShop()
  const { random } = test.context
  const [one, two] = [random.uuid(), random.uuid()]
  const reserve = async (orderId: string, claimAt: number, quantityM: number, minute: number) =>
    change(test, {
      type: 'ReserveStock',
      orderId,
      claimAt,
      quantityM,
      outdatedSerials: [],
      openMax: OPEN_MAX,
      coins: 'Pokecoins',
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

it('the stored form of the snapshot changes only with its version', async () => {
  const { log, hot } = (await shopThatHasSold()).context
  await writeInventorySnapshot(file, log, hot.inventory)
  const { schemaVersion, eventId: _own, ...state } = kept()
  const shape = hash('sha256', JSON.stringify(JSON.stringify(state)), 'hex').slice(0, 16)
  // Where it stores something else, SCHEMA_VERSION is to be raised with this line.
  expect([schemaVersion, shape]).toEqual([3, 'f913014d22d9ad43'])
})

it('the snapshot of stock-main restores what a replay of the whole stream gives', async () => {
  const test = await shopThatHasSold()
  const { log, hot } = test.context
  await writeInventorySnapshot(file, log, hot.inventory)
  await change(test, { type: 'ReleaseStock', serial: 2, at: '2026-01-01T00:20:00.000Z' })
  const [restored, replayed] = [stockOf(log), stockOf(log)]
  const folded = await readInventorySnapshot(file, log, restored)
  await replayed.refresh()
  expect(folded).toBe(1)
  expect(plain(restored)).toEqual(plain(replayed))
})

it('the snapshot of stock-main never replaces a newer state', async () => {
  const test = await shopThatHasSold()
  const { log, hot } = test.context
  await writeInventorySnapshot(file, log, hot.inventory)
  await change(test, { type: 'ReleaseStock', serial: 2, at: at(20) })
  const stock = stockOf(log)
  await stock.refresh()
  const before = plain(stock)
  expect(await readInventorySnapshot(file, log, stock)).toBe(0)
  expect(plain(stock)).toEqual(before)
})

it.for<[string, (text: string) => string]>([
  ['names another event', (text) => signed({ ...stored(text), eventId: '0198c0de-0000-7000-8000-000000000000' })],
  ['lies beyond the end of the stream', (text) => signed({ ...stored(text), revision: 100 })],
  ['has the shape of another release', (text) => signed({ ...stored(text), schemaVersion: 2 })],
  ['is cut short', (text) => text.slice(0, -5)],
  ['has another digit', (text) => text.replace(/"freeM":\d/, '"freeM":9')],
  ['is empty', () => ''],
  ['is no JSON of ours', () => signed({ freeM: 5 })],
])('the snapshot of stock-main is ignored when it %s', async ([, damage]) => {
  const { log, hot } = (await shopThatHasSold()).context
  await writeInventorySnapshot(file, log, hot.inventory)
  writeFileSync(file, damage(readFileSync(file, 'utf8')))
  const restored = stockOf(log)
  expect(await readInventorySnapshot(file, log, restored)).toBe(hot.inventory.revision + 1)
  expect(plain(restored)).toEqual(plain(hot.inventory))
})

it('the snapshot of stock-main is private, and leaves no other file', async () => {
  const { log, hot } = (await shopThatHasSold()).context
  await writeInventorySnapshot(file, log, hot.inventory)
  await writeInventorySnapshot(file, log, hot.inventory)
  expect(readdirSync(folder)).toEqual(['stock.json'])
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
})

function stored(text: string): object {
  return JSON.parse(text.slice(text.indexOf('\n'))) as object
}

function kept(): Record<string, unknown> {
  return stored(readFileSync(file, 'utf8')) as Record<string, unknown>
}

function signed(state: object): string {
  const text = JSON.stringify(state)
  return `${hash('sha256', text, 'hex')}\n${text}`
}
