import * as z from 'zod'
import { cashfreeSignature } from '../cashfree-webhook.ts'
import { exactNumber } from '../../exact-json.ts'
import { decimalRest, decimalSum, isLess, plainDecimal } from '../../../domain/decimal.ts'
import { istText } from '../../upi.ts'
import { PaymentRejected } from '../../payment-provider.ts'
import {
  type Act,
  type DoubleCall,
  chosen,
  Double,
  json,
  payerPage,
  permilleOf,
  type Played,
  redirect,
  Refused,
  remember,
  type Reply,
  type Route,
  script,
} from '../../testing/double.ts'

interface Paid {
  readonly id: string
  readonly paymentId: string
  readonly amount: string
}

interface CashfreeOrder extends Played {
  readonly session: string
  readonly amount: string
  readonly returnUrl: string
  readonly notifyUrl: string
  readonly expiresMs: number
  status: string
  readonly tries: { readonly id: string; status: string; amount: string }[]
  readonly refunds: (Paid & { status: string; readonly refundId?: string })[]
  readonly disputes: (Paid & { status: string; readonly dueMs: number })[]
}

const asked = z.object({
  order_id: z.string().regex(/^[\w-]{3,45}$/),
  order_amount: z.number().min(1),
  order_currency: z.literal('INR'),
  customer_details: z.object({
    customer_id: z.string().regex(/^[a-z\d]{3,50}$/i),
    customer_phone: z.string().regex(/^\d{10}$/),
  }),
  order_meta: z.object({ return_url: z.string().max(250), notify_url: z.string().max(250) }),
  order_expiry_time: z.coerce.date(),
})

const askedRefund = z.object({
  refund_id: z.string().regex(/^[a-z\d]{3,40}$/i),
  refund_amount: z.number().positive(),
})

type Kind = 'create' | 'check' | 'back' | 'refund'

const CHECKOUT = '/pg/view/sessions/checkout'
/** Acts that pay, in permille of the requested amount. */
const arriving: Readonly<Record<string, number>> = { pay: 1000, short: 500, again: 1000 }
/** Acts that refund the first try. */
const refunding: Readonly<Record<string, string>> = {
  refund: 'SUCCESS',
  'auto-refund': 'SUCCESS',
  'refund-pending': 'PENDING',
  'refund-cancelled': 'CANCELLED',
}
const disputed: Readonly<Record<string, string>> = {
  dispute: 'CHARGEBACK_CREATED',
  win: 'CHARGEBACK_MERCHANT_WON',
  lose: 'CHARGEBACK_MERCHANT_LOST',
}
const DAY_MS = 86_400_000
/** Acts that end the last refund. */
const ending: Readonly<Record<string, string>> = { 'refund-ends': 'SUCCESS', 'refund-fails': 'FAILED' }
const EXPIRY_MS_MIN = 15 * 60_000
const attempts: Readonly<Record<string, string>> = { pend: 'PENDING', fail: 'FAILED', drop: 'USER_DROPPED' }

/** Cashfree. `over` pays twice, `refund` and `auto-refund` reverse the first try, and any unknown word becomes the order's status. */
export class CashfreeDouble extends Double<Kind, CashfreeOrder> {
  readonly keys = { clientId: 'id-of-the-double', clientSecret: 'secret-of-the-double' }
  /** If set, the answer to every opening. */
  refusesAll: { readonly status: number; readonly message: string } | undefined
  /** If set, the answer to every new refund. */
  refusesRefunds: string | undefined
  /** The state of a new refund. */
  refundsEnd: 'SUCCESS' | 'PENDING' | 'ONHOLD' = 'SUCCESS'
  private readonly replayed = new Map<string, Reply>()
  protected override readonly retryHeader = 'x-ratelimit-retry'
  private readonly answered = new Map<string, { readonly body: string; readonly order: CashfreeOrder }>()
  private lastId = 2_149_000_000
  protected readonly refusals = {
    '500': new Refused(500, 'internal_error', 'internal server error'),
    forbidden: new Refused(401, 'request_failed', 'authentication Failed'),
    unknown: new Refused(404, 'order_not_found', 'Order Reference Id does not exist'),
    wrong: new Refused(400, 'request_failed', 'wrong'),
  }
  protected readonly routes: readonly Route<Kind>[] = [
    ['create', 'post', '/pg/orders', (asked) => this.created(asked)],
    ['check', 'get', '/pg/orders/:id', ({ id }) => json(orderBody(this.known(id)))],
    [
      'check',
      'get',
      '/pg/orders/:id/payments',
      ({ id }) => json(this.known(id).tries.map((one) => tryBody(this.known(id), one))),
    ],
    ['back', 'get', '/pg/orders/:id/refunds', ({ id }) => json(refundBodies(this.known(id)))],
    ['refund', 'post', '/pg/orders/:id/refunds', (asked) => this.replayedRefund(asked)],
    ['back', 'get', '/pg/orders/:id/disputes', ({ id }) => json(disputeBodies(this.known(id)))],
    ['browser', 'get', '/js/v3/cashfree.js', () => script('cashfree')],
    ['browser', 'post', CHECKOUT, (asked) => this.page(asked)],
    ['browser', 'post', `${CHECKOUT}/:id`, async (asked) => this.decided(asked)],
  ]

  get url(): string {
    return `${this.origin}/pg`
  }

  get env() {
    const { clientId, clientSecret } = this.keys
    return { CASHFREE_URL: this.url, CASHFREE_CLIENT_ID: clientId, CASHFREE_CLIENT_SECRET: clientSecret }
  }

  protected become(order: CashfreeOrder, { do: what, amount }: Act): CashfreeOrder {
    const permille = arriving[what]
    const last = order.tries.at(-1)
    if (what === 'over') {
      this.become(order, { do: 'pay' })
      this.take(order, amount ?? permilleOf(order.amount, 100, 2))
    } else if (permille !== undefined) {
      this.take(order, amount ?? permilleOf(order.amount, permille, 2), last?.status === 'PENDING' ? last : undefined)
    } else if (disputed[what] !== undefined) {
      const status = disputed[what]
      const [open] = order.disputes
      const { id: paymentId = '', amount: paid = '' } = order.tries.find((one) => one.status === 'SUCCESS') ?? {}
      if (open) open.status = status
      else
        order.disputes.push({
          id: this.nextId(),
          paymentId,
          amount: amount ?? paid,
          status,
          dueMs: this.now() + 3 * DAY_MS,
        })
    } else if (refunding[what] !== undefined) {
      const first = order.tries.find(({ status }) => status === 'SUCCESS')
      if (!first) throw new PaymentRejected('nothing was paid')
      const refund = { paymentId: first.id, amount: amount ?? first.amount, status: refunding[what] }
      order.refunds.push({ id: this.nextId(), ...refund })
    } else if (ending[what] !== undefined) {
      const last = order.refunds.at(-1)
      if (last) last.status = ending[what]
    } else if (attempts[what] !== undefined) {
      order.tries.push({ id: this.nextId(), status: attempts[what], amount: order.amount })
    } else order.status = what
    return order
  }

  /** Its idempotency key replays the first answer, also an error. */
  private replayedRefund(call: DoubleCall): Reply {
    const key = String(call.headers['x-idempotency-key'] ?? '')
    const known = this.replayed.get(key)
    if (known) return known
    let reply: Reply
    try {
      reply = this.refunded(call)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      reply = this.refusal(error)
    }
    if (key !== '') remember(this.replayed, key, reply)
    return reply
  }

  /** A refund id is used once. What the real one answers to a second use is not documented. */
  private refunded({ id, body }: DoubleCall): Reply {
    const order = this.known(id)
    const { data, error } = askedRefund.safeParse(JSON.parse(body))
    if (!data) throw invalid(error.issues[0]?.path.join('.') ?? '')
    const amount = plainDecimal(/"refund_amount":([\d.eE+-]+)/.exec(body)?.[1] ?? '') ?? ''
    if (!/^\d+(\.\d{1,2})?$/.test(amount)) throw invalid('refund_amount')
    if (this.refusesRefunds !== undefined) throw new Refused(400, 'request_failed', this.refusesRefunds)
    const used = this.all().some(({ refunds }) => refunds.some(({ refundId }) => refundId === data.refund_id))
    if (used) throw new Refused(400, 'request_failed', 'refund_id : is used')
    const left = (one: { id: string; amount: string }): string =>
      decimalRest(
        one.amount,
        decimalSum(order.refunds.filter((known) => isMade(known, one.id)).map((known) => known.amount)),
      )
    const paid = order.tries.find((one) => one.status === 'SUCCESS' && !isLess(left(one), amount))
    if (!paid) throw new Refused(400, 'request_failed', 'refund_amount : more than is left')
    const refund = { id: this.nextId(), paymentId: paid.id, amount, status: this.refundsEnd, refundId: data.refund_id }
    order.refunds.push(refund)
    return json(refundBodies(order).at(-1) ?? {})
  }

  /** Adds a successful try. A pending one keeps its id. */
  private take(order: CashfreeOrder, amount: string, pending?: CashfreeOrder['tries'][number]): void {
    if (pending) Object.assign(pending, { status: 'SUCCESS', amount })
    else order.tries.push({ id: this.nextId(), status: 'SUCCESS', amount })
    order.status = 'PAID'
  }

  private created({ headers, body }: DoubleCall): Reply {
    const key = String(headers['x-idempotency-key'] ?? '')
    const replayed = this.answered.get(key)
    if (replayed && replayed.body !== body)
      throw new Refused(422, 'request_invalid', 'something is not correct with idempotency key')
    const order = replayed?.order ?? this.open(body)
    if (key !== '') remember(this.answered, key, { body, order })
    return json(orderBody(order))
  }

  open(body: string): CashfreeOrder {
    const { refusesAll } = this
    if (refusesAll) throw new Refused(refusesAll.status, 'customer_details.customer_phone_invalid', refusesAll.message)
    const amount = plainDecimal(/"order_amount":([\d.eE+-]+)/.exec(body)?.[1] ?? '') ?? ''
    const { data, error } = asked.safeParse(JSON.parse(body))
    if (!data) throw invalid(error.issues[0]?.path.join('.') ?? '')
    const { order_id: id, order_meta: meta } = data
    if (!/^\d+(\.\d{1,2})?$/.test(amount)) throw invalid('order_amount')
    const expiresMs = data.order_expiry_time.getTime()
    if (expiresMs < this.now() + EXPIRY_MS_MIN) throw invalid('order_expiry_time')
    if (this.payments.has(id)) throw new Refused(409, 'order_already_exists', 'order with same id is already present')
    const given = { id, reference: id, amount, returnUrl: meta.return_url, notifyUrl: meta.notify_url, expiresMs }
    const state = { createdMs: this.now(), status: 'ACTIVE', tries: [], refunds: [], disputes: [] }
    return this.kept({ ...given, ...state, session: `session_${this.nextId()}_AbC` })
  }

  override known(id: string): CashfreeOrder {
    const order = super.known(id)
    if (order.status === 'ACTIVE' && this.now() >= order.expiresMs) order.status = 'EXPIRED'
    return order
  }

  protected override addressOf({ notifyUrl }: CashfreeOrder): string {
    return this.webhookUrl ?? notifyUrl
  }

  private nextId(): string {
    this.lastId += 1
    return String(this.lastId)
  }

  /** Requires the Referer header, as live mode does. */
  private page({ headers, body }: DoubleCall): Reply {
    if (headers.referer === undefined) throw new Refused(403, 'request_failed', 'the domain of the page is not allowed')
    const session = new URLSearchParams(body).get('payment_session_id') ?? ''
    const { id, amount, status } = this.found((one) => one.session === session)
    const choices = { pay: 'Pay', fail: 'Fail', drop: 'Leave' }
    return payerPage('Cashfree double', `${id}: Rs ${amount} (${status}).`, choices, `${CHECKOUT}/${session}`)
  }

  private async decided({ id: session, body }: DoubleCall): Promise<Reply> {
    const { id, returnUrl } = this.found((one) => one.session === session)
    await this.act(id, { do: chosen(body) })
    return redirect(returnUrl.replaceAll('{order_id}', id))
  }

  protected authorize({ headers }: DoubleCall): void {
    const { clientId, clientSecret } = this.keys
    if (headers['x-client-id'] !== clientId || headers['x-client-secret'] !== clientSecret)
      throw this.refusals.forbidden
    if (headers['x-api-version'] === undefined) throw new Refused(400, 'version_missing', 'api version is missing')
  }

  protected refusal({ status, code, message }: Refused): Reply {
    return json({ message, code, type: types[status] ?? 'invalid_request_error' }, status)
  }

  /** News of the newest try, refund or dispute. */
  protected news(order: CashfreeOrder, of: string | undefined): object {
    const refund = refundBodies(order).at(-1)
    if ((of === 'refund' || ending[of ?? ''] !== undefined) && refund)
      return { data: { refund }, type: 'REFUND_STATUS_WEBHOOK' }
    if (of === 'auto-refund' && refund) return { data: { auto_refund: refund }, type: 'AUTO_REFUND_STATUS_WEBHOOK' }
    const [dispute] = disputeBodies(order)
    if (disputed[of ?? ''] !== undefined && dispute) {
      const { order_details, ...rest } = dispute
      const type = of === 'dispute' ? 'DISPUTE_CREATED' : 'DISPUTE_CLOSED'
      return { data: { dispute: rest, order_details }, type }
    }
    const untried = { id: '', status: 'NOT_ATTEMPTED', amount: order.amount }
    const payment = tryBody(order, order.tries.at(-1) ?? untried)
    const type = webhookTypes[payment.payment_status] ?? 'PAYMENT_CHARGES_WEBHOOK'
    return { data: { order: { order_id: order.id }, payment }, type }
  }

  signed(body: string) {
    const timestamp = String(this.now())
    const signature = cashfreeSignature(timestamp, body, this.keys.clientSecret)
    return { body, headers: { 'x-webhook-timestamp': timestamp, 'x-webhook-signature': signature } }
  }
}

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  422: 'idempotency_error',
  500: 'api_error',
}
const webhookTypes: Readonly<Record<string, string>> = {
  SUCCESS: 'PAYMENT_SUCCESS_WEBHOOK',
  FAILED: 'PAYMENT_FAILED_WEBHOOK',
  USER_DROPPED: 'PAYMENT_USER_DROPPED_WEBHOOK',
}

function invalid(field: string): Refused {
  return new Refused(400, `${field}_invalid`, `${field} : invalid value`)
}

/** With two decimals, which parsing and writing again would drop. */
function number(amount: string): unknown {
  return exactNumber(permilleOf(amount, 1000, 2))
}

function orderBody({ id, amount, status, session }: CashfreeOrder) {
  return {
    order_id: id,
    order_currency: 'INR',
    order_amount: number(amount),
    order_status: status,
    payment_session_id: session,
  }
}

function tryBody({ id: order_id }: CashfreeOrder, { id, status, amount }: CashfreeOrder['tries'][number]) {
  return {
    cf_payment_id: id,
    order_id,
    is_captured: status === 'SUCCESS',
    payment_amount: number(amount),
    payment_currency: 'INR',
    payment_status: status,
  }
}

function refundBodies({ id: order_id, refunds }: CashfreeOrder) {
  return refunds.map(({ id, paymentId, amount, status, refundId }) => ({
    cf_payment_id: paymentId,
    cf_refund_id: id,
    ...(refundId !== undefined && { refund_id: refundId }),
    order_id,
    refund_amount: number(amount),
    refund_currency: 'INR',
    refund_status: status,
  }))
}

function isMade({ paymentId, status }: CashfreeOrder['refunds'][number], id: string): boolean {
  return paymentId === id && status !== 'CANCELLED' && status !== 'FAILED'
}

function disputeBodies({ id: order_id, disputes }: CashfreeOrder) {
  return disputes.map(({ id, paymentId, amount, status, dueMs }) => ({
    dispute_id: Number(id),
    dispute_amount: number(amount),
    dispute_status: status,
    respond_by: istText(dueMs),
    order_details: { order_id, cf_payment_id: paymentId },
  }))
}
