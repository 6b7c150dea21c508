import type { BuyerTexts } from '../../domain/order/buyer-texts.ts'
import type { OrderEventData } from '../../domain/order/events.ts'
import { orderStream } from '../../domain/stream-names.ts'
import { backOffMs } from '../../ports/back-off.ts'
import type { Vault } from '../vault/vault.ts'
import {
  AppendAmbiguous,
  type AppendResult,
  EventStoreAway,
  EventStoreDamaged,
  type EventStore,
  NO_EVENTS,
  type Position,
  START,
  type StoredEvent,
} from './event-store.ts'
import { type DecidedEvent, decode, encode, type RecordedEvent, type UnreadableEvent } from './event-codec.ts'
import { sizeOf } from './limits.ts'
import { open, sealedFor } from './sealing.ts'

export type {
  Actor,
  Caller,
  DecidedEvent,
  Envelope,
  EventMetadata,
  RecordedEvent,
  UnreadableEvent,
} from './event-codec.ts'

/** A buyer's personal data, always sealed in the log. */
export interface Personal extends BuyerTexts {
  readonly marketIds: readonly { readonly marketId: string; readonly amountM: number }[]
}

/** `erased`: the vault has deleted the key. `unreadable`: it has never had it, so it is an older copy, and a newer one may still have it. */
export type Buyer = Personal | 'erased' | 'unreadable'

/** Attempts for an append whose outcome is unknown. */
const AMBIGUOUS_REPEATS_MAX = 5
const APPENDS_WAITING_MAX = 10_000
const BYTES_WAITING_MAX = 67_108_864
const AMBIGUOUS_PAUSE = { from: 20, max: 1_000 }
const PAGE = 1_000
/** Events per read; longer streams are read in portions. */
const EVENTS_READ_MAX = 100_000
/** Keys per read, within every vault's limit. */
const KEYS_PER_CALL = 1_000

/** The event store with typed events, checked when written and when read. */
export interface EventLog {
  /**
   * Adds events (at least one) after `expectedRevision`. An append whose outcome is unknown is repeated as the same write.
   * Throws `AppendConflict`, `EventStoreAway`, and `AppendAmbiguous` when it is unknown even after the repeats.
   */
  append(stream: string, expectedRevision: number, events: readonly DecidedEvent[]): Promise<AppendResult>
  /** Events of a stream from a revision on, all of them or at most `limit`. Throws `EventStoreDamaged` where one cannot be read. */
  readStream(stream: string, fromRevision?: number, limit?: number): Promise<RecordedEvent[]>
  readAll(options: { after: Position; limit: number }): Promise<(RecordedEvent | UnreadableEvent)[]>
  /** The same without decoding. */
  readAllStored(options: { after: Position; limit: number }): Promise<StoredEvent[]>
  decode(stored: StoredEvent): RecordedEvent | UnreadableEvent
  /** The buyers of these OrderPlaced events, by event id. */
  openPersonal(events: readonly RecordedEvent[]): Promise<Map<string, Buyer>>
  head(): Promise<Position>
  waitForEvents(options: { after: Position; timeoutMs: number; signal: AbortSignal }): Promise<void>
  /** Since it was opened, in this process. */
  figures(): LogFigures
}

export interface LogFigures {
  /** Reads that found an event that is not as it was written. */
  readonly damagedReads: number
}

export function eventLog(options: { store: EventStore; vault: Vault; sleep: (ms: number) => Promise<void> }): EventLog {
  const { store, vault } = options
  let damagedReads = 0
  const waiting = { appends: 0, bytes: 0 }

  async function read<Found>(reading: Promise<Found>): Promise<Found> {
    try {
      return await reading
    } catch (error) {
      if (error instanceof EventStoreDamaged) damagedReads += 1
      throw error
    }
  }

  async function append(
    stream: string,
    expectedRevision: number,
    events: readonly DecidedEvent[],
  ): Promise<AppendResult> {
    const encoded = events.map((decided, index) => encode(decided, { stream, revision: expectedRevision + 1 + index }))
    const bytes = encoded.reduce((sum, event) => sum + sizeOf(event), 0)
    if (waiting.appends >= APPENDS_WAITING_MAX || waiting.bytes + bytes > BYTES_WAITING_MAX)
      throw new EventStoreAway(`the log cannot keep up: ${waiting.appends} appends are waiting`)
    waiting.appends += 1
    waiting.bytes += bytes
    try {
      return await writeUntilKnown(options, async () => store.append(stream, expectedRevision, encoded))
    } finally {
      waiting.appends -= 1
      waiting.bytes -= bytes
    }
  }

  async function readStream(
    stream: string,
    fromRevision = NO_EVENTS + 1,
    limit = EVENTS_READ_MAX,
  ): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = []
    while (events.length < limit) {
      const page = { fromRevision: fromRevision + events.length, limit: Math.min(PAGE, limit - events.length) }
      const stored = await read(store.readStream(stream, page))
      for (const one of stored) events.push(readable(decode(one)))
      if (stored.length < page.limit) return events
    }
    if (limit < EVENTS_READ_MAX) return events
    throw new EventStoreDamaged(`${stream} has more events than any stream of this shop can have`)
  }

  async function openPersonal(events: readonly RecordedEvent[]): Promise<Map<string, Buyer>> {
    const sealed = events.flatMap((event) => (event.type === 'OrderPlaced' ? [event] : []))
    const keys = await keysOf(
      vault,
      sealed.map(({ data }) => sealedFor(data.personal)),
    )
    return new Map(sealed.map(({ id, data }) => [id, openSealed(data, keys)]))
  }

  return {
    append,
    readStream,
    readAll: async (page) => (await read(store.readAll(page))).map((stored) => decode(stored)),
    readAllStored: async (page) => read(store.readAll(page)),
    decode,
    openPersonal,
    head: () => store.head(),
    waitForEvents: (wait) => store.waitForEvents(wait),
    figures: () => ({ damagedReads }),
  }
}

/** Repeats a write whose end is unknown until it is known. */
async function writeUntilKnown(
  { sleep }: { readonly sleep: (ms: number) => Promise<void> },
  write: () => Promise<AppendResult>,
): Promise<AppendResult> {
  let unknown: AppendAmbiguous | undefined
  for (let repeat = 0; ; repeat += 1) {
    try {
      return await write()
    } catch (error) {
      // A repeat that was not written says nothing of the attempt before it.
      if (error instanceof EventStoreAway && unknown) throw unknown
      if (!(error instanceof AppendAmbiguous) || repeat >= AMBIGUOUS_REPEATS_MAX) throw error
      unknown = error
      await sleep(backOffMs(repeat + 1, AMBIGUOUS_PAUSE))
    }
  }
}

export type CustomerKeys = ReadonlyMap<string, Uint8Array | 'erased'>

/** Keys of any number of customers. */
export async function keysOf(vault: Pick<Vault, 'keysOf'>, customerIds: readonly string[]): Promise<CustomerKeys> {
  const distinct = [...new Set(customerIds)]
  const keys = new Map<string, Uint8Array | 'erased'>()
  for (let from = 0; from < distinct.length; from += KEYS_PER_CALL)
    for (const [id, key] of await vault.keysOf(distinct.slice(from, from + KEYS_PER_CALL))) keys.set(id, key)
  return keys
}

/** Opens an order's buyer data with the vault's keys. Throws `SealBroken` where a key is there and does not open it. */
export function openSealed(
  order: Pick<OrderEventData<'OrderPlaced'>, 'orderId' | 'personal'>,
  keys: CustomerKeys,
): Buyer {
  const key = keys.get(sealedFor(order.personal))
  // A restored older copy of the vault must not make customers count as erased.
  if (key === undefined) return 'unreadable'
  return key === 'erased' ? key : (JSON.parse(open(order.personal, key, orderStream(order.orderId))) as Personal)
}

function readable(event: RecordedEvent | UnreadableEvent): RecordedEvent {
  if (event.type !== 'unreadable') return event
  throw new EventStoreDamaged(
    `${event.storedType} at ${event.stream}:${event.revision} cannot be read (${event.reason}); run the release that wrote it, or restore a backup`,
  )
}

/** A reader at this position has seen all of `events`. */
export function lastPosition(events: readonly { position: Position }[]): Position {
  return events.at(-1)?.position ?? START
}
