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
  WrongExpectedVersionError,
} from '@eventstore/db-client'
import { inTime } from '../../ports/in-time.ts'
import { oneLine } from '../../ports/one-line.ts'
import { addressOf, withSettings } from './address.ts'
import { takeRejectionsOfDriver } from './driver-rejections.ts'

/** Given to every call. Per-call credentials make the driver append by calls of their own: its shared stream loses answers. */
export interface CallOptions {
  readonly credentials: Credentials
  readonly requiresLeader: true
  readonly deadline: number
}

type Call<Answer> = (client: EventStoreDBClient, options: CallOptions) => Answer

/** A call that has no answer of the server. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed'
  /** It may have been carried out, or may still be. */
  readonly mayHaveHappened: boolean
  constructor(message: string, { mayHaveHappened, cause }: { mayHaveHappened: boolean; cause?: unknown }) {
    super(message, { cause })
    this.mayHaveHappened = mayHaveHappened
  }
}

/** One client of a server or cluster. It connects at the first call, and again and again while the server is away. */
export interface EventstoredbConnection {
  /** Rejects with what the server refused, or with `CallFailed`, in bounded time. */
  ask<Answer>(call: Call<Promise<Answer>>, events?: number): Promise<Answer>
  /** Hands over one event after the other until `take` says that it is enough. Bounded by the time between two of them. */
  read<Event extends ResolvedEvent | AllStreamResolvedEvent>(
    open: Call<StreamingRead<Event>>,
    take: (resolved: Event) => 'more' | 'enough',
  ): Promise<void>
  /** One at a time, to be iterated at once. The caller ends it, and says what it hears and when it drops. */
  subscribe(
    open: (client: EventStoreDBClient, options: Omit<CallOptions, 'deadline'>) => AllStreamSubscription,
  ): Promise<AllStreamSubscription>
  heard(): void
  /** Something went wrong: no call is sent until the server has answered, and `assertSame` has been asked. */
  suspect(): void
  /** Refuses later calls; those under way end by their time-outs. */
  close(): Promise<void>
}

export interface ConnectionOptions {
  readonly url: string
  /** After an outage: throws one line where the server is not the one that it was before. */
  readonly assertSame: (read: EventstoredbConnection['read']) => Promise<void>
  readonly answerMs?: number
}

/** An append of a megabyte on a slow disk is answered within a fraction of it. */
const ANSWER_MS = 5_000
/** The driver sends each event of an append by itself. */
const ANSWER_MS_PER_EVENT = 2
/** The driver's own deadline, which it ignores for reads, ends a call first and frees what it holds. */
const GRACE_MS = 250
const PROBE_MS = 2_000
const PROBE_AGAIN_MS = 250
/** How often an unreachable server gets a new client: connections that are kept would wait up to two minutes between attempts. */
const NEW_CLIENT_MS = 1_500
const KEEP_ALIVE_MS = 10_000
/** The driver ignores it where there is no security. */
const NOBODY: Credentials = { username: 'coinshop', password: 'none' }

/** What the server, or the attempt to reach it, says of a call that it has not begun. */
const NOT_BEGUN =
  /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|No connection established|Name resolution|Server Is Not Ready|Server Is Too Busy|Failed to discover/i

// oxlint-disable-next-line max-lines-per-function -- the few calls of one client, and the one state that they share
export function eventstoredbConnection({
  url,
  assertSame,
  answerMs = ANSWER_MS,
}: ConnectionOptions): EventstoredbConnection {
  takeRejectionsOfDriver()
  const { shown, credentials = NOBODY } = addressOf(url)
  const options = { credentials, requiresLeader: true } as const
  let subscription: AllStreamSubscription | undefined
  let generation = 0
  let client = newClient()
  let madeAt = performance.now()
  let heardAt = 0
  /** Why no call is sent now. */
  let away: string | undefined
  /** The first attempt to reach the server after something went wrong; callers wait for it. */
  let recovering: Promise<void> | undefined
  let isClosed = false

  function newClient(): EventStoreDBClient {
    generation += 1
    // A setting that differs: the driver shares connections, with their pauses between attempts, among equal ones.
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
        away = oneLine(error)
        onFirst()
        if (performance.now() - madeAt > NEW_CLIENT_MS) replaceClient()
        await pause(PROBE_AGAIN_MS, undefined, { ref: false })
      }
    }
    away = undefined
    recovering = undefined
    onFirst()
  }

  /** Whether it answers, and is the one that it was. */
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
    // Its driver would leave it silent.
    subscription?.destroy(new Error('its connection was given up'))
    void endClient(former)
  }

  async function ready(): Promise<void> {
    if (recovering) await recovering
    if (isClosed) throw new CallFailed(`EventStoreDB at ${shown} is closed`, { mayHaveHappened: false })
    if (away !== undefined) throw new CallFailed(away, { mayHaveHappened: false })
  }

  function failed(error: unknown, startedAt: number): unknown {
    if (isAnswer(error)) {
      heard()
      return error
    }
    const line = oneLine(error)
    // One slow call among others that are answered says nothing of the server.
    if (!(error instanceof Late && heardAt > startedAt)) suspect()
    const text = `EventStoreDB at ${shown} cannot be used now: ${line}`
    return new CallFailed(text, { mayHaveHappened: !NOT_BEGUN.test(line), cause: error })
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
      // Another node leads now, to which the driver has turned.
      if (error instanceof NotLeaderError && !isRepeat) return askNow(call, { events, isRepeat: true })
      throw failed(error, startedAt)
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
    // Its listeners stay: what comes later is read and dropped, otherwise the driver keeps the call for ever.
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
      throw failed(error, startedAt)
    } finally {
      clearTimeout(timer)
      // Servers end a connection that cancels too many calls (CVE-2023-44487).
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
      subscription = open(client, options)
      return subscription.on('error', () => undefined)
    },

    heard,
    suspect,

    async close() {
      isClosed = true
      await endClient(client)
    },
  }
}

const LATE = Symbol('late')

/** No answer in time. */
class Late extends Error {
  constructor(ms: number) {
    super(`no answer within ${ms / 1_000} s`)
  }
}

/** The server has decided. */
function isAnswer(error: unknown): boolean {
  return (
    error instanceof WrongExpectedVersionError ||
    error instanceof StreamNotFoundError ||
    error instanceof StreamDeletedError ||
    (error instanceof Error && 'type' in error && error.type === 'maximum-append-size-exceeded')
  )
}

/** Closes its connection, for which the driver has no public call: `dispose` waits for ever where a read was left early. */
async function endClient(client: EventStoreDBClient): Promise<void> {
  const { getChannel } = client as unknown as { readonly getChannel: () => Promise<{ close(): void }> }
  try {
    const channel = await getChannel()
    channel.close()
  } catch {
    // It has none: its cluster was never found.
  }
}
