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
import { fromServer, isPartOfAppend, positionText } from './eventstoredb-events.ts'
import type { ServerStreams } from './eventstoredb-streams.ts'
import type { Delivered, Listener, Subscription } from './log-cursor.ts'

/** Events per request for the newest one. A live subscription reports how far it is at least every 40 events of others. */
const NEWEST_PAGES = [1, 64]
/** Of a process that has seen no event yet: its subscription would have to deliver the whole log. */
const FIRST_PAGES = [...NEWEST_PAGES, 1_000, 1_000, 1_000]

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

/** The newest events: ours, if one is later than `known`, and the newest of all. `isAll`: every event of ours after `known` would have been found. */
export async function newestAfter(
  { read, streams }: ReadingLog,
  known: Position,
): Promise<{ ours: StoredEvent | undefined; newest: Position | undefined; isAll: boolean }> {
  let newest: Position | undefined
  let before: bigint | undefined
  for (const maxCount of known === START ? FIRST_PAGES : NEWEST_PAGES) {
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
        isKnown ||= positionText(position) <= known
        const stream = streams.ownName(event.streamId)
        if (!isKnown && stream !== undefined) found ??= { event, stream }
        // Pages are read to the end, so that no call is cancelled.
        return 'more'
      },
    )
    if (found || isKnown || count < maxCount) return { ours: found && fromServer(found), newest, isAll: true }
  }
  return { ours: undefined, newest, isAll: false }
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

/** Delivers the events of the shop's streams after a position; those of others are filtered by the server. */
export async function subscriptionAfter(
  connection: Pick<EventstoredbConnection, 'subscribe' | 'heard'> & { readonly streams: ServerStreams },
  after: Position,
  listener: Listener,
): Promise<Subscription> {
  const { streams } = connection
  const commit = after === START ? undefined : BigInt(after)
  const fromPosition = commit === undefined ? FIRST : { commit, prepare: commit }
  let delivered = 0
  // The driver reports these before the events that it has received and not delivered yet.
  let [passed, isPassedAfter, isCaughtUpAfter] = [START, Infinity, Infinity]

  function report(): void {
    if (delivered >= isPassedAfter) listener.onPassed(passed)
    if (delivered >= isPassedAfter) isPassedAfter = Infinity
    if (delivered < isCaughtUpAfter) return
    isCaughtUpAfter = Infinity
    listener.onCaughtUp()
  }

  const subscription = await connection.subscribe((client, options) =>
    client.subscribeToAll({
      ...options,
      fromPosition,
      filter: streamNameFilter({
        prefixes: [...streams.beginnings],
        checkpointReached({ readableLength }, { commit: position }) {
          connection.heard()
          passed = positionText(position)
          isPassedAfter = delivered + readableLength
          report()
        },
      }),
    }),
  )
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  for (const end of ['error', 'end', 'close'] as const) subscription.once(end, () => resolve())
  subscription.on('caughtUp', () => {
    isCaughtUpAfter = delivered + subscription.readableLength
    report()
  })
  subscription.on('data', ({ event }) => {
    connection.heard()
    delivered += 1
    const stream = event && streams.ownName(event.streamId)
    if (event?.position && stream !== undefined) listener.onEvent(deliveredFrom({ event, stream }))
    report()
  })
  return {
    ended,
    pause: () => void subscription.pause(),
    resume: () => void subscription.resume(),
    end() {
      resolve()
      subscription.destroy(new Error('ended'))
      // `unsubscribe` rejects if the call never began.
      subscription.unsubscribe().catch(() => undefined)
    },
  }
}

function deliveredFrom({ event, stream }: Found): Delivered {
  const position = positionText(event.position?.commit ?? 0n)
  const place = { stream, revision: Number(event.revision), position, isPart: isPartOfAppend(event) }
  try {
    return { ...place, event: fromServer({ event, stream }) }
  } catch (error) {
    if (!(error instanceof EventStoreDamaged)) throw error
    return { ...place, event: error }
  }
}

/** The port's error for a failed call. */
export function away(error: unknown): unknown {
  return error instanceof CallFailed ? new EventStoreAway(error.message, { cause: error }) : error
}
