import streams from '@eventstore/db-client/generated/streams_pb.js'
import { Metadata, type ServerWritableStream, status } from '@grpc/grpc-js'
import { once } from 'node:events'
import type { DoubleLog } from './log.ts'
import { answerRead, answerSubscription, StreamDeleted, streamOf } from './reads.ts'

/** An error as a call ends with it. */
export interface Answerable {
  readonly code: status
  readonly details: string
  readonly metadata?: Metadata
}

/** What the server answers of itself when it cannot do what is asked. */
export type Trouble = 'unavailable' | 'timeout' | Answerable

export function errorOf(trouble: Trouble): Answerable {
  if (trouble === 'unavailable') return { code: status.UNAVAILABLE, details: 'Server Is Not Ready' }
  if (trouble === 'timeout') return { code: status.ABORTED, details: 'Operation timed out: Commit phase timeout' }
  return trouble
}

type ReadCall = ServerWritableStream<streams.ReadReq, streams.ReadResp>

/** A read or a subscription. */
export function openCall(call: ReadCall, onEvent: () => void) {
  const options = call.request.getOptions() ?? new streams.ReadReq.Options()
  const over = new AbortController()
  const { signal } = over
  call.on('cancelled', () => over.abort()).on('error', () => over.abort())
  return {
    kind: options.hasSubscription() ? ('subscription' as const) : ('read' as const),
    /** Empty where all are asked for. */
    stream: streamOf(options.getStream()?.getStreamIdentifier()),
    options,
    signal,
    async send(message: streams.ReadResp): Promise<void> {
      signal.throwIfAborted()
      if (message.hasEvent()) onEvent()
      if (!call.write(message)) await once(call, 'drain', { signal })
    },
    /** Its connection is about to break. */
    drop: () => over.abort(),
    /** Without an error where none is given. */
    end(error?: Answerable): void {
      if (signal.aborted) return
      over.abort()
      if (error) call.emit('error', error)
      else call.end()
    },
  }
}

function streamDeleted(stream: string): Answerable {
  const metadata = Metadata.fromHttp2Headers({ exception: 'stream-deleted', 'stream-name': stream })
  return { code: status.FAILED_PRECONDITION, details: `Event stream '${stream}' is deleted.`, metadata }
}

export type OpenCall = ReturnType<typeof openCall>

export async function answerCall(log: DoubleLog, call: OpenCall): Promise<void> {
  const { options, signal } = call
  try {
    await (call.kind === 'read' ? answerRead : answerSubscription)(log, options, call)
    call.end()
  } catch (error) {
    if (error instanceof StreamDeleted) call.end(streamDeleted(error.message))
    if (!signal.aborted) call.end({ code: status.UNKNOWN, details: String(error) })
  }
}
