import { centsToText } from '../../domain/money.ts'
import { noEntries } from '../entries.ts'
import { exactNumber, parseExactJson } from '../exact-json.ts'
import { type Gateway, webhookUrl } from '../gateway.ts'
import {
  coinsReply,
  errorReply,
  estimateReply,
  minimumReply,
  paymentId as paymentIdText,
  type PaymentReply,
  paymentReply,
} from './nowpayments-replies.ts'
import { readNowPaymentsWebhook } from './nowpayments-webhook.ts'
import { reportOf } from './nowpayments-report.ts'
import { paymentWords } from './nowpayments-words.ts'
import { decimalFrom, isPositiveDecimal, isSame, shareUp } from '../../domain/decimal.ts'
import {
  type CryptoRates,
  type KnownPayment,
  moneyIn,
  type PaymentLimits,
  type PaymentProvider,
  PaymentRejected,
  type PaymentRequest,
  ProviderAway,
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
  providerCalls,
  readError,
  Unreadable,
} from '../provider-calls.ts'
import { remembered } from '../remembered.ts'
import { reportUnknownWords } from '../word-meanings.ts'
import type { HttpAnswer } from '../../ports/http-call.ts'
import { type CallKind, kindOf } from '../provider-pace.ts'

interface Settings {
  /** Ends in `/v1`. */
  readonly NOWPAYMENTS_URL: string
  readonly NOWPAYMENTS_API_KEY?: string | undefined
  /** Signs the webhooks. */
  readonly NOWPAYMENTS_IPN_SECRET?: string | undefined
  /** The coin that the account is paid out in: the minimum depends on it. */
  readonly NOWPAYMENTS_PAYOUT_COIN: string
  readonly PUBLIC_URL: string
}

export const nowPaymentsGateway = {
  keys: ['NOWPAYMENTS_API_KEY', 'NOWPAYMENTS_IPN_SECRET'],
  url: 'NOWPAYMENTS_URL',
  open: nowPayments,
} as const satisfies Gateway<Settings>

const NOWPAYMENTS = 'nowpayments'
const DEFAULT_COIN = 'ltc'
/** Further payments of one attempt that a check reads; webhooks name the others. */
const OTHERS_MAX = 20
const VALID_DAYS = 7
const FRESH_MS = 5 * 60_000
/** While the provider is away, figures may be as old as this. */
const STALE_MS = 60 * 60_000
const CACHED_MAX = 1_000
/** Large enough for expensive coins. */
const WORTH_DOLLARS = '1000'
/** More than any order; the provider names no maximum. */
const MAX_MINOR = 5_000_000_000

/** Coins by NOWPayments. Its create is not idempotent: a repeat opens another address under the same reference. */
function nowPayments(settings: Settings, calls: CallOptions): PaymentProvider & { readonly rates: CryptoRates } {
  const { NOWPAYMENTS_URL: url, NOWPAYMENTS_API_KEY: key = '', NOWPAYMENTS_IPN_SECRET: secret = '' } = settings
  const { onUnknownStatus } = calls
  const ask = jsonCalls(providerCalls(calls), { url, headers: { 'x-api-key': key } }, bodyOf)

  async function payment(kind: CallKind, id: string): Promise<PaymentReply> {
    // An empty id would list all payments.
    if (!paymentIdText.safeParse(id).success) throw new PaymentRejected('unknown payment')
    const reply = await ask(kind, paymentReply, { path: `payment/${id}` })
    if (reply.payment_id !== id) throw new ProviderAway('the provider answered with another payment')
    reportUnknownWords(onUnknownStatus, paymentWords, [reply.payment_status])
    return reply
  }

  const { rates, limits, firstCoin } = figures(ask, settings.NOWPAYMENTS_PAYOUT_COIN, calls)

  return {
    name: NOWPAYMENTS,
    rates,
    async create(request) {
      const coin = request.payCurrency ?? (await firstCoin())
      const body = requestBody(request, coin, webhookUrl(settings, NOWPAYMENTS))
      const reply = await ask(kindOf(request), paymentReply, { path: 'payment', body })
      const isOpened = reply.pay_currency === coin && isPositiveDecimal(reply.pay_amount) && reply.pay_address
      if (!isPaymentOf(reply, request) || !isOpened)
        throw new ProviderAway('the provider opened another payment than was asked for')
      return startedPayment(reply)
    },
    async check(known, kind = 'looks') {
      const main = await payment(kind, known.paymentId)
      if (!isPaymentOf(main, known)) throw new PaymentRejected('the payment is of another order')
      const { read: further, unread } = main.payment_extra_ids ?? noEntries
      if (unread > 0) onUnknownStatus?.('ids of further transfers that cannot be read')
      const ids = new Set([known.paymentId, ...further, ...known.otherIds])
      const replies = [main]
      let isUnread = unread > 0
      let left = OTHERS_MAX
      for (const id of ids) {
        if (id === known.paymentId) continue
        if (left === 0) break
        left -= 1
        const other = await payment(kind, id).catch((error: unknown) => {
          // An unreadable one does not block the others.
          if (!(error instanceof Unreadable || error instanceof KeyRefused)) return unlessRejected(error)
          onUnknownStatus?.(error.message)
          isUnread = true
        })
        if (!other) continue
        replies.push(other)
        // Its parent may be an address of this order whose creation got no reply.
        if (other.parent_payment_id) ids.add(other.parent_payment_id)
      }
      const own = replies.filter((reply) => isPaymentOf(reply, known))
      const report = reportOf(known, [...own, ...replies.filter((reply) => isChildOf(reply, own))])
      return isUnread ? { ...report, isUnclear: true } : report
    },
    async find(id) {
      const reply = await payment('looks', id)
      const parentId = reply.parent_payment_id ?? undefined
      // A later transfer may name only its parent.
      const { order_id: reference } = reply.order_id || !parentId ? reply : await payment('looks', parentId)
      const opened = startedPayment(reply)
      const money = moneyIn(reportOf({ ...opened, otherIds: [] }, [reply]), opened)
      return { reference: reference ?? undefined, money, opened, parentId }
    },
    readWebhook: (webhook) => readNowPaymentsWebhook(webhook, secret),
    // Of kind `payments`, since refused keys pause all other calls.
    checkKeys: async () => keysReport(ask('payments', coinsReply, { path: 'merchant/coins' })),
    limits,
  }
}

/** The account's coins, their minimums and worth, cached for a while. */
function figures(ask: Ask, payoutCoin: string, { now, onUnknownStatus }: CallOptions) {
  const cache = { now, freshMs: FRESH_MS, staleMs: STALE_MS, max: CACHED_MAX }
  const coinsOf = remembered(cache, async () => {
    const { read, unread } = await ask('rates', coinsReply, { path: 'merchant/coins' })
    if (unread > 0) onUnknownStatus?.(`${unread} coins that cannot be read`)
    return read
  })
  const coins = async (): Promise<readonly string[]> => coinsOf('all')
  const minimum = remembered(cache, async (coin) => {
    const query = { currency_from: coin, currency_to: payoutCoin, fiat_equivalent: 'usd' }
    return ask('rates', minimumReply, { path: 'min-amount', query })
  })

  /** What `WORTH_DOLLARS` are worth: visitors' amounts are computed from it. */
  const worth = remembered(cache, async (coin) => {
    const query = { amount: WORTH_DOLLARS, currency_from: 'usd', currency_to: coin }
    return (await ask('rates', estimateReply, { path: 'estimate', query })).estimated_amount
  })
  const worthIn = async (currency: string): Promise<string> =>
    currency === 'usd' ? `${WORTH_DOLLARS}.00` : worth(currency)

  /** Litecoin, if the account accepts it. */
  async function firstCoin(): Promise<string> {
    const accepted = await coins().catch(unlessAway)
    return accepted?.includes(DEFAULT_COIN) ? DEFAULT_COIN : (accepted?.[0] ?? DEFAULT_COIN)
  }

  async function limits(coin?: string): Promise<PaymentLimits> {
    if (coin !== undefined) await assertKnown(coin)
    const { fiat_equivalent: dollars } = await minimum(coin ?? (await firstCoin()))
    return {
      minMinor: Math.max(1, Number(shareUp(dollars ?? '0', { by: '100', of: '1', decimals: 0 }))),
      maxMinor: MAX_MINOR,
    }
  }

  /** Only the account's coins reach the provider, so that made-up names cost no call. */
  async function assertKnown(...currencies: string[]): Promise<void> {
    const known = await coins()
    if (!currencies.every((currency) => currency === 'usd' || known.includes(currency)))
      throw new PaymentRejected('The payment provider does not take this currency.')
  }

  const rates: CryptoRates = {
    currencies: coins,
    async estimate({ amount, currency }, to) {
      if (!isPositiveDecimal(amount)) throw new PaymentRejected('An amount is needed, like 25.40.')
      await assertKnown(currency, to)
      const [of, by] = [await worthIn(currency), await worthIn(to)]
      return shareUp(amount, { by, of, decimals: decimalFrom(by).decimals })
    },
    async minAmount(from) {
      await assertKnown(from)
      if (from === 'usd') return centsToText((await limits()).minMinor)
      return (await minimum(from)).min_amount
    },
  }

  return { rates, limits, firstCoin }
}

function requestBody({ askedMinor, reference, description }: PaymentRequest, coin: string, webhookUrl: string): string {
  return JSON.stringify({
    price_amount: exactNumber(centsToText(askedMinor)),
    price_currency: 'usd',
    pay_currency: coin,
    ipn_callback_url: webhookUrl,
    order_id: reference,
    order_description: description,
  })
}

/** Whether it was opened for this attempt. A later transfer to its address has a price of its own. */
function isPaymentOf(
  reply: PaymentReply,
  { reference, askedMinor }: Pick<KnownPayment, 'reference' | 'askedMinor'>,
): boolean {
  if (reply.order_id !== reference) return false
  if (reply.parent_payment_id) return true
  return reply.price_currency === 'usd' && isSame(reply.price_amount, centsToText(askedMinor))
}

/** A later transfer without an order id, to one of our addresses. */
function isChildOf({ order_id: reference, parent_payment_id: parentId }: PaymentReply, ours: readonly PaymentReply[]) {
  return !reference && ours.some(({ payment_id: id }) => id === parentId)
}

function startedPayment(reply: PaymentReply): StartedPayment {
  const { payment_id, pay_amount, pay_currency, pay_address, payin_extra_id, network, valid_until, created_at } = reply
  const createdMs = Date.parse(created_at ?? '')
  const validMs = Date.parse(valid_until ?? '') || createdMs + VALID_DAYS * 24 * 3_600_000
  return {
    paymentId: payment_id,
    payAmount: pay_amount,
    payCurrency: pay_currency,
    address: pay_address ?? null,
    memo: payin_extra_id || null,
    network: network ?? null,
    url: null,
    intents: null,
    quoteExpiresAt: isoTime(Date.parse(reply.expiration_estimate_date ?? '')),
    expiresAt: isoTime(validMs),
  }
}

function isoTime(ms: number): string | null {
  return Number.isFinite(ms) ? new Date(ms).toISOString() : null
}

function bodyOf({ status, isSuccess, text }: HttpAnswer): unknown {
  if (isSuccess) return parseExactJson(text)
  if (status === 401 || status === 403)
    throw new KeyRefused(
      'the provider refuses the API key: is NOWPAYMENTS_API_KEY right, and of this address?',
      reasonIn(text),
    )
  throw new PaymentRejected(`NOWPayments refuses it (${status}): ${reasonIn(text)}`)
}

function reasonIn(text: string): string {
  return readError(errorReply, text).message?.slice(0, 200) ?? 'no reason given'
}
