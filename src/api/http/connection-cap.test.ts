import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { capConnections } from './connection-cap.ts'

async function listening(options: Parameters<typeof capConnections>[1]) {
  const server = createServer((_request, response) => void response.end('served'))
  capConnections(server, options)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const sockets: Socket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  /** Says whether the connection was kept: a request over it is answered. */
  const isServed = async (localAddress: string) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.write('GET / HTTP/1.1\r\nHost: shop\r\n\r\n')
    // It may be closed before or after it has sent its request: then it ends with an error.
    const served = await new Promise<boolean>((resolve) => {
      socket.once('data', () => resolve(true)).once('close', () => resolve(false))
    })
    return { served, socket }
  }
  return isServed
}

it('closes what one address opens above the bound, and serves others', async () => {
  const isServed = await listening({ isTrusted: () => false, max: 3 })
  const open = []
  for (let count = 0; count < 3; count += 1) open.push(await isServed('127.0.0.2'))
  expect(open.map(({ served }) => served)).toEqual([true, true, true])
  expect((await isServed('127.0.0.2')).served).toBe(false)
  expect((await isServed('127.0.0.3')).served).toBe(true)
  open[0]?.socket.destroy()
  await expect.poll(async () => (await isServed('127.0.0.2')).served).toBe(true)
})

it('does not count a proxy that is trusted', async () => {
  const isServed = await listening({ isTrusted: (address) => address === '127.0.0.2', max: 1 })
  for (let count = 0; count < 5; count += 1) expect((await isServed('127.0.0.2')).served).toBe(true)
})
