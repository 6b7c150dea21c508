import type { Server } from 'node:http'
import express from 'express'
import { listening } from '../http/listening.ts'
import { giveTo, shopServer } from '../http/shop-server.ts'
import { healthRoutes, type HealthOptions } from '../routes/health.ts'

export interface HealthServer {
  /** Answers requests from now on, where its server listens already. */
  open(): void
  /** Opens, and resolves with the port once it listens. */
  listen(port: number, host: string): Promise<number>
  /** Ends every connection. */
  close(graceMs?: number): Promise<void>
}

/** `/healthz`, `/readyz` and `/metrics` of a process that serves nothing else. */
export function healthServer(options: HealthOptions & { readonly server?: Server }): HealthServer {
  const { server = shopServer() } = options
  const app = express()
  app.disable('x-powered-by')
  app.use(healthRoutes(options))
  const open = (): void => giveTo(server, app)
  return {
    open,
    async listen(port, host) {
      open()
      return listening(server, port, host)
    },
    async close() {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
      server.closeAllConnections()
      await closed
    },
  }
}
