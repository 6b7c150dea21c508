import express, { type Request, type RequestHandler, type Response } from 'express'
import * as z from 'zod/mini'
import type { Caller } from '../../shop/command-context.ts'
import type { Api } from '../api.ts'
import type { Views } from '../../projections/shop-views.ts'
import { networksOf } from '../auth/networks.ts'
import { placeOf } from '../auth/session-place.ts'
import { assertFresh, assertStaff, type Session, type SessionCheck, sessionOf } from '../auth/require-admin.ts'
import { BROWSER_COOKIE, cookieOf, PLACED_COOKIE } from './cookies.ts'
import { sayProblem } from './field-problems.ts'
import { invalid, RequestError, wrongField } from './errors.ts'
import { illFormedText } from './ill-formed-text.ts'
import { assertPosition, type OwnWrites, seenCookie, waitUntilSeen } from './read-your-writes.ts'
import type { Answer, Call, Route } from './route.ts'

const BODY_MAX = '100kb'
/** Requests whose body has no bytes, which Express reads as `{}`. */
const withoutBytes = new WeakSet<object>()
const readJson = express.json({
  limit: BODY_MAX,
  type: () => true,
  inflate: false,
  strict: false,
  verify: (request, _response, bytes) => void (bytes.length === 0 && withoutBytes.add(request)),
})

/** Runs every route: checks the caller, parses the request, calls the route, and responds. */
export function endpoint(route: Route, api: Api, own: OwnWrites): RequestHandler {
  const { context, follower } = api
  return async (request, response) => {
    if (route.method === 'get') assertPosition(request, api.positions)
    const sessionCheck = await sessionOf(context, api.tokens, request)
    response.locals.isStaff = sessionCheck.session !== undefined
    const session = route.who === 'staff' ? assertStaff(sessionCheck) : undefined
    if (session && route.needs === 'fresh-session') assertFresh(context, session)
    const networks = route.method === 'get' ? undefined : networksOf(request.ip)
    if (networks && !sessionCheck.session) await api.writeLimit.consume(networks)
    const body = await bodyOf(request, response, route)
    const query = route.query && parse(route.query, { ...request.query })
    if (route.reads === 'hot-states') await waitUntilSeen(follower, request, api.positions)
    const call = new RequestCall(
      { api, request, response, who: route.who, own, networks },
      { body, query, sessionCheck },
    )
    if (session) await api.sessionSeen(session.sessionId, placeOf(call))
    const answer = await route.handle(call)
    // A stream has no end, or one that only a reader of its body waits for.
    if (answer.stream && request.method === 'HEAD') response.type(route.answersType ?? '').end()
    else await send(response, answer, { api, own })
  }
}

interface Context {
  readonly api: Api
  readonly request: Request
  readonly response: Response
  readonly who: Route['who']
  readonly own: OwnWrites
  /** Undefined if not computed yet. */
  readonly networks: Call['networks'] | undefined
}

/** Computes on first use what only few routes need. A class, since an object literal with a getter costs each request a hidden class of its own. */
class RequestCall implements Call {
  readonly body: unknown
  readonly query: unknown
  readonly sessionCheck: SessionCheck
  private readonly context: Context
  private madeCaller: Caller | undefined

  constructor(context: Context, { body, query, sessionCheck }: Pick<Call, 'body' | 'query' | 'sessionCheck'>) {
    this.context = context
    this.body = body
    this.query = query
    this.sessionCheck = sessionCheck
  }

  get session(): Session | undefined {
    return this.sessionCheck.session
  }

  get networks(): readonly [string, ...string[]] {
    return this.context.networks ?? networksOf(this.context.request.ip)
  }

  get browserId(): string | undefined {
    const [id = '', signature] = (cookieOf(this.context.request, BROWSER_COOKIE) ?? '').split('.')
    return this.context.api.knownBrowsers.isSigned(id, signature) ? id : undefined
  }

  get caller(): Caller {
    this.madeCaller ??= {
      requestId: this.context.api.context.random.uuid(),
      correlationId: this.context.response.locals.correlationId,
      causationId: null,
      actor: this.context.who === 'staff' ? 'staff' : 'buyer',
    }
    return this.madeCaller
  }

  isPlacedHere(orderId: string): boolean {
    return this.context.api.placedHere.isSigned(orderId, cookieOf(this.context.request, PLACED_COOKIE))
  }

  async views(): Promise<Views> {
    const { api, own, request } = this.context
    await own.waitUntilShown()
    await waitUntilSeen(api.views, request, api.positions)
    return api.views
  }

  param(name: string): string {
    return String(this.context.request.params[name] ?? '')
  }

  header(name: string): string | undefined {
    return this.context.request.get(name)
  }
}

async function send(
  response: Response,
  answer: Answer,
  { api: { isSecure, positions }, own }: { api: Pick<Api, 'isSecure' | 'positions'>; own: OwnWrites },
): Promise<void> {
  const { stream, position, headers, body, status } = answer
  if (stream) {
    await stream(response)
    return
  }
  if (headers) for (const [name, value] of Object.entries(headers)) response.appendHeader(name, value)
  if (position !== undefined && position !== '') {
    await own.acknowledge(position)
    const sealed = positions.seal(position)
    response.setHeader('X-Position', sealed)
    response.appendHeader('Set-Cookie', seenCookie(sealed, { isSecure }))
  }
  if (body === undefined) response.status(status ?? 204).end()
  else {
    response.statusCode = status ?? 200
    response.setHeader('Content-Type', 'application/json; charset=utf-8')
    response.end(JSON.stringify(body))
  }
}

/** Reads the body after the caller is checked, so that a refused request costs no parsing. */
async function bodyOf(request: Request, response: Response, { body: schema }: Route): Promise<unknown> {
  if (!schema) return undefined
  const hasBody = request.get('transfer-encoding') !== undefined || Number(request.get('content-length') ?? 0) > 0
  if (hasBody && !request.is('application/json'))
    throw new RequestError('request/wrong-type', 'Bodies are taken as application/json only.')
  await new Promise<void>((resolve, reject) => {
    readJson(request, response, (error?: unknown) => {
      if (error === undefined) resolve()
      else reject(error instanceof Error ? error : new TypeError('the body could not be read'))
    })
  })
  return parse(schema, withoutBytes.has(request) ? undefined : (request.body as unknown))
}

/** Throws a `RequestError` with a sentence for each problem. */
export function parse(schema: z.core.$ZodType, value: unknown): unknown {
  const illFormed = illFormedText(value)
  if (illFormed !== undefined) throw wrongField(illFormed, 'This has half of a character.')
  const result = z.core.safeParse(schema, value, { error: sayProblem })
  if (!result.success) throw invalid(result.error)
  return result.data
}
