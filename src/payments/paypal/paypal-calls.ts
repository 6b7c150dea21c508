import { LRUCache } from 'lru-cache'
import type * as z from 'zod'
import { parseExactJson } from '../exact-json.ts'
import { PaymentRejected, ProviderAway } from '../payment-provider.ts'
import { errorReply, tokenReply } from './paypal-replies.ts'
import {
  type CallOptions,
  KeyRefused,
  OneCallAway,
  type ProviderCall,
  providerCalls,
  readError,
  readReply,
} from '../provider-calls.ts'
import type { ProviderAnswer } from '../provider-http.ts'
import { type CallKind, providerPace } from '../provider-pace.ts'

export interface PaypalAccess extends CallOptions {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
}

interface Question {
  readonly path: string
  /** A POST where there is one. */
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

type Asking<Reply> = readonly [kind: CallKind, schema: z.ZodType<Reply>, question: Question]
export type PaypalAsk = <Reply>(...asking: Asking<Reply>) => Promise<Reply>

type TokenKind = 'server' | 'browser'
/** A call may still be under way when its token ends, and a browser pays within what it has left of its own. */
const spareMs: Readonly<Record<TokenKind, number>> = { server: 60_000, browser: 600_000 }

/** PayPal refuses it, and says why by an issue. */
export class PaypalRefusal extends PaymentRejected {
  readonly issue: string

  constructor(message: string, issue: string) {
    super(message)
    this.issue = issue
  }
}

/** PayPal has none under this id. */
export class UnknownPayment extends PaymentRejected {}

/** The app's permissions do not include this call. */
export class NotAllowed extends OneCallAway {}

/** The tokens of an account, each kept while it is good. */
function tokensOf({ url, clientId, clientSecret, now }: PaypalAccess, call: ProviderCall) {
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')

  async function fetched(kind: TokenKind) {
    const form = { grant_type: 'client_credentials', ...(kind === 'browser' && { response_type: 'client_token' }) }
    const request = {
      url: new URL(`${baseOf(url)}/v1/oauth2/token`),
      method: 'POST',
      headers: {
        authorization: `Basic ${basic}`,
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams(form).toString(),
    } as const
    return call('payments', request, tokenIn)
  }

  /** Concurrent callers share one fetch. */
  const tokens = new LRUCache<TokenKind, string>({
    max: 2,
    ttl: 1,
    ttlResolution: 0,
    perf: { now },
    async fetchMethod(kind, _old, { options }) {
      const { access_token: text, expires_in: seconds } = await fetched(kind)
      options.ttl = Math.max(1, seconds * 1_000 - spareMs[kind] - 1)
      return text
    },
  })

  return { tokens, fetched }
}

/** The calls of PayPal's API, each with the account's token. */
export function paypalCalls(options: PaypalAccess) {
  const base = baseOf(options.url)
  const call = providerCalls(options)
  const { now, timeoutMs, pace } = options
  // Anyone can name a certificate that there is not: that takes no call of the payments', and says nothing of PayPal's health.
  const certificateCall = providerCalls({
    now,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(pace && { pace: providerPace('paypal-certificates') }),
  })
  const { tokens, fetched } = tokensOf(options, call)

  /** Undefined where the token is refused. */
  async function answered<Reply>(
    [kind, schema, { path, body, headers }]: Asking<Reply>,
    by: string,
  ): Promise<Reply | undefined> {
    const request = {
      url: new URL(`${base}/${path}`),
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${by}`,
        accept: 'application/json',
        'content-type': 'application/json',
        ...headers,
      },
      ...(body !== undefined && { body }),
    } as const
    return call(kind, request, (answer) => {
      if (answer.status === 401) return undefined
      assertDone(answer)
      return readReply(schema, parseExactJson(answer.text), path.split('/')[1])
    })
  }

  async function ask<Reply>(...question: Asking<Reply>): Promise<Reply> {
    const token = await tokens.forceFetch('server')
    const reply = await answered(question, token)
    if (reply !== undefined) return reply
    // A token may end before its time; a second refusal is about the keys.
    if (tokens.peek('server') === token) tokens.delete('server')
    const again = await answered(question, await tokens.forceFetch('server'))
    if (again === undefined) throw new ProviderAway('PayPal refuses the token that it gave')
    return again
  }

  /** Undefined where there is none. It needs no token. */
  const certificateAt = async (address: URL): Promise<string | undefined> =>
    certificateCall('rates', { url: address, method: 'GET', headers: {} }, ({ status, text }) =>
      status === 200 ? text : undefined,
    )
  /** A new token each time: an old one says nothing of the keys. */
  return {
    ask,
    certificateAt,
    clientToken: async () => tokens.forceFetch('browser'),
    tryKeys: async () => fetched('server'),
  }
}

function baseOf(url: string): string {
  return url.replace(/\/$/, '')
}

function tokenIn(answer: ProviderAnswer) {
  if (answer.status >= 200 && answer.status < 300) return readReply(tokenReply, parseExactJson(answer.text), 'token')
  throw new KeyRefused(
    'PayPal refuses the keys: are PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET right, and of this address?',
    readError(errorReply, answer.text).error_description ?? 'no reason given',
  )
}

function assertDone({ status, text }: ProviderAnswer): void {
  if (status >= 200 && status < 300) return
  const { name, message, debug_id: debugId, details } = readError(errorReply, text)
  const issue = details?.[0]?.issue ?? name ?? ''
  const reason = `${issue || (message?.slice(0, 200) ?? 'no reason given')}${debugId ? `, debug id ${debugId}` : ''}`
  if (status === 403) throw new NotAllowed(`PayPal does not allow it: ${reason}`)
  if (status === 404) throw new UnknownPayment('unknown payment')
  // Another call about the same payment is under way.
  if (status === 409) throw new OneCallAway(`PayPal is busy with this payment: ${reason}`)
  throw new PaypalRefusal(`PayPal refuses it (${status}): ${reason}`, issue)
}
