import { cashfreeSignature } from '../cashfree-signature.ts'
import { exactNumber } from '../exact-json.ts'
import { decimalFrom, decimalText } from '../payment-amounts.ts'
import { CashfreeAccount, type CashfreeAct, type CashfreeOrder, Refused } from './cashfree-account.ts'
import { type Asked, DoubleServer, type Reply, sendWebhook } from './double-server.ts'

interface DoubleOptions {
  readonly clientId: string
  readonly clientSecret: string
  /** As entered in the merchant's dashboard. */
  readonly webhookUrl?: string
  readonly port?: number
  readonly now?: () => number
}

const WEBHOOKS_MAX = 100
const CHECKOUT = '/pg/view/sessions/checkout'

/** Starts a double of Cashfree on this machine: its bodies, its errors, its signed webhooks, its script and its checkout. */
export async function cashfreeDouble(options: DoubleOptions): Promise<CashfreeDouble> {
  const double = new CashfreeDouble(options)
  await double.listen(options.port)
  return double
}

export class CashfreeDouble extends DoubleServer<'create' | 'check'> {
  readonly account: CashfreeAccount
  protected override readonly retryHeader = 'x-ratelimit-retry'
  private readonly keys: Pick<DoubleOptions, 'clientId' | 'clientSecret'>

  constructor({ clientId, clientSecret, webhookUrl, now }: DoubleOptions) {
    super(now)
    this.keys = { clientId, clientSecret }
    this.webhookUrl = webhookUrl
    this.account = new CashfreeAccount(this.now)
  }

  /** Ends in `/pg`. */
  get url(): string {
    return `${this.origin}/pg`
  }

  /** Our references, the newest last. */
  paymentIds(): string[] {
    return this.account.all().map(({ id }) => id)
  }

  /** Answers the statuses of the webhooks, or the error where none arrived. */
  async act(paymentId: string, act: CashfreeAct): Promise<(number | string)[]> {
    this.account.act(paymentId, act)
    const sent: (number | string)[] = []
    const count = Math.min(act.webhooks ?? 1, WEBHOOKS_MAX)
    for (let turn = 0; turn < count; turn += 1)
      sent.push(await sendWebhook(this.webhookUrl, this.webhook(paymentId, act.do === 'refund')))
    return sent
  }

  /** A webhook of the newest try or refund, with the bytes that were signed. */
  webhook(paymentId: string, isRefund = false): { body: string; headers: Readonly<Record<string, string>> } {
    return this.signed(JSON.stringify(webhookOf(this.account.known(paymentId), isRefund, this.now())))
  }

  signed(body: string): { body: string; headers: Readonly<Record<string, string>> } {
    const timestamp = String(this.now())
    const signature = cashfreeSignature(timestamp, body, this.keys.clientSecret)
    const headers = { 'x-webhook-timestamp': timestamp, 'x-webhook-signature': signature }
    return { body, headers: { ...headers, 'x-webhook-version': '2023-08-01', 'x-webhook-attempt': '1' } }
  }

  protected kindOf({ url, method }: Asked): 'create' | 'check' | undefined {
    if (!url.pathname.startsWith('/pg/orders')) return undefined
    return method === 'POST' ? 'create' : 'check'
  }

  protected async served(asked: Asked): Promise<Reply | undefined> {
    const { url, headers } = asked
    if (url.pathname === '/js/v3/cashfree.js') return script(this.origin)
    if (url.pathname.startsWith(CHECKOUT)) return this.page(asked)
    const isKnown =
      headers['x-client-id'] === this.keys.clientId && headers['x-client-secret'] === this.keys.clientSecret
    if (!isKnown) return undefined
    try {
      return this.answered(asked)
    } catch (error) {
      const refused = error instanceof Refused ? error : new Refused(400, 'request_failed', 'wrong')
      return refusal(refused.status, refused.code, refused.message)
    }
  }

  private answered({ method, url, headers, body }: Asked): Reply {
    if (headers['x-api-version'] === undefined) throw new Refused(400, 'version_missing', 'api version is missing')
    if (method === 'POST' && url.pathname === '/pg/orders') {
      const key = headers['x-idempotency-key']
      const { order, isReplayed } = this.account.created(body, typeof key === 'string' ? key : undefined)
      return { ...json(orderBody(order)), headers: { 'x-idempotency-replayed': String(isReplayed) } }
    }
    const [, id = '', part] = /^\/pg\/orders\/([\w-]+)(?:\/(payments|refunds))?$/.exec(url.pathname) ?? []
    const order = this.account.known(id)
    if (part === 'payments') return json(order.tries.map((_one, index) => paymentBody(order, index)))
    return json(part === 'refunds' ? order.refunds.map((one) => refundBody(order, one)) : orderBody(order))
  }

  /** The page on which the payer pays or fails; a form post stands for the payer's app. */
  private async page({ method, url, body }: Asked): Promise<Reply> {
    const given = new URLSearchParams(body)
    const session = given.get('payment_session_id') ?? url.pathname.slice(CHECKOUT.length + 1)
    const order = this.account.behind(session)
    if (!order) return { status: 404, text: 'payment_session_id_invalid' }
    const what = given.get('do')
    if (method === 'POST' && what !== null) {
      await this.act(order.id, { do: what })
      return { status: 303, text: '', headers: { location: order.returnUrl.replaceAll('{order_id}', order.id) } }
    }
    return { status: 200, text: pageOf(order), headers: { 'content-type': 'text/html; charset=utf-8' } }
  }

  protected problem(answerWith: '500' | 'forbidden'): Reply {
    if (answerWith === '500') return refusal(500, 'internal_error', 'internal server error')
    return refusal(401, 'request_failed', 'authentication Failed')
  }

  protected shownPayments(): readonly CashfreeOrder[] {
    return this.account.all()
  }

  protected async controlled(paymentId: string, given: object): Promise<object> {
    return { webhooks: await this.act(paymentId, given as CashfreeAct) }
  }
}

function json(body: object): Reply {
  return { status: 200, text: JSON.stringify(body) }
}

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  422: 'idempotency_error',
  500: 'api_error',
}

function refusal(status: number, code: string, message: string): Reply {
  return { status, text: JSON.stringify({ message, code, type: types[status] ?? 'invalid_request_error' }) }
}

/** With two decimals, as it is sent: who writes it again drops them. */
function number(amount: string): unknown {
  const { units, decimals } = decimalFrom(amount)
  return exactNumber(decimalText({ units: (units * 100n) / 10n ** BigInt(decimals), decimals: 2 }))
}

function orderBody({ id, cfId, amount, status, session, createdMs, customerId, returnUrl }: CashfreeOrder) {
  return {
    cf_order_id: cfId,
    order_id: id,
    entity: 'order',
    order_currency: 'INR',
    order_amount: number(amount),
    order_status: status,
    payment_session_id: session,
    order_expiry_time: istOf(createdMs + 30 * 24 * 3_600_000),
    order_note: null,
    created_at: istOf(createdMs),
    customer_details: { customer_id: customerId, customer_name: null, customer_email: null, customer_phone: null },
    order_meta: { return_url: returnUrl, notify_url: null, payment_methods: 'upi' },
    order_tags: null,
    order_splits: [],
  }
}

function paymentBody({ id, amount, tries, createdMs }: CashfreeOrder, index: number) {
  const { id: paymentId, status, amount: paid } = tries[index] ?? { id: '', status: 'NOT_ATTEMPTED', amount }
  const isTaken = status === 'SUCCESS'
  return {
    cf_payment_id: paymentId,
    order_id: id,
    entity: 'payment',
    is_captured: isTaken,
    order_amount: number(amount),
    order_currency: 'INR',
    payment_amount: number(paid),
    payment_currency: 'INR',
    payment_group: 'upi',
    payment_status: status,
    payment_message: isTaken ? '00::Transaction success' : null,
    payment_time: istOf(createdMs),
    bank_reference: isTaken ? `6${paymentId}` : null,
    auth_id: null,
    payment_method: { upi: { channel: 'link', upi_id: 'testsuccess@gocash' } },
    error_details: null,
  }
}

function refundBody({ id }: CashfreeOrder, refund: CashfreeOrder['refunds'][number]) {
  return {
    cf_payment_id: refund.paymentId,
    cf_refund_id: refund.id,
    order_id: id,
    refund_id: `refund_${refund.id}`,
    entity: 'refund',
    refund_amount: number(refund.amount),
    refund_currency: 'INR',
    refund_status: refund.status,
  }
}

const webhookTypes: Readonly<Record<string, string>> = {
  SUCCESS: 'PAYMENT_SUCCESS_WEBHOOK',
  FAILED: 'PAYMENT_FAILED_WEBHOOK',
  USER_DROPPED: 'PAYMENT_USER_DROPPED_WEBHOOK',
}

function webhookOf(order: CashfreeOrder, isRefund: boolean, nowMs: number): object {
  const time = { event_time: istOf(nowMs) }
  const refund = order.refunds.at(-1)
  if (isRefund && refund) return { data: { refund: refundBody(order, refund) }, ...time, type: 'REFUND_STATUS_WEBHOOK' }
  const payment = paymentBody(order, order.tries.length - 1)
  const { order_id, order_amount, order_currency, entity: _entity, error_details, ...rest } = payment
  return {
    data: {
      order: { order_id, order_amount, order_currency, order_tags: null },
      payment: rest,
      customer_details: { customer_name: null, customer_id: order.customerId },
      error_details,
    },
    ...time,
    type: webhookTypes[rest.payment_status] ?? 'PAYMENT_CHARGES_WEBHOOK',
  }
}

function istOf(ms: number): string {
  return `${new Date(ms + 5.5 * 3_600_000).toISOString().slice(0, 19)}+05:30`
}

function pageOf({ id, amount, status, session }: CashfreeOrder): string {
  return `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Cashfree double</title>
<body><main><h1>Cashfree double</h1><p>${id}: Rs ${amount} (${status}). No money moves.</p>
<form method="post" action="${CHECKOUT}/${session}"><button name="do" value="pay">Pay</button> <button name="do" value="fail">Fail</button> <button name="do" value="drop">Leave</button></form></main></body></html>`
}

/** Stands in for the script of the hosted checkout, which cannot be loaded on a closed network. */
function script(origin: string): Reply {
  const text = `(${standIn.toString()})(${JSON.stringify(origin + CHECKOUT)})`
  return { status: 200, text, headers: { 'content-type': 'text/javascript; charset=utf-8' } }
}

/** Runs in the browser, by its text: it may use nothing from outside of itself. */
function standIn(address: string): void {
  const browser = globalThis as unknown as StandInWindow
  browser.Cashfree = ({ mode }) => {
    if (mode !== 'sandbox' && mode !== 'production') throw new Error('mode is not valid')
    return {
      async checkout({ paymentSessionId, redirectTarget }) {
        if (redirectTarget !== undefined && redirectTarget !== '_self') throw new Error('no such target')
        if (!/^session_\w+$/.test(paymentSessionId)) return { error: { message: 'payment_session_id is not valid' } }
        const form = browser.document.createElement('form')
        Object.assign(form, { method: 'post', action: address })
        const field = browser.document.createElement('input')
        Object.assign(field, { type: 'hidden', name: 'payment_session_id', value: paymentSessionId })
        form.append(field)
        browser.document.body.append(form)
        form.submit()
        return { redirect: true }
      },
    }
  }
}

interface StandInElement {
  append: (element: StandInElement) => void
  submit: () => void
}

/** Of a browser, only what the stand-in uses: the server's types know none. */
interface StandInWindow {
  document: { createElement: (name: string) => StandInElement; body: StandInElement }
  Cashfree: (options: { mode: string }) => {
    checkout: (options: { paymentSessionId: string; redirectTarget?: string }) => Promise<object>
  }
}
