import {
  type KnownPayment,
  PaymentRejected,
  type PaymentReport,
  type PaymentRequest,
  ReferenceUsed,
  type StartedPayment,
} from '../../payments/payment-provider.ts'
import type { PaymentMethod } from '../../domain/payment-methods.ts'

export interface BankReceipt {
  receiptId: string
  paidMinor: number
  reversedMinor: number
  changedMs: number
}

export interface BankPayment {
  readonly paymentId: string
  readonly reference: string
  readonly method: PaymentMethod
  readonly askedMinor: number
  readonly currency: string
  status: PaymentReport['status']
  /** A buyer was shown this payment: only then can it be paid. */
  isShown: boolean
  capturedBy: string | undefined
  wasApproved: boolean
  readonly receipts: BankReceipt[]
}

/** A report that a provider has sent and that may arrive late, often, in any order, or never. */
export interface BankNews {
  readonly payment: BankPayment
  readonly report: PaymentReport
}

/** What a provider does with a reference that it has seen; the port allows all three. */
export type RepeatedReference = 'same' | 'refused' | 'another'

/** Where the money truly is: all providers, as they know it. */
export class Bank {
  readonly payments: BankPayment[] = []
  readonly news: BankNews[] = []
  repeated: RepeatedReference = 'same'
  /** How a capture that is let through ends. */
  captureEnds: 'received' | 'confirming' | 'declined' = 'received'
  onCapture: (payment: BankPayment) => void = () => undefined

  create(method: PaymentMethod, request: PaymentRequest): StartedPayment {
    const first = this.payments.find(({ reference }) => reference === request.reference)
    if (first && this.repeated === 'refused') throw new ReferenceUsed(request.reference)
    if (first && this.repeated === 'same') return startedFrom(first)
    const payment: BankPayment = {
      paymentId: `pay-${this.payments.length + 1}`,
      reference: request.reference,
      method,
      askedMinor: request.askedMinor,
      currency: request.currency,
      status: 'waiting',
      isShown: false,
      capturedBy: undefined,
      wasApproved: false,
      receipts: [],
    }
    this.payments.push(payment)
    return startedFrom(payment)
  }

  check({ paymentId }: Pick<KnownPayment, 'paymentId'>): PaymentReport {
    const payment = this.payments.find((other) => other.paymentId === paymentId)
    if (!payment) throw new PaymentRejected(`no payment ${paymentId}`)
    return reportOf(payment)
  }

  capture({ paymentId }: KnownPayment, requestId: string, nowMs: number): PaymentReport {
    const payment = this.payments.find((other) => other.paymentId === paymentId)
    if (!payment) throw new PaymentRejected(`no payment ${paymentId}`)
    if (payment.status === 'approved' && payment.capturedBy === undefined) {
      this.onCapture(payment)
      payment.capturedBy = requestId
      if (this.captureEnds === 'received') this.pay(payment, payment.askedMinor, nowMs)
      else payment.status = this.captureEnds
    }
    return reportOf(payment)
  }

  /** Money arrives under one receipt; more of it grows. */
  pay(payment: BankPayment, minor: number, nowMs: number, receiptId = `receipt-of-${payment.paymentId}`): void {
    const known = payment.receipts.find((receipt) => receipt.receiptId === receiptId)
    if (known) {
      known.paidMinor += minor
      known.changedMs = nowMs
    } else payment.receipts.push({ receiptId, paidMinor: minor, reversedMinor: 0, changedMs: nowMs })
    const sum = payment.receipts.reduce((total, { paidMinor }) => total + paidMinor, 0)
    payment.status = sum < payment.askedMinor ? 'partially_paid' : 'received'
  }

  /** The same receipt is reported for another payment; its changes may be reported for one of them only. */
  share(receipt: BankReceipt, payment: BankPayment, { isOwnCopy, nowMs }: { isOwnCopy: boolean; nowMs: number }): void {
    receipt.changedMs = nowMs
    payment.receipts.push(isOwnCopy ? { ...receipt } : receipt)
    payment.status = 'received'
  }

  reverse(payment: BankPayment, share: number, nowMs: number): void {
    for (const receipt of payment.receipts) {
      const minor = Math.max(1, Math.floor(receipt.paidMinor * share))
      if (minor <= receipt.reversedMinor) continue
      receipt.reversedMinor = minor
      receipt.changedMs = nowMs
    }
  }

  /** Sends what is known now; whether and when it arrives is another question. */
  send(payment: BankPayment): void {
    this.news.push({ payment, report: reportOf(payment) })
  }
}

export function minorText(minor: number): string {
  return (minor / 100).toFixed(2)
}

function reportOf({ status, askedMinor, currency, receipts }: BankPayment): PaymentReport {
  const paid = receipts.reduce((total, { paidMinor }) => total + paidMinor, 0)
  return {
    status,
    amountPaid: paid > 0 ? minorText(paid) : null,
    receipts: receipts.map(({ receiptId, paidMinor, reversedMinor }) => ({
      receiptId,
      amount: minorText(paidMinor),
      currency,
      askedAmount: minorText(askedMinor),
      reversedAmount: minorText(reversedMinor),
    })),
  }
}

function startedFrom({ paymentId, askedMinor, currency }: BankPayment): StartedPayment {
  const payAmount = minorText(askedMinor)
  const nothing = { address: null, network: null, url: null, intents: null, expiresAt: null }
  return { paymentId, payAmount, payCurrency: currency, ...nothing }
}
