import express from 'express'
import { listening } from '../http/listening.ts'
import { shopServer } from '../http/shop-server.ts'
import { healthRoutes, type HealthOptions } from '../routes/health.ts'

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
  const server = shopServer(app)
  return {
    listen: (port, host) => listening(server, port, host),
    async close() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
      server.closeAllConnections()
      await closed
    },
  }
}
