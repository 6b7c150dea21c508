import { centsToText } from '../domain/money.ts'
import { methodRows, type PaymentMethod } from '../domain/payment-methods.ts'
import { decimalFrom, decimalText } from './payment-amounts.ts'
import {
  type KnownPayment,
  NOTHING,
  type PaymentLimits,
  type PaymentProvider,
  PaymentRejected,
  type PaymentReport,
  type PaymentRequest,
} from './payment-provider.ts'
import {
  derivedHex,
  idOf,
  paymentOf,
  playFor,
  progressOf,
  referenceHash,
  type SandboxPayment,
  type SandboxProgress,
} from './sandbox-payment.ts'
import { sandboxCoins, sandboxRates } from './sandbox-rates.ts'

interface SandboxOptions {
  /** From the start of a payment until the money arrives. */
  readonly delayMs: number
  /** The same for `sandbox-late`. */
  readonly lateMs?: number
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly shopName: string
  /** Signs the ids, so that only payments started here are known. */
  readonly secret: Uint8Array
  readonly inrPerUsd: number
}

const LATE_MS = 90_000
const HOUR_MS = 3_600_000
const UTR_DIGITS = 18
const WALLET_HOURS = 3
const COIN_HOURS = 7 * 24
const QUOTE_MINUTES = 20
const WALLET_LIMITS: PaymentLimits = { minMinor: 1, maxMinor: 6_000_000 }
const COIN_LIMITS: PaymentLimits = { minMinor: 5, maxMinor: 20_000_000 }
/** One rupee to five lakh. */
const UPI_LIMITS: PaymentLimits = { minMinor: 100, maxMinor: 50_000_000 }

type Sandbox = Required<SandboxOptions>

/**
 * Providers with a simulated payer; no money moves. Promised: the same answers after a restart and in any process with the secret, since a payment's id carries
 * its facts and the clock does the rest. Deliberately not: moving rates, reversals, outages.
 */
export function sandboxProviders(options: SandboxOptions): Record<PaymentMethod, PaymentProvider> {
  const sandbox = { ...options, lateMs: options.lateMs ?? LATE_MS }
  return { paypal: sandboxPaypal(sandbox), crypto: sandboxCrypto(sandbox), upi: sandboxUpi(sandbox) }
}

/** A wallet whose payer approves at once. Nothing is stored, so `check` never goes beyond `approved`, and each `capture` returns the same receipt. */
function sandboxPaypal(sandbox: Sandbox): PaymentProvider {
  const agreement = ({ play }: SandboxPayment, elapsedMs: number): PaymentReport['status'] => {
    if (play === 'cancel') return 'cancelled'
    return play === 'late' && elapsedMs < sandbox.lateMs ? 'waiting' : 'approved'
  }
  return {
    name: 'sandbox-paypal',
    async create(request) {
      const payment = started(request, {
        method: 'paypal',
        payCurrency: { code: 'usd', units: BigInt(request.askedMinor) },
        limits: WALLET_LIMITS,
      })
      return {
        ...common(payment, sandbox),
        address: null,
        network: null,
        url: null,
        intents: null,
        expiresAt: isoTime(payment.startedMs + WALLET_HOURS * HOUR_MS),
      }
    },
    async check({ paymentId }) {
      const payment = paymentOf(paymentId, 'paypal', sandbox.secret)
      return { status: agreement(payment, elapsedSince(payment, sandbox)), amountPaid: null, receipts: [] }
    },
    async capture({ paymentId }) {
      const payment = paymentOf(paymentId, 'paypal', sandbox.secret)
      const elapsedMs = elapsedSince(payment, sandbox)
      const status = agreement(payment, elapsedMs)
      if (status !== 'approved') return { status, amountPaid: null, receipts: [] }
      // An approved payment is not delayed again.
      const progress = progressOf(payment, Math.max(elapsedMs, sandbox.delayMs), sandbox)
      const receiptId = `SBX${derivedHex(paymentId, sandbox.secret).slice(0, 20).toUpperCase()}`
      const report = reportOf(payment, progress, receiptId)
      return report.status === 'failed' ? { ...report, status: 'declined' } : report
    },
    async limits(currency) {
      return currency === 'USD' ? WALLET_LIMITS : NOTHING
    },
    async clientToken() {
      return 'sandbox-client-token'
    },
  }
}

function sandboxCrypto(sandbox: Sandbox): PaymentProvider {
  const rates = sandboxRates({ inrPerUsd: sandbox.inrPerUsd, minCents: COIN_LIMITS.minMinor })
  return {
    name: 'sandbox-crypto',
    rates,
    async create(request) {
      const coin = sandboxCoins.find(({ code }) => code === (request.payCurrency ?? 'ltc').toLowerCase())
      if (!coin) throw unknownCoin()
      const usd = { amount: centsToText(request.askedMinor), currency: 'usd' }
      const { units } = decimalFrom(await rates.estimate(usd, coin.code))
      const payment = started(request, {
        method: 'crypto',
        payCurrency: { code: coin.code, units },
        limits: COIN_LIMITS,
      })
      const { paymentId, ...rest } = common(payment, sandbox)
      const mark = derivedHex(paymentId, sandbox.secret).slice(0, 16).toUpperCase()
      return {
        paymentId,
        ...rest,
        address: `SANDBOX-SEND-NOTHING-${coin.code.toUpperCase()}-${mark}`,
        network: coin.network,
        memo: coin.hasMemo ? String(Number.parseInt(mark.slice(0, 8), 16)) : null,
        url: null,
        intents: null,
        quoteExpiresAt: isoTime(payment.startedMs + QUOTE_MINUTES * 60_000),
        expiresAt: isoTime(payment.startedMs + COIN_HOURS * HOUR_MS),
      }
    },
    async check(known) {
      return checked(known, 'crypto', sandbox, known.paymentId)
    },
    async limits(currency, code) {
      if (code !== undefined && !sandboxCoins.some((coin) => coin.code === code)) throw unknownCoin()
      return currency === 'USD' ? COIN_LIMITS : NOTHING
    },
  }
}

function unknownCoin(): PaymentRejected {
  return new PaymentRejected('The sandbox does not know this coin.')
}

function sandboxUpi(sandbox: Sandbox): PaymentProvider {
  return {
    name: 'sandbox-upi',
    async create(request) {
      const payment = started(request, {
        method: 'upi',
        payCurrency: { code: 'inr', units: BigInt(request.askedMinor) },
        limits: UPI_LIMITS,
      })
      const { paymentId, payAmount, payCurrency } = common(payment, sandbox)
      const link = upiLink({ payee: sandbox.shopName, amount: payAmount, reference: request.reference })
      // There is no payment page: the URL is the one that a gateway redirects to afterwards.
      const url = new URL(request.returnUrl)
      url.searchParams.set('client_txn_id', request.reference)
      url.searchParams.set('txn_id', `mock_${request.reference}`)
      return {
        paymentId,
        payAmount,
        payCurrency,
        address: null,
        network: null,
        url: url.href,
        intents: { bhim_link: link, phonepe_link: link, paytm_link: link, gpay_link: link },
        expiresAt: null,
      }
    },
    async check(known) {
      return checked(known, 'upi', sandbox, utrOf(known.paymentId, sandbox.secret))
    },
    async limits(currency) {
      return currency === 'INR' ? UPI_LIMITS : NOTHING
    },
  }
}

/** The same request always gives the same payment. */
function started(
  request: PaymentRequest,
  {
    method,
    payCurrency,
    limits,
  }: { method: PaymentMethod; payCurrency: { code: string; units: bigint }; limits: PaymentLimits },
): SandboxPayment {
  const { askedMinor, currency, customer, reference, requestedAt } = request
  if (currency !== methodRows[method].currency)
    throw new PaymentRejected(`The sandbox takes no ${currency} by ${method}.`)
  if (askedMinor < limits.minMinor || askedMinor > limits.maxMinor)
    throw new PaymentRejected(`The sandbox takes no payment of ${askedMinor} by ${method}.`)
  return {
    method,
    play: playFor(customer.name),
    startedMs: Date.parse(requestedAt),
    units: payCurrency.units,
    currency: payCurrency.code,
    referenceHash: referenceHash(reference),
  }
}

function common(payment: SandboxPayment, { secret }: Sandbox) {
  return {
    paymentId: idOf(payment, secret),
    payAmount: amountText(payment, payment.units),
    payCurrency: shownCurrency(payment),
  }
}

function checked(
  { paymentId }: KnownPayment,
  method: PaymentMethod,
  sandbox: Sandbox,
  receiptId: string,
): PaymentReport {
  const payment = paymentOf(paymentId, method, sandbox.secret)
  return reportOf(payment, progressOf(payment, elapsedSince(payment, sandbox), sandbox), receiptId)
}

function reportOf(payment: SandboxPayment, progress: SandboxProgress, receiptId: string): PaymentReport {
  const { status, seenUnits, arrivedUnits } = progress
  const zero = amountText(payment, 0n)
  const receipt = {
    receiptId,
    amount: amountText(payment, arrivedUnits),
    currency: shownCurrency(payment),
    askedAmount: amountText(payment, payment.units),
    reversedAmount: zero,
  }
  return {
    status,
    amountPaid: seenUnits > 0n ? amountText(payment, seenUnits) : null,
    receipts: arrivedUnits > 0n ? [receipt] : [],
  }
}

function amountText({ currency }: SandboxPayment, units: bigint): string {
  const coin = sandboxCoins.find(({ code }) => code === currency)
  return decimalText({ units, decimals: coin?.decimals ?? 2 })
}

function shownCurrency({ method, currency }: SandboxPayment): string {
  return method === 'crypto' ? currency : currency.toUpperCase()
}

function elapsedSince({ startedMs }: SandboxPayment, { now }: Sandbox): number {
  return now() - startedMs
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}

/** The bank's number for the transfer. Real ones have 12 digits, with which a million random ones would collide. */
function utrOf(paymentId: string, secret: Uint8Array): string {
  const derived = BigInt(`0x${derivedHex(paymentId, secret)}`)
  return String(derived % 10n ** BigInt(UTR_DIGITS)).padStart(UTR_DIGITS, '0')
}

// Some apps do not decode an escaped `@`.
function upiLink({ payee, amount, reference }: { payee: string; amount: string; reference: string }): string {
  return `upi://pay?pa=sandbox@upi&pn=${encodeURIComponent(payee)}&am=${amount}&cu=INR&tr=${encodeURIComponent(reference)}`
}
