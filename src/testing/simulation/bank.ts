import {
  type DisputeReport,
  type FoundPayment,
  type KnownPayment,
  moneyIn,
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

/** An unconfirmed transfer. `silent`: the provider no longer reports it. */
export interface BankPart {
  readonly id: string
  readonly minor: number
  state: 'seen' | 'ended' | 'silent'
}

export interface BankPayment {
  readonly paymentId: string
  readonly reference: string
  readonly method: PaymentMethod
  readonly askedMinor: number
  readonly currency: PaymentRequest['currency']
  status: PaymentReport['status']
  /** Only payments that were shown to a buyer can be paid. */
  isShown: boolean
  capturedBy: string | undefined
  wasApproved: boolean
  readonly receipts: BankReceipt[]
  seen: BankPart[]
  /** A later transfer to a used address is its own payment, with a parent. */
  readonly transfer?: { readonly parentId: string; readonly isListed: boolean; readonly isStray: boolean }
}

/** A payer disputes money at the provider; nothing is reversed until the decision. */
export interface BankDispute extends Readonly<Omit<DisputeReport, 'outcome'>> {
  readonly payment: BankPayment
  outcome: DisputeReport['outcome']
}

/** A report of a provider. It may arrive late, repeatedly, out of order, or never. */
export interface BankNews {
  readonly payment: BankPayment
  readonly report: PaymentReport
}

/** How a provider handles a used reference; the port allows all three. */
export type RepeatedReference = 'same' | 'refused' | 'another'

/** All providers: where the money really is. */
export class Bank {
  readonly payments: BankPayment[] = []
  readonly news: BankNews[] = []
  readonly disputes: BankDispute[] = []
  repeated: RepeatedReference = 'same'
  /** The result of a successful capture. */
  captureEnds: 'received' | 'confirming' | 'declined' = 'received'
  onCapture: (payment: BankPayment) => void = () => undefined

  create(method: PaymentMethod, request: PaymentRequest): StartedPayment {
    const first = this.payments.find(({ reference }) => reference === request.reference)
    if (first && this.repeated === 'refused') throw new ReferenceUsed(request.reference)
    if (first && this.repeated === 'same') return startedFrom(first)
    return startedFrom(this.open(method, request))
  }

  open(
    method: PaymentMethod,
    { reference, askedMinor, currency }: Pick<PaymentRequest, 'reference' | 'askedMinor' | 'currency'>,
    transfer?: BankPayment['transfer'],
  ): BankPayment {
    const payment: BankPayment = {
      paymentId: `pay-${this.payments.length + 1}`,
      reference,
      method,
      askedMinor,
      currency,
      status: 'waiting',
      isShown: false,
      capturedBy: undefined,
      wasApproved: false,
      receipts: [],
      seen: [],
      ...(transfer && { transfer }),
    }
    this.payments.push(payment)
    return payment
  }

  /** Reports all payments of this reference that are listed with it or asked for by id. */
  check(known: KnownPayment): PaymentReport {
    const payment = this.known(known.paymentId)
    const isOfIt = ({ reference, askedMinor, transfer }: BankPayment): boolean =>
      reference === known.reference && (transfer !== undefined || askedMinor === known.askedMinor)
    if (!isOfIt(payment)) throw new PaymentRejected(`${known.paymentId} is of another order`)
    const others = this.payments.filter(
      (other) =>
        other !== payment &&
        isOfIt(other) &&
        (isListedWith(payment, other) || known.otherIds.includes(other.paymentId)),
    )
    const disputes = this.disputes.filter((one) => one.payment === payment && known.otherIds.includes(one.disputeId))
    const report = reportTogether(payment, others)
    return disputes.length === 0 ? report : { ...report, disputes: disputes.map(disputeReport) }
  }

  find(paymentId: string): FoundPayment {
    const payment = this.known(paymentId)
    const { reference, transfer } = payment
    const opened = startedFrom(payment)
    return { reference, money: moneyIn(reportOf(payment), opened), opened, parentId: transfer?.parentId }
  }

  private known(paymentId: string): BankPayment {
    const payment = this.payments.find((other) => other.paymentId === paymentId)
    if (!payment) throw new PaymentRejected(`no payment ${paymentId}`)
    return payment
  }

  capture({ paymentId }: KnownPayment, requestId: string, nowMs: number): PaymentReport {
    const payment = this.known(paymentId)
    if (payment.status === 'approved' && payment.capturedBy === undefined) {
      this.onCapture(payment)
      payment.capturedBy = requestId
      if (this.captureEnds === 'received') this.pay(payment, payment.askedMinor, nowMs)
      else payment.status = this.captureEnds
    }
    return reportOf(payment)
  }

  /** Adds money to the receipt of a payment. */
  pay(payment: BankPayment, minor: number, nowMs: number): void {
    const receiptId = payment.method === 'crypto' ? payment.paymentId : `receipt-of-${payment.paymentId}`
    const known = payment.receipts.find((receipt) => receipt.receiptId === receiptId)
    if (known) Object.assign(known, { paidMinor: known.paidMinor + minor, changedMs: nowMs })
    else payment.receipts.push({ receiptId, paidMinor: minor, reversedMinor: 0, changedMs: nowMs })
    payment.status = paidOf(payment) < payment.askedMinor ? 'partially_paid' : 'received'
  }

  /** Adds an unconfirmed transfer with its own id. */
  see(payment: BankPayment, minor: number): void {
    const number = payment.seen.length + payment.receipts.length + 1
    payment.seen.push({ id: `${payment.paymentId}-part-${number}`, minor, state: 'seen' })
    if (payment.receipts.length === 0) payment.status = 'confirming'
  }

  ends(payment: BankPayment, part: BankPart, as: 'received' | 'ended' | 'silent', { nowMs }: { nowMs: number }): void {
    if (as === 'received') {
      payment.seen = payment.seen.filter((other) => other !== part)
      const { id: receiptId, minor: paidMinor } = part
      payment.receipts.push({ receiptId, paidMinor, reversedMinor: 0, changedMs: nowMs })
      payment.status = paidOf(payment) < payment.askedMinor ? 'partially_paid' : 'received'
      return
    }
    part.state = as
    const isOver = payment.receipts.length === 0 && !payment.seen.some(({ state }) => state === 'seen')
    if (isOver) payment.status = as === 'ended' ? 'declined' : 'failed'
  }

  /** Reports a receipt for another payment, too. Later changes may be reported for only one of them. */
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

  /** Refunds a part of a receipt. */
  refund(payment: BankPayment, { receiptId, share }: { receiptId: string; share: number }, nowMs: number): void {
    for (const receipt of payment.receipts) {
      if (receipt.receiptId !== receiptId) continue
      receipt.reversedMinor = Math.min(receipt.paidMinor, receipt.reversedMinor + Math.floor(receipt.paidMinor * share))
      receipt.changedMs = nowMs
    }
  }

  dispute(payment: BankPayment, { receiptId }: BankReceipt): BankDispute {
    const disputeId = `dispute-${this.disputes.length + 1}`
    const dispute: BankDispute = { disputeId, receiptId, payment, outcome: 'open' }
    this.disputes.push(dispute)
    return dispute
  }

  /** Queues a report of the current state. */
  send(payment: BankPayment): void {
    this.news.push({ payment, report: reportOf(payment) })
  }
}

function disputeReport({ disputeId, receiptId, outcome }: BankDispute): DisputeReport {
  return { disputeId, receiptId, outcome }
}

function isListedWith({ paymentId }: BankPayment, { transfer }: BankPayment): boolean {
  return transfer?.isListed === true && transfer.parentId === paymentId
}

const arrivals = new Set<PaymentReport['status']>(['confirming', 'confirmed', 'sending', 'partially_paid', 'received'])

function reportTogether(payment: BankPayment, others: readonly BankPayment[]): PaymentReport {
  const own = reportOf(payment)
  if (others.length === 0) return own
  const isStray = ({ transfer }: BankPayment): boolean => transfer?.isStray === true
  const further = others.find(({ status }) => arrivals.has(status))
  const { askedMinor } = payment
  const receiptsOf = (some: readonly BankPayment[]) => some.flatMap((one) => reportOf({ ...one, askedMinor }).receipts)
  return {
    ...own,
    status: arrivals.has(own.status) ? own.status : (further?.status ?? own.status),
    receipts: [...own.receipts, ...receiptsOf(others.filter((other) => !isStray(other)))],
    strays: receiptsOf(others.filter(isStray)).map((receipt) => ({ ...receipt, currency: 'another coin' })),
  }
}

export function minorText(minor: number): string {
  return (minor / 100).toFixed(2)
}

function paidOf({ receipts }: Pick<BankPayment, 'receipts'>): number {
  return receipts.reduce((total, { paidMinor }) => total + paidMinor, 0)
}

function reportOf({ status, askedMinor, currency, receipts, seen }: BankPayment): PaymentReport {
  const parts = seen.filter(({ state }) => state === 'seen')
  const ended = seen.filter(({ state }) => state === 'ended')
  const paid = paidOf({ receipts })
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
    ...(parts.length > 0 && { parts: parts.map(({ id, minor }) => ({ id, amount: minorText(minor), currency })) }),
    ...(ended.length > 0 && { ended: ended.map(({ id }) => id) }),
  }
}

function startedFrom({ paymentId, askedMinor, currency }: BankPayment): StartedPayment {
  const payAmount = minorText(askedMinor)
  const nothing = { address: null, network: null, url: null, intents: null, expiresAt: null }
  return { paymentId, payAmount, payCurrency: currency, ...nothing }
}
