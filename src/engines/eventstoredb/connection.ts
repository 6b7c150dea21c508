import { setTimeout as pause } from 'node:timers/promises'
import {
  type AllStreamResolvedEvent,
  type AllStreamSubscription,
  BACKWARDS,
  type Credentials,
  END,
  EventStoreDBClient,
  NotLeaderError,
  type ResolvedEvent,
  StreamDeletedError,
  StreamNotFoundError,
  type StreamingRead,
  TimeoutError,
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import { inTime } from '../../ports/in-time.ts'
import { oneLine } from '../../ports/one-line.ts'
import { parseAddress, withSettings } from './address.ts'
import { handleDriverRejections } from './driver-rejections.ts'
import { isRefusal, type Trouble, troubleOf } from './trouble.ts'

/** Options of every call. Per-call credentials make the driver send each append as its own call: its shared stream loses answers. */
interface ServerCallOptions {
  readonly credentials: Credentials
  readonly requiresLeader: true
  readonly deadline: number
}

type Call<Answer> = (client: EventStoreDBClient, options: ServerCallOptions) => Answer

/** The server did not answer the call, or refuses this user. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed'
  /** The server may have executed the call, or still may. */
  readonly mayHaveHappened: boolean
  readonly trouble: Trouble

  constructor(
    shown: string,
    trouble: Trouble,
    { mayHaveHappened, cause }: { mayHaveHappened: boolean; cause?: unknown },
  ) {
    const { what, wayOut } = trouble
    super(wayOut === undefined ? what : `EventStoreDB at ${shown} ${what}: ${wayOut}`, { cause })
    this.mayHaveHappened = mayHaveHappened
    this.trouble = trouble
  }
}

/** One client of a server or cluster. Connects on the first call; reconnects while the server is away. */
export interface EventstoredbConnection {
  /** Rejects with the server's error or with `CallFailed`, in bounded time. */
  ask<Answer>(call: Call<Promise<Answer>>, events?: number): Promise<Answer>
  /** Calls `take` for each event until it returns 'enough'. The timeout applies between two events. */
  read<Event extends ResolvedEvent | AllStreamResolvedEvent>(
    open: Call<StreamingRead<Event>>,
    take: (resolved: Event) => 'more' | 'enough',
  ): Promise<void>
  /** The caller listens at once, ends it, calls `heard` on each event and `suspect` on a drop. */
  subscribe(
    open: (client: EventStoreDBClient, options: Omit<ServerCallOptions, 'deadline'>) => AllStreamSubscription,
  ): Promise<AllStreamSubscription>
  heard(): void
  /** Rejects while the server is away. */
  ready(): Promise<void>
  /** Reports a problem: no call is sent until the server has answered and `assertSame` has passed. */
  suspect(): void
  /** Rejects later calls; calls in progress end by their timeouts. */
  close(): Promise<void>
}

interface ConnectionOptions {
  readonly url: string
  /** Called after an outage: throws a one-line error if the server holds another log. */
  readonly assertSame: (read: EventstoredbConnection['read']) => Promise<void>
  readonly answerMs?: number
}

/** A slow disk writes an append of a megabyte in a fraction of this. */
const ANSWER_MS = 5_000
/** The driver sends the events of an append one by one. */
const ANSWER_MS_PER_EVENT = 2
/** Lets the driver's deadline end a call first and free its resources. The driver ignores it for reads. */
const GRACE_MS = 250
const PROBE_MS = 2_000
const PROBE_AGAIN_MS = 250
/** Interval of new clients while the server is unreachable: an old connection waits up to two minutes between attempts. */
const NEW_CLIENT_MS = 1_500
const KEEP_ALIVE_MS = 10_000
/** The driver ignores credentials on an insecure connection. */
const NOBODY: Credentials = { username: 'coinshop', password: 'none' }

/** Errors of a call that the server has not begun. */
const NOT_BEGUN =
  /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|No connection established|Name resolution|Server Is Not Ready|Server Is Too Busy|Failed to discover/i

// oxlint-disable-next-line max-lines-per-function -- a few calls that share one client and its state
export function eventstoredbConnection({
  url,
  assertSame,
  answerMs = ANSWER_MS,
}: ConnectionOptions): EventstoredbConnection {
  handleDriverRejections()
  const address = parseAddress(url)
  const { shown, credentials = NOBODY } = address
  const options = { credentials, requiresLeader: true } as const
  const subscriptions = new Set<AllStreamSubscription>()
  let generation = 0
  let client = newClient()
  let madeAt = performance.now()
  let heardAt = 0
  /** Why calls are rejected now. */
  let away: Trouble | undefined
  /** The first attempt to reach the server again; callers wait for it. */
  let recovering: Promise<void> | undefined
  let isClosed = false

  function newClient(): EventStoreDBClient {
    generation += 1
    // A different setting for each client: the driver shares connections, and their backoff, between equal ones.
    const keepAliveTimeout = KEEP_ALIVE_MS + (generation % 1_000)
    return EventStoreDBClient.connectionString(
      withSettings(url, { nodePreference: 'leader', throwOnAppendFailure: 'true', keepAliveTimeout }),
    )
  }

  function heard(): void {
    heardAt = performance.now()
  }

  function suspect(): void {
    if (isClosed || recovering) return
    const first = Promise.withResolvers<void>()
    recovering = first.promise
    void recover(first.resolve)
  }

  async function recover(onFirst: () => void): Promise<void> {
    for (;;) {
      if (isClosed) break
      try {
        await probe()
        break
      } catch (error) {
        away = error instanceof CallFailed ? error.trouble : { what: oneLine(error), wayOut: undefined }
        onFirst()
        if (performance.now() - madeAt > NEW_CLIENT_MS) replaceClient()
        await pause(PROBE_AGAIN_MS, undefined, { ref: false })
      }
    }
    away = undefined
    recovering = undefined
    onFirst()
  }

  /** Throws if the server does not answer, or holds another log. */
  async function probe(): Promise<void> {
    const newest = { direction: BACKWARDS, fromPosition: END, maxCount: 1 } as const
    await readNow(
      PROBE_MS,
      (at, given) => at.readAll({ ...given, ...newest }),
      () => 'more',
    )
    await assertSame((open, take) => readNow(PROBE_MS, open, take))
  }

  function replaceClient(): void {
    const former = client
    client = newClient()
    madeAt = performance.now()
    // The driver would leave them open and silent.
    for (const subscription of subscriptions) subscription.destroy(new Error('its connection was given up'))
    void endClient(former)
  }

  async function ready(): Promise<void> {
    if (recovering) await recovering
    if (isClosed) throw new CallFailed(shown, CLOSED, { mayHaveHappened: false })
    if (away !== undefined) throw new CallFailed(shown, away, { mayHaveHappened: false })
  }

  async function failed(error: unknown, startedAt: number): Promise<unknown> {
    if (isAnswer(error)) {
      heard()
      return error
    }
    if (isRefusal(error)) {
      heard()
      return new CallFailed(shown, await troubleOf(error, address), { mayHaveHappened: false, cause: error })
    }
    const line = oneLine(error)
    // A single timeout is no outage if another call was answered meanwhile. The server's own ends an append that repeats one not committed yet.
    const isTimeout = error instanceof Late || error instanceof TimeoutError
    if (!(isTimeout && heardAt > startedAt)) suspect()
    const mayHaveHappened = !NOT_BEGUN.test(line)
    return new CallFailed(shown, await troubleOf(error, address), { mayHaveHappened, cause: error })
  }

  async function askNow<Answer>(
    call: Call<Promise<Answer>>,
    { events, isRepeat = false }: { events: number; isRepeat?: boolean },
  ): Promise<Answer> {
    const startedAt = performance.now()
    const deadline = answerMs + events * ANSWER_MS_PER_EVENT
    try {
      const answer = await inTime(call(client, { ...options, deadline }), deadline + GRACE_MS, LATE)
      if (answer === LATE) throw new Late(deadline)
      heard()
      return answer
    } catch (error) {
      // Another node leads now, and the driver has switched to it.
      if (error instanceof NotLeaderError && !isRepeat) return askNow(call, { events, isRepeat: true })
      throw await failed(error, startedAt)
    }
  }

  async function readNow<Event extends ResolvedEvent | AllStreamResolvedEvent>(
    idleMs: number,
    open: Call<StreamingRead<Event>>,
    take: (resolved: Event) => 'more' | 'enough',
  ): Promise<void> {
    const startedAt = performance.now()
    const stream = open(client, { ...options, deadline: idleMs })
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const timer = setTimeout(() => reject(new Late(idleMs)), idleMs)
    let isEnough = false
    let hasEnded = false
    // The listener stays and drops later events: otherwise the driver never ends the call.
    stream.on('data', (resolved: Event) => {
      if (isEnough) return
      timer.refresh()
      heard()
      isEnough = take(resolved) === 'enough'
      if (isEnough) resolve()
    })
    stream.once('end', resolve).on('error', reject)
    stream.once('end', () => (hasEnded = true))
    try {
      await promise
      heard()
    } catch (error) {
      hasEnded ||= isAnswer(error)
      throw await failed(error, startedAt)
    } finally {
      clearTimeout(timer)
      // Only if needed: servers close a connection that cancels many calls (CVE-2023-44487).
      if (!hasEnded) stream.cancel().catch(() => undefined)
    }
  }

  return {
    async ask(call, events = 1) {
      await ready()
      return askNow(call, { events })
    },

    async read(open, take) {
      await ready()
      return readNow(answerMs, open, take)
    },

    async subscribe(open) {
      await ready()
      const subscription = open(client, options)
      subscriptions.add(subscription)
      return subscription.on('error', () => undefined).once('close', () => subscriptions.delete(subscription))
    },

    heard,
    ready,
    suspect,

    async close() {
      isClosed = true
      await endClient(client)
    },
  }
}

const CLOSED: Trouble = { what: 'was closed', wayOut: 'start the process again' }

const LATE = Symbol('late')

class Late extends Error {
  constructor(ms: number) {
    super(`no answer within ${ms / 1_000} s`)
  }
}

/** Whether the error is the server's answer to the call. */
function isAnswer(error: unknown): boolean {
  return (
    error instanceof WrongExpectedVersionError ||
    error instanceof StreamNotFoundError ||
    error instanceof StreamDeletedError ||
    (error instanceof Error && 'type' in error && error.type === 'maximum-append-size-exceeded')
  )
}

/** Closes the connection by a private method, since `dispose` hangs after a read that was left early. */
async function endClient(client: EventStoreDBClient): Promise<void> {
  const { getChannel } = client as unknown as { readonly getChannel: () => Promise<{ close(): void }> }
  try {
    const channel = await getChannel()
    channel.close()
  } catch {
    // No channel: the cluster was never found.
  }
}
