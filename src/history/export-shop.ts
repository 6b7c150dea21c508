import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { type Buyer, keysOf, openSealed } from '../event-store/event-log.ts'
import { type EventStore, START, type StoredEvent } from '../event-store/event-store.ts'
import { SealBroken } from '../event-store/sealing.ts'
import { daysIn } from '../projections/calendar.ts'
import type { Moment } from './moment.ts'
import { pagesUpTo } from './pages-up-to.ts'
import { eventRow, orderRow, paymentRows, readable, schema } from './tables.ts'

/** Events of one order, read at once. */
const EVENTS_MAX = 10_000
const ORDERS_TOGETHER = 1_000

type KeyVault = Parameters<typeof keysOf>[0]

export interface Exported {
  readonly events: number
  readonly orders: number
  /** Of the last event; undefined without one. */
  readonly recordedAt: number | undefined
}

/** Writes the log up to the moment into an empty database. Names buyers only with a vault. */
export async function exportShop(
  database: DatabaseSync,
  options: {
    readonly store: Pick<EventStore, 'readAll' | 'readStream'>
    readonly moment: Moment
    readonly timeZone: string
    readonly vault?: KeyVault | undefined
    readonly onProgress?: (reached: Exported) => void
  },
): Promise<Exported> {
  const { store, vault } = options
  const dayOf = daysIn(options.timeZone)
  database.exec(`BEGIN; ${schema}`)
  const into = (table: string, parameterOf: (name: string) => string): StatementSync =>
    database.prepare(`INSERT INTO ${table} VALUES (${columnsOf(database, table).map(parameterOf).join(', ')})`)
  const [events, orders] = [into('events', () => '?'), into('orders', () => '?')]
  const payments = into('payments', (name) => `$${name}`)
  let reached: Exported = { events: 0, orders: 0, recordedAt: undefined }
  let end = START
  for await (const page of pagesUpTo(store, options.moment)) {
    for (const event of page) {
      events.run(...eventRow(event))
      for (const row of paymentRows(event, dayOf)) payments.run(row)
    }
    const last = page.at(-1)
    end = last?.position ?? end
    reached = { ...reached, events: reached.events + page.length, recordedAt: last?.recordedAt ?? reached.recordedAt }
    options.onProgress?.(reached)
  }
  const placed = database.prepare(
    `SELECT stream FROM events WHERE type = 'OrderPlaced' AND position > ? ORDER BY position LIMIT ${ORDERS_TOGETHER}`,
  )
  for (let after = 0, isDone = false; !isDone;) {
    const streams = placed.all(after).map(({ stream }) => String(stream))
    const histories: StoredEvent[][] = []
    for (const stream of streams) {
      const own = await store.readStream(stream, { fromRevision: 0, limit: EVENTS_MAX })
      histories.push(own.filter(({ position }) => position <= end))
    }
    const placings = histories.flatMap(([placing]) => placing ?? [])
    const buyers = vault && (await buyersOf(vault, placings))
    for (const own of histories) {
      const row = orderRow(own, { dayOf, buyer: buyers?.get(own[0]?.position ?? START) })
      if (row) orders.run(...row)
    }
    isDone = streams.length < ORDERS_TOGETHER
    after = Number(placings.at(-1)?.position ?? after)
    reached = { ...reached, orders: reached.orders + streams.length }
    options.onProgress?.(reached)
  }
  database.exec('COMMIT')
  return reached
}

function columnsOf(database: DatabaseSync, table: string): string[] {
  return database
    .prepare(`SELECT * FROM ${table}`)
    .columns()
    .map(({ name }) => name)
}

/** By the position of the placing; buyers whose seal is broken are left out. */
async function buyersOf(vault: KeyVault, placings: readonly StoredEvent[]): Promise<ReadonlyMap<string, Buyer>> {
  const placed = placings.map(readable).filter((event) => event.type === 'OrderPlaced')
  const keys = await keysOf(
    vault,
    placed.map(({ data }) => data.customerId),
  )
  const buyers = new Map<string, Buyer>()
  for (const { position, data } of placed)
    try {
      buyers.set(position, openSealed(data, keys))
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error
    }
  return buyers
}
