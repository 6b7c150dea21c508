import { createHash } from 'node:crypto'
import { centsToText } from '../../domain/money.ts'
import {
  disputesReply,
  errorReply,
  orderReply,
  type OrderReply,
  paymentsReply,
  refundReply,
  refundsReply,
} from './cashfree-replies.ts'
import { isSuccess, reportedRefund, reportOf } from './cashfree-report.ts'
import { readCashfreeWebhook } from './cashfree-webhook.ts'
import { orderWords, tryWords } from './cashfree-words.ts'
import { noEntries } from '../entries.ts'
import { type Gateway, webhookUrl } from '../gateway.ts'
import { exactNumber, parseExactJson } from '../exact-json.ts'
import { isSame } from '../../domain/decimal.ts'
import {
  type KnownPayment,
  moneyIn,
  type PaymentProvider,
  type ProviderWindows,
  PaymentRejected,
  type PaymentReport,
  type PaymentRequest,
  ProviderAway,
  ReferenceUsed,
  type StartedPayment,
  unlessAway,
  unlessRejected,
} from '../payment-provider.ts'
import {
  type Ask,
  type CallOptions,
  jsonCalls,
  KeyRefused,
  keysReport,
  OneCallAway,
  providerCalls,
  readError,
  withoutBuyer,
} from '../provider-calls.ts'
import type { HttpAnswer, HttpRequest } from '../../ports/http-call.ts'
import { type CallKind, kindOf } from '../provider-pace.ts'
import { istText, NO_REFERENCE, UPI_LIMITS, upiPayment, upiPhone } from '../upi.ts'
import { reportUnknownWords } from '../word-meanings.ts'

interface Settings {
  /** Ends in `/pg`. */
  readonly CASHFREE_URL: string
  readonly CASHFREE_CLIENT_ID?: string | undefined
  /** Signs the webhooks, too. */
  readonly CASHFREE_CLIENT_SECRET?: string | undefined
  readonly PUBLIC_URL: string
}

export const cashfreeGateway = {
  keys: ['CASHFREE_CLIENT_ID', 'CASHFREE_CLIENT_SECRET'],
  url: 'CASHFREE_URL',
  open: cashfree,
  windows: ({ CASHFREE_URL }) => cashfreeCheckout(CASHFREE_URL).windows,
} as const satisfies Gateway<Settings>

const CASHFREE = 'cashfree'
const VERSION = '2023-08-01'
/** Time to pay. */
const VALID_MS = 3_600_000
const SCRIPT_PATH = '/js/v3/cashfree.js'

/** The script, mode and hosts of the checkout in the browser: Cashfree's own, or a test double's. */
export function cashfreeCheckout(url: string): {
  script: string
  mode: 'production' | 'sandbox'
  windows: ProviderWindows
} {
  const { origin, hostname } = new URL(url)
  const own = /^(api|sandbox)\.cashfree\.com$/.exec(hostname)?.[1]
  if (own === undefined)
    return { script: origin + SCRIPT_PATH, mode: 'sandbox', windows: { hosts: [origin], hasInlineStyles: false } }
  const [mode, pages] = own === 'api' ? (['production', 'payments'] as const) : (['sandbox', 'payments-test'] as const)
  const hosts = ['sdk', own, pages].map((name) => `https://${name}.cashfree.com`)
  return { script: `https://sdk.cashfree.com${SCRIPT_PATH}`, mode, windows: { hosts, hasInlineStyles: false } }
}

/** Reads orders from Cashfree. */
function orderReader(ask: Ask<undefined>, onUnknownStatus: CallOptions['onUnknownStatus']) {
  /** Undefined if there is no such order. */
  async function orderOf(kind: CallKind, reference: string): Promise<OrderReply | undefined> {
    const order = await ask(kind, orderReply, { path: pathOf(reference) })
    if (order && order.order_id !== reference) throw new ProviderAway('the provider answered with another payment')
    return order
  }

  async function reportFor(kind: CallKind, order: OrderReply, payAmount: string): Promise<PaymentReport> {
    const path = pathOf(order.order_id)
    const { read: given, unread } = (await ask(kind, paymentsReply, { path: `${path}/payments` })) ?? noEntries
    const payments = given.filter(({ order_id: id }) => id === order.order_id)
    if (payments.length < given.length) throw new ProviderAway('the provider answered with another payment')
    reportUnknownWords(onUnknownStatus, orderWords, [order.order_status])
    reportUnknownWords(
      onUnknownStatus,
      tryWords,
      payments.map(({ payment_status: word }) => word),
    )
    if (unread > 0) onUnknownStatus?.(`${unread} payments that cannot be read`)
    const report = reportOf({ payAmount }, { order, payments, back: null })
    const back = payments.some(isSuccess) ? await reversalsOf(kind, path) : null
    const whole = back ? reportOf({ payAmount }, { order, payments, back }) : report
    return unread > 0 ? { ...whole, isUnclear: true } : whole
  }

  /** Null if they cannot be read: the money is recorded anyway. */
  async function reversalsOf(kind: CallKind, path: string) {
    const refunds = await ask(kind, refundsReply, { path: `${path}/refunds` })
      .catch(unlessRejected)
      .catch(unlessAway)
    // Without permission to read disputes, the shop assumes that there are none.
    const disputes = await ask(kind, disputesReply, { path: `${path}/disputes` })
      .then((given) => given ?? noEntries)
      .catch((error: unknown) => unlessRejected(error) ?? noEntries)
      .catch(unlessAway)
    const unread = (refunds?.unread ?? 0) + (disputes?.unread ?? 0)
    if (unread > 0) onUnknownStatus?.(`${unread} refunds or disputes that cannot be read`)
    return refunds && disputes && unread === 0 ? { refunds: refunds.read, disputes: disputes.read } : null
  }

  return { orderOf, reportFor }
}

/** UPI by Cashfree. Our reference is the id of the payment and of its order; each try of the payer is a payment of the order. */
export function cashfree(settings: Settings, calls: CallOptions): PaymentProvider {
  const { CASHFREE_URL: url, CASHFREE_CLIENT_ID: clientId = '', CASHFREE_CLIENT_SECRET: clientSecret = '' } = settings
  const headers = { 'x-client-id': clientId, 'x-client-secret': clientSecret, 'x-api-version': VERSION }
  const ask = jsonCalls<undefined>(providerCalls(calls), { url, headers }, bodyOf)
  const { orderOf, reportFor } = orderReader(ask, calls.onUnknownStatus)
  const { script, mode } = cashfreeCheckout(url)
  const notified = webhookUrl(settings, CASHFREE)
  // In production, Cashfree accepts only https URLs.
  const notifyUrl = mode === 'sandbox' || notified.startsWith('https:') ? notified : undefined

  function startedFrom(order: OrderReply, request: PaymentRequest): StartedPayment {
    const { payment_session_id: session, order_status: status } = order
    if (!isPaymentOf(order, request)) throw new ReferenceUsed(request.reference)
    if (status !== 'ACTIVE' && status !== 'PAID') throw new ReferenceUsed(request.reference)
    if (!session) throw new ProviderAway('the provider opened no payment page')
    const intents = { payment_session_id: session, checkout_script: script, checkout_mode: mode }
    return { ...upiPayment(request.reference, centsToText(request.askedMinor)), intents }
  }

  async function create(request: PaymentRequest): Promise<StartedPayment> {
    const { reference } = request
    const question = {
      path: 'orders',
      body: requestBody(request, notifyUrl),
      headers: { 'x-idempotency-key': uuidOf(reference) },
    }
    const order = await ask(kindOf(request), orderReply, question).catch(async (error: unknown) => {
      if (!(error instanceof PaymentRejected)) throw error
      // This is a repeat after the order's expiry.
      if (error.message.includes('order_expiry_time')) throw new ReferenceUsed(reference)
      // An earlier call took effect, or the key was used with another phone number: the order exists.
      const used = error.code === '409' || error.code === '422' ? await orderOf(kindOf(request), reference) : undefined
      if (!used) throw error
      return used
    })
    if (!order) throw new ProviderAway('the provider has no such address')
    return startedFrom(order, request)
  }

  return {
    name: CASHFREE,
    isKnownByReference: true,
    create,
    async check(known, kind = 'looks') {
      const { paymentId, reference, payAmount } = known
      const order = paymentId === reference ? await orderOf(kind, reference) : undefined
      if (!order) throw new PaymentRejected('unknown payment')
      if (!isPaymentOf(order, known)) throw new PaymentRejected('the payment is of another order')
      return reportFor(kind, order, payAmount)
    },
    async find(reference) {
      const order = await orderOf('looks', reference)
      if (!order) throw new PaymentRejected('unknown payment')
      const report = await reportFor('looks', order, order.order_amount)
      return { reference, money: moneyIn(report, { paymentId: reference, payCurrency: 'INR' }) }
    },
    async refund({ reference }, { refundId, amount }) {
      // An idempotency key would replay an error, too: the refund's id makes it once.
      const body = JSON.stringify({ refund_id: refundId, refund_amount: exactNumber(amount) })
      const question = { path: `${pathOf(reference)}/refunds`, body }
      const reply = await ask('captures', refundReply, question).catch((error: unknown) => {
        // The id may have been used by an earlier call, which the order's refunds show before long.
        if (error instanceof PaymentRejected && (error.code === '409' || error.code === '422'))
          throw new OneCallAway(error.message)
        throw error
      })
      if (!reply) throw new PaymentRejected('Cashfree has no such order')
      return reportedRefund(reply, refundId)
    },
    readWebhook: (webhook) => readCashfreeWebhook(webhook, clientSecret),
    limits: async () => UPI_LIMITS,
    // Of kind `payments`, since refused keys pause all other calls.
    checkKeys: async () => keysReport(orderOf('payments', NO_REFERENCE)),
  }
}

function requestBody(request: PaymentRequest, notify_url: string | undefined): string {
  const { askedMinor, reference, requestedAt, returnUrl } = request
  return JSON.stringify({
    order_id: reference,
    order_amount: exactNumber(centsToText(askedMinor)),
    order_currency: 'INR',
    // One customer per payment: Cashfree cannot recognize a buyer.
    customer_details: { customer_id: reference.replaceAll('-', ''), customer_phone: upiPhone(request) },
    order_meta: { return_url: returnUrl, payment_methods: 'upi', notify_url },
    // Otherwise a payer has 30 days.
    order_expiry_time: istText(Date.parse(requestedAt) + VALID_MS),
  })
}

/** Whether Cashfree's order was opened at this attempt's price. */
function isPaymentOf(order: OrderReply, { askedMinor }: Pick<KnownPayment, 'askedMinor'>): boolean {
  return order.order_currency === 'INR' && isSame(order.order_amount, centsToText(askedMinor))
}

function pathOf(reference: string): string {
  if (!/^[\w-]{3,45}$/.test(reference)) throw new PaymentRejected('unknown payment')
  return `orders/${reference}`
}

/** Derived from the reference, in the format that the provider requires. */
function uuidOf(reference: string): string {
  const hex = createHash('sha256').update(reference).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

function bodyOf({ status, isSuccess, text }: HttpAnswer, method: HttpRequest['method']): unknown {
  if (isSuccess) return parseExactJson(text)
  if (status === 404 && method === 'GET') return undefined
  const { code, message } = readError(errorReply, text)
  const words = withoutBuyer(`${code ?? ''} ${message ?? ''}`.trim() || 'no reason given')
  if (status !== 401) throw new PaymentRejected(`Cashfree refuses it (${status}): ${words}`, String(status))
  const advice = 'Are CASHFREE_CLIENT_ID and CASHFREE_CLIENT_SECRET right, and of this address?'
  throw new KeyRefused(`Cashfree refuses the shop: ${words}. ${advice}`, words)
}
