import type * as z from 'zod'
import { exactJsonIn } from './exact-json.ts'
import { type KeysReport, PaymentRejected, ProviderAway } from './payment-provider.ts'
import { callByHttp, type HttpAnswer, type HttpRequest, msUntil, NoHttpAnswer } from '../ports/http-call.ts'
import { ProviderHealth } from './provider-health.ts'
import { callerNetwork } from './caller-network.ts'
import { type CallKind, isPayment, NotAsked, type Pace, unpaced } from './provider-pace.ts'

const TIMEOUT_MS = 10_000
const BYTES_MAX = 1_000_000
const MESSAGE_MAX = 2_000

export interface CallOptions {
  readonly now: () => number
  readonly pace?: Pace
  readonly health?: ProviderHealth
  readonly timeoutMs?: number
  /** Called with an unknown status word, or what cannot be read. */
  readonly onUnknownStatus?: (word: string) => void
}

export type ProviderCall = <Read>(
  kind: CallKind,
  request: Omit<HttpRequest, 'timeoutMs' | 'bytesMax'>,
  read: (answer: HttpAnswer) => Read,
) => Promise<Read>

/** Calls to one provider: paced by kind, bounded, and paused while it is overloaded, away or unreadable. Throws `ProviderAway`. */
export function providerCalls(options: CallOptions): ProviderCall {
  const { now, pace = unpaced, timeoutMs = TIMEOUT_MS, health = new ProviderHealth(now) } = options
  return async (kind, request, read) => {
    // Payments ignore the pause: a buyer is waiting.
    const assertMayCall = (): void => {
      if (!isPayment(kind) && health.isPaused) throw new NotAsked('the payment provider is paused after a failure')
    }
    assertMayCall()
    await pace(kind, callerNetwork.getStore())
    // The provider may have failed while this call waited for its turn.
    assertMayCall()
    try {
      const answer = await askProvider({ ...request, timeoutMs, bytesMax: BYTES_MAX })
      assertServed(answer, now())
      const said = read(answer)
      health.recordReply()
      return said
    } catch (error) {
      if (error instanceof PaymentRejected || error instanceof OneCallAway) health.recordReply()
      else health.recordFailure(error, error instanceof Overloaded ? error.pauseMs : 0)
      throw error
    }
  }
}

async function askProvider(request: HttpRequest): Promise<HttpAnswer> {
  try {
    return await callByHttp(request)
  } catch (error) {
    throw error instanceof NoHttpAnswer ? new ProviderAway(`the provider at ${error.message}`) : error
  }
}

interface Question {
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** Set for a POST. */
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

export type Asking<Reply> = readonly [kind: CallKind, schema: z.ZodType<Reply>, question: Question]
/** A provider's reply, parsed by `schema`; `None` if there is none. */
export type Ask<None = never> = <Reply>(...asking: Asking<Reply>) => Promise<Reply | None>

/** Calls of a JSON API. `bodyOf` returns a reply's content, undefined if there is none; it throws if the call is refused. */
export function jsonCalls<None extends undefined = never>(
  call: ProviderCall,
  { url, headers: always = {} }: { readonly url: string; readonly headers?: Readonly<Record<string, string>> },
  bodyOf: (answer: HttpAnswer, method: HttpRequest['method']) => unknown,
): Ask<None> {
  return async (kind, schema, { path, query = {}, body, headers }) => {
    const address = urlAt(url, path)
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value)
    const method = body === undefined ? 'GET' : 'POST'
    const sent = { accept: 'application/json', 'content-type': 'application/json', ...always, ...headers }
    return call(kind, { url: address, method, headers: sent, ...(body !== undefined && { body }) }, (answer) => {
      const given = bodyOf(answer, method)
      return given === undefined ? (undefined as None) : readReply(schema, given, path)
    })
  }
}

export function urlAt(url: string, path: string): URL {
  return new URL(`${url.replace(/\/$/, '')}/${path}`)
}

/** Parses a reply by `schema`; the first word of the path names it in the error. */
export function readReply<Reply>(schema: z.ZodType<Reply>, given: unknown, path: string): Reply {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const what = /[a-z][a-z_-]+/.exec(path)?.[0]
  const field = parsed.error.issues[0]?.path.join('.') ?? ''
  throw new Unreadable(`the provider's answer to ${what} cannot be read: ${field}`)
}

/** Parses a refusal; empty if it cannot be read. */
export function readError<Reply>(schema: z.ZodType<Reply>, text: string): Reply {
  return schema.safeParse(exactJsonIn(text)).data ?? schema.parse({})
}

/** The provider is up but overloaded. */
class Overloaded extends ProviderAway {
  /** The requested pause; 0 if none. */
  readonly pauseMs: number

  constructor({ status, retryAfter }: HttpAnswer, nowMs: number) {
    super(`the provider answered ${status}`)
    this.pauseMs = msUntil(retryAfter, nowMs)
  }
}

function assertServed(answer: HttpAnswer, nowMs: number): void {
  if (answer.status === 429 || answer.status >= 500) throw new Overloaded(answer, nowMs)
}

/** The provider works, but not for this call now. */
export class OneCallAway extends ProviderAway {}

/** The provider replies, but this one reply cannot be read. */
export class Unreadable extends OneCallAway {}

/** The provider does not accept the shop's keys. */
export class KeyRefused extends ProviderAway {
  /** In the provider's own words. */
  readonly reason: string

  constructor(message: string, reason: string) {
    super(message)
    this.reason = reason
  }
}

/** What a call's outcome says about its keys. */
export async function keysReport(call: Promise<unknown>): Promise<KeysReport> {
  try {
    await call
    return { areAccepted: true, reason: null }
  } catch (error) {
    if (error instanceof KeyRefused) return { areAccepted: false, reason: error.reason.slice(0, 200) }
    if (error instanceof PaymentRejected) return { areAccepted: false, reason: error.message.slice(0, 200) }
    throw error
  }
}

/** A provider's refusal may quote the buyer: removes all that looks like a number or an e-mail address. */
export function withoutBuyer(message: string): string {
  // Cut first: the regex takes quadratic time in a word's length.
  return message
    .slice(0, MESSAGE_MAX)
    .replaceAll(/\S*(?:\d{6,}|@)\S*/g, '…')
    .slice(0, 200)
}
