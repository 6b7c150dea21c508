import { LRUCache } from 'lru-cache'
import { parseExactJson } from '../exact-json.ts'
import { PaymentRejected, ProviderAway } from '../payment-provider.ts'
import { errorReply, tokenReply } from './paypal-replies.ts'
import {
  urlAt,
  type Ask,
  type Asking,
  type CallOptions,
  jsonCalls,
  KeyRefused,
  OneCallAway,
  type ProviderCall,
  providerCalls,
  readError,
  readReply,
} from '../provider-calls.ts'
import type { HttpAnswer } from '../../ports/http-call.ts'
import { providerPace } from '../provider-pace.ts'

export interface PaypalAccount {
  readonly PAYPAL_URL: string
  readonly PAYPAL_CLIENT_ID?: string | undefined
  readonly PAYPAL_CLIENT_SECRET?: string | undefined
}

type TokenKind = 'server' | 'browser'
/** Time that a token must have left: for a call to end, and for a payment in the browser. */
const spareMs: Readonly<Record<TokenKind, number>> = { server: 60_000, browser: 600_000 }

/** PayPal does not know the id. */
export class UnknownPayment extends PaymentRejected {}

/** The app's permissions do not include this call. */
export class NotAllowed extends OneCallAway {}

/** The tokens of an account, each cached while valid. */
function tokensOf(account: PaypalAccount, now: () => number, call: ProviderCall) {
  const { PAYPAL_URL: url, PAYPAL_CLIENT_ID: id = '', PAYPAL_CLIENT_SECRET: secret = '' } = account
  const headers = {
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
  }

  async function fetchToken(kind: TokenKind) {
    const form = { grant_type: 'client_credentials', ...(kind === 'browser' && { response_type: 'client_token' }) }
    const body = new URLSearchParams(form).toString()
    return call('captures', { url: urlAt(url, 'v1/oauth2/token'), method: 'POST', headers, body }, tokenIn)
  }

  /** Concurrent callers share one fetch. */
  const tokens = new LRUCache<TokenKind, string>({
    max: 2,
    ttl: 1,
    ttlResolution: 0,
    perf: { now },
    async fetchMethod(kind, _old, { options }) {
      const { access_token: text, expires_in: seconds } = await fetchToken(kind)
      options.ttl = Math.max(1, seconds * 1_000 - spareMs[kind] - 1)
      return text
    },
  })

  return { tokens, fetchToken }
}

/** The calls of PayPal's API, each with the account's token. */
export function paypalCalls(account: PaypalAccount, options: CallOptions) {
  const call = providerCalls(options)
  const { now, timeoutMs, pace } = options
  // Anyone can name a missing certificate, so these calls have a pace of their own and do not count for PayPal's health.
  const certificateCall = providerCalls({
    now,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(pace && { pace: providerPace('paypal-certificates') }),
  })
  const { tokens, fetchToken } = tokensOf(account, now, call)
  const askBy = jsonCalls<undefined>(call, { url: account.PAYPAL_URL }, bodyOf)

  /** Undefined if the token is refused. */
  async function askOnce<Reply>([kind, schema, question]: Asking<Reply>, token: string): Promise<Reply | undefined> {
    const headers = { authorization: `Bearer ${token}`, ...question.headers }
    return askBy(kind, schema, { ...question, headers })
  }

  const ask: Ask = async (...asking) => {
    const token = await tokens.forceFetch('server')
    const reply = await askOnce(asking, token)
    if (reply !== undefined) return reply
    // A token may end early; a second refusal has another cause.
    if (tokens.peek('server') === token) tokens.delete('server')
    const again = await askOnce(asking, await tokens.forceFetch('server'))
    if (again === undefined) throw new ProviderAway('PayPal refuses the token that it gave')
    return again
  }

  /** Undefined if there is no such certificate. The call needs no token. */
  const certificateAt = async (address: URL): Promise<string | undefined> =>
    certificateCall('rates', { url: address, method: 'GET', headers: {} }, ({ status, text }) =>
      status === 200 ? text : undefined,
    )
  return {
    ask,
    certificateAt,
    clientToken: async () => tokens.forceFetch('browser'),
    /** A new token each time: an old one does not test the keys. */
    tryKeys: async () => fetchToken('server'),
  }
}

function tokenIn({ isSuccess, text }: HttpAnswer) {
  if (isSuccess) return readReply(tokenReply, parseExactJson(text), 'token')
  throw new KeyRefused(
    'PayPal refuses the keys: are PAYPAL_CLIENT_ID and PAYPAL_CLIENT_SECRET right, and of this address?',
    readError(errorReply, text).error_description ?? 'no reason given',
  )
}

function bodyOf({ status, isSuccess, text }: HttpAnswer): unknown {
  if (isSuccess) return parseExactJson(text)
  if (status === 401) return undefined
  const { name, message, debug_id: debugId, details } = readError(errorReply, text)
  const issue = details?.[0]?.issue ?? name ?? ''
  const reason = `${issue || (message?.slice(0, 200) ?? 'no reason given')}${debugId ? `, debug id ${debugId}` : ''}`
  if (status === 403) throw new NotAllowed(`PayPal does not allow it: ${reason}`)
  if (status === 404) throw new UnknownPayment('unknown payment')
  // Another call about the same payment is under way.
  if (status === 409) throw new OneCallAway(`PayPal is busy with this payment: ${reason}`)
  throw new PaymentRejected(`PayPal refuses it (${status}): ${reason}`, issue)
}
