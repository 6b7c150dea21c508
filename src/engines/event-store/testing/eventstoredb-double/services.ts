import gossipServices from '@eventstore/db-client/generated/gossip_grpc_pb.js'
import gossip from '@eventstore/db-client/generated/gossip_pb.js'
import featureServices from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import features from '@eventstore/db-client/generated/serverfeatures_pb.js'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import streamServices from '@eventstore/db-client/generated/streams_grpc_pb.js'
import type streams from '@eventstore/db-client/generated/streams_pb.js'
import {
  type handleBidiStreamingCall,
  type handleClientStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
  Server,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js'
import { randomUUID } from 'node:crypto'
import { type Front, openFront, type Pages } from './front.ts'

/** Calls of the client that can be answered; the others are UNIMPLEMENTED. */
export interface Services {
  readonly append?: handleClientStreamingCall<streams.AppendReq, streams.AppendResp>
  readonly batchAppend?: handleBidiStreamingCall<streams.BatchAppendReq, streams.BatchAppendResp>
  readonly read?: handleServerStreamingCall<streams.ReadReq, streams.ReadResp>
  /** What it tells over HTTP. */
  readonly pages?: Pages
}

export const VERSION = '24.2.0'
const MESSAGE_BYTES_MAX = 17 * 1_048_576

/** A gRPC server that the client takes for EventStoreDB. It says that it has the appends that are given. */
export async function startServer(port: number, services: Services): Promise<Front> {
  const server = new Server({ 'grpc.max_receive_message_length': MESSAGE_BYTES_MAX })
  const { append, batchAppend, read, pages = {} } = services
  const methods = ['append', 'batchappend', 'read'].filter((name) => name !== 'batchappend' || batchAppend)
  let bound = port
  add(server, streamServices.StreamsService, { append, batchAppend, read })
  const getSupportedMethods: handleUnaryCall<shared.Empty, features.SupportedMethods> = (_, answer) =>
    answer(null, supporting(methods))
  add(server, featureServices.ServerFeaturesService, { getSupportedMethods })
  const answerGossip: handleUnaryCall<shared.Empty, gossip.ClusterInfo> = (_, answer) => answer(null, clusterAt(bound))
  add(server, gossipServices.GossipService, { read: answerGossip })
  const front = await openFront(port, server, pages)
  bound = front.port
  return front
}

function add(
  server: Server,
  definition: ServiceDefinition | undefined,
  handlers: Partial<UntypedServiceImplementation>,
): void {
  if (!definition) throw new TypeError('the client brings its services')
  const given = Object.entries(handlers).filter(([, handler]) => handler !== undefined)
  server.addService(definition, Object.fromEntries(given) as UntypedServiceImplementation)
}

function supporting(names: readonly string[]): features.SupportedMethods {
  const methods = names.map((name) =>
    new features.SupportedMethod().setMethodName(name).setServiceName('event_store.client.streams.streams'),
  )
  return new features.SupportedMethods().setMethodsList(methods).setEventStoreServerVersion(VERSION)
}

/** Of this one node. */
function clusterAt(port: number): gossip.ClusterInfo {
  const leader = new gossip.MemberInfo()
    .setInstanceId(new shared.UUID().setString(randomUUID()))
    .setTimeStamp(String(BigInt(Date.now()) * 10_000n))
    .setState(gossip.MemberInfo.VNodeState.LEADER)
    .setIsAlive(true)
    .setHttpEndPoint(new gossip.EndPoint().setAddress('127.0.0.1').setPort(port))
  return new gossip.ClusterInfo().setMembersList([leader])
}
