import type * as z from 'zod'
import { parseExactJson } from './exact-json.ts'
import { PaymentRejected, ProviderAway } from './payment-provider.ts'
import { errorReply, tokenReply } from './paypal-replies.ts'
import { keptToken, type Token } from './paypal-tokens.ts'
import { type CallOptions, KeyRefused, OneCallAway, providerCalls, readError, readReply } from './provider-calls.ts'
import type { ProviderAnswer } from './provider-http.ts'
import type { CallKind } from './provider-pace.ts'

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

/** A call may still be under way when its token ends. */
const TOKEN_SPARE_MS = 60_000
/** What a browser has left of its token at least: it pays within that. */
const CLIENT_TOKEN_SPARE_MS = 600_000

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

/** The calls of PayPal's API, each with the account's token. */
export function paypalCalls(options: PaypalAccess) {
  const { url, clientId, clientSecret, now } = options
  const base = url.replace(/\/$/, '')
  const call = providerCalls(options)
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')

  async function token(form: Readonly<Record<string, string>>, spareMs: number): Promise<Token> {
    const request = {
      url: new URL(`${base}/v1/oauth2/token`),
      method: 'POST',
      headers: {
        authorization: `Basic ${basic}`,
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', ...form }).toString(),
    } as const
    const { access_token: text, expires_in: seconds } = await call('payments', request, tokenIn)
    return { text, freshMs: Math.max(0, seconds * 1000 - spareMs) }
  }

  const access = keptToken(now, async () => token({}, TOKEN_SPARE_MS))
  const browsers = keptToken(now, async () => token({ response_type: 'client_token' }, CLIENT_TOKEN_SPARE_MS))

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
    const token = await access.get()
    const reply = await answered(question, token)
    if (reply !== undefined) return reply
    // A token may end before its time; a second refusal is about the keys.
    access.drop(token)
    const again = await answered(question, await access.get())
    if (again === undefined) throw new ProviderAway('PayPal refuses the token that it gave')
    return again
  }

  /** Undefined where there is none. It needs no token, and waits in a queue of its own. */
  const certificateAt = async (address: URL): Promise<string | undefined> =>
    call('rates', { url: address, method: 'GET', headers: {} }, ({ status, text }) =>
      status === 200 ? text : undefined,
    )
  /** A new token each time: an old one says nothing of the keys. */
  const tryKeys = async (): Promise<Token> => token({}, TOKEN_SPARE_MS)
  return { ask, certificateAt, clientToken: async () => browsers.get(), tryKeys }
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
