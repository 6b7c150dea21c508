import {
  BACKWARDS,
  END,
  type RecordedEvent,
  START as FIRST,
  StreamNotFoundError,
  streamNameFilter,
} from '@eventstore/db-client'
import { CallFailed, type EventstoredbConnection } from '../eventstoredb/connection.ts'
import type { Position, StoredEvent } from './event-store.ts'
import { EventStoreAway, EventStoreDamaged, START } from './event-store.ts'
import { fromServer, positionText, recordedAtOf } from './eventstoredb-events.ts'
import type { ServerStreams } from './eventstoredb-streams.ts'
import type { Subscription } from './followed-log.ts'

/** Limit of events per request; those of others are skipped. */
const PAGE = 1_000
const NEWEST_PAGE = 16

type Reading = Pick<EventstoredbConnection, 'read'>

/** A server, and the shop's streams on it. */
interface ReadingLog extends Reading {
  readonly streams: ServerStreams
}

interface Found {
  readonly event: RecordedEvent
  /** The shop's name of the stream. */
  readonly stream: string
}

/** A page of the log; `end` is set if the read skipped many events of others up to the end of the log. */
export async function logPage(
  { read, streams }: ReadingLog,
  { after, limit }: { after: Position; limit: number },
): Promise<{ events: StoredEvent[]; end: Position | undefined }> {
  const found: Found[] = []
  let from = after === START ? undefined : BigInt(after)
  // One more than the limit, since the server includes the event at the position; full pages after that, to skip others' events.
  for (let maxCount = Math.min(limit + 1, PAGE), isFirst = true; ; maxCount = PAGE, isFirst = false) {
    const fromPosition = from === undefined ? FIRST : { commit: from, prepare: from }
    let count = 0
    await read(
      (client, options) => client.readAll({ ...options, fromPosition, maxCount }),
      ({ event }) => {
        count += 1
        const position = event?.position?.commit
        if (event === undefined || position === undefined || (from !== undefined && position <= from)) return 'more'
        from = position
        const stream = streams.ownName(event.streamId)
        if (stream !== undefined) found.push({ event, stream })
        return found.length === limit && count < maxCount ? 'enough' : 'more'
      },
    )
    const isFull = found.length === limit
    if (!isFull && count === maxCount) continue
    const end = isFirst || isFull || from === undefined ? undefined : positionText(from)
    return { events: found.map(fromServer), end }
  }
}

/** Our newest event after `known`, and the newest position of all. `end` is that position if many events of others come before it. */
export async function newestAfter(
  { read, streams }: ReadingLog,
  known: Position,
): Promise<{ ours: StoredEvent | undefined; newest: Position | undefined; end: Position | undefined }> {
  let newest: Position | undefined
  let before: bigint | undefined
  let maxCount = NEWEST_PAGE
  for (;;) {
    let found: Found | undefined
    let [count, isKnown] = [0, false]
    const fromPosition = before === undefined ? END : { commit: before, prepare: before }
    await read(
      (client, options) => client.readAll({ ...options, direction: BACKWARDS, fromPosition, maxCount }),
      ({ event }) => {
        count += 1
        const position = event?.position?.commit
        if (event === undefined || position === undefined || (before !== undefined && position >= before)) return 'more'
        before = position
        newest ??= positionText(position)
        isKnown = positionText(position) <= known
        const stream = streams.ownName(event.streamId)
        if (!isKnown && stream !== undefined) found ??= { event, stream }
        // Short pages are read to the end, so that no call is cancelled.
        return (isKnown || found) && maxCount === PAGE ? 'enough' : 'more'
      },
    )
    if (found || isKnown || count < maxCount)
      return { ours: found && fromServer(found), newest, end: maxCount === PAGE ? newest : undefined }
    maxCount = PAGE
  }
}

export async function streamPage(
  connection: ReadingLog,
  stream: string,
  { fromRevision, limit }: { fromRevision: number; limit: number },
): Promise<StoredEvent[]> {
  const found = await eventsOf(connection, connection.streams.serverName(stream), {
    fromRevision: BigInt(fromRevision),
    maxCount: limit,
  })
  return found.map((event, index) => {
    const stored = fromServer({ event, stream })
    if (stored.revision === fromRevision + index) return stored
    throw new EventStoreDamaged(
      `event ${fromRevision + index} of ${stream} is not there: the stream was cut on the server. Restore the newest backup.`,
    )
  })
}

/** Undefined if the log has none yet. */
export async function identityOnServer(connection: ReadingLog): Promise<string | undefined> {
  const [named] = await eventsOf(connection, connection.streams.identity, { fromRevision: 0n, maxCount: 1 })
  return named?.id
}

/** Empty if the stream does not exist. */
async function eventsOf(
  connection: Reading,
  stream: string,
  page: { fromRevision: bigint; maxCount: number },
): Promise<RecordedEvent[]> {
  const found: RecordedEvent[] = []
  try {
    await connection.read(
      (client, options) => client.readStream(stream, { ...options, ...page }),
      ({ event }) => {
        if (event) found.push(event)
        return 'more'
      },
    )
  } catch (error) {
    if (!(error instanceof StreamNotFoundError)) throw error
  }
  return found
}

/** Whether this event is still at its position: not if the server was wiped or restored from an older copy. */
export async function isStillAt(
  connection: Reading,
  { position, id }: Pick<StoredEvent, 'position' | 'id'>,
): Promise<boolean> {
  const commit = BigInt(position)
  let found: RecordedEvent | undefined
  await connection.read(
    (client, options) => client.readAll({ ...options, fromPosition: { commit, prepare: commit }, maxCount: 1 }),
    ({ event }) => {
      found = event
      return 'more'
    },
  )
  return found?.id === id && found.position?.commit === commit
}

export type OwnPlace = Pick<StoredEvent, 'position' | 'id' | 'recordedAt'>

/** Positions of the shop's own events, not validated: a read does that. */
export async function subscriptionAfter(
  connection: Pick<EventstoredbConnection, 'subscribe' | 'heard'> & { readonly streams: ServerStreams },
  after: Position,
): Promise<Subscription<OwnPlace>> {
  const { streams } = connection
  const commit = after === START ? undefined : BigInt(after)
  const fromPosition = commit === undefined ? FIRST : { commit, prepare: commit }
  const subscription = await connection.subscribe((client, options) =>
    client.subscribeToAll({
      ...options,
      fromPosition,
      filter: streamNameFilter({ prefixes: [...streams.beginnings] }),
    }),
  )
  async function* events(): AsyncGenerator<OwnPlace> {
    for await (const { event } of subscription) {
      connection.heard()
      if (event?.position && streams.ownName(event.streamId) !== undefined)
        yield { position: positionText(event.position.commit), id: event.id, recordedAt: recordedAtOf(event) }
    }
  }
  return {
    events: events(),
    end() {
      subscription.destroy(new Error('ended'))
      // Leaving the loop does not end the call. `unsubscribe` rejects if the call never began.
      subscription.unsubscribe().catch(() => undefined)
    },
  }
}

/** The port's error for a failed call. */
export function away(error: unknown): unknown {
  return error instanceof CallFailed ? new EventStoreAway(error.message, { cause: error }) : error
}
