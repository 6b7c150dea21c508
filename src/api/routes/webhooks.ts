import express, { type ErrorRequestHandler, type RequestHandler, type Response, Router } from 'express'
import type { Logger } from 'pino'
import { Counter, type Registry } from 'prom-client'
import type { WebhookHandler } from '../api.ts'
import { networksOf } from '../auth/networks.ts'
import { Limit, memoryLimiter } from '../auth/limit.ts'
import { RequestError } from '../http/errors.ts'
import { minuteCounts } from '../http/minute-counts.ts'
import { namedLine } from '../../ports/one-line.ts'

const BODY_MAX = '100kb'
/** Of a network in this many seconds; more than any provider sends. */
const FROM_NETWORK_MAX = 300
const NETWORK_SECONDS = 10
/** Bodies that are being received: a sender may take 30 s. */
const RECEIVING_FROM_NETWORK_MAX = 50
const RECEIVING_MAX = 500

/** Providers' webhooks. The body stays raw, since its signature is over the bytes. */
export function webhookRoutes(
  handlers: Readonly<Record<string, WebhookHandler>>,
  { registry, hasRateLimits, logger }: { registry: Registry; hasRateLimits: boolean; logger: Logger },
): Router {
  const router = Router()
  const limiter = hasRateLimits ? memoryLimiter : undefined
  const sent = new Limit(limiter, { name: 'webhooks', max: FROM_NETWORK_MAX, windowS: NETWORK_SECONDS })
  const received = new Limit(limiter, { name: 'webhook-bodies', max: RECEIVING_FROM_NETWORK_MAX, windowS: 0 })
  let receiving = 0
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
  const refuse = (response: Response, provider: string): void => {
    count(provider, 'limited')
    response.locals.isCounted = true
    response.set('Retry-After', '1').status(429).type('text/plain').send('too many')
  }
  const receive: RequestHandler<{ provider: string }> = async (request, response, next) => {
    const taken = receiving < RECEIVING_MAX && (await received.take(networksOf(request.ip)))
    if (typeof taken !== 'object') return refuse(response, request.params.provider)
    receiving += 1
    raw(request, response, (error?: unknown) => {
      receiving -= 1
      void taken.giveBack()
      next(error)
    })
  }
  /** Bodies that are too large, compressed or cut off. */
  const countUnreadable: ErrorRequestHandler = (error, { params: { provider } }, response, next) => {
    count(String(provider), 'malformed')
    response.locals.isCounted = true
    next(error)
  }
  router.post('/api/webhooks/:provider', async ({ ip, params: { provider } }, response, next) => {
    if (!handlerOf(provider)) throw new RequestError('request/not-found', 'There is no such provider.')
    const isWithin = typeof (await sent.take(networksOf(ip))) !== 'number'
    if (isWithin) return next()
    refuse(response, provider)
  })
  router.post('/api/webhooks/:provider', receive, countUnreadable)
  router.post('/api/webhooks/:provider', async (request, response) => {
    const { provider } = request.params
    const body: unknown = request.body
    const handler = handlerOf(provider)
    if (!handler) throw new RequestError('request/not-found', 'There is no such provider.')
    const webhook = { body: Buffer.isBuffer(body) ? body : Buffer.alloc(0), headers: request.headers }
    const { status, text, result } = await handler(webhook).catch((error: unknown) => {
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
