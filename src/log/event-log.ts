import { type BuyerTexts, byBuyerText } from '../domain/order/buyer-texts.ts'
import type { OrderEventData } from '../domain/order/events.ts'
import { orderStream } from '../domain/stream-names.ts'
import { backOffMs } from '../ports/back-off.ts'
import type { Vault } from '../engines/vault/vault.ts'
import {
  AppendAmbiguous,
  type AppendResult,
  EventStoreAway,
  EventStoreDamaged,
  type EventStore,
  type Foreign,
  NO_EVENTS,
  type Position,
  START,
  type StoredEvent,
} from '../engines/event-store/event-store.ts'
import { type DecidedEvent, decode, encode, type RecordedEvent, type UnreadableEvent } from './event-codec.ts'
import { sizeOf } from '../engines/event-store/limits.ts'
import { unseal } from './sealing.ts'

export type { Caller, DecidedEvent, Envelope, EventMetadata, RecordedEvent, UnreadableEvent } from './event-codec.ts'

/** A buyer's personal data, stored only sealed. */
export interface Personal extends BuyerTexts {
  readonly marketIds: readonly { readonly marketId: string; readonly amountM: number }[]
}

/** `erased`: the vault deleted the key. `unreadable`: the vault does not know the key, so it is an older copy; a newer copy may have it. */
export type Buyer = Personal | 'erased' | 'unreadable'

/** Retries of an append whose outcome is unknown. */
const AMBIGUOUS_REPEATS_MAX = 5
const APPENDS_WAITING_MAX = 10_000
const BYTES_WAITING_MAX = 67_108_864
const AMBIGUOUS_PAUSE = { from: 20, max: 1_000 }
const PAGE = 1_000
const EVENTS_READ_MAX = 100_000
/** Within every vault's limit. */
const KEYS_PER_CALL = 1_000

/** The event store with typed events, validated on write and on read. */
export interface EventLog {
  /**
   * Adds one or more events after `expectedRevision`. Retries with the same ids if the outcome is unknown.
   * Throws `AppendConflict`, `EventStoreAway`, or `AppendAmbiguous` if the outcome is still unknown after the retries.
   */
  append(stream: string, expectedRevision: number, events: readonly DecidedEvent[]): Promise<AppendResult>
  /** Events of a stream from a revision on, at most `limit` if given. Throws `EventStoreDamaged` if one cannot be read. */
  readStream(stream: string, fromRevision?: number, limit?: number): Promise<RecordedEvent[]>
  readAll(options: { after: Position; limit: number }): Promise<(RecordedEvent | UnreadableEvent)[]>
  /** Like `readAll`, without decoding. */
  readAllStored(options: { after: Position; limit: number }): Promise<StoredEvent[]>
  decode(stored: StoredEvent): RecordedEvent | UnreadableEvent
  /** The buyers of these OrderPlaced events, by event id. */
  openPersonal(events: readonly RecordedEvent[]): Promise<Map<string, Buyer>>
  head(): Promise<Position>
  waitForEvents(options: { after: Position; timeoutMs: number; signal: AbortSignal }): Promise<void>
  /** Since this process opened the log. */
  figures(): LogFigures
}

interface LogFigures {
  /** Reads that found a damaged event. */
  readonly damagedReads: number
  readonly foreign?: Foreign | undefined
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
      for (const one of stored) events.push(assertReadable(decode(one)))
      if (stored.length < page.limit) return events
    }
    if (limit < EVENTS_READ_MAX) return events
    throw new EventStoreDamaged(`${stream} has more events than any stream of this shop can have`)
  }

  async function readAllStored(page: { after: Position; limit: number }): Promise<StoredEvent[]> {
    const events = await read(store.readAll({ ...page, showsDamaged: true }))
    damagedReads += events.filter(({ damage }) => damage !== undefined).length
    return events
  }

  async function openPersonal(events: readonly RecordedEvent[]): Promise<Map<string, Buyer>> {
    const sealed = events.flatMap((event) => (event.type === 'OrderPlaced' ? [event] : []))
    const keys = await keysOf(
      vault,
      sealed.map(({ data }) => data.customerId),
    )
    return new Map(sealed.map(({ id, data }) => [id, openSealed(data, keys)]))
  }

  return {
    append,
    readStream,
    readAll: async (page) => (await readAllStored(page)).map((stored) => decode(stored)),
    readAllStored,
    decode,
    openPersonal,
    head: () => store.head(),
    waitForEvents: (wait) => store.waitForEvents(wait),
    figures: () => ({ damagedReads, foreign: store.foreign?.() }),
  }
}

/** Retries a write while its outcome is unknown. */
async function writeUntilKnown(
  { sleep }: { readonly sleep: (ms: number) => Promise<void> },
  write: () => Promise<AppendResult>,
): Promise<AppendResult> {
  let unknown: AppendAmbiguous | undefined
  for (let repeat = 0; ; repeat += 1) {
    try {
      return await write()
    } catch (error) {
      // A failed retry says nothing about the attempt before it.
      if (error instanceof EventStoreAway && unknown) throw unknown
      if (!(error instanceof AppendAmbiguous) || repeat >= AMBIGUOUS_REPEATS_MAX) throw error
      unknown = error
      await sleep(backOffMs(repeat + 1, AMBIGUOUS_PAUSE))
    }
  }
}

export type CustomerKeys = ReadonlyMap<string, Uint8Array | 'erased'>

/** Reads the keys of any number of customers, in batches. */
export async function keysOf(vault: Pick<Vault, 'keysOf'>, customerIds: readonly string[]): Promise<CustomerKeys> {
  const distinct = [...new Set(customerIds)]
  const keys = new Map<string, Uint8Array | 'erased'>()
  for (let from = 0; from < distinct.length; from += KEYS_PER_CALL)
    for (const [id, key] of await vault.keysOf(distinct.slice(from, from + KEYS_PER_CALL))) keys.set(id, key)
  return keys
}

const noTexts = byBuyerText(() => '')

/** Opens an order's buyer data. Throws `SealBroken` if the customer's key does not open it. */
export function openSealed(
  order: Pick<OrderEventData<'OrderPlaced'>, 'orderId' | 'customerId' | 'personal'>,
  keys: CustomerKeys,
): Buyer {
  const key = keys.get(order.customerId)
  // An older copy of the vault, restored, must not make customers count as erased.
  if (key === undefined) return 'unreadable'
  if (key === 'erased') return key
  const personal = JSON.parse(unseal(order.personal, key, orderStream(order.orderId))) as Personal
  // Orders placed by earlier releases lack newer texts.
  return { ...noTexts, ...personal }
}

function assertReadable(event: RecordedEvent | UnreadableEvent): RecordedEvent {
  if (event.type !== 'unreadable') return event
  throw new EventStoreDamaged(
    `${event.storedType} at ${event.stream}:${event.revision} cannot be read (${event.reason}); run the release that wrote it, or restore a backup`,
  )
}

/** A reader at this position has seen all of `events`. */
export function lastPosition(events: readonly { position: Position }[]): Position {
  return events.at(-1)?.position ?? START
}
