import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type AppendResult as Answer,
  jsonEvent,
  NO_STREAM,
  StreamDeletedError,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import { backOffMs } from '../../ports/back-off.ts'
import { inFlight } from '../../ports/in-flight.ts'
import { inTime } from '../../ports/in-time.ts'
import { parseAddress } from '../eventstoredb/address.ts'
import { CallFailed, type EventstoredbConnection, eventstoredbConnection } from '../eventstoredb/connection.ts'
import type { AppendResult, EventStore, EventToAppend, Foreign, Position, StoredEvent } from './event-store.ts'
import { AppendAmbiguous, AppendConflict, EventStoreAway, EventStoreDamaged, NO_EVENTS, START } from './event-store.ts'
import { positionText, toServer } from './eventstoredb-events.ts'
import { away, identityOnServer, newestAfter, isStillAt, streamPage, subscriptionAfter } from './eventstoredb-reads.ts'
import { serverStreams } from './eventstoredb-streams.ts'
import { checkAppend, checkStream, countOf } from './limits.ts'
import { type Delivered, logCursor, type LogCursor } from './log-cursor.ts'
import { waiters } from './waiters.ts'

/** 2.5 s in total, with doubling pauses. */
const READABLE_TRIES = 8
const READABLE_PAUSE = { from: 10, max: 1_280 }
/** Readers near the same place share a cursor; one far from it has its own. */
const CURSORS_MAX = 3
/** A subscription that delivers nothing for so long, though the log goes on, begins anew. */
const SILENT_MS = 2_000
const SILENCES_MAX = 3

interface EventstoredbEventStoreOptions {
  readonly url: string
  /** Streams whose names begin with another word belong to others on the server, and are skipped. */
  readonly categories: readonly string[]
  readonly now?: () => number
  readonly answerMs?: number
  /** For reading while the shop may be running: creates nothing; appends fail. */
  readonly isReadOnly?: boolean
  /** Called once, for the first event of another application in a stream with a name of the shop's. */
  readonly onForeign?: (stream: string) => void
}

/** The log on a server or cluster, for any number of machines. Connects on the first call. */
// oxlint-disable-next-line max-lines-per-function -- the port's short methods share one connection and its state
export function eventstoredbEventStore(options: EventstoredbEventStoreOptions): EventStore {
  const { url, categories, now = Date.now, isReadOnly = false, onForeign = () => undefined, ...limits } = options
  const streams = serverStreams(parseAddress(url).prefix, categories)
  const connection = { ...eventstoredbConnection({ url, assertSame, ...limits }), streams }
  /** The newest event and the latest time that this process has seen. */
  const seen = { position: START, id: '', recordedAt: 0 }
  const waiting = waiters()
  const calls = inFlight((why) => new EventStoreAway(`the event store ${why}`))
  /** Of our events up to here, `seen` is the newest; reset when the connection is lost. */
  let passed = START
  let foreign: Foreign & { readonly position: Position } = { events: 0, stream: undefined, position: START }
  /** The least recently used first. */
  let cursors: readonly LogCursor[] = []
  let hasReadHead = false
  let identity: Promise<string> | undefined
  let closing: Promise<void> | undefined

  function noteEvent(event: Pick<StoredEvent, 'position' | 'id' | 'recordedAt'> | undefined): void {
    if (event === undefined) return
    seen.recordedAt = Math.max(seen.recordedAt, event.recordedAt)
    if (event.position <= seen.position) return
    seen.position = event.position
    seen.id = event.id
    waiting.wake(seen.position)
  }

  function notePassed(position: Position): void {
    if (position > passed) passed = position
  }

  async function assertSame(read: EventstoredbConnection['read']): Promise<void> {
    passed = START
    if (seen.position === START || (await isStillAt({ read }, seen))) return
    throw new Error(
      `the log at EVENTSTOREDB_URL ends before position ${countOf(seen.position)}, up to which this process knows it: it was wiped, or put back from an older copy. Put its newest copy back, or stop every process: the next start says what is lost`,
    )
  }

  async function runCall<T>(call: () => Promise<T>): Promise<T> {
    return calls.run(call).catch((error: unknown) => {
      throw away(error)
    })
  }

  async function head(): Promise<string> {
    const { position: known } = seen
    const from = known > passed ? known : passed
    const { ours, newest = START, isAll } = await newestAfter(connection, from)
    noteEvent(ours)
    if (!isAll) await skim(from)
    if (newest < known) {
      // Checks the server: the next call fails if it holds another log.
      connection.suspect()
      await connection.ready()
    }
    notePassed(newest)
    return seen.position
  }

  /** Notes all events of ours after a position, past any number of others'. */
  async function skim(after: Position): Promise<void> {
    const done = Promise.withResolvers<void>()
    let isDone = false
    const subscription = await subscriptionAfter(connection, after, {
      onEvent(delivered) {
        timer.refresh()
        if (delivered.event) noteEvent(delivered)
      },
      onPassed: () => timer.refresh(),
      onCaughtUp() {
        isDone = true
        done.resolve()
      },
    })
    const timer = setTimeout(() => subscription.end(), SILENT_MS)
    await Promise.race([done.promise, subscription.ended])
    clearTimeout(timer)
    subscription.end()
    if (isDone) return
    connection.suspect()
    await connection.ready()
    throw new EventStoreAway('the end of the log was not reached')
  }

  /** This process's clock, never before the latest time seen. */
  async function nextTime(): Promise<number> {
    if (!hasReadHead) await head()
    hasReadHead = true
    seen.recordedAt = Math.max(Math.floor(now()), seen.recordedAt)
    return seen.recordedAt
  }

  async function append(stream: string, expected: number, events: readonly EventToAppend[]): Promise<AppendResult> {
    const recordedAt = await nextTime()
    const { position: known } = seen
    // The subscription notices a lost connection before a call can reach another server at the same address.
    if (cursors.length === 0) cursorAfter(known)
    const sent = events.map((event, index) => toServer(event, { recordedAt, following: events.length - 1 - index }))
    const expectedRevision = expected === NO_EVENTS ? NO_STREAM : BigInt(expected)
    let answer: Answer
    try {
      answer = await connection.ask(
        (client, given) => client.appendToStream(streams.serverName(stream), sent, { ...given, expectedRevision }),
        sent.length,
      )
    } catch (error) {
      if (error instanceof WrongExpectedVersionError) return matchEarlierAppend(stream, { expected, events, error })
      if (error instanceof StreamDeletedError)
        throw new EventStoreDamaged(`${stream} was deleted on the server`, { cause: error })
      if (!(error instanceof CallFailed && error.mayHaveHappened)) throw error
      throw new AppendAmbiguous(error.message, { cause: error })
    }
    const position = answer.position && positionText(answer.position.commit)
    // A position seen before means that the events were already stored.
    if (position === undefined || position <= known) return matchEarlierAppend(stream, { expected, events })
    noteEvent({ position, id: events.at(-1)?.id ?? '', recordedAt })
    return { revision: expected + events.length, position }
  }

  /** The result of an identical earlier append, or the conflict. */
  async function matchEarlierAppend(
    stream: string,
    {
      expected,
      events,
      error,
    }: { expected: number; events: readonly EventToAppend[]; error?: WrongExpectedVersionError },
  ): Promise<AppendResult> {
    const actual = typeof error?.actualVersion === 'bigint' ? Number(error.actualVersion) : NO_EVENTS
    if (actual > NO_EVENTS) {
      const newest = { fromRevision: actual, limit: 1 }
      // The newest event may be this append's own, so wait until it can be read.
      if (!(await onceReadable(async () => (await streamPage(connection, stream, newest)).at(0))))
        throw new AppendAmbiguous(`event ${actual} of ${stream} is on the server and cannot be read yet`)
    }
    const isLongEnough = error === undefined || actual >= expected + events.length
    const page = { fromRevision: expected + 1, limit: events.length }
    const there = isLongEnough ? await streamPage(connection, stream, page) : []
    const end = there.at(-1)
    noteEvent(end)
    const isSame = there.length === events.length && there.every(({ id }, index) => id === events[index]?.id)
    if (!end || !isSame) throw new AppendConflict(stream, expected, error ? actual : undefined)
    return { revision: end.revision, position: end.position }
  }

  async function identityOf(): Promise<string> {
    const named = await identityOnServer(connection)
    if (named !== undefined || isReadOnly) return named ?? ''
    const event = jsonEvent({ type: 'LogNamed', data: {}, id: randomUUID() })
    try {
      await connection.ask((client, given) =>
        client.appendToStream(streams.identity, event, { ...given, expectedRevision: NO_STREAM }),
      )
    } catch (error) {
      if (!(error instanceof WrongExpectedVersionError)) throw error
    }
    const stored = await onceReadable(async () => identityOnServer(connection))
    if (stored === undefined) throw new EventStoreAway('the identity of the log cannot be read')
    return stored
  }

  /** The cursor for the events after a position; a new one replaces the one not used for longest. */
  function cursorAfter(after: Position): LogCursor {
    const covering = cursors.findLast((cursor) => cursor.covers(after)) ?? newCursor(after)
    // Another one that is at the same end would follow the log twice.
    const others = cursors.filter((cursor) => cursor !== covering && !(cursor.covers(after) && cursor.isAtEnd(after)))
    const kept = [...others.slice(-CURSORS_MAX + 1), covering]
    for (const cursor of cursors) if (!kept.includes(cursor)) cursor.stop()
    cursors = kept
    return covering
  }

  function newCursor(start: Position): LogCursor {
    return logCursor({
      start,
      subscribe: (after, listener) => subscriptionAfter(connection, after, listener),
      onArrived: noteEvent,
      onForeign({ position, stream }) {
        if (position <= foreign.position) return
        foreign = { events: foreign.events + 1, stream: foreign.stream ?? stream, position }
        if (foreign.events === 1) onForeign(stream)
      },
      onPassed: notePassed,
      onDrop: () => connection.suspect(),
    })
  }

  async function page(asked: Parameters<EventStore['readAll']>[0]): Promise<StoredEvent[]> {
    const { after, limit } = asked
    // A position after the log's end, as of a log that lost its newest events, cannot be read from.
    if (after > seen.position && (await head()) < after) return []
    let end = seen.position
    for (let silences = 0; ;) {
      await connection.ready()
      const cursor = cursorAfter(after)
      const change = cursor.change()
      const events = cursor.read(asked)
      if (events.length === limit || (events.length > 0 && cursor.isAtEnd(end)))
        return events.map((delivered) => storedOf(delivered, asked))
      if (cursor.isAtEnd(end)) {
        end = await head()
        if (end <= after) return []
      }
      if (await inTime(change, SILENT_MS, false)) silences = 0
      else if ((silences += 1) > SILENCES_MAX) throw new EventStoreAway('the log is not delivered by its server')
      else cursor.beginAnew()
    }
  }

  async function close(): Promise<void> {
    await calls.close()
    for (const cursor of cursors) cursor.stop()
    waiting.wakeAll()
    await connection.close()
  }

  return {
    async append(stream, expectedRevision, events) {
      checkAppend(stream, events)
      if (isReadOnly) throw new EventStoreAway('the event store was opened for reading')
      const list = [...events]
      return runCall(async () => append(stream, expectedRevision, list))
    },

    async readStream(stream, page) {
      checkStream(stream)
      const events = await runCall(async () => streamPage(connection, stream, page))
      noteEvent(events.at(-1))
      return events
    },

    async readAll(asked) {
      countOf(asked.after)
      return runCall(async () => page(asked))
    },

    foreign: () => foreign,

    head: async () => runCall(head),

    async waitForEvents(wait) {
      if (closing !== undefined) throw new EventStoreAway('the event store is closed')
      countOf(wait.after)
      if (seen.position > wait.after) return
      const waited = waiting.wait(wait)
      cursorAfter(wait.after)
      await waited
    },

    async identity() {
      identity ??= runCall(identityOf).catch((error: unknown) => {
        identity = undefined
        throw error
      })
      return identity
    },

    close: () => (closing ??= close()),
  }
}

function storedOf({ event, ...place }: Delivered, { showsDamaged = false }: { showsDamaged?: boolean }): StoredEvent {
  if (event && !(event instanceof EventStoreDamaged)) return event
  if (event && !showsDamaged) throw event
  const { stream, revision, position, id, recordedAt } = place
  const empty = { type: 'damaged', version: 1, data: '', metadata: '{}' }
  return { stream, revision, position, id, recordedAt, ...empty, damage: event?.message ?? '' }
}

/** Retries a read that finds nothing: the server checks appends against events before it shows them to readers. */
async function onceReadable<T>(read: () => Promise<T | undefined>): Promise<T | undefined> {
  for (let tries = 0; tries < READABLE_TRIES; tries += 1) {
    const found = await read()
    if (found !== undefined) return found
    await pause(backOffMs(tries + 1, READABLE_PAUSE))
  }
  return read()
}
