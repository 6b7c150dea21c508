import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { randomUUID } from 'node:crypto'
import { countBelow, type DoubleLog, type RecordedEvent } from './log.ts'

type Options = streams.ReadReq.Options

/** Where the messages of one call go. */
export interface Reply {
  /** Resolves when the client can take more; rejects when the call is over. */
  readonly send: (message: streams.ReadResp) => Promise<void>
  readonly signal: AbortSignal
}

export class StreamDeleted extends Error {}

/** Events that a subscription considers before it may send a checkpoint. */
const SEARCH_WINDOW = 32
/** A live subscription further behind catches up again. */
const LIVE_BUFFER = 32
const TICKS_PER_MS = 10_000n

export function streamOf(identifier: shared.StreamIdentifier | undefined): string {
  return Buffer.from(identifier?.getStreamName_asU8() ?? []).toString()
}

export async function answerRead(log: DoubleLog, options: Options, { send }: Reply): Promise<void> {
  const stream = options.getStream()
  const name = streamOf(stream?.getStreamIdentifier())
  if (log.isDeleted(name)) throw new StreamDeleted(name)
  const found = stream ? log.readStream(name) : log.all
  if (found === undefined) {
    const missing = new streams.ReadResp.StreamNotFound().setStreamIdentifier(stream?.getStreamIdentifier())
    return send(new streams.ReadResp().setStreamNotFound(missing))
  }
  const from = stream ? fromRevision(stream) : fromPosition(options.getAll())
  const place = stream ? 'revision' : 'position'
  const count = Number(options.getCount())
  const isForwards = options.getReadDirection() === streams.ReadReq.Options.ReadDirection.FORWARDS
  const first = countBelow(found, place, from)
  // $all is read backwards from before a position, a stream from the revision itself.
  const end = stream ? countBelow(found, place, from + 1) : first
  const page = isForwards ? found.slice(first, first + count) : found.slice(Math.max(0, end - count), end).toReversed()
  for (const event of page) await send(messageOf(event))
}

/** Catches up page by page, then follows the log until the call is over. */
export async function answerSubscription(log: DoubleLog, options: Options, { send, signal }: Reply): Promise<void> {
  const filter = options.getFilter()
  const prefixes = filter?.getStreamIdentifier()?.getPrefixList() ?? ['']
  const isWanted = ({ stream }: RecordedEvent): boolean => prefixes.some((prefix) => stream.startsWith(prefix))
  const window = filter?.hasMax() === true ? filter.getMax() : SEARCH_WINDOW
  const interval = filter ? window * Math.max(1, filter.getCheckpointintervalmultiplier()) : Infinity
  let next = firstAfter(log, options.getAll())
  let considered = 0
  let isLive = false

  /** As 24.2: its checkpoint is the newest event that was sent from this page, or where the page began. */
  async function catchUp(): Promise<void> {
    const page = log.all.slice(next, next + window)
    let place = log.all[next - 1]?.position ?? 0
    for (const event of page.filter(isWanted)) {
      await send(messageOf(event))
      place = event.position
    }
    next += page.length
    considered += page.length
    if (next < log.all.length) {
      if (considered >= interval) await send(checkpointAt(place))
      considered %= interval
      return
    }
    isLive = true
    await send(new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp()))
  }

  async function follow(): Promise<void> {
    const event = log.all[next]
    if (event === undefined) return changed(log, signal)
    next += 1
    considered += 1
    if (isWanted(event)) await send(messageOf(event))
    if (considered >= interval) {
      considered = 0
      await send(checkpointAt(event.position))
    }
    if (log.all.length - next > LIVE_BUFFER) isLive = false
  }

  const confirmation = new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID())
  await send(new streams.ReadResp().setConfirmation(confirmation))
  while (!signal.aborted) await (isLive ? follow() : catchUp())
}

async function changed(log: DoubleLog, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<void>()
  const onAbort = (): void => aborted.resolve()
  signal.addEventListener('abort', onAbort)
  await Promise.race([log.changed(), aborted.promise])
  signal.removeEventListener('abort', onAbort)
}

function fromRevision(stream: streams.ReadReq.Options.StreamOptions): number {
  if (stream.hasEnd()) return Infinity
  return stream.hasStart() ? 0 : Number(stream.getRevision())
}

function fromPosition(all: streams.ReadReq.Options.AllOptions | undefined): number {
  if (all?.hasEnd() === true) return Infinity
  return Number(all?.getPosition()?.getCommitPosition() ?? 0)
}

/** A subscription begins after its position. */
function firstAfter({ all }: DoubleLog, options: streams.ReadReq.Options.AllOptions | undefined): number {
  return countBelow(all, 'position', Number(options?.getPosition()?.getCommitPosition() ?? -1) + 1)
}

function checkpointAt(position: number): streams.ReadResp {
  const checkpoint = new streams.ReadResp.Checkpoint()
    .setCommitPosition(String(position))
    .setPreparePosition(String(position))
  return new streams.ReadResp().setCheckpoint(checkpoint)
}

function messageOf(event: RecordedEvent): streams.ReadResp {
  const position = String(event.position)
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(event.id))
    .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(event.stream)))
    .setStreamRevision(String(event.revision))
    .setCommitPosition(position)
    .setPreparePosition(position)
    .setData(event.data)
    .setCustomMetadata(event.metadata)
  recorded
    .getMetadataMap()
    .set('type', event.type)
    .set('content-type', event.contentType)
    .set('created', String(BigInt(event.createdMs) * TICKS_PER_MS))
  return new streams.ReadResp().setEvent(
    new streams.ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(position),
  )
}
