import { once } from 'node:events'
import { IncomingMessage, request, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import express, { type Response } from 'express'
import { expect, it } from 'vitest'
import { listening } from '../../ports/testing/listening.ts'
import { updatesHub } from './updates-hub.ts'

it('a caller whose connection closed before its stream opened holds no place', async () => {
  const hub = updatesHub()
  const arrived = Promise.withResolvers<Response>()
  const port = await listening(express().use((_request, response) => arrived.resolve(response)))
  const call = request({ port }).on('error', () => undefined)
  call.end()
  const response = await arrived.promise
  const closed = once(response, 'close')
  call.destroy()
  await closed
  await hub.open(response, { networks: ['192.0.2.1'], topics: new Set(['pricing']), isSessionOpen: () => true })
  expect(hub.size).toBe(0)
  hub.close()
})

const networksOf = (site: number) => [`2001:db8:1:${site}`, `2001:db8:1:${site % 256}/56`, '2001:db8:1/48']

it('the open streams of a wide network count together', async () => {
  const hub = updatesHub()
  const open = async (site: number) =>
    hub.open(unconnected(), { networks: networksOf(site), topics: new Set(), isSessionOpen: () => true })
  const openAll = async () => {
    for (let site = 0; site < 5_000; site += 1) await open(site)
  }
  await expect(openAll()).rejects.toThrow('Too many live connections')
  expect(hub.size).toBe(1_600)
  hub.close()
  expect(hub.size).toBe(0)
})

/** A response without a connection. */
function unconnected(): Response {
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  return Object.setPrototypeOf(response, express.response) as Response
}
