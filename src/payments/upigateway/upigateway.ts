import { LRUCache } from 'lru-cache'
import * as z from 'zod'
import { centsToText } from '../../domain/money.ts'
import { parseExactJson } from '../exact-json.ts'
import type { Gateway } from '../gateway.ts'
import { isPositiveDecimal, isSame, shareUp } from '../../domain/decimal.ts'
import {
  type KnownPayment,
  moneyIn,
  type PaymentProvider,
  PaymentRejected,
  type PaymentReport,
  type PaymentRequest,
  ProviderAway,
  ReferenceUsed,
  unlessRejected,
} from '../payment-provider.ts'
import {
  type CallOptions,
  jsonCalls,
  KeyRefused,
  keysReport,
  providerCalls,
  readReply,
  withoutBuyer,
} from '../provider-calls.ts'
import type { HttpAnswer } from '../../ports/http-call.ts'
import { type CallKind, kindOf } from '../provider-pace.ts'
import { reportOf as reportOfTransfers } from '../payment-report.ts'
import { meaningOf, reportUnknownWords } from '../word-meanings.ts'
import { isPaymentPage, isPlausible, NO_REFERENCE, upiIntents, UPI_LIMITS, upiPayment, upiPhone } from '../upi.ts'
import { replyAmount } from '../reply-amount.ts'
import { paymentWords } from './upigateway-words.ts'

interface Settings {
  /** Ends in `/api`. */
  readonly UPIGATEWAY_URL: string
  readonly UPIGATEWAY_KEY?: string | undefined
  /** The account accepts no others; amounts are rounded up. */
  readonly UPIGATEWAY_WHOLE_RUPEES: 'on' | 'off'
}

export const ekqrGateway = {
  keys: ['UPIGATEWAY_KEY'],
  url: 'UPIGATEWAY_URL',
  open: upiGateway,
} as const satisfies Gateway<Settings>

/** A failure may still turn into a success: it counts when it is reported again after this time. */
const FAILURE_MS = 10_000
/** Remembered first reports of failures; a forgotten one needs one more report. */
const FAILURES_MAX = 10_000
const NAME_MAX = 50
const DAY_MS = 24 * 3_600_000
const IST_MS = 5.5 * 3_600_000

const text = z.string().max(500)
const envelope = z.object({ status: z.boolean(), msg: text.nullish().catch(null), data: z.unknown().optional() })
const opened = z.object({ payment_url: z.string().max(2_000), upi_intent: z.unknown().optional() })
const standing = z.object({
  client_txn_id: text,
  status: z.string().max(40),
  amount: replyAmount.nullish(),
  upi_txn_id: z.string().trim().max(100).nullish().catch(null),
})
type Standing = z.infer<typeof standing>

/**
 * UPI by EKQR (UPIGateway). A payment's id is our reference: the provider finds it by that id and the Indian date of its creation. Errors come as
 * `status: false` under HTTP 200, and a repeated create never returns the same payment.
 */
export function upiGateway(settings: Settings, calls: CallOptions): PaymentProvider {
  const { UPIGATEWAY_URL: url, UPIGATEWAY_KEY: key = '' } = settings
  const { now, onUnknownStatus } = calls
  const ask = jsonCalls(providerCalls(calls), { url }, bodyOf)
  const failedAt = new LRUCache<string, number>({ max: FAILURES_MAX })

  /** Whether a failure has lasted, without a success in between. */
  function isLasting(reference: string): boolean {
    const first = failedAt.get(reference)
    if (first !== undefined) return now() - first >= FAILURE_MS
    failedAt.set(reference, now())
    return false
  }

  /** Undefined if it was created on none of these dates. */
  async function find(kind: CallKind, reference: string, dates: readonly string[]): Promise<Standing | undefined> {
    for (const txn_date of dates) {
      const body = JSON.stringify({ key, client_txn_id: reference, txn_date })
      const reply = await ask(kind, standing, { path: 'check_order_status', body }).catch(unlessRejected)
      if (!reply) continue
      if (reply.client_txn_id !== reference) throw new ProviderAway('the provider answered with another payment')
      reportUnknownWords(onUnknownStatus, paymentWords, [reply.status])
      return reply
    }
    return undefined
  }

  return {
    name: 'upigateway',
    isKnownByReference: true,
    isOneTransfer: true,
    async create(request) {
      const exact = centsToText(request.askedMinor)
      const payAmount = settings.UPIGATEWAY_WHOLE_RUPEES === 'on' ? wholeRupees(exact) : exact
      const body = JSON.stringify({ key, ...requestBody(request, payAmount) })
      const reply = await ask(kindOf(request), opened, { path: 'create_order', body }).catch(async (error: unknown) => {
        if (!(error instanceof PaymentRejected)) throw error
        // It has no error code for a used reference.
        const used = await find(kindOf(request), request.reference, istDates(request.requestedAt, textOf(now())))
        throw used ? new ReferenceUsed(request.reference) : error
      })
      if (!isPaymentPage(reply.payment_url, url)) throw new ProviderAway('the provider opened no payment page')
      const payment = upiPayment(request.reference, payAmount)
      return { ...payment, url: reply.payment_url, intents: upiIntents(reply.upi_intent) }
    },
    async check(known, kind = 'looks') {
      const { paymentId, reference, requestedAt, startedAt } = known
      const reply = paymentId === reference && (await find(kind, reference, istDates(startedAt, requestedAt)))
      if (!reply) throw new PaymentRejected('unknown payment')
      const report = reportOf(known, reply)
      if (report.status === 'failed' && !isLasting(reference)) return { ...report, status: 'waiting' }
      // All that was ever received or seen of this payment is this one transfer.
      if (report.status === 'failed') return known.otherIds.length > 0 ? { ...report, ended: known.otherIds } : report
      failedAt.delete(reference)
      return report
    },
    async find(reference) {
      const reply = await find('looks', reference, istDates(textOf(now())))
      if (!reply) throw new PaymentRejected('unknown payment')
      const report = reportOf({ payAmount: reply.amount ?? '0' }, reply)
      return { reference, money: moneyIn(report, { paymentId: reference, payCurrency: 'INR' }) }
    },
    hasUnsignedWebhooks: true,
    readWebhook({ body }) {
      const reference = new URLSearchParams(body.toString('utf8')).get('client_txn_id') ?? ''
      return reference === '' ? 'malformed' : { paymentId: reference, reference, news: undefined }
    },
    limits: async () => UPI_LIMITS,
    // Of kind `payments`, since refused keys pause all other calls.
    checkKeys: async () => keysReport(find('payments', NO_REFERENCE, istDates(textOf(now())).slice(0, 1))),
  }
}

function requestBody(request: PaymentRequest, amount: string) {
  const { customer, description, reference, returnUrl } = request
  return {
    client_txn_id: reference,
    amount: amount.replace(/\.00$/, ''),
    p_info: plain(description, /[^A-Za-z0-9,]+/g),
    // All three are required.
    customer_name: plainName(customer.name),
    customer_email: customer.email,
    customer_mobile: upiPhone(request),
    redirect_url: returnUrl,
  }
}

function wholeRupees(amount: string): string {
  return `${shareUp(amount, { by: '1', of: '1', decimals: 0 })}.00`
}

/** Its forms accept only plain letters; chat names and the owner's word for the coins have any. */
function plainName(name: string): string {
  return (
    plain(name, /[^A-Za-z0-9]+/g)
      .slice(0, NAME_MAX)
      .trim() || 'Customer'
  )
}

function plain(text: string, others: RegExp): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll(others, ' ').trim()
}

function reportOf({ payAmount }: Pick<KnownPayment, 'payAmount'>, reply: Standing): PaymentReport {
  const { amount, upi_txn_id: id } = reply
  const { money, nothing } = meaningOf(paymentWords, reply.status)
  if (!id || !amount || !isPositiveDecimal(amount) || money === 'none')
    return { status: nothing, amountPaid: null, receipts: [], ...(nothing === 'unknown' && { isUnclear: true }) }
  // In whole rupees, if the reply to `create` was lost.
  const asked = { amount: isSame(amount, wholeRupees(payAmount)) ? amount : payAmount, currency: 'INR' }
  const transfers = [{ id, amount, currency: 'INR', money, asked, isSenseless: !isPlausible(amount) }]
  return reportOfTransfers({ payAmount, payCurrency: 'INR' }, { own: 'confirmed', transfers, isUnclear: false })
}

/** `DD-MM-YYYY` in India of each moment, and then of the days around them: the provider's clock is not ours. */
export function istDates(...moments: string[]): string[] {
  const days = moments.map((moment) => Math.floor((Date.parse(moment) + IST_MS) / DAY_MS))
  const dates = [...days, ...days.flatMap((day) => [day - 1, day + 1])].map((day) => {
    const [year, month, date] = textOf(day * DAY_MS)
      .slice(0, 10)
      .split('-')
    return `${date}-${month}-${year}`
  })
  return [...new Set(dates)]
}

function textOf(ms: number): string {
  return new Date(ms).toISOString()
}

/** The HTTP status says nothing: errors come under 200. */
function bodyOf({ text: said }: HttpAnswer): unknown {
  const given = readReply(envelope, parseExactJson(said), 'call')
  if (!given.status) throw refusal(given.msg ?? 'no reason given')
  return given.data ?? null
}

const SHOP_REFUSED =
  /\b(?:invalid|wrong|missing|inactive) (?:(?:api|merchant) )?key\b|\bapi ?key\b.*\b(?:invalid|required|missing|not)\b|\bplan\b.*\bexpired\b|\b(?:no|inactive) (?:active )?plan\b|\bunauthori[sz]ed\b/i

/** Without error codes, only its words show what is refused: the shop or this payment. */
function refusal(message: string): Error {
  const words = withoutBuyer(message)
  if (SHOP_REFUSED.test(words))
    return new KeyRefused(`UPIGateway refuses the shop: ${words} Are UPIGATEWAY_KEY and its plan valid?`, words)
  return new PaymentRejected(`UPIGateway refuses it: ${words}`)
}
