import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { type Buyer, keysOf, openSealed } from '../log/event-log.ts'
import { type EventStore, START, type StoredEvent } from '../engines/event-store/event-store.ts'
import { SealBroken } from '../log/sealing.ts'
import { daysIn } from '../projections/calendar.ts'
import type { Moment } from './moment.ts'
import { pagesUpTo } from './pages-up-to.ts'
import { eventRow, orderRow, paymentRows, readableEvent, schema } from './tables.ts'

/** Limit for one order. */
const EVENTS_MAX = 10_000

type KeyVault = Parameters<typeof keysOf>[0]

export interface Exported {
  readonly events: number
  readonly orders: number
  /** Time of the last event, if any. */
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
  const placings = database.prepare(`SELECT stream FROM events WHERE type = 'OrderPlaced' ORDER BY position`)
  // Each order is read again: the states of all orders would not fit into memory.
  for (const { stream } of placings.iterate()) {
    const own = await store.readStream(String(stream), { fromRevision: 0, limit: EVENTS_MAX })
    const by = own.filter(({ position }) => position <= end)
    const row = orderRow(by, { dayOf, buyer: vault && by[0] && (await buyerOf(vault, by[0])) })
    if (row) orders.run(...row)
    reached = { ...reached, orders: reached.orders + 1 }
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

/** Undefined if the seal is broken. */
async function buyerOf(vault: KeyVault, placing: StoredEvent): Promise<Buyer | undefined> {
  const event = readableEvent(placing)
  if (event.type !== 'OrderPlaced') return undefined
  try {
    return openSealed(event.data, await keysOf(vault, [event.data.customerId]))
  } catch (error) {
    if (error instanceof SealBroken) return undefined
    throw error
  }
}
