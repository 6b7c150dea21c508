import express, { type ErrorRequestHandler, Router } from 'express'
import type { Logger } from 'pino'
import { Counter, type Registry } from 'prom-client'
import type { WebhookHandler } from '../api.ts'
import { networksOf } from '../auth/networks.ts'
import { Limit, memoryLimiter } from '../auth/limit.ts'
import { RequestError } from '../http/errors.ts'
import { minuteCounts } from '../http/minute-counts.ts'
import { namedLine } from '../../ports/one-line.ts'

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
    help: 'Webhooks by result of their check: taken, repeated, foreign (no payment of this shop), unplaced (its order is not in the log), failed, limited, unsigned, malformed.',
    labelNames: ['provider', 'result'],
    registers: [registry],
  })
  // Only counted, since anyone can send webhooks.
  const countRefused = minuteCounts((refused) => logger.warn({ refused }, 'webhooks were refused in the last minute'))
  const count = (provider: string, result: string): void => {
    counter.inc({ provider, result })
    if (refusedResults.has(result)) countRefused(`${provider}: ${result}`)
  }
  const raw = express.raw({ type: () => true, limit: BODY_MAX, inflate: false })
  const handlerOf = (provider: unknown) =>
    typeof provider === 'string' && Object.hasOwn(handlers, provider) ? handlers[provider] : undefined
  /** Bodies that are too large, compressed or cut off. */
  const countUnreadable: ErrorRequestHandler = (error, { params: { provider } }, response, next) => {
    count(String(provider), 'malformed')
    response.locals.isCounted = true
    next(error)
  }
  router.post('/api/webhooks/:provider', async ({ ip, params: { provider } }, response, next) => {
    if (!handlerOf(provider)) throw new RequestError('request/not-found', 'There is no such provider.')
    const taken = await byAddress.take(networksOf(ip).slice(0, 1))
    if (typeof taken !== 'number') return next()
    count(provider, 'limited')
    response.locals.isCounted = true
    response.set('Retry-After', '1').status(429).type('text/plain').send('too many')
  })
  router.post('/api/webhooks/:provider', raw, countUnreadable)
  router.post('/api/webhooks/:provider', async (request, response) => {
    const { provider } = request.params
    const body: unknown = request.body
    const handler = handlerOf(provider)
    if (!handler) throw new RequestError('request/not-found', 'There is no such provider.')
    const sent = { body: Buffer.isBuffer(body) ? body : Buffer.alloc(0), headers: request.headers }
    const { status, text, result } = await handler(sent).catch((error: unknown) => {
      counter.inc({ provider, result: 'failed' })
      throw error
    })
    response.locals.isCounted = true
    response.status(status).type('text/plain').send(text)
    // The check may end after the answer.
    result.then(
      (ended) => count(provider, ended),
      (error: unknown) => {
        count(provider, 'failed')
        logger.error({ provider, error: namedLine(error) }, 'the check of a webhook failed after its answer')
      },
    )
  })
  return router
}

const refusedResults: ReadonlySet<string> = new Set(['unsigned', 'malformed', 'limited', 'failed'])
