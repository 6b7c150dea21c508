import { centsToText } from '../../domain/money.ts'
import type { ReportedRefund } from '../../domain/order/commands.ts'
import type { Gateway } from '../gateway.ts'
import {
  type KnownPayment,
  moneyIn,
  nowhere,
  type PaymentLimits,
  type PaymentProvider,
  PaymentRejected,
  type PaymentReport,
  type PaymentRequest,
  ProviderAway,
  type ProviderWindows,
  ReferenceUsed,
  type RefundOrder,
} from '../payment-provider.ts'
import {
  captureReply,
  disputeReply,
  disputeId,
  orderId,
  orderReply,
  type OrderReply,
  refundReply,
} from './paypal-replies.ts'
import { disputeOf, isPaymentOf, reportedRefund, reportOf, reportUnknownIn } from './paypal-report.ts'
import { NotAllowed, type PaypalAccount, paypalCalls, UnknownPayment } from './paypal-calls.ts'
import { paypalWebhooks } from './paypal-webhook.ts'
import { type Ask, type CallOptions, keysReport } from '../provider-calls.ts'
import { type CallKind, kindOf } from '../provider-pace.ts'

interface Settings extends PaypalAccount {
  /** The webhook's id at the provider. */
  readonly PAYPAL_WEBHOOK_ID?: string | undefined
}

export const paypalGateway = {
  keys: ['PAYPAL_CLIENT_ID', 'PAYPAL_CLIENT_SECRET', 'PAYPAL_WEBHOOK_ID'],
  url: 'PAYPAL_URL',
  open: paypal,
  windows: ({ PAYPAL_URL }) => paypalBrowser(PAYPAL_URL).windows,
} as const satisfies Gateway<Settings>

const LIMITS: PaymentLimits = { minMinor: 1, maxMinor: 6_000_000 }
/** How long a payer has to approve; afterwards the provider may forget the payment. */
const VALID_MS = 3 * 3_600_000
/** Disputes of one payment that a check reads. */
const DISPUTES_MAX = 5
const DESCRIPTION_MAX = 127
/** The permission that a refund needs. */
const REFUND_SCOPE = 'https://uri.paypal.com/services/payments/refund'

/** What a refused capture means if the payment itself shows no money. Any other issue is retried. */
const captureIssues: Readonly<Record<string, PaymentReport['status']>> = {
  ORDER_NOT_APPROVED: 'waiting',
  PAYER_ACTION_REQUIRED: 'waiting',
  REDIRECT_PAYER_FOR_ALTERNATE_FUNDING: 'declined',
  INSTRUMENT_DECLINED: 'declined',
  DUPLICATE_INVOICE_ID: 'declined',
  PAYER_CANNOT_PAY: 'declined',
  TRANSACTION_REFUSED: 'declined',
  COMPLIANCE_VIOLATION: 'declined',
  PAYEE_BLOCKED_TRANSACTION: 'declined',
  PAYER_ACCOUNT_RESTRICTED: 'declined',
  PAYER_ACCOUNT_LOCKED_OR_CLOSED: 'declined',
  MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED: 'declined',
}

/** PayPal's browser script and its hosts, by PayPal's page on content security policies; for a test double, its own host. */
export function paypalBrowser(url: string): { script: string; windows: ProviderWindows } {
  const { origin, hostname } = new URL(url)
  const own = /^api(?:-m)?\.(sandbox\.)?paypal\.com$/.exec(hostname)
  return {
    script: `${own ? `https://www.${own[1] ?? ''}paypal.com` : origin}/web-sdk/v6/core`,
    windows: { hosts: own ? ['https://*.paypal.com', 'https://*.paypalobjects.com'] : [origin], hasInlineStyles: true },
  }
}

/** Reads orders from PayPal. */
function orderReader(ask: Ask, { now, onUnknownStatus }: CallOptions) {
  async function order(kind: CallKind, id: string): Promise<OrderReply> {
    return verifyReply(await ask(kind, orderReply, { path: `v2/checkout/orders/${idOf(id)}` }), id)
  }

  function verifyReply(reply: OrderReply, id: string): OrderReply {
    if (reply.id !== id) throw new ProviderAway('the provider answered with another payment')
    reportUnknownIn(reply, onUnknownStatus)
    return reply
  }

  async function checkPayment(kind: CallKind, known: KnownPayment): Promise<PaymentReport> {
    const reply = await order(kind, known.paymentId).catch((error: unknown) => {
      const isOld = now() - Date.parse(known.startedAt) > VALID_MS
      if (error instanceof UnknownPayment && isOld) return undefined
      throw error
    })
    if (!reply) return { status: 'expired', amountPaid: null, receipts: [] }
    if (!isPaymentOf(reply, known)) throw new PaymentRejected('the payment is of another order')
    const report = reportOf(known, reply)
    const disputes = await disputesOf(ask, kind, { known, report })
    return disputes.length > 0 ? { ...report, disputes } : report
  }

  return { order, verifyReply, checkPayment }
}

/** PayPal's orders, version 2: a payment is approved by the payer, then captured by us. */
export function paypal(settings: Settings, calls: CallOptions): PaymentProvider {
  const { PAYPAL_URL: url, PAYPAL_WEBHOOK_ID: webhookId = '' } = settings
  const { ask, certificateAt, clientToken, tryKeys } = paypalCalls(settings, calls)
  const { order, verifyReply, checkPayment } = orderReader(ask, calls)

  return {
    name: 'paypal',
    async create(request) {
      const body = requestBody(request)
      try {
        const reply = await ask(kindOf(request), orderReply, {
          path: 'v2/checkout/orders',
          body,
          headers: { 'paypal-request-id': request.reference, prefer: 'return=representation' },
        })
        if (!isPaymentOf(reply, request)) throw new ProviderAway('the provider opened another payment than asked for')
        const expiresAt = new Date(Date.parse(request.requestedAt) + VALID_MS).toISOString()
        const payAmount = centsToText(request.askedMinor)
        return { ...nowhere, paymentId: reply.id, payAmount, payCurrency: 'USD', expiresAt }
      } catch (error) {
        // A paid reference belongs to an older payment: a new one needs another reference.
        if (error instanceof PaymentRejected && error.code === 'DUPLICATE_INVOICE_ID')
          throw new ReferenceUsed(request.reference)
        throw error
      }
    },
    check: async (known, kind = 'looks') => checkPayment(kind, known),
    async find(id) {
      const found = await order('looks', id).catch(async (error: unknown) =>
        order('looks', await orderOfCapture(ask, id, error)),
      )
      const [unit] = found.purchase_units ?? []
      const { value: payAmount = '0', currency_code: payCurrency = 'USD' } = unit?.amount ?? {}
      const opened = { ...nowhere, paymentId: found.id, payAmount, payCurrency }
      return { reference: unit?.custom_id ?? undefined, money: moneyIn(reportOf(opened, found), opened), opened }
    },
    async capture(known, requestId) {
      const paymentId = idOf(known.paymentId)
      try {
        const reply = await ask('captures', orderReply, {
          path: `v2/checkout/orders/${paymentId}/capture`,
          body: '{}',
          headers: { 'paypal-request-id': requestId, prefer: 'return=representation' },
        })
        return isPaymentOf(verifyReply(reply, paymentId), known)
          ? reportOf(known, reply)
          : await checkPayment('captures', known)
      } catch (error) {
        if (!(error instanceof PaymentRejected) || error.code === undefined) throw error
        // Only the payment shows what an earlier call took if its reply was lost.
        const report = await checkPayment('captures', known)
        if (report.status !== 'approved' && report.status !== 'waiting') return report
        const status = captureIssues[error.code]
        if (status === undefined) throw new ProviderAway(`PayPal does not say what became of a capture: ${error.code}`)
        return { ...report, status }
      }
    },
    refund: async (_known, refund) => sendRefund(ask, refund),
    limits: async () => LIMITS,
    async checkKeys() {
      const token = tryKeys()
      const report = await keysReport(token)
      if (!report.areAccepted) return report
      const { scope } = await token
      return scope ? { ...report, mayRefund: scope.split(' ').includes(REFUND_SCOPE) } : report
    },
    clientToken,
    scriptUrl: paypalBrowser(url).script,
    readWebhook: paypalWebhooks({ webhookId, url, now: calls.now, certificateAt }),
  }
}

/** The order of a capture: a webhook about a reversal may name only that. */
async function orderOfCapture(ask: Ask, id: string, error: unknown): Promise<string> {
  if (!(error instanceof UnknownPayment)) throw error
  const reply = await ask('looks', captureReply, { path: `v2/payments/captures/${idOf(id)}` })
  return reply.supplementary_data.related_ids.order_id
}

async function sendRefund(ask: Ask, { refundId, receiptId, amount, currency }: RefundOrder): Promise<ReportedRefund> {
  const question = {
    path: `v2/payments/captures/${idOf(receiptId)}/refund`,
    body: JSON.stringify({ amount: { value: amount, currency_code: currency }, invoice_id: refundId }),
    headers: { 'paypal-request-id': refundId, prefer: 'return=representation' },
  }
  const reply = await ask('captures', refundReply, question).catch((error: unknown) => {
    if (error instanceof NotAllowed) throw new PaymentRejected(error.message)
    // An earlier call took effect, which the payment shows before long.
    if (error instanceof PaymentRejected && error.code === 'DUPLICATE_INVOICE_ID')
      throw new ProviderAway('PayPal has this refund, and does not show it yet')
    throw error
  })
  return reportedRefund(reply, refundId)
}

/** Other text could change the call's path. */
function idOf(paymentId: string): string {
  if (orderId.safeParse(paymentId).success) return paymentId
  throw new PaymentRejected('unknown payment')
}

function requestBody({ askedMinor, reference, description, returnUrl, shopName }: PaymentRequest): string {
  const experience_context = {
    brand_name: shopName.slice(0, DESCRIPTION_MAX),
    shipping_preference: 'NO_SHIPPING',
    user_action: 'PAY_NOW',
    return_url: returnUrl,
    cancel_url: returnUrl,
  }
  return JSON.stringify({
    intent: 'CAPTURE',
    purchase_units: [
      {
        reference_id: 'default',
        custom_id: reference,
        invoice_id: reference,
        description: description.slice(0, DESCRIPTION_MAX),
        amount: { currency_code: 'USD', value: centsToText(askedMinor) },
      },
    ],
    payment_source: { paypal: { experience_context } },
  })
}

/** Reads only disputes that are known or that a webhook names: almost no payment has any. */
async function disputesOf(
  ask: Ask,
  kind: CallKind,
  { known: { otherIds }, report: { receipts } }: { known: KnownPayment; report: PaymentReport },
) {
  const ids = [...new Set(otherIds)].filter((id) => disputeId.safeParse(id).success)
  const found = []
  for (const id of ids.slice(-DISPUTES_MAX)) {
    const dispute = await ask(kind, disputeReply, { path: `v1/customer/disputes/${id}` })
      .then((reply) => disputeOf(reply, receipts))
      .catch((error: unknown) => {
        // The app may not read this dispute, but a webhook named it: a person has to look.
        const [receipt] = receipts
        if (error instanceof NotAllowed && receipt)
          return { disputeId: id, receiptId: receipt.receiptId, outcome: 'open' as const }
        if (error instanceof PaymentRejected) return undefined
        throw error
      })
    if (dispute) found.push(dispute)
  }
  return found
}
