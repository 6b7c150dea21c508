import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { Metadata, type sendUnaryData, type ServerReadableStream, status } from '@grpc/grpc-js'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Answerable, errorOf, type Trouble } from './errors.ts'
import type { ProposedEvent } from './events.ts'
import type { DoubleLog, ExpectedRevision, Written } from './log.ts'
import { streamOf } from './reads.ts'

export type AppendCall = ServerReadableStream<streams.AppendReq, streams.AppendResp>
export type AppendAnswer = sendUnaryData<streams.AppendResp>

type Later = { readonly afterMs: number } | { readonly after: Promise<unknown> }

/** What becomes of an append; by default it is written, then answered. */
export interface AppendFate {
  /** A later one is checked and written when its time has come. */
  readonly writes?: 'never' | Later
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
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

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
    answer(error instanceof CallError ? error.answer : { code: status.UNKNOWN, details: String(error) })
  }
}

/** Rejects a call with this status. */
class CallError extends Error {
  readonly answer: Answerable
  constructor(code: status, details: string, metadata: Readonly<Record<string, string>> = {}) {
    super(details)
    this.answer = { code, details, metadata: Metadata.fromHttp2Headers({ ...metadata }) }
  }
}

async function written(log: DoubleLog, { stream, expected, events }: AppendRequest, later?: Later): Promise<Written> {
  if (later) await ('after' in later ? later.after : pause(later.afterMs))
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
    if (bytes > APPEND_BYTES_MAX) throw tooLarge()
    events.push(event)
  }
  const stream = streamOf(options?.getStreamIdentifier())
  if (!options || stream === '') throw new CallError(status.INVALID_ARGUMENT, 'an append names its stream')
  return { stream, expected: expectedIn(options), events }
}

function tooLarge(): CallError {
  return new CallError(status.INVALID_ARGUMENT, `Maximum Append Size of ${APPEND_BYTES_MAX} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(APPEND_BYTES_MAX),
  })
}

function eventOf(proposed: streams.AppendReq.ProposedMessage): ProposedEvent {
  const id = proposed.getId()?.getString() ?? ''
  const type = proposed.getMetadataMap().get('type') ?? ''
  const contentType = proposed.getMetadataMap().get('content-type') ?? ''
  if (!UUID.test(id)) throw new CallError(status.UNKNOWN, `not a UUID: ${id}`)
  if (type === '' || contentType === '') {
    throw new CallError(status.INVALID_ARGUMENT, 'a required metadata property is missing', {
      exception: 'missing-required-metadata-property',
      'required-metadata-properties': 'type,content-type',
    })
  }
  return { id, type, contentType, data: proposed.getData_asU8(), metadata: proposed.getCustomMetadata_asU8() }
}

function expectedIn(options: streams.AppendReq.Options): ExpectedRevision {
  if (options.hasAny()) return 'any'
  if (options.hasNoStream()) return 'no_stream'
  return options.hasStreamExists() ? 'stream_exists' : Number(options.getRevision())
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
  if (expected === 'any') return conflict.setExpectedAny(new shared.Empty())
  if (expected === 'no_stream') return conflict.setExpectedNoStream(new shared.Empty())
  if (expected === 'stream_exists') return conflict.setExpectedStreamExists(new shared.Empty())
  return conflict.setExpectedRevision(String(expected))
}

/** As a new server: nobody finds its own event first. */
export async function writeSystemEvents(log: DoubleLog): Promise<void> {
  await log.append('$user-admin', 'no_stream', [eventWith('$UserCreated', { loginName: 'admin' })])
  await log.append('$$$users', 'no_stream', [eventWith('$metadata', { $acl: { $r: '$admins' } })])
}

/** Of another application on the same server. */
async function writeStranger(log: DoubleLog): Promise<void> {
  await log.append(`stranger_${randomUUID()}`, 'any', [eventWith('SomethingElse', ['not', 'ours'])])
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
