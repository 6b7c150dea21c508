import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../../ports/testing/free-port.ts'
import { type AppendFate, answerAppend, writeSystemEvents } from './eventstoredb-double/appends.ts'
import { type Answerable, answerCall, errorOf, type OpenCall, openCall } from './eventstoredb-double/calls.ts'
import { type DoubleLog, openDoubleLog } from './eventstoredb-double/log.ts'
import type { Front } from './eventstoredb-double/front.ts'
import { startServer, VERSION } from './eventstoredb-double/services.ts'

/*
 * A double of one EventStoreDB server (24.2), as far as the shop's engine asks it, in the client's own wire format.
 *
 * As the server: an append's check of revisions and ids, all or nothing, on disk before the answer; its limit of bytes; typed errors;
 * a repeat of an append that is not on disk yet is dropped, and ends by a time-out;
 * order and positions of $all, with system streams in it; filters, checkpoints and `caughtUp` of subscriptions.
 * An append that is taken, and not on disk yet, is in the way of others and is shown to nobody: for `syncMs`, in a process of its own for some milliseconds.
 *
 * Unlike the server:
 * - No TLS, users or access control; no cluster (gossip names this server as its leader). Over HTTP, it tells what the doctor asks.
 * - No BatchAppend: the client takes the classic append for every call.
 * - Streams are deleted, and get settings, beside the wire: $tb and $maxCount hide events as there, $maxAge does not. No links, persistent subscriptions, projections, subscriptions to one stream, filters but by the beginnings of streams. No scavenging, no statistics.
 * - It checks no id, type or content type, and knows neither ANY nor STREAM_EXISTS.
 * - The limit counts data, metadata and twice the type, as servers after 24.2; that one counts the data alone.
 * - Positions are offsets in a file of its own. One that is no event's reads on from the next event; the server refuses some.
 * - All events are held in memory, and a page of a subscription is one window.
 */

/** For errors to reach the clients before their connections end. */
const GOODBYE_MS = 50

interface Fates {
  append?: ((call: { readonly stream: string }) => AppendFate | undefined) | undefined
  /** New subscriptions stay open and deliver nothing. */
  areSubscriptionsSilent?: boolean
}

export interface DoubleOptions {
  /** Without one, all is forgotten when it stops. */
  readonly file?: string
  /** Any free one by default. */
  readonly port?: number
  /** Of the dates that events get. */
  readonly now?: () => number
  /** How much longer a write to disk takes; readers see an append after it, other writers are checked against it at once. */
  readonly syncMs?: number
}

export async function eventstoredbDouble({ port, ...storage }: DoubleOptions = {}) {
  const fates: Fates = {}
  const calls = new Set<OpenCall>()
  const counts = { read: 0, subscription: 0, append: 0, events: 0 }
  let bound = port ?? (await freePort())
  let running: { readonly server: Front; readonly log: DoubleLog } | undefined

  async function start(): Promise<void> {
    const log = await openDoubleLog(storage)
    if (log.all.length === 0) await writeSystemEvents(log)
    const server = await startServer(bound, {
      pages: {
        '/info': { esVersion: `${VERSION}.0`, state: 'leader' },
        '/info/options': [{ name: 'MemDb', value: String(storage.file === undefined) }],
      },
      append(call, answer) {
        counts.append += 1
        void answerAppend(log, { call, answer, fateOf: (stream) => fates.append?.({ stream }) })
      },
      read(grpcCall) {
        const call = openCall(grpcCall, () => (counts.events += 1))
        counts[call.kind] += 1
        calls.add(call)
        call.signal.addEventListener('abort', () => calls.delete(call))
        if (call.kind === 'read' || fates.areSubscriptionsSilent !== true) void answerCall(log, call)
      },
    })
    bound = server.port
    running = { server, log }
  }

  async function end(goodbye?: Answerable): Promise<void> {
    const ending = running
    running = undefined
    if (goodbye) {
      for (const call of calls) call.end(goodbye)
      await pause(GOODBYE_MS)
    }
    for (const call of calls) call.drop()
    await ending?.server.close()
    await ending?.log.close()
  }

  await start()
  return {
    /** The same after a restart. */
    url: `esdb://127.0.0.1:${bound}?tls=false`,
    /** May be changed at any time. */
    fates,
    /** Calls of each kind, and events sent. */
    counts: counts as Readonly<typeof counts>,
    /** What it stores, to be read and written beside the wire. */
    log() {
      if (!running) throw new Error('the double does not run')
      return running.log
    },
    start,
    /** As an operator does: reads and subscriptions end with an error. */
    stop: () => end(errorOf('unavailable')),
    /** Connections break. What was not appended yet is lost. */
    crash: () => end(),
    /** How many are open now. */
    openCalls: (kind: 'read' | 'subscription') => [...calls].filter((call) => call.kind === kind).length,
  }
}

export type EventStoreDBDouble = Awaited<ReturnType<typeof eventstoredbDouble>>
