import { randomBytes, randomUUID, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { exactNumber } from '../../exact-json.ts'
import { PaymentRejected } from '../../payment-provider.ts'
import {
  type Act,
  type DoubleCall,
  chosen,
  Double,
  json,
  type Played,
  Refused,
  remember,
  type Reply,
  type Route,
  script,
} from '../../testing/double.ts'
import { approvalPage, framePage } from './paypal-pages.ts'

interface Capture {
  readonly id: string
  readonly value: string
  readonly currency: string
  status: string
  readonly refunds: { readonly id: string; readonly value: string }[]
}

interface PaypalOrder extends Played {
  readonly value: string
  readonly currency: string
  readonly returnUrl: string | undefined
  readonly captures: Capture[]
  status: string
  /** How the payer's approval makes its capture end. */
  approval: Act | undefined
  dispute: { readonly id: string; outcome?: string } | undefined
}

type Kind = 'token' | 'create' | 'capture' | 'check' | 'dispute' | 'certificate'

/** Of the double alone: with these it signs its webhooks, and serves what checks them. */
const [CERTIFICATE, PRIVATE_KEY] = ['cert', 'key'].map((name) =>
  readFileSync(new URL(`paypal-double.${name}.pem`, import.meta.url), 'utf8'),
) as [string, string]
const TOKEN_SECONDS = 32_400
const CLIENT_TOKEN_SECONDS = 900

/** What can happen, and the event that is sent of it. By the payer: `approve`, `cancel`. `forget`: PayPal knows it no more. */
const events: Readonly<Record<string, string>> = {
  approve: 'CHECKOUT.ORDER.APPROVED',
  cancel: 'CHECKOUT.ORDER.VOIDED',
  forget: 'CHECKOUT.ORDER.VOIDED',
  complete: 'PAYMENT.CAPTURE.COMPLETED',
  deny: 'PAYMENT.CAPTURE.DENIED',
  refund: 'PAYMENT.CAPTURE.REFUNDED',
  reverse: 'PAYMENT.CAPTURE.REVERSED',
  dispute: 'CUSTOMER.DISPUTE.CREATED',
  win: 'CUSTOMER.DISPUTE.RESOLVED',
  lose: 'CUSTOMER.DISPUTE.RESOLVED',
}
const captured: Readonly<Record<string, string>> = { complete: 'COMPLETED', deny: 'DECLINED', reverse: 'REVERSED' }

/** PayPal: its calls, its webhooks, the payer's page and a stand-in of the browser's script. */
export class PaypalDouble extends Double<Kind, PaypalOrder> {
  readonly keys = {
    clientId: 'id-of-the-double',
    clientSecret: 'secret-of-the-double',
    webhookId: 'WEBHOOK-OF-THE-DOUBLE',
  }
  /** An issue that every new capture ends with, as by the header PayPal-Mock-Response. */
  mock: string | undefined
  /** A capture sends its own webhook too, as the real one does. */
  sendsCaptures = false
  /** What the browser's question for it is answered. */
  eligible: 'yes' | 'no' | 'away' = 'yes'
  /** Until when each is good. */
  private readonly serverTokens = new Map<string, number>()
  private readonly clientTokens = new Map<string, number>()
  /** By the path and the request id: the order that was answered. */
  private readonly answered = new Map<string, string>()
  protected readonly refusals = {
    '500': new Refused(500, 'INTERNAL_SERVICE_ERROR'),
    forbidden: new Refused(403, 'PERMISSION_DENIED'),
    unknown: new Refused(404, 'INVALID_RESOURCE_ID'),
    wrong: new Refused(400, 'MALFORMED_REQUEST_JSON'),
  }
  protected readonly routes: readonly Route<Kind>[] = [
    ['token', 'post', '/v1/oauth2/token', (asked) => this.token(asked)],
    ['create', 'post', '/v2/checkout/orders', (asked) => this.created(asked)],
    ['capture', 'post', '/v2/checkout/orders/:id/capture', (asked) => this.captured(asked)],
    ['check', 'get', '/v2/checkout/orders/:id', ({ id }) => json(this.shown(this.known(id)))],
    ['dispute', 'get', '/v1/customer/disputes/:id', ({ id }) => json(this.shownDispute(id))],
    ['check', 'get', '/v2/payments/captures/:id', ({ id }) => json(this.captureNamed(id))],
    ['certificate', 'get', '/v1/notifications/certs/CERT-of-the-double', () => ({ status: 200, text: CERTIFICATE })],
    ['browser', 'get', '/web-sdk/v6/core', () => script('paypal')],
    ['browser', 'get', '/web-sdk/v6/instance', ({ url }) => this.instance(tokenIn(url))],
    ['browser', 'get', '/web-sdk/v6/frame', () => framePage()],
    ['browser', 'post', '/v2/payments/find-eligible-methods', () => this.eligibility()],
    ['browser', 'get', '/checkoutnow', ({ url }) => approvalPage(this.known(tokenIn(url)))],
    ['browser', 'post', '/checkoutnow', (asked) => this.decided(asked)],
  ]

  get url(): string {
    return this.origin
  }

  get env() {
    const { clientId, clientSecret, webhookId } = this.keys
    const keys = { PAYPAL_CLIENT_ID: clientId, PAYPAL_CLIENT_SECRET: clientSecret, PAYPAL_WEBHOOK_ID: webhookId }
    return { PAYPAL_URL: this.url, ...keys }
  }

  open(given: Pick<PaypalOrder, 'reference' | 'value'> & { currency?: string; returnUrl?: string | undefined }) {
    const { currency = 'USD', returnUrl, ...asked } = given
    const state = { captures: [], createdMs: this.now(), status: 'PAYER_ACTION_REQUIRED' }
    const undecided = { approval: undefined, dispute: undefined }
    return this.kept({ ...asked, ...state, ...undecided, currency, returnUrl, id: newId('ORD') })
  }

  /** Money is taken once, by whatever request. */
  capture(id: string): PaypalOrder {
    const order = this.known(id)
    if (order.status === 'COMPLETED') throw new Refused(422, 'ORDER_ALREADY_CAPTURED')
    if (order.status !== 'APPROVED') throw new Refused(422, 'ORDER_NOT_APPROVED')
    const { capture = 'COMPLETED', amount: value = order.value, currency = order.currency } = order.approval ?? {}
    if (capture !== 'PENDING' && capture !== 'COMPLETED') throw new Refused(422, capture)
    order.captures.push({ id: newId('CAP'), value, currency, status: capture, refunds: [] })
    order.status = 'COMPLETED'
    return order
  }

  protected become(order: PaypalOrder, act: Act): PaypalOrder {
    if (events[act.do] === undefined)
      throw new PaymentRejected(`what happens is one of ${Object.keys(events).join(', ')}`)
    if (act.do === 'approve') Object.assign(order, { status: 'APPROVED', approval: act })
    else if (act.do === 'cancel') order.status = 'VOIDED'
    else if (act.do === 'forget') this.payments.delete(order.id)
    else this.moneyBecomes(order, act)
    return order
  }

  private moneyBecomes(order: PaypalOrder, { do: what, amount }: Act): void {
    const capture = order.captures.at(-1)
    if (!capture) throw new PaymentRejected('nothing was captured yet')
    capture.status = captured[what] ?? capture.status
    if (what === 'refund' || what === 'lose') {
      capture.refunds.push({ id: newId('REF'), value: amount ?? capture.value })
      capture.status = amount === undefined ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
    }
    if (what === 'dispute') order.dispute = { id: `PP-D-${newId('')}` }
    if (what !== 'win' && what !== 'lose') return
    if (!order.dispute) throw new PaymentRejected('there is no dispute')
    order.dispute.outcome = what === 'win' ? 'RESOLVED_SELLER_FAVOUR' : 'RESOLVED_BUYER_FAVOUR'
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

  protected authorize({ headers }: DoubleCall, kind: Kind): void {
    const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
    if (kind !== 'token' && kind !== 'certificate' && this.now() >= (this.serverTokens.get(bearer) ?? 0))
      throw new Refused(401, 'invalid_token', 'Token signature verification failed')
  }

  private token({ headers, body }: DoubleCall): Reply {
    const { clientId, clientSecret } = this.keys
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
    if (headers.authorization !== `Basic ${basic}`)
      throw new Refused(401, 'invalid_client', 'Client Authentication failed')
    const form = new URLSearchParams(body)
    if (form.get('grant_type') !== 'client_credentials') return json({ error: 'unsupported_grant_type' }, 400)
    const isClient = form.get('response_type') === 'client_token'
    const access_token = `${isClient ? 'client' : 'server'}-token-${randomUUID()}`
    const expires_in = isClient ? CLIENT_TOKEN_SECONDS : TOKEN_SECONDS
    const tokens = isClient ? this.clientTokens : this.serverTokens
    tokens.set(access_token, this.now() + expires_in * 1000)
    return json({ scope: 'double', access_token, token_type: 'Bearer', app_id: 'APP-DOUBLE', expires_in })
  }

  private created({ headers, body }: DoubleCall): Reply {
    const requestId = headers['paypal-request-id']
    const given = JSON.parse(body) as {
      intent?: string
      purchase_units?: { custom_id?: string; amount?: { currency_code?: string; value?: string } }[]
      payment_source?: { paypal?: { experience_context?: { return_url?: string } } }
    }
    if (typeof requestId !== 'string') throw new Refused(400, 'PAYPAL_REQUEST_ID_REQUIRED')
    const earlier = this.answered.get(`create ${requestId}`)
    if (earlier !== undefined) return this.preferred(200, this.known(earlier), headers)
    const [unit] = given.purchase_units ?? []
    const { currency_code: currency = '', value = '' } = unit?.amount ?? {}
    if (given.intent !== 'CAPTURE' || currency !== 'USD') throw new Refused(422, 'CURRENCY_NOT_SUPPORTED')
    if (!/^\d+\.\d\d$/.test(value)) throw new Refused(422, 'DECIMAL_PRECISION')
    const reference = unit?.custom_id ?? null
    if (this.all().some((order) => order.reference === reference && order.captures.length > 0))
      throw new Refused(422, 'DUPLICATE_INVOICE_ID')
    const returnUrl = given.payment_source?.paypal?.experience_context?.return_url
    const order = this.open({ reference, value, returnUrl })
    remember(this.answered, `create ${requestId}`, order.id)
    return this.preferred(201, order, headers)
  }

  private captured({ id, headers }: DoubleCall): Reply {
    const key = `capture ${id} ${String(headers['paypal-request-id'])}`
    if (this.answered.has(key)) return this.preferred(200, this.known(id), headers)
    const mocked = /"mock_application_codes":\s*"(\w+)"/.exec(String(headers['paypal-mock-response'] ?? ''))?.[1]
    const issue = mocked ?? this.mock
    if (issue !== undefined) throw new Refused(422, issue)
    const order = this.capture(id)
    remember(this.answered, key, id)
    if (this.sendsCaptures) void this.send(order, `PAYMENT.CAPTURE.${order.captures.at(-1)?.status ?? ''}`)
    return this.preferred(201, order, headers)
  }

  private preferred(status: number, order: PaypalOrder, { prefer }: DoubleCall['headers']): Reply {
    return json(prefer === 'return=representation' ? this.shown(order) : this.minimal(order), status)
  }

  private instance(token: string): Reply {
    const isGood = this.now() < (this.clientTokens.get(token) ?? 0)
    return forBrowser(json({}, isGood ? 200 : 401))
  }

  private eligibility(): Reply {
    return forBrowser(this.eligible === 'away' ? json({}, 500) : json({ paypal: this.eligible === 'yes' }))
  }

  private decided({ url, body }: DoubleCall): Reply {
    const order = this.known(tokenIn(url))
    const choice = chosen(body)
    const capture = choice === 'decline' ? 'INSTRUMENT_DECLINED' : choice === 'pend' ? 'PENDING' : undefined
    if (choice !== 'cancel') void this.act(order.id, { do: 'approve', capture }).catch(() => undefined)
    return approvalPage(order, choice)
  }

  protected refusal({ status, code, message }: Refused): Reply {
    if (status === 401) return json({ error: code, error_description: message }, status)
    const details = [{ issue: code, description: 'The double refuses it.' }]
    const body = { name: names[status], message: 'The double refuses it.', debug_id: 'f0double', details, links: [] }
    return json(body, status)
  }

  protected news(order: PaypalOrder, of = ''): object {
    const event_type = events[of] ?? of
    const create_time = new Date(this.now()).toISOString()
    // Written anew, the version would be 1, and no longer what was signed.
    const event = { id: `WH-${randomUUID().toUpperCase()}`, event_version: exactNumber('1.0'), create_time, event_type }
    return { ...event, resource: this.resourceOf(event_type, order) }
  }

  signed(body: string) {
    const id = randomUUID()
    const time = new Date(this.now()).toISOString()
    const headers = {
      'paypal-transmission-id': id,
      'paypal-transmission-time': time,
      'paypal-transmission-sig': this.signature(id, time, body),
      'paypal-cert-url': `${this.origin}/v1/notifications/certs/CERT-of-the-double`,
      'paypal-auth-algo': 'SHA256withRSA',
    }
    return { body, headers }
  }

  private signature(id: string, time: string, body: string): string {
    const message = Buffer.from(`${id}|${time}|${this.keys.webhookId}|${crc32(body)}`)
    return sign('RSA-SHA256', message, PRIVATE_KEY).toString('base64')
  }

  private captureNamed(id: string): object {
    const order = this.found(({ captures }) => captures.some((capture) => capture.id === id))
    return order.captures.filter((one) => one.id === id).map((capture) => shownCapture(order, capture))[0] ?? {}
  }

  /** What an event carries: the order, its capture, its refund or its dispute. */
  private resourceOf(type: string, order: PaypalOrder): object {
    const capture = order.captures.at(-1)
    const refund = capture?.refunds.at(-1)
    if (type.startsWith('CUSTOMER.DISPUTE.')) return order.dispute ? this.shownDispute(order.dispute.id) : {}
    if (type === 'PAYMENT.CAPTURE.REFUNDED' && capture && refund) return this.shownRefund(order, capture, refund)
    // As PayPal sends it: its own id, and a link to what it took back.
    if (type === 'PAYMENT.CAPTURE.REVERSED' && capture)
      return { id: newId('REV'), links: [this.link('GET', `/v2/payments/captures/${capture.id}`, 'up')] }
    if (type.startsWith('PAYMENT.CAPTURE.') && capture) return shownCapture(order, capture)
    return this.shown(order)
  }

  /** A whole order, as a GET and `return=representation` have it. */
  private shown(order: PaypalOrder): object {
    const { id, reference, value, currency, captures } = order
    const payments = {
      captures: captures.map((capture) => shownCapture(order, capture)),
      refunds: captures.flatMap((capture) => capture.refunds.map((refund) => this.shownRefund(order, capture, refund))),
    }
    const unit = { reference_id: 'default', ...idsOf(reference), amount: { currency_code: currency, value } }
    return {
      ...this.minimal(order),
      intent: 'CAPTURE',
      purchase_units: [{ ...unit, ...(captures.length > 0 && { payments }) }],
      ...(order.status !== 'PAYER_ACTION_REQUIRED' && {
        payer: { payer_id: `PAYER${id.slice(-7)}`, email_address: 'buyer@example.test' },
      }),
    }
  }

  private minimal({ id, status }: PaypalOrder): object {
    const path = `/v2/checkout/orders/${id}`
    const links = [
      this.link('GET', path, 'self'),
      this.link('GET', `/checkoutnow?token=${id}`, 'payer-action'),
      this.link('POST', `${path}/capture`, 'capture'),
    ]
    return { id, status, links }
  }

  private shownRefund(order: PaypalOrder, capture: Capture, { id, value }: Capture['refunds'][number]): object {
    const amount = { currency_code: capture.currency, value }
    const links = [
      this.link('GET', `/v2/payments/refunds/${id}`, 'self'),
      this.link('GET', `/v2/payments/captures/${capture.id}`, 'up'),
    ]
    return { id, status: 'COMPLETED', amount, ...idsOf(order.reference), links }
  }

  private shownDispute(disputeId: string): object {
    const { dispute, reference, captures, currency, value } = this.found(({ dispute }) => dispute?.id === disputeId)
    const outcome = dispute?.outcome
    return {
      dispute_id: disputeId,
      status: outcome === undefined ? 'OPEN' : 'RESOLVED',
      reason: 'MERCHANDISE_OR_SERVICE_NOT_RECEIVED',
      dispute_amount: { currency_code: currency, value },
      ...(outcome !== undefined && { dispute_outcome: { outcome_code: outcome } }),
      disputed_transactions: captures.map((capture) => ({
        seller_transaction_id: capture.id,
        custom: reference,
        invoice_number: reference,
      })),
    }
  }

  private link(method: string, path: string, rel: string): object {
    return { href: `${this.origin}${path}`, rel, method }
  }
}

const names: Readonly<Record<number, string>> = {
  400: 'INVALID_REQUEST',
  403: 'NOT_AUTHORIZED',
  404: 'RESOURCE_NOT_FOUND',
  422: 'UNPROCESSABLE_ENTITY',
  500: 'INTERNAL_SERVER_ERROR',
}

function newId(kind: string): string {
  return `${kind}${randomBytes(7).toString('hex').toUpperCase()}`
}

function tokenIn(url: URL): string {
  return url.searchParams.get('token') ?? ''
}

function idsOf(reference: string | null): object {
  return { custom_id: reference, invoice_id: reference }
}

function shownCapture({ reference, id: orderId }: PaypalOrder, { id, status, value, currency }: Capture): object {
  return {
    id,
    status,
    ...(status === 'PENDING' && { status_details: { reason: 'PENDING_REVIEW' } }),
    amount: { currency_code: currency, value },
    final_capture: true,
    ...idsOf(reference),
    supplementary_data: { related_ids: { order_id: orderId } },
  }
}

function forBrowser(reply: Reply): Reply {
  return { ...reply, headers: { 'access-control-allow-origin': '*' } }
}
