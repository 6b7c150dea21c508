import express, { type ErrorRequestHandler, Router } from 'express'
import { Counter, type Registry } from 'prom-client'
import type { WebhookHandler } from '../api.ts'
import { RequestError } from '../http/errors.ts'

const BODY_MAX = '100kb'

/** Providers' webhooks. The body stays raw, since its signature is over the bytes. */
export function webhookRoutes(handlers: Readonly<Record<string, WebhookHandler>>, registry: Registry): Router {
  const router = Router()
  const count = new Counter({
    name: 'coinshop_webhooks_total',
    help: 'Webhooks of payment providers, by what became of them.',
    labelNames: ['provider', 'result'],
    registers: [registry],
  })
  const raw = express.raw({ type: () => true, limit: BODY_MAX, inflate: false })
  /** Too large, compressed or cut off. */
  const unread: ErrorRequestHandler = (error, { params: { provider } }, _response, next) => {
    if (typeof provider === 'string' && Object.hasOwn(handlers, provider)) count.inc({ provider, result: 'malformed' })
    next(error)
  }
  router.post('/api/webhooks/:provider', raw)
  router.use('/api/webhooks/:provider', unread)
  router.post('/api/webhooks/:provider', async (request, response) => {
    const { provider } = request.params
    const handler = Object.hasOwn(handlers, provider) ? handlers[provider] : undefined
    if (!handler) throw new RequestError('request/not-found', 'There is no such provider.')
    const body: unknown = request.body
    const { status, text, result } = await handler({
      body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
      headers: request.headers,
    })
    count.inc({ provider, result })
    response.status(status).type('text/plain').send(text)
  })
  return router
}
