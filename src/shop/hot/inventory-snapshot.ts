import * as z from 'zod'
import type { InventoryEvent } from '../../domain/inventory/events.ts'
import { inventory, type Inventory } from '../../domain/inventory/inventory.ts'
import type { EventLog } from '../../event-store/event-log.ts'
import { EventStoreDamaged, type Snapshot } from '../../event-store/event-store.ts'
import type { HotStream } from './hot-stream.ts'
import { packed, packedReservations } from './packed-reservations.ts'

export const SNAPSHOT_EVERY = 5_000
/** Raise it when the shape below or the meaning of the state changes. */
const SCHEMA_VERSION = 2

const snapshotState = z.strictObject({
  freeM: z.int(),
  lastSerial: z.int(),
  /** Bytes in base64url: 20,000 open reservations must fit into one event. */
  open: z.string(),
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
  const open = packed([...state.open.values()])
  const { freeM, lastSerial, editKeys } = state
  await log.writeSnapshot(stock.stream, {
    schemaVersion: SCHEMA_VERSION,
    revision,
    eventId: last.id,
    state: JSON.stringify({ freeM, lastSerial, open, editKeys }),
  })
}

/** Restores the snapshot if it is this stream's, then folds what came after it. Returns their number. */
export async function readInventorySnapshot(
  log: EventLog,
  stock: HotStream<Inventory, InventoryEvent>,
  progress?: (text: string) => void,
): Promise<number> {
  const snapshot = await snapshotOf(log, stock.stream)
  if (snapshot?.schemaVersion === SCHEMA_VERSION) {
    const [event] = await log.readStream(stock.stream, snapshot.revision, 1)
    const state = event?.id === snapshot.eventId ? unpacked(snapshot.state) : undefined
    if (event && state) stock.restore(state, snapshot.revision, event.position)
  }
  const restored = stock.revision
  await stock.refresh((revision) => progress?.(`${stock.stream}: ${revision + 1} events folded`))
  return stock.revision - restored
}

async function snapshotOf(log: EventLog, stream: string): Promise<Snapshot | undefined> {
  try {
    return await log.readSnapshot(stream)
  } catch (error) {
    // Only a copy: the stream has everything.
    if (error instanceof EventStoreDamaged) return undefined
    throw error
  }
}

function unpacked(text: string): Inventory | undefined {
  const parsed = snapshotState.safeParse(jsonOrUndefined(text))
  const reservations = parsed.success ? packedReservations(parsed.data.open) : undefined
  if (!parsed.success || !reservations) return undefined
  const { freeM, lastSerial, editKeys } = parsed.data
  let state: Inventory = { ...inventory.initial, isOpen: true, freeM, lastSerial, editKeys }
  for (const reservation of reservations) {
    const { orderId, serial, quantityM } = reservation
    const serials = [...(state.serialsOf.get(orderId) ?? []), serial]
    state = {
      ...state,
      openM: state.openM + quantityM,
      openPreOrders: state.openPreOrders + (quantityM === 0 ? 1 : 0),
      open: state.open.with(serial, reservation),
      serialsOf: state.serialsOf.with(orderId, serials),
    }
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
