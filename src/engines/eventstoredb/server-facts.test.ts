import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { serverFacts } from './server-facts.ts'

let server: Server | undefined

afterEach(() => server?.close())

/** A server that answers these paths, and 401 to all others; returns its address. */
async function answering(bodies: Readonly<Record<string, unknown>>): Promise<string> {
  server = createServer((request, response) => {
    const body = bodies[request.url ?? '']
    response.writeHead(body === undefined ? 401 : 200).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return `esdb://127.0.0.1:${(server.address() as AddressInfo).port}?tls=false`
}

// As 24.2 and the releases after it write them.
const info = { dbVersion: '24.2.0.0', esVersion: '24.2.0.0', state: 'leader', features: {} }
const options = (inMemory: string) => [{ name: 'MemDb', description: '', group: 'DatabaseOptions', value: inMemory }]

it('the facts of a server are read over HTTP', async () => {
  const url = await answering({ '/info': info, '/info/options': options('False') })
  expect(await serverFacts(url)).toEqual({
    version: '24.2.0.0',
    state: 'leader',
    isInMemory: false,
    clockMs: expect.closeTo(Date.now(), -4),
  })
})

it('a server in memory is recognized', async () => {
  const url = await answering({ '/info': info, '/info/options': options('True') })
  expect(await serverFacts(url)).toMatchObject({ isInMemory: true })
})

it('facts that the server hides from this user are undefined', async () => {
  const url = await answering({ '/info': { ESVersion: '23.10.0' } })
  const { version, isInMemory } = await serverFacts(url)
  expect([version, isInMemory]).toEqual(['23.10.0', undefined])
})

it('the facts of a server that does not answer cannot be read', async () => {
  await expect(serverFacts('esdb://127.0.0.1:1?tls=false')).rejects.toThrow('ECONNREFUSED')
})
