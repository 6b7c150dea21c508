import streams from '@eventstore/db-client/generated/streams_pb.js'
import { type ServerWritableStream, status } from '@grpc/grpc-js'
import { once } from 'node:events'
import { type Answerable } from './errors.ts'
import type { DoubleLog } from './log.ts'
import { answerRead, answerSubscription, type Reply, streamOf } from './reads.ts'

export type ReadCall = ServerWritableStream<streams.ReadReq, streams.ReadResp>

/** A read or a subscription. */
export interface OpenCall extends Reply {
  readonly kind: 'read' | 'subscription'
  /** Empty where all are asked for. */
  readonly stream: string
  readonly options: streams.ReadReq.Options
  /** Without an error where none is given. */
  end(error?: Answerable): void
  /** Its connection is about to break. */
  drop(): void
}

export function openCall(call: ReadCall): OpenCall {
  const options = call.request.getOptions() ?? new streams.ReadReq.Options()
  const over = new AbortController()
  const { signal } = over
  call.on('cancelled', () => over.abort()).on('error', () => over.abort())
  return {
    kind: options.hasSubscription() ? 'subscription' : 'read',
    stream: streamOf(options.getStream()?.getStreamIdentifier()),
    options,
    signal,
    async send(message) {
      signal.throwIfAborted()
      if (!call.write(message)) await once(call, 'drain', { signal })
    },
    drop: () => over.abort(),
    end(error) {
      if (signal.aborted) return
      over.abort()
      if (error) call.emit('error', error)
      else call.end()
    },
  }
}

export async function answerCall(log: DoubleLog, call: OpenCall): Promise<void> {
  const { options, signal } = call
  try {
    await (call.kind === 'read' ? answerRead : answerSubscription)(log, options, call)
    call.end()
  } catch (error) {
    if (!signal.aborted) call.end({ code: status.UNKNOWN, details: String(error) })
  }
}
