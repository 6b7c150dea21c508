import { TryAgain } from '../ports/try-again.ts'

/** What a provider is asked to take. */
export interface PaymentRequest {
  /** Our name for this payment at the provider: tells nothing, unique per attempt, at most 30 characters of [A-Z0-9-]. */
  readonly reference: string
  /** Cents, or paise for INR; every fee included. */
  readonly askedMinor: number
  readonly currency: 'USD' | 'INR'
  /** Shown to the payer by the provider. */
  readonly description: string
  /** The coin, for crypto. */
  readonly payCurrency: string | undefined
  /** For gateways that want them; passed on, never kept by us. */
  readonly customer: {
    readonly name: string
    readonly email: string
    readonly phone: string | undefined
  }
  /** Where the browser comes back to. */
  readonly returnUrl: string
  readonly requestedAt: string
}

export interface StartedPayment {
  /** The provider's id, as text. */
  readonly paymentId: string
  /** What the buyer pays: plain decimal text, in `payCurrency`. */
  readonly payAmount: string
  readonly payCurrency: string
  readonly address: string | null
  readonly network: string | null
  readonly url: string | null
  readonly intents: Readonly<Record<string, string>> | null
  readonly expiresAt: string | null
}

/** A payment to ask about, as our events know it. */
export interface KnownPayment {
  readonly paymentId: string
  readonly reference: string
  readonly startedAt: string
  readonly askedMinor: number
  readonly currency: 'USD' | 'INR'
  readonly payAmount: string
  readonly payCurrency: string
}

/** Money that arrived, under the id by which the provider knows it for ever. */
export interface ReceiptReport {
  /** PayPal's capture, NOWPayments' payment, the bank's UTR, cf_payment_id. */
  readonly receiptId: string
  /** All that arrived under this id so far; plain decimal text. */
  readonly amount: string
  readonly currency: string
  /** What full payment would be, in the same currency; plain decimal text. */
  readonly askedAmount: string
  /** Given back by the provider so far (refund, chargeback); plain decimal text. */
  readonly reversedAmount: string
}

export interface PaymentReport {
  /**
   * `waiting`: nothing yet. `approved`: the payer agreed, a capture may take the money. `confirming`, `confirmed`, `sending`, `partially_paid`: seen.
   * `received`: all that is coming is in `receipts`. `failed` and so on: this payment brings nothing more, unless the provider changes its mind.
   * `unknown`: a word we do not know; nothing changes.
   */
  readonly status:
    | 'waiting'
    | 'approved'
    | 'confirming'
    | 'confirmed'
    | 'sending'
    | 'partially_paid'
    | 'received'
    | 'failed'
    | 'expired'
    | 'refunded'
    | 'declined'
    | 'cancelled'
    | 'unknown'
  /** What the payer has sent so far, where the provider tells; in `payCurrency`. */
  readonly amountPaid: string | null
  readonly receipts: readonly ReceiptReport[]
}

/** What a provider takes, in minor units of the currency that it is asked in. */
export interface PaymentLimits {
  readonly minMinor: number
  readonly maxMinor: number
}

/**
 * One provider of one payment method.
 *
 * Promised: every call ends within its time-out; `create` with a reference that was used answers the same payment or throws `ReferenceUsed`;
 * `check` tells what the provider knows now. Deliberately not: retries (callers decide), webhooks, refunds.
 */
export interface PaymentProvider {
  readonly name: string
  create(request: PaymentRequest): Promise<StartedPayment>
  check(payment: KnownPayment): Promise<PaymentReport>
  /** Takes money that was approved. The same `requestId` never takes it twice. Only where approval and taking are two steps. */
  capture?(payment: KnownPayment, requestId: string): Promise<PaymentReport>
  limits(currency: 'USD' | 'INR'): Promise<PaymentLimits>
  /** For the provider's script in the browser. */
  clientToken?(): Promise<string>
  /** Only where coins are paid with. */
  readonly rates?: CryptoRates
}

/** What coins are worth. Amounts are plain decimal text. */
export interface CryptoRates {
  currencies(): Promise<string[]>
  estimate(from: { amount: string; currency: string }, to: string): Promise<string>
  minAmount(from: string, to: string): Promise<string>
}

/** The provider cannot be reached, is too slow, or answers nonsense. What was asked may have happened. */
export class ProviderAway extends TryAgain {
  override readonly name = 'ProviderAway'
  readonly code = 'provider-away'
}

/** This reference belongs to an earlier payment that the provider will not give again. */
export class ReferenceUsed extends Error {
  override readonly name = 'ReferenceUsed'
}

/** The provider says no to this payment, and will say so again. The message is fit for staff. */
export class PaymentRejected extends Error {
  override readonly name = 'PaymentRejected'
}
