import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { Metadata, type sendUnaryData, type ServerReadableStream, status } from '@grpc/grpc-js'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Answerable, errorOf, type Trouble } from './calls.ts'
import { type DoubleLog, type ExpectedRevision, type ProposedEvent, RepeatDropped, type Written } from './log.ts'
import { streamOf } from './reads.ts'

export type AppendCall = ServerReadableStream<streams.AppendReq, streams.AppendResp>
export type AppendAnswer = sendUnaryData<streams.AppendResp>

/** What becomes of an append; by default it is written, then answered. */
export interface AppendFate {
  /** A later one is checked and written when its time has come. */
  readonly writes?: 'never' | { readonly afterMs: number }
  /** Other answers than the true one; given after an immediate write, and before a later one. */
  readonly answers?: Trouble | 'never'
  /** So many events of strangers are written first. */
  readonly strangersBefore?: number
}

interface AppendRequest {
  readonly stream: string
  readonly expected: ExpectedRevision
  readonly events: readonly ProposedEvent[]
}

const APPEND_BYTES_MAX = 1_048_576

export async function answerAppend(
  log: DoubleLog,
  {
    call,
    answer,
    fateOf,
  }: { call: AppendCall; answer: AppendAnswer; fateOf: (stream: string) => AppendFate | undefined },
): Promise<void> {
  try {
    const request = await requestOf(call)
    const { writes, answers, strangersBefore = 0 } = fateOf(request.stream) ?? {}
    for (let count = 0; count < strangersBefore; count += 1) await writeStranger(log)
    const writing = writes === 'never' ? undefined : written(log, request, writes)
    writing?.catch(() => undefined)
    if (answers === undefined || writes === undefined) await writing
    if (answers !== undefined && answers !== 'never') return answer(errorOf(answers))
    if (answers === undefined && writing) answer(null, responseTo(request.expected, await writing))
  } catch (error) {
    if (error instanceof RepeatDropped) return answer(errorOf('timeout'))
    answer(error instanceof TooLarge ? tooLarge : { code: status.UNKNOWN, details: String(error) })
  }
}

class TooLarge extends Error {}

const tooLarge: Answerable = {
  code: status.INVALID_ARGUMENT,
  details: `Maximum Append Size of ${APPEND_BYTES_MAX} Exceeded.`,
  metadata: Metadata.fromHttp2Headers({
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(APPEND_BYTES_MAX),
  }),
}

async function written(
  log: DoubleLog,
  { stream, expected, events }: AppendRequest,
  later?: { readonly afterMs: number },
): Promise<Written> {
  if (later) await pause(later.afterMs)
  return log.append(stream, expected, events)
}

async function requestOf(call: AppendCall): Promise<AppendRequest> {
  let options: streams.AppendReq.Options | undefined
  const events: ProposedEvent[] = []
  let bytes = 0
  for await (const message of call as AsyncIterable<streams.AppendReq>) {
    options ??= message.getOptions()
    const proposed = message.getProposedMessage()
    if (!proposed) continue
    const event = eventOf(proposed)
    bytes += event.data.length + event.metadata.length + 2 * event.type.length
    if (bytes > APPEND_BYTES_MAX) throw new TooLarge()
    events.push(event)
  }
  return { stream: streamOf(options?.getStreamIdentifier()), expected: expectedIn(options), events }
}

function eventOf(proposed: streams.AppendReq.ProposedMessage): ProposedEvent {
  const said = (name: string): string => proposed.getMetadataMap().get(name) ?? ''
  return {
    id: proposed.getId()?.getString() ?? '',
    type: said('type'),
    contentType: said('content-type'),
    data: proposed.getData_asU8(),
    metadata: proposed.getCustomMetadata_asU8(),
  }
}

function expectedIn(options: streams.AppendReq.Options | undefined): ExpectedRevision {
  return options?.hasRevision() === true ? Number(options.getRevision()) : 'no_stream'
}

function responseTo(expected: ExpectedRevision, result: Written): streams.AppendResp {
  if (!result.isWritten) return new streams.AppendResp().setWrongExpectedVersion(conflictOf(expected, result))
  const success = new streams.AppendResp.Success().setCurrentRevision(String(result.revision))
  const at = String(result.position)
  if (result.position === undefined) success.setNoPosition(new shared.Empty())
  else success.setPosition(new streams.AppendResp.Position().setCommitPosition(at).setPreparePosition(at))
  return new streams.AppendResp().setSuccess(success)
}

function conflictOf(expected: ExpectedRevision, { currentRevision }: { currentRevision: number }) {
  const conflict = new streams.AppendResp.WrongExpectedVersion()
  if (currentRevision < 0) conflict.setCurrentNoStream(new shared.Empty())
  else conflict.setCurrentRevision(String(currentRevision))
  return typeof expected === 'number'
    ? conflict.setExpectedRevision(String(expected))
    : conflict.setExpectedNoStream(new shared.Empty())
}

/** As a new server: nobody finds its own event first. */
export async function writeSystemEvents(log: DoubleLog): Promise<void> {
  await log.append('$user-admin', 'no_stream', [eventWith('$UserCreated', { loginName: 'admin' })])
  await log.append('$$$users', 'no_stream', [eventWith('$metadata', { $acl: { $r: '$admins' } })])
}

/** Of another application on the same server. */
async function writeStranger(log: DoubleLog): Promise<void> {
  await log.append(`stranger_${randomUUID()}`, 'no_stream', [eventWith('SomethingElse', ['not', 'ours'])])
}

function eventWith(type: string, data: unknown): ProposedEvent {
  return {
    id: randomUUID(),
    type,
    contentType: 'application/json',
    data: Buffer.from(JSON.stringify(data)),
    metadata: Buffer.alloc(0),
  }
}
