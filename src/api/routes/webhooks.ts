import express, { type ErrorRequestHandler, type Response, Router } from 'express'
import type { Logger } from 'pino'
import { Counter, type Registry } from 'prom-client'
import type { WebhookHandler } from '../api.ts'
import { networksOf } from '../auth/networks.ts'
import { Limit, memoryLimiter } from '../auth/limit.ts'
import { RequestError } from '../http/errors.ts'
import { minuteCounts } from '../http/minute-counts.ts'

const BODY_MAX = '100kb'
/** Per address in this many seconds; more than any provider sends. */
const FROM_ADDRESS_MAX = 300
const ADDRESS_SECONDS = 10

/** Providers' webhooks. The body stays raw, since its signature is over the bytes. */
export function webhookRoutes(
  handlers: Readonly<Record<string, WebhookHandler>>,
  { registry, hasRateLimits, logger }: { registry: Registry; hasRateLimits: boolean; logger: Logger },
): Router {
  const router = Router()
  const byAddress = new Limit(hasRateLimits ? memoryLimiter : undefined, {
    name: 'webhooks',
    max: FROM_ADDRESS_MAX,
    windowS: ADDRESS_SECONDS,
  })
  const counter = new Counter({
    name: 'coinshop_webhooks_total',
    help: 'Webhooks by result: taken, repeated, foreign (no payment of this shop), unplaced (its order is not in the log), late (503), limited (429), unsigned, malformed.',
    labelNames: ['provider', 'result'],
    registers: [registry],
  })
  // Only counted, since anyone can send webhooks.
  const countRefused = minuteCounts((refused) => logger.warn({ refused }, 'webhooks were refused in the last minute'))
  const count = (response: Response, { provider, result }: { provider: string; result: string }): void => {
    counter.inc({ provider, result })
    if (!refusedResults.has(result)) return
    response.locals.isCounted = true
    countRefused(`${provider}: ${result}`)
  }
  const raw = express.raw({ type: () => true, limit: BODY_MAX, inflate: false })
  const handlerOf = (provider: unknown) =>
    typeof provider === 'string' && Object.hasOwn(handlers, provider) ? handlers[provider] : undefined
  /** Bodies that are too large, compressed or cut off. */
  const countUnreadable: ErrorRequestHandler = (error, { params: { provider } }, response, next) => {
    count(response, { provider: String(provider), result: 'malformed' })
    next(error)
  }
  router.post('/api/webhooks/:provider', async ({ ip, params: { provider } }, response, next) => {
    if (!handlerOf(provider)) throw new RequestError('request/not-found', 'There is no such provider.')
    const taken = await byAddress.take(networksOf(ip).slice(0, 1))
    if (typeof taken !== 'number') return next()
    count(response, { provider, result: 'limited' })
    response.set('Retry-After', '1').status(429).type('text/plain').send('too many')
  })
  router.post('/api/webhooks/:provider', raw, countUnreadable)
  router.post('/api/webhooks/:provider', async (request, response) => {
    const { provider } = request.params
    const body: unknown = request.body
    const answer = await handlerOf(provider)?.({
      body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
      headers: request.headers,
    })
    if (!answer) throw new RequestError('request/not-found', 'There is no such provider.')
    count(response, { provider, result: answer.result })
    response.status(answer.status).type('text/plain').send(answer.text)
  })
  return router
}

const refusedResults: ReadonlySet<string> = new Set(['unsigned', 'malformed', 'limited', 'late'])
