import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express, { type Response } from 'express'
import { expect, it, onTestFinished } from 'vitest'
import { updatesHub } from './updates-hub.ts'

it('keeps no place for a caller whose connection closed before its stream was opened', async () => {
  const hub = updatesHub()
  const arrived = Promise.withResolvers<Response>()
  const server = createServer(express().use((_request, response) => arrived.resolve(response))).listen(0, '127.0.0.1')
  onTestFinished(async () => closed(server))
  await once(server, 'listening')
  const call = request({ port: (server.address() as AddressInfo).port }).on('error', () => undefined)
  call.end()
  const response = await arrived.promise
  const isClosed = once(response, 'close')
  call.destroy()
  await isClosed
  hub.open(response, { address: '192.0.2.1', topics: new Set(['pricing']), isSessionOpen: () => true })
  expect(hub.size).toBe(0)
  hub.close()
})

async function closed(server: Server): Promise<void> {
  server.close()
  await once(server, 'close')
}
