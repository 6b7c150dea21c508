import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { Limit, memoryLimiter } from '../auth/limit.ts'
import { shopServer } from './shop-server.ts'

const GET = 'GET / HTTP/1.1\r\nHost: shop\r\n\r\n'
/** More than the socket buffers of both sides hold. */
const HUGE = Buffer.alloc(50_000_000)

async function serving(app: RequestListener, options?: Parameters<typeof shopServer>[1]) {
  const started = shopServer(app, options)
  const { server } = started
  const port = await started.listen(0, '127.0.0.1')
  onTestFinished(async () => started.close())
  /** Its bytes are read only once it is resumed. */
  async function connected(): Promise<Socket> {
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    return socket
  }
  const openConnections = async () =>
    new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))
  return { server, connected, openConnections }
}

it('the server limits half-sent requests and connections', () => {
  const { server } = shopServer(() => undefined)
  expect(server).toMatchObject({ headersTimeout: 10_000, requestTimeout: 30_000, maxConnections: 10_000 })
})

it('a connection that sends a request before its last answer is closed, and the request is not handled', async () => {
  let handled = 0
  const { connected } = await serving((_request, response) => {
    handled += 1
    response.end('ok')
  })
  const socket = await connected()
  socket.resume().write(GET.repeat(100))
  await once(socket, 'close')
  expect(handled).toBe(1)
})

it('a connection may send a request after each answer', async () => {
  const { connected } = await serving((_request, response) => response.end('ok'))
  const socket = await connected()
  for (let turn = 0; turn < 20; turn += 1) {
    socket.write(GET)
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1.1 200 /)
  }
})

it('a connection that does not read its answer is closed', async () => {
  const { connected, openConnections } = await serving((_request, response) => response.end(HUGE), { stalledMs: 50 })
  const socket = await connected()
  socket.write(GET)
  await expect.poll(openConnections, { timeout: 10_000 }).toBe(0)
})

it('a connection stays open while its request is worked on or its stream is quiet', async () => {
  const { connected } = await serving(
    (_request, response) => {
      response.write('begun')
      void sleep(500).then(() => response.end('ended'))
    },
    { stalledMs: 50 },
  )
  const socket = await connected()
  const text: string[] = []
  socket.on('data', (chunk: Buffer) => text.push(chunk.toString()))
  socket.write(GET)
  await expect.poll(() => text.join('')).toContain('ended')
})

it('a connection without a request is closed after the time that it may be idle', async () => {
  const { connected } = await serving((_request, response) => response.end('ok'), { stalledMs: 50 })
  const socket = await connected()
  await once(socket.resume(), 'close')
})

it('each network has a number of connections, but not a trusted proxy', async () => {
  const connectionLimit = new Limit(memoryLimiter, { name: 'connections', max: 3, windowS: 0 })
  const open = async (isTrusted: boolean) => {
    const { connected, openConnections } = await serving((_request, response) => response.end('ok'), {
      connectionLimit,
      isTrustedProxy: () => isTrusted,
    })
    const sockets: Socket[] = []
    for (let count = 0; count < 5; count += 1) sockets.push((await connected()).resume())
    return { sockets, connected, openConnections }
  }
  const direct = await open(false)
  await expect.poll(direct.openConnections).toBe(3)
  direct.sockets[0]?.destroy()
  await expect.poll(direct.openConnections).toBe(2)
  await expect
    .poll(async () => {
      const socket = await direct.connected()
      socket.write(GET)
      const [answer] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [Buffer | boolean]
      return String(answer)
    })
    .toMatch(/^HTTP\/1.1 200 /)
  expect(await (await open(true)).openConnections()).toBe(5)
})
