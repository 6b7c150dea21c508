import express, { type ErrorRequestHandler, Router } from 'express'
import { Counter, type Registry } from 'prom-client'
import type { WebhookHandler } from '../api.ts'
import { networksOf } from '../auth/address.ts'
import { Limit, memoryLimiter, unlimited } from '../auth/limit.ts'
import { RequestError } from '../http/errors.ts'

const BODY_MAX = '100kb'
/** Of one address in so many seconds: more than any provider sends. */
const FROM_ADDRESS_MAX = 300
const ADDRESS_SECONDS = 10

/** Providers' webhooks. The body stays raw, since its signature is over the bytes. */
export function webhookRoutes(
  handlers: Readonly<Record<string, WebhookHandler>>,
  { registry, hasRateLimits }: { registry: Registry; hasRateLimits: boolean },
): Router {
  const router = Router()
  const byAddress = new Limit(hasRateLimits ? memoryLimiter : unlimited, {
    name: 'webhooks',
    max: FROM_ADDRESS_MAX,
    windowS: ADDRESS_SECONDS,
  })
  const count = new Counter({
    name: 'coinshop_webhooks_total',
    help: 'Webhooks by result: taken, repeated, foreign (no payment of this shop), unplaced (its order is not in the log), late (503), limited (429), unsigned, malformed.',
    labelNames: ['provider', 'result'],
    registers: [registry],
  })
  const raw = express.raw({ type: () => true, limit: BODY_MAX, inflate: false })
  /** Too large, compressed or cut off. */
  const unread: ErrorRequestHandler = (error, { params: { provider } }, _response, next) => {
    if (typeof provider === 'string' && Object.hasOwn(handlers, provider)) count.inc({ provider, result: 'malformed' })
    next(error)
  }
  router.post('/api/webhooks/:provider', async ({ ip, params: { provider } }, response, next) => {
    const taken = await byAddress.take(networksOf(ip).slice(0, 1))
    if (typeof taken !== 'number') return next()
    if (Object.hasOwn(handlers, provider)) count.inc({ provider, result: 'limited' })
    response.set('Retry-After', '1').status(429).type('text/plain').send('too many')
  })
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
