import { hash } from 'node:crypto'
import { centsToText } from '../../domain/money.ts'
import { methodRows, type PaymentMethod } from '../../domain/payment-methods.ts'
import { decimalFrom, shareUp } from '../../domain/decimal.ts'
import {
  type KnownPayment,
  nowhere,
  type PaymentLimits,
  type PaymentProvider,
  PaymentRejected,
  type PaymentReport,
  type PaymentRequest,
  type StartedPayment,
} from '../payment-provider.ts'
import { sandboxCoins, sandboxRates } from './sandbox-rates.ts'

interface SandboxOptions {
  /** From the start of a payment until the money arrives. */
  readonly delayMs: number
  /** The same for `sandbox-late`. */
  readonly lateMs?: number
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly inrPerUsd: number
}

const plays = ['pay', 'fail', 'short', 'over', 'late', 'slow', 'cancel'] as const
export type Play = (typeof plays)[number]

const LATE_MS = 90_000
const SLOW_MS = 30_000
const REST_MS = 60_000
const HOUR_MS = 3_600_000
const UTR_DIGITS = 18n
const WALLET_HOURS = 3
const COIN_HOURS = 7 * 24
const QUOTE_MINUTES = 20
/** From one cent (coins: five cents) or one rupee. */
const limits: Readonly<Record<PaymentMethod, PaymentLimits>> = {
  paypal: { minMinor: 1, maxMinor: 6_000_000 },
  crypto: { minMinor: 5, maxMinor: 20_000_000 },
  upi: { minMinor: 100, maxMinor: 50_000_000 },
}

/**
 * Providers with a simulated payer; no money moves and nothing is stored. Promised: the same answers after a restart and in any process, since a payment's
 * id names what its payer does, the log knows its amount and its time, and the clock does the rest. Deliberately not: moving rates, reversals, outages.
 */
export function sandboxProviders(options: SandboxOptions): Record<PaymentMethod, PaymentProvider> {
  const sandbox = { lateMs: LATE_MS, ...options }
  return { paypal: sandboxPaypal(sandbox), crypto: sandboxCrypto(sandbox), upi: sandboxUpi(sandbox) }
}

type Sandbox = Required<SandboxOptions>

/** A wallet whose payer approves at once: `check` never goes beyond `approved`, and each `capture` returns the same receipt. */
function sandboxPaypal(sandbox: Sandbox): PaymentProvider {
  function agreement(known: KnownPayment): PaymentReport {
    const play = playOf(known, 'paypal')
    const isLate = play === 'late' && elapsedSince(known, sandbox) < sandbox.lateMs
    const status = play === 'cancel' ? 'cancelled' : isLate ? 'waiting' : 'approved'
    const payer = status === 'approved' && { payerId: markOf(known.paymentId, 13) }
    return { status, amountPaid: null, receipts: [], ...payer }
  }
  return {
    name: 'sandbox-paypal',
    async create(request) {
      const expiresAt = timeAfter(request, WALLET_HOURS * HOUR_MS)
      return { ...openPayment(request, 'paypal'), expiresAt }
    },
    check: async (known) => agreement(known),
    async capture(known) {
      const agreed = agreement(known)
      if (agreed.status !== 'approved') return agreed
      // An approved payment is not delayed again.
      const report = reportOf(known, 'paypal', sandbox, {
        receiptId: `SBX${markOf(known.paymentId, 20)}`,
        elapsedMs: Math.max(elapsedSince(known, sandbox), sandbox.delayMs),
      })
      return report.status === 'failed' ? { ...report, status: 'declined' } : report
    },
    limits: async () => limits.paypal,
    clientToken: async () => 'sandbox-client-token',
  }
}

function sandboxCrypto(sandbox: Sandbox): PaymentProvider {
  const rates = sandboxRates({ inrPerUsd: sandbox.inrPerUsd, minCents: limits.crypto.minMinor })
  return {
    name: 'sandbox-crypto',
    rates,
    async create(request) {
      const { code, network, hasMemo } = coinOf((request.payCurrency ?? 'ltc').toLowerCase())
      const payment = openPayment(request, 'crypto')
      const mark = markOf(payment.paymentId, 16)
      return {
        ...payment,
        payAmount: await rates.estimate({ amount: payment.payAmount, currency: 'usd' }, code),
        payCurrency: code,
        address: `SANDBOX-SEND-NOTHING-${code.toUpperCase()}-${mark}`,
        network,
        memo: hasMemo ? String(Number.parseInt(mark.slice(0, 8), 16)) : null,
        quoteExpiresAt: timeAfter(request, QUOTE_MINUTES * 60_000),
        expiresAt: timeAfter(request, COIN_HOURS * HOUR_MS),
      }
    },
    check: async (known) => reportOf(known, 'crypto', sandbox, { receiptId: known.paymentId }),
    async limits(code) {
      if (code !== undefined) coinOf(code)
      return limits.crypto
    },
  }
}

function coinOf(given: string) {
  const coin = sandboxCoins.find(({ code }) => code === given)
  if (!coin) throw new PaymentRejected('The sandbox does not know this coin.')
  return coin
}

function sandboxUpi(sandbox: Sandbox): PaymentProvider {
  return {
    name: 'sandbox-upi',
    async create(request) {
      const payment = openPayment(request, 'upi')
      const link = upiLink({ payee: request.shopName, amount: payment.payAmount, reference: request.reference })
      // There is no payment page: the URL is the one that a gateway redirects to afterwards.
      const url = new URL(request.returnUrl)
      url.searchParams.set('client_txn_id', request.reference)
      url.searchParams.set('txn_id', `mock_${request.reference}`)
      const intents = { bhim_link: link, phonepe_link: link, paytm_link: link, gpay_link: link }
      return { ...payment, url: url.href, intents }
    },
    check: async (known) => reportOf(known, 'upi', sandbox, { receiptId: utrOf(known.paymentId) }),
    limits: async () => limits.upi,
  }
}

/** The same request always gives the same payment. */
function openPayment(
  { askedMinor, currency, customer, reference }: PaymentRequest,
  method: PaymentMethod,
): StartedPayment {
  const paymentId = idOf(method, playFor(customer.name), reference)
  return { ...nowhere, paymentId, payAmount: centsToText(askedMinor), payCurrency: currency }
}

/** What the payer will do, by the chat name: `sandbox-fail`, `sandbox-fail-2` ...; any other name pays. */
export function playFor(customerName: string): Play {
  const word = /^sandbox-([a-z]+)/.exec(customerName.trim().toLowerCase())?.[1] ?? ''
  return plays.find((play) => word.startsWith(play)) ?? 'pay'
}

function idOf(method: PaymentMethod, play: Play, reference: string): string {
  return `sandbox-${method}-${play}-${reference.toLowerCase()}`
}

/** Throws `PaymentRejected` for an id that is not of this reference and method. */
function playOf({ paymentId, reference }: KnownPayment, method: PaymentMethod): Play {
  const play = plays.find((one) => paymentId === idOf(method, one, reference))
  if (!play) throw new PaymentRejected('unknown payment')
  return play
}

/** The payment's state by now. */
function reportOf(
  known: KnownPayment,
  method: PaymentMethod,
  sandbox: Sandbox,
  { receiptId, elapsedMs = elapsedSince(known, sandbox) }: { receiptId: string; elapsedMs?: number },
): PaymentReport {
  const { payAmount, payCurrency: currency } = known
  const { decimals } = decimalFrom(payAmount)
  const text = (permille: number): string => shareUp(payAmount, { by: String(permille), of: '1000', decimals })
  const { status, seen = 0, arrived = 0 } = progressOf(playOf(known, method), method, { ...sandbox, elapsedMs })
  const receipt = { receiptId, amount: text(arrived), currency, askedAmount: payAmount, reversedAmount: text(0) }
  const amountPaid = seen + arrived > 0 ? text(seen + arrived) : null
  return { status, amountPaid, receipts: arrived > 0 ? [receipt] : [] }
}

/** In permille of the asked amount. */
interface Progress {
  readonly status: PaymentReport['status']
  /** On its way. */
  readonly seen?: number
  readonly arrived?: number
}

/** A payment's progress, by the elapsed time alone. */
function progressOf(
  play: Play,
  method: PaymentMethod,
  { delayMs, lateMs, elapsedMs }: Pick<Sandbox, 'delayMs' | 'lateMs'> & { readonly elapsedMs: number },
): Progress {
  const received = { status: 'received', arrived: 1000 } as const
  const confirming = { status: 'confirming', seen: 1000 } as const
  if (elapsedMs < delayMs)
    // Coins are seen on their chain before they are confirmed.
    return method === 'crypto' && play === 'pay' && elapsedMs * 2 >= delayMs ? confirming : { status: 'waiting' }
  switch (play) {
    case 'pay':
      return received
    case 'fail':
      return { status: 'failed' }
    case 'cancel':
      return { status: 'cancelled' }
    case 'over':
      return { status: 'received', arrived: 1100 }
    case 'late':
      return elapsedMs < lateMs ? { status: 'expired' } : received
    case 'slow':
      return elapsedMs < delayMs + SLOW_MS ? confirming : received
    case 'short': {
      const isToppedUp = methodRows[method].isToppedUp && elapsedMs >= delayMs + REST_MS
      return isToppedUp ? received : { status: 'partially_paid', arrived: 500 }
    }
  }
}

function elapsedSince({ requestedAt }: KnownPayment, { now }: Sandbox): number {
  return now() - Date.parse(requestedAt)
}

function timeAfter({ requestedAt }: PaymentRequest, ms: number): string {
  return new Date(Date.parse(requestedAt) + ms).toISOString()
}

/** Hexadecimal digits, the same for the same payment. */
function markOf(paymentId: string, length: number): string {
  return hash('sha256', paymentId, 'hex').slice(0, length).toUpperCase()
}

/** The bank's number for the transfer. Real ones have 12 digits, with which a million random ones would collide. */
function utrOf(paymentId: string): string {
  const number = BigInt(`0x${markOf(paymentId, 64)}`) % 10n ** UTR_DIGITS
  return String(number).padStart(Number(UTR_DIGITS), '0')
}

// Some apps do not decode an escaped `@`.
function upiLink({ payee, amount, reference }: { payee: string; amount: string; reference: string }): string {
  return `upi://pay?pa=sandbox@upi&pn=${encodeURIComponent(payee)}&am=${amount}&cu=INR&tr=${encodeURIComponent(reference)}`
}
