import { hash } from 'node:crypto'
import { isAdminStream, orderIdOf } from '../domain/stream-names.ts'
import express, { type Express, type NextFunction, type Request, type RequestHandler, type Response } from 'express'
import type { Logger } from 'pino'
import { Gauge, Registry } from 'prom-client'
import { type Api, apiOf, type ApiOptions, type Build } from './api.ts'
import { Limit, memoryLimiter } from './auth/limit.ts'
import { problemOf, RequestError } from './http/errors.ts'
import { openApi } from './http/openapi.ts'
import { forwardedFor } from './http/forwarded-for.ts'
import { logBrokenAnswer, requestLog } from './http/request-log.ts'
import { shopServer, type ShopServer } from './http/shop-server.ts'
import { endpoint } from './http/endpoint.ts'
import { type OwnWrites, ownWrites } from './http/read-your-writes.ts'
import type { Route } from './http/route.ts'
import { adminRoutes } from './routes/admin.ts'
import { secondFactorRoutes } from './routes/second-factor.ts'
import { staffSessionRoutes } from './routes/staff-sessions.ts'
import { blockRoutes } from './routes/blocks.ts'
import { asOfRoutes } from './routes/as-of.ts'
import { cryptoRoutes } from './routes/crypto.ts'
import { fulfilmentRoutes } from './routes/fulfilment.ts'
import { healthRoutes } from './health/health.ts'
import { lostOrderRoutes } from './routes/lost-orders.ts'
import { messageRoutes } from './routes/messages.ts'
import { orderRoutes } from './routes/orders.ts'
import { paymentSettingsRoutes } from './routes/payment-settings.ts'
import { paypalRoutes } from './routes/paypal.ts'
import { pricingRoutes } from './routes/pricing.ts'
import { productRoutes } from './routes/products.ts'
import { providerRoutes } from './routes/providers.ts'
import { revenueRoutes } from './routes/revenue.ts'
import { shopRoutes } from './routes/shop.ts'
import { updateRoutes } from './routes/updates.ts'
import { upiRoutes } from './routes/upi.ts'
import { webhookRoutes } from './routes/webhooks.ts'
import type { Clock } from '../ports/clock-and-random.ts'
import { securityHeaders } from './http/security-headers.ts'
import { pageWordsOf, shopName } from '../shop/shop-facts.ts'
import { topicsOf } from './updates/topics.ts'
import type { UpdatesHub } from './updates/updates-hub.ts'
import { webFiles } from './http/web-files.ts'

/** Open connections of a network; a mobile network has many buyers behind one address. */
const CONNECTIONS_MAX = 500

export interface ApiServer extends ShopServer {
  readonly app: Express
  readonly routes: readonly Route[]
  /** Must be called with every event, in order, once the hot states have it. */
  onEvents(events: readonly { readonly type: string; readonly stream: string; readonly position: string }[]): void
}

export function apiServer(options: ApiOptions): ApiServer {
  const { context, logger } = options
  const api = apiOf(options)
  const routes = routesOf(api)
  const hasRateLimits = context.config.RATE_LIMIT === 'on'

  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', 'simple')
  app.set('trust proxy', trustOf(context.config.TRUST_PROXY))
  const registry = new Registry()
  app.use(requestLog(logger, registry))
  app.use(answerHeaders(api, logger))
  // Express tries routes in order, so those that buyers wait for come first.
  serveRoutes(app, routes, api, ownWrites(options.views, { areLocal: context.config.ROLES.includes('projector') }))
  countConnections(api.hub, registry)
  app.use(healthRoutes({ ...options, ownMetrics: registry }))
  app.use(webhookRoutes(options.webhooks ?? {}, { registry, hasRateLimits, logger }))
  app.get('/api/openapi.json', description(api, routes, options.build))
  app.use('/api', () => {
    throw new RequestError('request/not-found', 'There is no such address in this API.')
  })
  // Providers redirect the browser here, and know only our reference.
  app.get('/pay/:reference', (request, response, next) => {
    const referred = context.keys.referred(request.params.reference)
    if (referred) response.set('Cache-Control', 'no-store').redirect(`/order/${referred.orderId}/confirm?returned`)
    else next()
  })
  app.use(
    webFiles(options.webFolder, { words: () => pageWordsOf(context), revision: () => context.hot.settings.revision }),
  )
  // Express recognises an error handler by its four parameters.
  app.use((error: unknown, request: Request, response: Response, _next: NextFunction) => {
    if (sendProblem(error, response)) return
    logBrokenAnswer(logger, request, response)
    response.destroy()
  })

  const trust = app.get('trust proxy fn') as (address: string, hop: number) => boolean
  const serving = shopServer(app, {
    connectionLimit: hasRateLimits ? connectionLimit() : undefined,
    isTrustedProxy: (address) => trust(address, 0),
  })

  return {
    ...serving,
    async listen(...address) {
      // Loaded once and then followed, so that products are listed while the log is away.
      await context.hot.products.refresh()
      return serving.listen(...address)
    },
    app,
    routes,
    onEvents(events) {
      const last = new Map<string, string>()
      const isHeard = api.hub.size > 0
      for (const { type, stream, position } of events) {
        if (isHeard) for (const topic of topicsOf(stream)) last.set(topic, position)
        const orderId = orderIdOf(stream)
        if (orderId !== undefined) api.orderLimit.onEvent(type, orderId)
        if (isAdminStream(stream)) api.hub.dropExpired()
      }
      for (const [topic, position] of last) api.hub.publish(topic, api.positions.seal(position))
    },
    async close(graceMs) {
      api.hub.close()
      const daysEnded = api.pastDays.close()
      await serving.close(graceMs)
      await daysEnded
    },
  }
}

/** The API's description. Made on the first call, since startup does not need it, and again for another name. */
function description({ context }: Api, routes: readonly Route[], build: Build): RequestHandler {
  let made: { readonly name: string; readonly json: Buffer; readonly tag: string } | undefined
  return (_request, response) => {
    const name = shopName(context)
    if (made?.name !== name) {
      const { PUBLIC_URL } = context.config
      const json = Buffer.from(JSON.stringify(openApi(routes, { shopName: name, PUBLIC_URL, build })))
      made = { name, json, tag: `"${hash('sha256', json, 'base64url')}"` }
    }
    response.set('ETag', made.tag).type('application/json').send(made.json)
  }
}

/** Of this process, since its sockets are. */
function connectionLimit(): Limit {
  return new Limit(memoryLimiter, { name: 'connections', max: CONNECTIONS_MAX, windowS: 0 })
}

/** One handler, since each call of a handler costs Express as much as the work in it. */
function answerHeaders({ payments, context, isSecure }: Api, logger: Logger): RequestHandler {
  const readForwarded =
    context.config.TRUST_PROXY === 'off' ? proxyWarning(logger) : forwardedFor(logger, context.clock)
  const setShopTime = shopTime(context.clock)
  const setSecurityHeaders = securityHeaders({ isSecure, windows: payments.windows })
  return (request, response, next) => {
    readForwarded(request)
    setShopTime(response)
    setSecurityHeaders(request, response, next)
  }
}

/** Screens tell by the Date header when a deadline of the shop has passed. */
function shopTime(clock: Pick<Clock, 'now'>): (response: Response) => void {
  let [second, text] = [Number.NaN, '']
  return (response) => {
    const now = Math.floor(clock.now() / 1_000)
    if (now !== second) [second, text] = [now, new Date(now * 1_000).toUTCString()]
    response.setHeader('Date', text)
  }
}

function serveRoutes(app: Express, routes: readonly Route[], api: Api, own: OwnWrites): void {
  for (const [path, atPath] of Map.groupBy(routes, ({ path }) => path)) {
    const allowed = atPath.map(({ method }) => method.toUpperCase()).join(', ')
    const place = app.route(path)
    for (const route of atPath) place[route.method](endpoint(route, api, own))
    place.all((_request, response) => {
      response.set('Allow', allowed)
      throw new RequestError('request/wrong-method', `This address takes ${allowed}.`)
    })
  }
}

function countConnections(hub: UpdatesHub, registry: Registry): void {
  const gauge: Gauge = new Gauge({
    name: 'coinshop_push_connections',
    help: 'Open push connections of this process.',
    registers: [registry],
    collect: () => gauge.set(hub.size),
  })
}

function routesOf(api: Api): Route[] {
  return [
    ...pricingRoutes(api),
    ...paymentSettingsRoutes(api),
    ...orderRoutes(api),
    ...shopRoutes(api),
    ...productRoutes(api),
    ...paypalRoutes(api),
    ...cryptoRoutes(api),
    ...upiRoutes(api),
    ...updateRoutes(api),
    ...lostOrderRoutes(api),
    ...fulfilmentRoutes(api),
    ...adminRoutes(api),
    ...secondFactorRoutes(api),
    ...staffSessionRoutes(api),
    ...blockRoutes(api),
    ...asOfRoutes(api),
    ...revenueRoutes(api),
    ...providerRoutes(api),
    ...messageRoutes(api),
  ]
}

/** False if another response has begun. */
function sendProblem(error: unknown, response: Response): boolean {
  const { status, code, retryAfterS, body } = problemOf(error, response.locals.correlationId)
  response.locals.problem = { code, error: status >= 500 ? error : undefined }
  if (response.headersSent) return false
  if (retryAfterS !== undefined) response.set('Retry-After', String(retryAfterS))
  if (status === 401) response.set('WWW-Authenticate', 'Bearer')
  response.status(status).type('application/problem+json').send(JSON.stringify(body))
  return true
}

/** Behind an untrusted proxy all buyers share one address and its limits. */
function proxyWarning(logger: Logger): (request: Request) => void {
  let isSaid = false
  return (request) => {
    if (isSaid || request.headers['x-forwarded-for'] === undefined) return
    isSaid = true
    logger.warn(
      'a request came through a proxy, but TRUST_PROXY is off: all callers count as one address. Set it to the number of proxies before the shop',
    )
  }
}

/** `off`, `on` (one proxy), how many there are, or their addresses. */
function trustOf(trustProxy: string): boolean | number | string {
  if (trustProxy === 'off') return false
  if (trustProxy === 'on') return 1
  return /^\d+$/.test(trustProxy) ? Number(trustProxy) : trustProxy
}
