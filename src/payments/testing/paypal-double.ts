import { createHmac, randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { exactNumber } from '../exact-json.ts'
import { type Asked, DoubleServer, type Reply, sendWebhook } from './double-server.ts'
import {
  type Act,
  type DoubleOrder,
  minimalOrder,
  PaypalAccount,
  PaypalProblem,
  resourceOf,
  shownDispute,
  shownOrder,
} from './paypal-account.ts'
import { approvalPage, sdkScript } from './paypal-pages.ts'

export interface PaypalDoubleOptions {
  readonly clientId: string
  readonly clientSecret: string
  readonly webhookId: string
  /** As it was entered at the provider. */
  readonly webhookUrl?: string
  /** A capture sends its own webhook too, as the real one does. */
  readonly sendsCaptures?: boolean
  readonly port?: number
  readonly now?: () => number
}

type Kind = 'token' | 'create' | 'capture' | 'check' | 'dispute' | 'verify'
type Headers = Asked['headers']

const TOKEN_SECONDS = 32_400
const CLIENT_TOKEN_SECONDS = 900
const WEBHOOKS_MAX = 100
const ANSWERS_MAX = 10_000

/** Starts a double of PayPal on this machine: its calls, its webhooks, the payer's page and a stand-in of the browser's script. */
export async function paypalDouble(options: PaypalDoubleOptions): Promise<PaypalDouble> {
  const double = new PaypalDouble(options)
  await double.listen(options.port)
  return double
}

export class PaypalDouble extends DoubleServer<Kind> {
  /** An issue that every new capture ends with, as by the header PayPal-Mock-Response. */
  mock: string | undefined
  readonly account: PaypalAccount
  private readonly options: PaypalDoubleOptions
  /** Until when each is good. */
  private readonly serverTokens = new Map<string, number>()
  private readonly clientTokens = new Map<string, number>()
  /** By the path and the request id: the order that was answered. */
  private readonly answered = new Map<string, string>()

  constructor(options: PaypalDoubleOptions) {
    super(options.now)
    this.options = options
    this.webhookUrl = options.webhookUrl
    this.account = new PaypalAccount(this.now)
  }

  get url(): string {
    return this.origin
  }

  orderIds(customId?: string): string[] {
    const orders = this.account.all()
    return orders.filter((order) => customId === undefined || order.customId === customId).map(({ id }) => id)
  }

  /** Answers the statuses of the webhooks, or the error where none arrived. */
  async act(orderId: string, act: Act): Promise<(number | string)[]> {
    const order = this.account.known(orderId)
    const type = this.account.act(orderId, act)
    const sent: (number | string)[] = []
    const count = Math.min(act.webhooks ?? 1, WEBHOOKS_MAX)
    for (let turn = 0; turn < count; turn += 1) sent.push(await sendWebhook(this.webhookUrl, this.eventOf(order, type)))
    return sent
  }

  /** As after the hours for which PayPal remembers a request. */
  forgetRequests(): void {
    this.answered.clear()
  }

  /** All tokens end now, before their time. */
  endTokens(): void {
    this.serverTokens.clear()
    this.clientTokens.clear()
  }

  /** An event of an order's present state, with these fields changed before or after signing. */
  webhook(orderId: string, type: string, { signed, forged }: { signed?: object; forged?: object } = {}) {
    return this.eventOf(this.account.known(orderId), type, { signed, forged })
  }

  private eventOf(
    order: DoubleOrder,
    type: string,
    { signed, forged }: { signed?: object | undefined; forged?: object | undefined } = {},
  ): { body: string; headers: Record<string, string> } {
    const id = randomUUID()
    const time = new Date(this.now()).toISOString()
    const resource = resourceOf(type, order, { dispute: this.account.disputeOf(order.id), origin: this.origin })
    const event = {
      id: `WH-${id.toUpperCase()}`,
      // Written anew it would be 1, and no longer what was signed.
      event_version: exactNumber('1.0'),
      create_time: time,
      event_type: type,
      resource,
      ...signed,
    }
    const body = JSON.stringify(event)
    const headers = {
      'paypal-transmission-id': id,
      'paypal-transmission-time': time,
      'paypal-transmission-sig': this.signature(id, time, body),
      'paypal-cert-url': 'https://api.paypal.com/v1/notifications/certs/CERT-of-the-double',
      'paypal-auth-algo': 'SHA256withRSA',
    }
    return { body: forged ? JSON.stringify({ ...event, ...forged }) : body, headers }
  }

  /** Over what the real one signs; by a secret, since nobody but the double verifies it. */
  private signature(id: string, time: string, body: string): string {
    const text = `${id}|${time}|${this.options.webhookId}|${crc32(body)}`
    return createHmac('sha256', this.options.clientSecret).update(text).digest('base64')
  }

  protected kindOf({ method, url: { pathname } }: Asked): Kind | undefined {
    if (pathname === '/v1/oauth2/token') return 'token'
    if (pathname.startsWith('/v1/notifications/')) return 'verify'
    if (pathname.startsWith('/v1/customer/disputes/')) return 'dispute'
    if (!pathname.startsWith('/v2/')) return undefined
    if (method === 'GET') return 'check'
    return pathname.endsWith('/capture') ? 'capture' : 'create'
  }

  protected async served(asked: Asked): Promise<Reply> {
    const kind = this.kindOf(asked)
    try {
      if (kind === undefined) return this.page(asked)
      if (kind === 'token') return this.token(asked)
      const bearer = /^Bearer (.+)$/.exec(asked.headers.authorization ?? '')?.[1] ?? ''
      if (this.now() >= (this.serverTokens.get(bearer) ?? 0))
        return json(401, { error: 'invalid_token', error_description: 'Token signature verification failed' })
      return this.called(kind, asked)
    } catch (error) {
      if (error instanceof PaypalProblem) return problem(error.status, error.issue)
      return problem(400, 'MALFORMED_REQUEST_JSON')
    }
  }

  private called(kind: Exclude<Kind, 'token'>, { url, headers, body }: Asked): Reply {
    const [, , , , id = ''] = url.pathname.split('/')
    if (kind === 'create') return this.created(headers, body)
    if (kind === 'capture') return this.captured(id, headers)
    if (kind === 'verify') return this.verified(body)
    if (kind === 'check') return json(200, shownOrder(this.account.known(id), this.origin))
    const dispute = this.account.disputes.get(id)
    if (!dispute) throw new PaypalProblem(404, 'INVALID_RESOURCE_ID')
    return json(200, shownDispute(dispute, this.account.known(dispute.orderId)))
  }

  private token({ headers, body }: Asked): Reply {
    const { clientId, clientSecret } = this.options
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
    if (headers.authorization !== `Basic ${basic}`)
      return json(401, { error: 'invalid_client', error_description: 'Client Authentication failed' })
    const form = new URLSearchParams(body)
    if (form.get('grant_type') !== 'client_credentials') return json(400, { error: 'unsupported_grant_type' })
    const isClient = form.get('response_type') === 'client_token'
    const access_token = `${isClient ? 'client' : 'server'}-token-${randomUUID()}`
    const expires_in = isClient ? CLIENT_TOKEN_SECONDS : TOKEN_SECONDS
    const tokens = isClient ? this.clientTokens : this.serverTokens
    tokens.set(access_token, this.now() + expires_in * 1000)
    return json(200, { scope: 'double', access_token, token_type: 'Bearer', app_id: 'APP-DOUBLE', expires_in })
  }

  private created(headers: Headers, body: string): Reply {
    const requestId = headers['paypal-request-id']
    const given = JSON.parse(body) as {
      intent?: string
      purchase_units?: { custom_id?: string; amount?: { currency_code?: string; value?: string } }[]
      payment_source?: { paypal?: { experience_context?: { return_url?: string } } }
    }
    if (typeof requestId !== 'string') throw new PaypalProblem(400, 'PAYPAL_REQUEST_ID_REQUIRED')
    const earlier = this.answered.get(`create ${requestId}`)
    if (earlier !== undefined) return this.shown(200, this.account.known(earlier), headers)
    const [unit] = given.purchase_units ?? []
    const { currency_code: currency = '', value = '' } = unit?.amount ?? {}
    if (given.intent !== 'CAPTURE' || currency !== 'USD') throw new PaypalProblem(422, 'CURRENCY_NOT_SUPPORTED')
    if (!/^\d+\.\d\d$/.test(value)) throw new PaypalProblem(422, 'DECIMAL_PRECISION')
    const customId = unit?.custom_id ?? null
    if (this.account.all().some((order) => order.customId === customId && order.captures.length > 0))
      throw new PaypalProblem(422, 'DUPLICATE_INVOICE_ID')
    const returnUrl = given.payment_source?.paypal?.experience_context?.return_url
    const order = this.account.open({ customId, currency, value, returnUrl })
    this.remember(`create ${requestId}`, order.id)
    return this.shown(201, order, headers)
  }

  private captured(id: string, headers: Headers): Reply {
    const key = `capture ${id} ${String(headers['paypal-request-id'])}`
    if (this.answered.has(key)) return this.shown(200, this.account.known(id), headers)
    const mocked =
      /"mock_application_codes":\s*"(\w+)"/.exec(String(headers['paypal-mock-response'] ?? ''))?.[1] ?? this.mock
    if (mocked !== undefined) throw new PaypalProblem(422, mocked)
    const order = this.account.capture(id)
    this.remember(key, id)
    const type = `PAYMENT.CAPTURE.${order.captures.at(-1)?.status ?? ''}`
    if (this.options.sendsCaptures) void sendWebhook(this.webhookUrl, this.eventOf(order, type))
    return this.shown(201, order, headers)
  }

  private shown(status: number, order: DoubleOrder, { prefer }: Headers): Reply {
    const isWhole = prefer === 'return=representation'
    return json(status, isWhole ? shownOrder(order, this.origin) : minimalOrder(order, this.origin))
  }

  /** By the very text of the event: one that was parsed and written anew fails, as with the real one. */
  private verified(body: string): Reply {
    const given = JSON.parse(body) as Record<string, unknown>
    const event = /"webhook_event":(.*)\}$/s.exec(body)?.[1] ?? ''
    const signature = this.signature(String(given['transmission_id']), String(given['transmission_time']), event)
    const isGenuine =
      given['transmission_sig'] === signature &&
      given['webhook_id'] === this.options.webhookId &&
      given['auth_algo'] === 'SHA256withRSA'
    return json(200, { verification_status: isGenuine ? 'SUCCESS' : 'FAILURE' })
  }

  /** What a browser loads. */
  private page({ method, url, body }: Asked): Reply {
    const token = url.searchParams.get('token') ?? ''
    if (url.pathname === '/web-sdk/v6/core')
      return { status: 200, text: sdkScript(this.origin), headers: { 'content-type': 'text/javascript' } }
    if (url.pathname === '/web-sdk/v6/instance') {
      const isGood = this.now() < (this.clientTokens.get(token) ?? 0)
      return { status: isGood ? 200 : 401, text: '{}', headers: { 'access-control-allow-origin': '*' } }
    }
    if (url.pathname !== '/checkoutnow') return problem(404, 'INVALID_RESOURCE_ID')
    const choice = method === 'POST' ? (new URLSearchParams(body).get('choice') ?? '') : undefined
    const capture = choice === 'decline' ? 'INSTRUMENT_DECLINED' : choice === 'pend' ? 'PENDING' : undefined
    const order = this.account.known(token)
    if (choice !== undefined && choice !== 'cancel') {
      const act = { do: 'approve', ...(capture !== undefined && { capture }) }
      if (choice !== 'error') void this.act(token, act).catch(() => undefined)
    }
    return { status: 200, text: approvalPage(order, choice), headers: { 'content-type': 'text/html' } }
  }

  private remember(key: string, orderId: string): void {
    this.answered.set(key, orderId)
    const [oldest] = this.answered.keys()
    if (this.answered.size > ANSWERS_MAX && oldest !== undefined) this.answered.delete(oldest)
  }

  protected problem(answer: '500' | 'forbidden'): Reply {
    return answer === '500' ? problem(500, 'INTERNAL_SERVICE_ERROR') : problem(403, 'PERMISSION_DENIED')
  }

  protected shownPayments(): readonly DoubleOrder[] {
    return this.account.all()
  }

  protected async controlled(orderId: string, given: object): Promise<object> {
    return { webhooks: await this.act(orderId, given as Act) }
  }
}

const names: Readonly<Record<number, string>> = {
  400: 'INVALID_REQUEST',
  403: 'NOT_AUTHORIZED',
  404: 'RESOURCE_NOT_FOUND',
  422: 'UNPROCESSABLE_ENTITY',
  500: 'INTERNAL_SERVER_ERROR',
}

function problem(status: number, issue: string): Reply {
  const details = [{ issue, description: 'The double refuses it.' }]
  return json(status, {
    name: names[status],
    message: 'The double refuses it.',
    debug_id: 'f0double',
    details,
    links: [],
  })
}

function json(status: number, body: object): Reply {
  return { status, text: JSON.stringify(body) }
}
