import { hash } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import * as z from 'zod'
import type { InventoryEvent } from '../../domain/inventory/events.ts'
import { inventory, type Inventory } from '../../domain/inventory/inventory.ts'
import type { EventLog } from '../../log/event-log.ts'
import type { HotStream } from './hot-stream.ts'

export const SNAPSHOT_EVERY = 5_000
/** Raise it when the shape below or the meaning of the state changes. */
const SCHEMA_VERSION = 3

const reservation = z.strictObject({
  orderId: z.string(),
  claimAt: z.int(),
  serial: z.int(),
  quantityM: z.int(),
  at: z.string(),
})
const snapshotOfStock = z.strictObject({
  schemaVersion: z.literal(SCHEMA_VERSION),
  /** The state holds every event of the stream up to this revision... */
  revision: z.int(),
  /** ...which was this event. */
  eventId: z.string(),
  freeM: z.int(),
  lastSerial: z.int(),
  open: z.array(reservation),
  editKeys: z.array(z.string()),
})

/** Writes the state of `stock-main` to a file, which may be missing, damaged or of another log: it only shortens a start. */
export async function writeInventorySnapshot(
  file: string,
  log: EventLog,
  { state, revision, stream }: HotStream<Inventory, InventoryEvent>,
): Promise<void> {
  if (!state.isOpen) return
  const [last] = await log.readStream(stream, revision, 1)
  if (last?.revision !== revision) return
  const { freeM, lastSerial, editKeys } = state
  const open = [...state.open.values()]
  const snapshot = { schemaVersion: SCHEMA_VERSION, revision, eventId: last.id, freeM, lastSerial, open, editKeys }
  const text = JSON.stringify(snapshot)
  // Other processes may use this folder, too.
  const unfinished = `${file}.${process.pid}`
  await writeFile(unfinished, `${checksumOf(text)}\n${text}`, { mode: 0o600 })
  await rename(unfinished, file)
}

/** Restores the snapshot if it is this stream's, then folds later events. Returns their number. */
export async function readInventorySnapshot(
  file: string | undefined,
  log: EventLog,
  stock: HotStream<Inventory, InventoryEvent>,
  progress?: (text: string) => void,
): Promise<number> {
  const snapshot = file === undefined ? undefined : await snapshotIn(file)
  if (snapshot) {
    const [event] = await log.readStream(stock.stream, snapshot.revision, 1)
    if (event?.id === snapshot.eventId) stock.restore(stateIn(snapshot), snapshot.revision, event.position)
  }
  const restored = stock.revision
  await stock.refresh((revision) => progress?.(`${stock.stream}: ${revision + 1} events folded`))
  return stock.revision - restored
}

async function snapshotIn(file: string): Promise<z.infer<typeof snapshotOfStock> | undefined> {
  const [checksum, text = ''] = (await readFile(file, 'utf8').catch(() => '')).split('\n')
  return checksum === checksumOf(text) ? snapshotOfStock.safeParse(JSON.parse(text)).data : undefined
}

function checksumOf(text: string): string {
  return hash('sha256', text, 'hex')
}

function stateIn({ freeM, lastSerial, editKeys, open }: z.infer<typeof snapshotOfStock>): Inventory {
  let state: Inventory = { ...inventory.initial, isOpen: true, freeM, lastSerial, editKeys }
  for (const reservation of open) {
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
