import { randomUUID } from 'node:crypto'
import type { Request, RequestHandler, Response } from 'express'
import type { Logger } from 'pino'
import { Histogram, type Registry } from 'prom-client'
import { namedLine, withoutKeys } from '../../ports/one-line.ts'
import { minuteCounts } from './minute-counts.ts'

const SLOW_MS = 1_000
const BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const PATH_LENGTH_MAX = 200

declare module 'express-serve-static-core' {
  interface Locals {
    correlationId: string
    /** The problem that was answered, if any. */
    problem?: { readonly code: string; readonly error: unknown }
    /** Its refusal is logged as part of a count. */
    isCounted?: boolean
    /** The caller has a staff session. */
    isStaff?: boolean
  }
}

/** Any other is one label value, since a caller may send dozens. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'])
/** Requests without a route: files and unknown addresses. */
const NO_ROUTE = 'other'

/**
 * Times every request by its route. Logs each one that failed or was refused to staff, and the first per minute that was slow, aborted when slow, or must
 * be retried. Refusals to strangers are counted by the minute, with their details at level debug. No personal data or order ids.
 */
export function requestLog(logger: Logger, registry: Registry): RequestHandler {
  const times = new Histogram({
    name: 'coinshop_request_duration_seconds',
    help: "Time from a request's headers to the end of its answer, by status class, or `aborted` by its caller.",
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_S,
    registers: [registry],
  })
  const isFirst = minuteCounts((answers) => {
    if (Object.values(answers).some((count) => count > 1))
      logger.warn({ answers }, 'requests were slow, or had to be retried, in the last minute')
  })
  const countRefused = minuteCounts((refused) => logger.info({ refused }, 'requests were refused in the last minute'))
  return (request, response, next) => {
    const given = request.get('x-correlation-id')
    const correlationId = given !== undefined && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID()
    response.locals.correlationId = correlationId
    response.setHeader('X-Correlation-Id', correlationId)
    const began = performance.now()
    const { method, path } = request
    response.on('close', () => {
      const { statusCode: status, writableFinished: isAnswered } = response
      const took = performance.now() - began
      const ms = Math.round(took)
      const isStream = response.getHeader('content-type')?.toString().startsWith('text/event-stream') === true
      const result = isAnswered ? `${Math.floor(status / 100)}xx` : 'aborted'
      if (!isStream)
        times.observe(
          { method: METHODS.has(method) ? method : 'other', route: templateOf(request), status: result },
          took / 1_000,
        )
      const isSlow = ms > SLOW_MS && !isStream
      const isRefused = isAnswered && status >= 400 && response.locals.isCounted !== true
      if (!isRefused && !isSlow) return
      // An outage affects every request: one line says why, a count how many.
      if ((!isRefused || status === 503) && !isFirst(isAnswered ? kindOf(response) : 'aborted')) return
      const line = { method, path: shownRoute(request, path), ms, correlationId }
      if (!isAnswered) logger.warn(line, 'a request was aborted by its caller')
      else if (isRefused && status < 500) logRefusal(response, line)
      else logAnswer(logger, response, line)
    })
    next()
  }

  function logRefusal({ statusCode: status, locals: { problem, isStaff } }: Response, about: object): void {
    const code = problem?.code
    if (isStaff !== true) countRefused(code ?? String(status))
    logger[isStaff === true ? 'info' : 'debug']({ ...about, status, code }, 'a request was refused')
  }
}

/** Tells a provider that refuses the keys from one that is away. */
function kindOf({ statusCode: status, locals: { problem } }: Response): string {
  if (status !== 503) return 'slow'
  return [problem?.code, problem?.error instanceof Error && problem.error.constructor.name].filter(Boolean).join(' ')
}

function logAnswer(logger: Logger, { statusCode: status, locals: { problem } }: Response, about: object): void {
  const line = { ...about, status, code: problem?.code }
  if (status >= 500 && status !== 503) logger.error({ ...line, error: stackOf(problem?.error) }, 'a request failed')
  else if (status === 503)
    logger.warn({ ...line, why: problem && namedLine(problem.error) }, 'a request must be retried')
  else logger.info(line, 'a request was slow')
}

/** Logs a response that broke off before its end. */
export function logBrokenAnswer(logger: Logger, request: Request, response: Response): void {
  const { correlationId, problem } = response.locals
  const { method, path } = request
  const error = stackOf(problem?.error)
  logger.error(
    { method, path: shownRoute(request, path), code: problem?.code, correlationId, error },
    'an answer broke off',
  )
}

function shownRoute(request: Request, path: string): string {
  const route = templateOf(request)
  return route === NO_ROUTE ? shownPath(path) : route
}

/** The template is known only once a route has matched the request. */
function templateOf(request: Request): string {
  const route = request.route as { readonly path: unknown } | undefined
  return typeof route?.path === 'string' ? route.path : NO_ROUTE
}

export function shownPath(path: string): string {
  return withoutKeys(path).slice(0, PATH_LENGTH_MAX)
}

function stackOf(error: unknown): string {
  return withoutKeys(error instanceof Error ? (error.stack ?? error.message) : String(error))
}
