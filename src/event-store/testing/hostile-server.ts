import shared from '@eventstore/db-client/generated/shared_pb.js'
import status from '@eventstore/db-client/generated/status_pb.js'
import streams from '@eventstore/db-client/generated/streams_pb.js'
import { type ServerDuplexStream, type ServiceError, status as code } from '@grpc/grpc-js'
import any from 'google-protobuf/google/protobuf/any_pb.js'
import empty from 'google-protobuf/google/protobuf/empty_pb.js'
import { freePort } from '../../testing/free-port.ts'
import type { Front } from './eventstoredb-double/front.ts'
import { clusterAt, type Services, startServer } from './eventstoredb-double/services.ts'

/** A server that answers as a test wants it to. It keeps nothing. */
export interface HostileServer {
  readonly url: string
  /** As a cluster of this one node, found by gossip. */
  readonly clusterUrl: string
  stop(): Promise<void>
  start(): Promise<void>
}

export type BatchCall = ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>

export interface HostileServices extends Services {
  /** So many questions about the cluster are answered with an error first. */
  readonly gossipFailures?: number
}

export async function hostileServer({ gossipFailures = 0, ...services }: HostileServices): Promise<HostileServer> {
  const port = await freePort()
  const readGossip = lateGossip(gossipFailures, port)
  let running: Front | undefined
  const start = async (): Promise<void> => {
    running = await startServer(port, { ...services, readGossip })
  }
  await start()
  return {
    url: `esdb://127.0.0.1:${port}?tls=false`,
    clusterUrl: `esdb://127.0.0.1:${port},localhost:${port}?tls=false&maxDiscoverAttempts=2&discoveryInterval=20`,
    start,
    stop: async () => running?.close(),
  }
}

export const AWAY: Partial<ServiceError> = { code: code.UNAVAILABLE, details: 'Server Is Not Ready' }

function lateGossip(failures: number, port: number): NonNullable<Services['readGossip']> {
  let asked = 0
  return (_, answer) => {
    asked += 1
    if (asked <= failures) answer(AWAY)
    else answer(null, clusterAt(port))
  }
}

/** That the append was written as the first of its stream. */
export function batchSuccess(request: streams.BatchAppendReq): streams.BatchAppendResp {
  const position = new shared.AllStreamPosition().setCommitPosition('7').setPreparePosition('7')
  const success = new streams.BatchAppendResp.Success().setCurrentRevision('0').setPosition(position)
  return answerTo(request).setSuccess(success)
}

/** That the stream is at this revision instead. */
export function batchConflict(request: streams.BatchAppendReq, revision: string): streams.BatchAppendResp {
  const conflict = new shared.WrongExpectedVersion().setCurrentStreamRevision(revision)
  conflict.setExpectedNoStream(new empty.Empty())
  return batchError(request, 'event_store.client.WrongExpectedVersion', conflict.serializeBinary())
}

/** As the server does when the writer's deadline is past. */
export function batchTimeout(request: streams.BatchAppendReq): streams.BatchAppendResp {
  return batchError(request, 'event_store.client.Timeout', new shared.Timeout().serializeBinary())
}

function batchError(request: streams.BatchAppendReq, type: string, value: Uint8Array): streams.BatchAppendResp {
  const details = new any.Any()
  details.pack(value, type)
  return answerTo(request).setError(new status.Status().setDetails(details))
}

function answerTo(request: streams.BatchAppendReq): streams.BatchAppendResp {
  return new streams.BatchAppendResp()
    .setCorrelationId(request.getCorrelationId())
    .setStreamIdentifier(request.getOptions()?.getStreamIdentifier())
}
