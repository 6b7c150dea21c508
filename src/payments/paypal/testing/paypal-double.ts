import { randomBytes, randomUUID, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { decimalRest, decimalSum, isLess, isPositiveDecimal } from '../../../domain/decimal.ts'
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
  readonly refunds: { readonly id: string; readonly value: string; status: string; readonly invoiceId?: string }[]
}

interface PaypalOrder extends Played {
  readonly value: string
  readonly currency: string
  readonly returnUrl: string | undefined
  readonly captures: Capture[]
  status: string
  /** The payer's approval, which sets how a capture ends. */
  approval: Act | undefined
  dispute: { readonly id: string; readonly dueMs: number; outcome?: string } | undefined
}

type Kind = 'token' | 'create' | 'capture' | 'refund' | 'check' | 'dispute' | 'certificate'

/** The double's own, to sign its webhooks. */
const [CERTIFICATE, PRIVATE_KEY] = ['cert', 'key'].map((name) =>
  readFileSync(new URL(`paypal-double.${name}.pem`, import.meta.url), 'utf8'),
) as [string, string]
const DAY_MS = 86_400_000
const TOKEN_SECONDS = 32_400
const CLIENT_TOKEN_SECONDS = 900

/** By act: the type of its event. The payer does `approve` and `cancel`; `forget` makes PayPal forget the order. */
const events: Readonly<Record<string, string>> = {
  approve: 'CHECKOUT.ORDER.APPROVED',
  cancel: 'CHECKOUT.ORDER.VOIDED',
  forget: 'CHECKOUT.ORDER.VOIDED',
  complete: 'PAYMENT.CAPTURE.COMPLETED',
  deny: 'PAYMENT.CAPTURE.DENIED',
  refund: 'PAYMENT.CAPTURE.REFUNDED',
  'refund-pending': 'PAYMENT.CAPTURE.REFUNDED',
  'refund-failed': 'PAYMENT.CAPTURE.REFUNDED',
  'refund-ends': 'PAYMENT.CAPTURE.REFUNDED',
  'refund-fails': 'PAYMENT.CAPTURE.REFUNDED',
  reverse: 'PAYMENT.CAPTURE.REVERSED',
  dispute: 'CUSTOMER.DISPUTE.CREATED',
  win: 'CUSTOMER.DISPUTE.RESOLVED',
  lose: 'CUSTOMER.DISPUTE.RESOLVED',
}
const captured: Readonly<Record<string, string>> = { complete: 'COMPLETED', deny: 'DECLINED', reverse: 'REVERSED' }

/** PayPal: its API, its webhooks, the payer's page and a stand-in of its browser script. */
export class PaypalDouble extends Double<Kind, PaypalOrder> {
  readonly keys = {
    clientId: 'id-of-the-double',
    clientSecret: 'secret-of-the-double',
    webhookId: 'WEBHOOK-OF-THE-DOUBLE',
  }
  /** If set, every new capture ends with this issue. */
  mock: string | undefined
  /** If set, every new refund ends with this issue. */
  refusesRefunds: string | undefined
  /** The state of a new refund. */
  refundsEnd: 'COMPLETED' | 'PENDING' = 'COMPLETED'
  /** What the app may do. */
  scope = 'openid https://uri.paypal.com/services/payments/refund'
  /** The account of every payer; by default each payment has another one. */
  payerId: string | undefined
  /** Whether captures send their own webhook, as the real one does. */
  sendsCaptures = false
  /** The answer to the browser script. */
  eligible: 'yes' | 'no' | 'away' = 'yes'
  /** By token: when it expires. */
  private readonly serverTokens = new Map<string, number>()
  private readonly clientTokens = new Map<string, number>()
  /** By path and request id: the returned order. */
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
    ['refund', 'post', '/v2/payments/captures/:id/refund', (asked) => this.refunded(asked)],
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

  /** Captures once, whatever the request id. */
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
      capture.refunds.push({ id: newId('REF'), value: amount ?? capture.value, status: 'COMPLETED' })
      capture.status = amount === undefined ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
    }
    if (what === 'refund-pending' || what === 'refund-failed') {
      const status = what === 'refund-pending' ? 'PENDING' : 'FAILED'
      capture.refunds.push({ id: newId('REF'), value: amount ?? capture.value, status })
    }
    const last = capture.refunds.at(-1)
    if (what === 'refund-ends' && last) last.status = 'COMPLETED'
    if (what === 'refund-fails' && last) last.status = 'FAILED'
    if (what === 'dispute') order.dispute = { id: `PP-D-${newId('')}`, dueMs: this.now() + 10 * DAY_MS }
    if (what !== 'win' && what !== 'lose') return
    if (!order.dispute) throw new PaymentRejected('there is no dispute')
    order.dispute.outcome = what === 'win' ? 'RESOLVED_SELLER_FAVOUR' : 'RESOLVED_BUYER_FAVOUR'
  }

  /** PayPal remembers requests for some hours. */
  forgetRequests(): void {
    this.answered.clear()
  }

  /** Ends all tokens early. */
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
    return json({ access_token, expires_in, scope: this.scope })
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
    if (this.mock !== undefined) throw new Refused(422, this.mock)
    const order = this.capture(id)
    remember(this.answered, key, id)
    if (this.sendsCaptures) void this.send(order, `PAYMENT.CAPTURE.${order.captures.at(-1)?.status ?? ''}`)
    return this.preferred(201, order, headers)
  }

  /** A request id is answered with the refund that it made, an error with nothing; an invoice id refunds once. */
  private refunded({ id, headers, body }: DoubleCall): Reply {
    const order = this.found(({ captures }) => captures.some((one) => one.id === id))
    const capture = order.captures.find((one) => one.id === id) as Capture
    const key = `refund ${String(headers['paypal-request-id'])}`
    const known = capture.refunds.find((one) => one.id === this.answered.get(key))
    if (known) return json(this.shownRefund(capture, known), 200)
    const given = JSON.parse(body) as { amount?: { value?: string; currency_code?: string }; invoice_id?: string }
    const held = decimalRest(capture.value, decimalSum(capture.refunds.filter(isMade).map(({ value }) => value)))
    const { value = held, currency_code: currency = capture.currency } = given.amount ?? {}
    if (currency !== capture.currency) throw new Refused(422, 'REFUND_CAPTURE_CURRENCY_MISMATCH')
    if (!/^\d+\.\d\d$/.test(value)) throw new Refused(422, 'DECIMAL_PRECISION')
    if (capture.status === 'PENDING') throw new Refused(422, 'PENDING_CAPTURE')
    if (this.refusesRefunds !== undefined) throw new Refused(422, this.refusesRefunds)
    if (order.dispute && order.dispute.outcome === undefined) throw new Refused(422, 'TRANSACTION_DISPUTED')
    if (!isPositiveDecimal(held)) throw new Refused(422, 'CAPTURE_FULLY_REFUNDED')
    if (isLess(held, value)) throw new Refused(422, 'REFUND_AMOUNT_EXCEEDED')
    const invoiceId = given.invoice_id ?? ''
    if (this.all().some((one) => one.captures.some(({ refunds }) => refunds.some((r) => r.invoiceId === invoiceId))))
      throw new Refused(422, 'DUPLICATE_INVOICE_ID')
    const refund = { id: newId('REF'), value, status: this.refundsEnd, invoiceId }
    capture.refunds.push(refund)
    if (refund.status === 'COMPLETED') capture.status = isLess(value, held) ? 'PARTIALLY_REFUNDED' : 'REFUNDED'
    remember(this.answered, key, refund.id)
    if (this.sendsCaptures && refund.status === 'COMPLETED') void this.send(order, 'PAYMENT.CAPTURE.REFUNDED')
    return json(this.shownRefund(capture, refund), 201)
  }

  private preferred(status: number, order: PaypalOrder, { prefer }: DoubleCall['headers']): Reply {
    const { id, status: orderStatus } = order
    return json(prefer === 'return=representation' ? this.shown(order) : { id, status: orderStatus }, status)
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
    return json({ name: names[status], debug_id: 'f0double', details: [{ issue: code }] }, status)
  }

  protected news(order: PaypalOrder, of = ''): object {
    const event_type = events[of] ?? of
    // Written again the version would be 1, and the signature wrong.
    const event = { id: `WH-${randomUUID().toUpperCase()}`, event_version: exactNumber('1.0'), event_type }
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

  /** The resource of an event: the order, its capture, refund or dispute. */
  private resourceOf(type: string, order: PaypalOrder): object {
    const capture = order.captures.at(-1)
    const refund = capture?.refunds.at(-1)
    if (type.startsWith('CUSTOMER.DISPUTE.')) return order.dispute ? this.shownDispute(order.dispute.id) : {}
    if (type === 'PAYMENT.CAPTURE.REFUNDED' && capture && refund) return this.shownRefund(capture, refund)
    // PayPal sends its own id and a link to the capture.
    if (type === 'PAYMENT.CAPTURE.REVERSED' && capture) return { id: newId('REV'), links: [this.linkTo(capture)] }
    if (type.startsWith('PAYMENT.CAPTURE.') && capture) return shownCapture(order, capture)
    return this.shown(order)
  }

  /** A whole order, as GET and `return=representation` return it. */
  private shown(order: PaypalOrder): object {
    const { id, status, reference, value, currency, captures } = order
    const payments = {
      captures: captures.map((capture) => shownCapture(order, capture)),
      refunds: captures.flatMap((capture) => capture.refunds.map((refund) => this.shownRefund(capture, refund))),
    }
    const unit = { custom_id: reference, amount: { currency_code: currency, value } }
    const payer = order.approval && {
      payer: { payer_id: this.payerId ?? `PAYER${id}`, email_address: 'payer@example.test' },
    }
    return { id, status, ...payer, purchase_units: [{ ...unit, ...(captures.length > 0 && { payments }) }] }
  }

  private shownRefund(capture: Capture, { id, value, status, invoiceId }: Capture['refunds'][number]): object {
    const amount = { currency_code: capture.currency, value }
    const invoice = invoiceId === undefined ? {} : { invoice_id: invoiceId }
    return { id, status, amount, ...invoice, links: [this.linkTo(capture)] }
  }

  private shownDispute(disputeId: string): object {
    const { dispute, reference, captures } = this.found(({ dispute }) => dispute?.id === disputeId)
    const outcome = dispute?.outcome
    return {
      dispute_id: disputeId,
      status: outcome === undefined ? 'OPEN' : 'RESOLVED',
      seller_response_due_date: dispute && new Date(dispute.dueMs).toISOString(),
      ...(outcome !== undefined && { dispute_outcome: { outcome_code: outcome } }),
      disputed_transactions: captures.map((capture) => ({
        seller_transaction_id: capture.id,
        custom: reference,
      })),
    }
  }

  private linkTo({ id }: Capture): object {
    return { href: `${this.origin}/v2/payments/captures/${id}`, rel: 'up' }
  }
}

const names: Readonly<Record<number, string>> = {
  400: 'INVALID_REQUEST',
  403: 'NOT_AUTHORIZED',
  404: 'RESOURCE_NOT_FOUND',
  422: 'UNPROCESSABLE_ENTITY',
  500: 'INTERNAL_SERVER_ERROR',
}

function isMade({ status }: Capture['refunds'][number]): boolean {
  return status === 'COMPLETED' || status === 'PENDING'
}

function newId(kind: string): string {
  return `${kind}${randomBytes(7).toString('hex').toUpperCase()}`
}

function tokenIn(url: URL): string {
  return url.searchParams.get('token') ?? ''
}

function shownCapture({ reference, id: orderId }: PaypalOrder, { id, status, value, currency }: Capture): object {
  return {
    id,
    status,
    amount: { currency_code: currency, value },
    custom_id: reference,
    seller_protection: { status: 'ELIGIBLE', dispute_categories: ['ITEM_NOT_RECEIVED', 'UNAUTHORIZED_TRANSACTION'] },
    supplementary_data: { related_ids: { order_id: orderId } },
  }
}

function forBrowser(reply: Reply): Reply {
  return { ...reply, headers: { 'access-control-allow-origin': '*' } }
}
