import { createServer } from 'node:http'
import express from 'express'
import { listening } from '../http/listening.ts'
import { healthRoutes, type HealthOptions } from '../routes/health.ts'

const REQUEST_MS = 10_000

export interface HealthServer {
  /** Resolves with the port once it listens. */
  listen(port: number, host: string): Promise<number>
  /** Ends every connection. */
  close(graceMs?: number): Promise<void>
}

/** `/healthz`, `/readyz` and `/metrics` of a process that serves nothing else. */
export function healthServer(options: HealthOptions): HealthServer {
  const app = express()
  app.disable('x-powered-by')
  app.use(healthRoutes(options))
  const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, app)
  return {
    listen: async (port, host) => listening(server, port, host),
    async close() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
      server.closeAllConnections()
      await closed
    },
  }
}
