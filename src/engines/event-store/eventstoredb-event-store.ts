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
import { parseAddress } from '../eventstoredb/address.ts'
import { CallFailed, type EventstoredbConnection, eventstoredbConnection } from '../eventstoredb/connection.ts'
import type { AppendResult, EventStore, EventToAppend, Position, StoredEvent } from './event-store.ts'
import { AppendAmbiguous, AppendConflict, EventStoreAway, EventStoreDamaged, NO_EVENTS, START } from './event-store.ts'
import { positionText, toServer } from './eventstoredb-events.ts'
import {
  away,
  identityOnServer,
  logPage,
  newestAfter,
  type OwnPlace,
  isStillAt,
  streamPage,
  subscriptionAfter,
} from './eventstoredb-reads.ts'
import { serverStreams } from './eventstoredb-streams.ts'
import { followedLog, type FollowedLog } from './followed-log.ts'
import { checkAppend, checkStream, countOf } from './limits.ts'
import { waiters } from './waiters.ts'

/** 2.5 s in total, with doubling pauses. */
const READABLE_TRIES = 8
const READABLE_PAUSE = { from: 10, max: 1_280 }

interface EventstoredbEventStoreOptions {
  readonly url: string
  /** Streams whose names begin with another word belong to others on the server, and are skipped. */
  readonly categories: readonly string[]
  readonly now?: () => number
  readonly answerMs?: number
  /** For reading while the shop may be running: creates nothing; appends fail. */
  readonly isReadOnly?: boolean
}

/** The log on a server or cluster, for any number of machines. Connects on the first call. */
// oxlint-disable-next-line max-lines-per-function -- the port's short methods share one connection and its state
export function eventstoredbEventStore(options: EventstoredbEventStoreOptions): EventStore {
  const { url, categories, now = Date.now, isReadOnly = false, ...limits } = options
  const streams = serverStreams(parseAddress(url).prefix, categories)
  const connection = { ...eventstoredbConnection({ url, assertSame, ...limits }), streams }
  /** The newest event and the latest time that this process has seen. */
  const seen = { position: START, id: '', recordedAt: 0 }
  const waiting = waiters()
  const calls = inFlight((why) => new EventStoreAway(`the event store ${why}`))
  /** A range of the log without this shop's events; reset when the connection is lost. */
  let others: { readonly after: Position; readonly upTo: Position } | undefined
  let hasReadHead = false
  let identity: Promise<string> | undefined
  let following: FollowedLog | undefined
  /** No event came during the last wait: if a read now finds one, the subscription has stopped reporting. */
  let hasWaitedInVain = false
  let closing: Promise<void> | undefined

  function noteEvent(event: Pick<StoredEvent, 'position' | 'id' | 'recordedAt'> | undefined): void {
    if (event === undefined) return
    seen.recordedAt = Math.max(seen.recordedAt, event.recordedAt)
    if (event.position <= seen.position) return
    seen.position = event.position
    seen.id = event.id
    waiting.wake(seen.position)
  }

  function noteEnd(after: Position, upTo: Position | undefined): void {
    if (upTo !== undefined) others = { after, upTo }
  }

  /** The position to read from, past a known range of others' events. */
  function skipOthers(after: Position): Position {
    return others && after >= others.after && after < others.upTo ? others.upTo : after
  }

  async function assertSame(read: EventstoredbConnection['read']): Promise<void> {
    others = undefined
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
    const { ours, newest, end } = await newestAfter(connection, skipOthers(known))
    noteEvent(ours)
    noteEnd(ours?.position ?? known, end)
    if ((newest ?? START) < known) {
      // Checks the server: the next call fails if it holds another log.
      connection.suspect()
      await connection.read(
        (client, given) => client.readAll({ ...given, maxCount: 1 }),
        () => 'more',
      )
    }
    return seen.position
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
    follow(known)
    const sent = events.map((event) => toServer(event, recordedAt))
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
        throw new EventStoreDamaged(`${stream} was deleted on the server: restore the newest backup`, { cause: error })
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

  function follow(after: Position): void {
    following ??= followedLog<OwnPlace>({
      subscribe: () => subscriptionAfter(connection, after > seen.position ? after : seen.position),
      onEvent: noteEvent,
      onDrop: () => connection.suspect(),
    })
  }

  async function close(): Promise<void> {
    await calls.close()
    await following?.stop()
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

    async readAll({ after, limit }) {
      countOf(after)
      const { events, end } = await runCall(async () => logPage(connection, { after: skipOthers(after), limit }))
      const newest = events.at(-1)?.position ?? after
      if (hasWaitedInVain && newest > seen.position) following?.subscribeAgain()
      hasWaitedInVain = false
      noteEvent(events.at(-1))
      noteEnd(newest, end)
      return events
    },

    head: async () => runCall(head),

    async waitForEvents(wait) {
      if (closing !== undefined) throw new EventStoreAway('the event store is closed')
      countOf(wait.after)
      if (seen.position > wait.after) return
      const waited = waiting.wait(wait)
      follow(wait.after)
      await waited
      hasWaitedInVain = seen.position <= wait.after
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

/** Retries a read that finds nothing: the server checks appends against events before it shows them to readers. */
async function onceReadable<T>(read: () => Promise<T | undefined>): Promise<T | undefined> {
  for (let tries = 0; tries < READABLE_TRIES; tries += 1) {
    const found = await read()
    if (found !== undefined) return found
    await pause(backOffMs(tries + 1, READABLE_PAUSE))
  }
  return read()
}
