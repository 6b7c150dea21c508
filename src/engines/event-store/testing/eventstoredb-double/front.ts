import { type Server as GrpcServer, ServerCredentials } from '@grpc/grpc-js'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'

/** JSON answers over HTTP, by path; the others are 404. */
export type Pages = Readonly<Record<string, unknown>>

export interface Front {
  readonly port: number
  /** Every connection breaks. */
  close(): Promise<void>
}

/** How HTTP/2 begins. */
const PREFACE = 'PRI * HTTP/2'

/** One port for gRPC and HTTP/1.1, as the server has it where it needs no certificates. */
export async function openFront(port: number, grpc: GrpcServer, pages: Pages): Promise<Front> {
  const http = createHttpServer((request, response) => {
    const page = pages[request.url ?? '']
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(page ?? {}))
  })
  const behind = await bind(grpc)
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
    socket.once('data', (start) => {
      socket.pause()
      socket.unshift(start)
      // A session of HTTP/2 reads from the handle, past what has been read already.
      if (start.toString('latin1').startsWith(PREFACE))
        join(socket, connect({ port: behind, host: '127.0.0.1', noDelay: true }))
      else http.emit('connection', socket)
      socket.resume()
    })
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      grpc.forceShutdown()
      await closed
    },
  }
}

function join(client: Socket, upstream: Socket): void {
  client.pipe(upstream).pipe(client)
  client.once('close', () => upstream.destroy())
  upstream.on('error', () => undefined).once('close', () => client.destroy())
}

async function bind(server: GrpcServer): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
      if (error) reject(error)
      else resolve(port)
    })
  })
}
