import type streams from '@eventstore/db-client/generated/streams_pb.js'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type EventStoreDBDouble, eventstoredbDouble } from './testing/eventstoredb-double.ts'
import {
  AWAY,
  type BatchCall,
  batchConflict,
  batchSuccess,
  batchTimeout,
  type HostileServer,
  type HostileServices,
  hostileServer,
} from './testing/hostile-server.ts'

const LATE_MS = 600

/** What a use of the client after its documentation comes to, in words. */
async function naively(scenario: string, address: string): Promise<string[]> {
  const program = join(import.meta.dirname, 'testing', 'naive-writer.ts')
  const child = spawn(process.execPath, [program, scenario, address], { stdio: ['ignore', 'pipe', 'ignore'] })
  const words = await child.stdout.setEncoding('utf8').toArray()
  return words.join('').split('\n').slice(0, -1)
}

/** The client sends all of a small append in one message. */
const answerBatch = (answer: (request: streams.BatchAppendReq, call: BatchCall) => void): HostileServices => ({
  batchAppend(call: BatchCall) {
    call.on('data', (request: streams.BatchAppendReq) => answer(request, call)).on('end', () => call.end())
  },
})
const isOf = (stream: string, request: streams.BatchAppendReq): boolean =>
  Buffer.from(request.getOptions()?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString() === stream

describe('defects of the client of EventStoreDB', { timeout: 60_000 }, () => {
  let stop: () => Promise<void>

  beforeEach(() => {
    stop = async () => undefined
  })

  afterEach(async () => stop())

  async function against(services: HostileServices): Promise<HostileServer> {
    const server = await hostileServer(services)
    stop = () => server.stop()
    return server
  }

  async function double(): Promise<EventStoreDBDouble> {
    const started = await eventstoredbDouble()
    stop = () => started.crash()
    return started
  }

  const working = answerBatch((request, call) => call.write(batchSuccess(request)))

  it('has none of them where all is well', async () => {
    expect(await naively('append', (await against(working)).url)).toEqual(['revision 0'])
  })

  it('1: data that is no JSON leaves the append pending, and a rejection that ends the process', async () => {
    const { url } = await against(working)
    expect(await naively('append what is no JSON', url)).toEqual(['unhandled rejection', 'never settled'])
  })

  it('2: an append that a silent server does not answer never ends, whatever its deadline', async () => {
    const { url } = await against(answerBatch(() => undefined))
    expect(await naively('append', url)).toEqual(['never settled'])
  })

  it('3: a shared stream that ends in order leaves the appends on it pending', async () => {
    const { url } = await against(answerBatch((_, call) => call.end()))
    expect(await naively('append', url)).toEqual(['never settled'])
  })

  it('4: the broken stream of one client fails the appends of another, whose next append never ends', async () => {
    const { url } = await against(
      answerBatch((request, call) => {
        if (isOf('order-bad', request)) call.emit('error', AWAY)
        else setTimeout(() => call.write(batchSuccess(request)), LATE_MS)
      }),
    )
    expect(await naively('append by two clients', url)).toEqual(['unavailable', 'unhandled rejection', 'never settled'])
  })

  it('5: an append that found no cluster fails all later ones, though the cluster is back', async () => {
    // Two nodes are asked twice each.
    const { clusterUrl } = await against({ ...working, gossipFailures: 4 })
    const failed = 'untyped error'
    expect(await naively('append again and again', clusterUrl)).toEqual([failed, failed, failed, 'revision 0'])
  })

  it('6: a loop that is left early leaves its call open on the server', async () => {
    const server = await double()
    const event = { id: crypto.randomUUID(), type: 'OrderPlaced', contentType: 'application/json' }
    const content = { data: Buffer.from(JSON.stringify('x'.repeat(100_000))), metadata: Buffer.alloc(0) }
    for (let count = 0; count < 60; count += 1) {
      await server.log().append('order-1', count - 1, [{ ...event, ...content, id: crypto.randomUUID() }])
    }
    const words = naively('leave a loop early', server.url)
    await expect.poll(() => server.openCalls()).toBe(1)
    await pause(LATE_MS)
    expect(server.openCalls()).toBe(1)
    expect(await words).toEqual(['revision 0', 'done'])
  })

  it('7: a checkpoint that cannot be kept leaves the subscription stuck, and not destroyed', async () => {
    const server = await double()
    const event = {
      type: 'OrderPlaced',
      contentType: 'application/json',
      data: Buffer.from('{}'),
      metadata: Buffer.alloc(0),
    }
    for (let count = 0; count < 120; count += 1) {
      await server.log().append('order-1', count - 1, [{ ...event, id: crypto.randomUUID() }])
    }
    const words = await naively('fail at a checkpoint', server.url)
    expect(words.slice(-2)).toEqual(['unhandled rejection', 'not destroyed'])
    expect(words.filter((word) => word === 'event').length).toBeLessThan(120)
  })

  it('8: a conflict that is no exception tells a wrong revision', async () => {
    const { url } = await against(answerBatch((request, call) => call.write(batchConflict(request, '41'))))
    expect(await naively('append without exceptions', url)).toEqual(['revision 1'])
  })

  it('9: an append to a server that is down fails with an error that has no type', async () => {
    const server = await against(working)
    await server.stop()
    stop = async () => undefined
    expect(await naively('append', server.url)).toEqual(['untyped error 14'])
  })

  it('10: an append by a clock that is late is past its deadline at once', async () => {
    const { url } = await against(
      answerBatch((request, call) => {
        const deadline = request.getOptions()?.getDeadline()?.toDate().getTime() ?? Infinity
        call.write(deadline < Date.now() ? batchTimeout(request) : batchSuccess(request))
      }),
    )
    expect(await naively('append', url)).toEqual(['revision 0'])
    expect(await naively('append by a clock that is late', url)).toEqual(['deadline-exceeded'])
  })

  it('11: a process that has appended does not end', async () => {
    const { url } = await against(working)
    expect(await naively('append and return', url)).toEqual(['revision 0', 'still running'])
  })
})
