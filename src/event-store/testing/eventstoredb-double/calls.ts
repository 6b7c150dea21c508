import streams from '@eventstore/db-client/generated/streams_pb.js'
import { type ServerWritableStream, status } from '@grpc/grpc-js'
import { once } from 'node:events'
import { type Answerable, errorOf } from './errors.ts'
import type { DoubleLog } from './log.ts'
import { answerRead, answerSubscription, type Reply, streamOf } from './reads.ts'

export type ReadCall = ServerWritableStream<streams.ReadReq, streams.ReadResp>

/** After how many messages a read or subscription ends, and how. */
export interface ReadFate {
  readonly messages: number
  readonly ends: 'cleanly' | 'unavailable' | 'never'
}

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

export async function answerCall(log: DoubleLog, call: OpenCall, fate?: ReadFate): Promise<void> {
  const { options, signal } = call
  const reply = fate ? fated(call, fate) : call
  try {
    await (call.kind === 'read' ? answerRead : answerSubscription)(log, options, reply)
    call.end()
  } catch (error) {
    if (!signal.aborted) call.end({ code: status.UNKNOWN, details: String(error) })
  }
}

function fated(call: OpenCall, { messages, ends }: ReadFate): Reply {
  const { signal } = call
  let sent = 0
  return {
    signal,
    async send(message) {
      if (sent >= messages) {
        if (ends === 'never') await once(signal, 'abort')
        call.end(ends === 'unavailable' ? errorOf('unavailable') : undefined)
      }
      sent += 1
      await call.send(message)
    },
  }
}
