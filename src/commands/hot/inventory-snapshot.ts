import * as z from 'zod'
import type { InventoryEvent } from '../../domain/inventory/events.ts'
import { inventory, type Inventory, type Reservation } from '../../domain/inventory/inventory.ts'
import type { EventLog } from '../../event-store/event-log.ts'
import type { HotStream } from './hot-stream.ts'

export const SNAPSHOT_EVERY = 5_000
/** Raised whenever the shape below, or what the state means, changes. */
const SCHEMA_VERSION = 1

/** Serial, order id in base64url, revision of the claim, quantity, time: short, since 20,000 must fit into one event. */
const openReservation = z.tuple([z.int(), z.string(), z.int(), z.int(), z.int()])
const snapshotState = z.strictObject({
  freeM: z.int(),
  lastSerial: z.int(),
  open: z.array(openReservation),
  editKeys: z.array(z.string()),
})

/** Keeps the state of `stock-main` beside the log. */
export async function writeInventorySnapshot(
  log: EventLog,
  stock: HotStream<Inventory, InventoryEvent>,
): Promise<void> {
  const { state, revision } = stock
  if (!state.isOpen) return
  const [last] = await log.readStream(stock.stream, revision, 1)
  if (last?.revision !== revision) return
  const open = [...state.open.values()].map(packed)
  const { freeM, lastSerial, editKeys } = state
  await log.writeSnapshot(stock.stream, {
    schemaVersion: SCHEMA_VERSION,
    revision,
    eventId: last.id,
    state: JSON.stringify({ freeM, lastSerial, open, editKeys }),
  })
}

/** Restores the snapshot if it is this stream's, then folds what came after it. Answers how many events that was. */
export async function readInventorySnapshot(
  log: EventLog,
  stock: HotStream<Inventory, InventoryEvent>,
  progress?: (text: string) => void,
): Promise<number> {
  const snapshot = await log.readSnapshot(stock.stream)
  if (snapshot?.schemaVersion === SCHEMA_VERSION) {
    const [event] = await log.readStream(stock.stream, snapshot.revision, 1)
    const state = event?.id === snapshot.eventId ? unpacked(snapshot.state) : undefined
    if (event && state) stock.restore(state, snapshot.revision, event.position)
  }
  const restored = stock.revision
  await stock.refresh((revision) => progress?.(`${stock.stream}: ${revision + 1} events folded`))
  return stock.revision - restored
}

function packed({ serial, orderId, claimAt, quantityM, at }: Reservation): z.infer<typeof openReservation> {
  const id = Buffer.from(orderId.replaceAll('-', ''), 'hex').toString('base64url')
  return [serial, id, claimAt, quantityM, Date.parse(at)]
}

function unpacked(text: string): Inventory | undefined {
  const parsed = snapshotState.safeParse(jsonOrUndefined(text))
  if (!parsed.success) return undefined
  const { freeM, lastSerial, editKeys } = parsed.data
  let state: Inventory = { ...inventory.initial, isOpen: true, freeM, lastSerial, editKeys }
  for (const [serial, id, claimAt, quantityM, at] of parsed.data.open) {
    const hex = Buffer.from(id, 'base64url').toString('hex')
    const orderId = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
    const reservation = { serial, orderId, claimAt, quantityM, at: new Date(at).toISOString() }
    const serials = [...(state.serialsOf.get(orderId) ?? []), serial]
    state = { ...state, open: state.open.with(serial, reservation), serialsOf: state.serialsOf.with(orderId, serials) }
  }
  return state
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
