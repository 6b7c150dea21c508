import type { ProviderHealth } from './provider-health.ts'
import type { ReportedRefund } from '../domain/order/commands.ts'
import type { SeenPart } from '../domain/order/order-state.ts'
import {
  type Currency,
  type DisputeOutcome,
  type SeenStatus,
  seenStatuses,
  type SellerProtection,
} from '../domain/words.ts'
import { TryAgain } from '../ports/try-again.ts'

/** A payment to open at a provider. */
export interface PaymentRequest {
  /** Our name for this payment at the provider: opaque, unique per attempt, at most 30 characters of [A-Z0-9-]. */
  readonly reference: string
  /** Cents, or paise for INR; every fee included, and within the `limits`. */
  readonly askedMinor: number
  readonly currency: Currency
  /** Shown to the payer by the provider. */
  readonly description: string
  /** The payee's name, for providers that show one. */
  readonly shopName: string
  /** The coin, for crypto. */
  readonly payCurrency: string | undefined
  /** For gateways that need them; forwarded, never stored. */
  readonly customer: {
    readonly name: string
    readonly email: string
    readonly phone: string | undefined
  }
  /** Where the provider redirects the browser afterwards. */
  readonly returnUrl: string
  readonly requestedAt: string
  /** The order's first payment: it goes before further ones. */
  readonly isFirst: boolean
}

export interface StartedPayment {
  /** The provider's id, as text. */
  readonly paymentId: string
  /** What the buyer pays: plain decimal text, in `payCurrency`. */
  readonly payAmount: string
  readonly payCurrency: string
  readonly address: string | null
  /** Without it money at `address` is not found; only for some coins. */
  readonly memo?: string | null
  readonly network: string | null
  readonly url: string | null
  readonly intents: Readonly<Record<string, string>> | null
  /** When the quote expires. */
  readonly quoteExpiresAt?: string | null
  /** When the payment expires. */
  readonly expiresAt: string | null
}

/** A payment to check, from our events. */
export interface KnownPayment {
  readonly paymentId: string
  readonly reference: string
  /** Our times of the request and its reply: the provider opened it between them, by its own clock. */
  readonly requestedAt: string
  readonly startedAt: string
  readonly askedMinor: number
  readonly payAmount: string
  readonly payCurrency: string
  /** Other ids under which the provider may know this payment: recorded receipts, seen parts, money in another coin, open disputes, and ids from webhooks. */
  readonly otherIds: readonly string[]
}

/** For a payment made in the provider's own window or page. */
export const nowhere = { address: null, network: null, url: null, intents: null, expiresAt: null } as const

/** A payment found at its provider by id alone. */
export interface FoundPayment {
  /** Our reference, if it names one. */
  readonly reference: string | undefined
  readonly money: readonly Money[]
  /** Left out if its id is our reference. */
  readonly opened?: StartedPayment
  /** For a later transfer: the payment whose address it used. */
  readonly parentId?: string | undefined
}

/** Money received, seen or in another coin, by the id that it is noted under. */
export type Money = Pick<ReceiptReport, 'receiptId' | 'amount' | 'currency'>

/** Money received, under the provider's permanent id. */
export interface ReceiptReport {
  /** PayPal's capture, NOWPayments' payment, the bank's UTR, cf_payment_id. */
  readonly receiptId: string
  /** All that arrived under this id so far; plain decimal text. */
  readonly amount: string
  readonly currency: string
  /** The full amount, in the same currency; plain decimal text. */
  readonly askedAmount: string
  /** Refunded or charged back so far; plain decimal text. Null if it cannot be read now. */
  readonly reversedAmount: string | null
  /** Refunds that are under way, and those that failed; by default none. */
  readonly pendingAmount?: string
  readonly failedAmount?: string
  readonly sellerProtection?: SellerProtection | undefined
  /** Its refunds that have an id of the caller; only if the provider can send refunds. */
  readonly refunds?: readonly ReportedRefund[]
}

/** A refund to be sent. */
export interface RefundOrder {
  /** Our name for it: 3 to 40 letters and digits. */
  readonly refundId: string
  readonly receiptId: string
  /** Plain decimal text with two decimals, in the receipt's currency. */
  readonly amount: string
  readonly currency: string
}

/** A payer's complaint at the provider about money that was received. */
export interface DisputeReport {
  readonly disputeId: string
  readonly receiptId: string
  /** Money that a lost one took is in the receipt's reversal. */
  readonly outcome: DisputeOutcome
  /** By when the shop must answer, if the provider says so. */
  readonly respondBy?: string | undefined
}

export interface PaymentReport {
  /**
   * `waiting`: nothing yet. `approved`: the payer approved, a capture may take the money.
   * `received`: all money is in `receipts`. `failed` and so on: no more money comes, unless the provider reports it later.
   * `unknown`: a status we do not know; nothing changes.
   */
  readonly status:
    | 'waiting'
    | 'approved'
    | SeenStatus
    | 'received'
    | 'failed'
    | 'expired'
    | 'refunded'
    | 'declined'
    | 'cancelled'
    | 'unknown'
  /** What the payer has sent so far, if the provider reports it; in `payCurrency`. */
  readonly amountPaid: string | null
  readonly receipts: readonly ReceiptReport[]
  /** Money in another coin than was asked for: only a person can say what it is worth. `isGone`: it went back. */
  readonly strays?: readonly (Money & { readonly isGone?: boolean })[]
  /** Transfers that hold money and are no receipt: unconfirmed, stuck, or with an unknown status. '0' is an unreported amount. */
  readonly parts?: readonly SeenPart[]
  /** Ids of transfers that hold no money, as the provider says: seen ones that failed, or receipts that it withdraws. */
  readonly ended?: readonly string[]
  /** What went back of transfers that are no receipts in this report, such as under an unknown status. `receiptId` may be a recorded one. */
  readonly back?: readonly Money[]
  readonly disputes?: readonly DisputeReport[]
  /** The payer's account at the provider, if it names one. Never stored. */
  readonly payerId?: string
  /** A status word is unknown, and nothing says whether it means money. */
  readonly isUnclear?: boolean
}

/** A payment's money. `paymentId` is the id of seen money without an id of its own. */
export function moneyIn(
  { receipts, strays = [], parts = [], status, amountPaid }: PaymentReport,
  { paymentId, payCurrency }: Pick<StartedPayment, 'paymentId' | 'payCurrency'>,
): Money[] {
  const seen = parts.map(({ id, ...part }) => ({ receiptId: id, ...part }))
  const present = strays.filter(({ isGone }) => isGone !== true)
  const money = [...receipts, ...present, ...seen].map(({ receiptId, amount, currency }) => ({
    receiptId,
    amount,
    currency,
  }))
  const isSeen = seenStatuses.some((one) => one === status)
  return money.length === 0 && isSeen
    ? [{ receiptId: paymentId, amount: amountPaid ?? '0', currency: payCurrency }]
    : money
}

/** What a provider says of the shop's keys. */
export interface KeysReport {
  readonly areAccepted: boolean
  /** Why not, in the provider's own words, at most 200 characters; null if they are accepted. */
  readonly reason: string | null
  /** Whether they may send refunds, if the provider says so. */
  readonly mayRefund?: boolean
}

/** Amounts that it accepts, in minor units of its method's currency. */
export interface PaymentLimits {
  readonly minMinor: number
  readonly maxMinor: number
}

/**
 * One provider of one payment method.
 *
 * Promised: every call ends within its timeout; `create` with a used reference returns the same payment, throws `ReferenceUsed`,
 * or opens another, to be found by `find` and `otherIds`; `check` reports the current state. Deliberately not: retries.
 */
export interface PaymentProvider {
  readonly name: string
  /** Its payment ids are our references, so a payment can be checked even if its creation got no reply. */
  readonly isKnownByReference?: true
  create(request: PaymentRequest): Promise<StartedPayment>
  /** `checks`: a poll, which yields to looks that someone waits for. */
  check(payment: KnownPayment, kind?: 'looks' | 'checks'): Promise<PaymentReport>
  /** Only if a webhook may name a payment that no order recorded. Throws `PaymentRejected` for an unknown id. */
  find?(paymentId: string): Promise<FoundPayment>
  /** Captures approved money; the same `requestId` never captures twice. Only if approval and capture are two steps. */
  capture?(payment: KnownPayment, requestId: string): Promise<PaymentReport>
  /**
   * Sends money of a receipt back; the same `refundId` never sends it twice. Resolves to what the provider says of it, and throws `PaymentRejected` if it
   * refuses for good, in words for staff: `check` shows whether an earlier call took effect. Only if that needs nothing but the shop's keys.
   */
  refund?(payment: KnownPayment, refund: RefundOrder): Promise<ReportedRefund>
  /** `payCurrency`: the coin, for crypto; without one, the coin that is offered first. */
  limits(payCurrency?: string): Promise<PaymentLimits>
  /**
   * Asks whether the shop's keys are accepted, by one call that changes nothing and is never served from a cache. A refusal is a result; `ProviderAway`
   * means that nothing is known. Only if the provider has such a call.
   */
  checkKeys?(): Promise<KeysReport>
  /** For the provider's script in the browser. */
  clientToken?(): Promise<string>
  /** Where the browser loads that script; a provider without a script has none. */
  readonly scriptUrl?: string
  /**
   * Reads a webhook, changing nothing. It calls the provider only for a signature's certificate, and throws `ProviderAway` if that cannot be read.
   * Only if the provider sends any.
   */
  readWebhook?(webhook: ReceivedWebhook): WebhookRead | Promise<WebhookRead>
  /** A payment is a single transfer: a receipt is all that was ever seen of it. */
  readonly isOneTransfer?: true
  /** Its webhooks are not signed: anyone can send one. */
  readonly hasUnsignedWebhooks?: true
  /** Only if it is called over the network. */
  readonly health?: ProviderHealth
  /** Only for crypto. */
  readonly rates?: CryptoRates
}

export interface ReceivedWebhook {
  /** As it arrived: signatures are over the bytes. */
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** What a webhook says. Only its payment's ids are used, to read the payment again. */
export interface WebhookNews {
  readonly paymentId: string
  /** Our reference, as the webhook says; empty if only the payment has it. */
  readonly reference: string
  /** The same text for the same news; undefined if it may be forged. */
  readonly news: string | undefined
}

export type WebhookRead = WebhookNews | 'unsigned' | 'malformed' | 'foreign'

/** What coins are worth. Amounts are plain decimal text. */
export interface CryptoRates {
  currencies(): Promise<readonly string[]>
  estimate(from: { amount: string; currency: string }, to: string): Promise<string>
  minAmount(from: string, to: string): Promise<string>
}

/** Unreachable, too slow, or an invalid answer. The request may have taken effect. */
export class ProviderAway extends TryAgain {
  override readonly name = 'ProviderAway'
  readonly code = 'provider-away'
}

/** The reference belongs to an earlier payment that the provider does not return again. */
export class ReferenceUsed extends Error {
  override readonly name = 'ReferenceUsed'
}

/** The provider rejects this payment for good. The message is fit for staff. */
export class PaymentRejected extends Error {
  override readonly name = 'PaymentRejected'
  /** The provider's own word or number for the reason, if needed. */
  readonly code: string | undefined

  constructor(message: string, code?: string) {
    super(message)
    this.code = code
  }
}

/** For `catch`: undefined if the provider rejects the request. */
export function unlessRejected(error: unknown): undefined {
  if (!(error instanceof PaymentRejected)) throw error
}

/** For `catch`: undefined if the provider cannot be reached. */
export function unlessAway(error: unknown): undefined {
  if (!(error instanceof ProviderAway)) throw error
}

/** What the windows of the providers in use need of the page that opens them. */
export interface ProviderWindows {
  /** Of scripts, calls, frames, pictures and forms; none if no window opens. */
  readonly hosts: readonly string[]
  readonly hasInlineStyles: boolean
}
