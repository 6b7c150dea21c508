import {
  BACKWARDS,
  END,
  type RecordedEvent,
  START as FIRST,
  type ReadStreamOptions,
  StreamDeletedError,
  StreamNotFoundError,
  streamNameFilter,
} from '@eventstore/db-client'
import { CallFailed, type EventstoredbConnection } from '../eventstoredb/connection.ts'
import type { Position, StoredEvent } from './event-store.ts'
import { EventStoreAway, EventStoreDamaged, START } from './event-store.ts'
import { fromServer, isMarked, isPartOfAppend, isTombstone, positionText, recordedAtOf } from './eventstoredb-events.ts'
import * as z from 'zod'
import { isRefusal } from '../eventstoredb/trouble.ts'
import type { ServerStreams } from './eventstoredb-streams.ts'
import type { Delivered, Listener, Subscription } from './log-cursor.ts'

/** Events per request for the newest one. A live subscription reports how far it is at least every 40 events of others. */
const NEWEST_PAGES = [1, 64]
/** Of a process that has seen no event yet: its subscription would have to deliver the whole log. */
const FIRST_PAGES = [...NEWEST_PAGES, 1_000, 1_000, 1_000]

/** Settings of a stream that hide its events from readers, long before a scavenge removes them. */
const HIDING = ['$tb', '$maxCount', '$maxAge']
const settingsOf = z.record(z.string(), z.unknown())

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
): Promise<{ ours: OwnPlace | undefined; newest: Position | undefined; isAll: boolean }> {
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
        if (!isKnown && stream !== undefined && isOurs(event)) found ??= { event, stream }
        // Pages are read to the end, so that no call is cancelled.
        return 'more'
      },
    )
    if (found || isKnown || count < maxCount) return { ours: found && placeOf(found.event), newest, isAll: true }
  }
  return { ours: undefined, newest, isAll: false }
}

/** Throws `EventStoreDamaged` if the server hides events of the stream, or has lost some. */
export async function streamPage(
  connection: ReadingLog,
  stream: string,
  { fromRevision, limit }: { fromRevision: number; limit: number },
): Promise<StoredEvent[]> {
  const name = connection.streams.serverName(stream)
  const found = await eventsOf(connection, name, { fromRevision: BigInt(fromRevision), maxCount: limit })
  if (found === undefined) {
    const why = await whyHidden(connection, name)
    if (why !== undefined) throw new EventStoreDamaged(why)
    return []
  }
  // Another application's stream.
  if (found[0]?.revision === 0n && !found.some(isOurs)) return []
  const gap = found.findIndex(({ revision }, index) => Number(revision) !== fromRevision + index)
  if (gap >= 0) {
    const cut = `event ${fromRevision + gap} of ${name} is not there: the stream was cut on the server`
    throw new EventStoreDamaged((await whyHidden(connection, name)) ?? cut)
  }
  return found.map((event) => fromServer({ event, stream }))
}

/** The setting of a stream that hides its events from readers, and the way out; undefined if there is none. */
async function whyHidden(connection: Reading, stream: string): Promise<string | undefined> {
  const newest = { fromRevision: END, direction: BACKWARDS, maxCount: 1 } as const
  const [last] =
    (await eventsOf(connection, `$$${stream}`, newest).catch((error: unknown) => {
      if (error instanceof CallFailed && isRefusal(error.cause)) return []
      throw error
    })) ?? []
  const settings = settingsOf.safeParse(last?.data).data ?? {}
  const setting = HIDING.find((name) => settings[name] !== undefined)
  if (setting === undefined) return undefined
  const what = Number(settings['$tb']) > Number.MAX_SAFE_INTEGER ? 'was deleted' : `has ${setting}`
  return `${stream} ${what} on the server, which hides its events and loses them at a scavenge: take its settings back before (docs/servers.md, Streams that were changed)`
}

/** Undefined if the log has none yet. */
export async function identityOnServer(connection: ReadingLog): Promise<string | undefined> {
  const named = await eventsOf(connection, connection.streams.identity, { fromRevision: 0n, maxCount: 1 })
  return named?.[0]?.id
}

/** Undefined if the server finds no stream: it was never there, or was deleted. */
async function eventsOf(
  connection: Reading,
  stream: string,
  page: Pick<ReadStreamOptions, 'fromRevision' | 'direction' | 'maxCount'>,
): Promise<RecordedEvent[] | undefined> {
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
    if (error instanceof StreamNotFoundError) return undefined
    if (error instanceof StreamDeletedError)
      throw new EventStoreDamaged(`${stream} was deleted for good on the server`, { cause: error })
    throw error
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

export type OwnPlace = Pick<StoredEvent, 'position' | 'id' | 'recordedAt'>

function placeOf(event: RecordedEvent): OwnPlace {
  return { position: positionText(event.position?.commit ?? 0n), id: event.id, recordedAt: recordedAtOf(event) }
}

function isOurs(event: RecordedEvent): boolean {
  return isMarked(event) || isTombstone(event)
}

function deliveredFrom({ event, stream }: Found): Delivered {
  const place = { ...placeOf(event), stream, revision: Number(event.revision), isPart: isPartOfAppend(event) }
  if (!isOurs(event)) return { ...place, event: undefined }
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
