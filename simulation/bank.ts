import {
  type DisputeReport,
  type FoundPayment,
  type KnownPayment,
  moneyIn,
  PaymentRejected,
  type PaymentReport,
  type PaymentRequest,
  ReferenceUsed,
  type RefundOrder,
  type StartedPayment,
} from '../src/payments/payment-provider.ts'
import type { ReportedRefund } from '../src/domain/order/commands.ts'
import type { PlacedOrder } from '../src/domain/order/order-state.ts'
import type { PaymentMethod } from '../src/domain/payment-methods.ts'
import { seenStatuses } from '../src/domain/words.ts'

/** Money in units of its payment: cents, paise, or the smallest part of a coin. */
type Units = number

export interface BankReceipt {
  readonly receiptId: string
  /** What the provider says has arrived; it may be corrected downwards. */
  paid: Units
  /** The most that it ever said. */
  peak: Units
  /** Refunded or charged back, which may be undone. */
  reversed: Units
  /** Refunds under way, and failed ones. */
  pending: Units
  failed: Units
  /** `loose`: its word does not say that the money is final, and `more` may have come with it. `withdrawn`: there is no such money. */
  state: 'final' | 'loose' | 'withdrawn'
  more: Units
  /** Refunds that the shop has sent; their amounts are in the sums above. */
  readonly sends: { readonly refundId: string; readonly amount: Units; as: RefundEnd }[]
  /** Some of it has gone back, by any report. */
  wentBack: boolean
  /** Something that had gone back is there again. */
  cameAgain: boolean
  changedMs: number
}

/** An unconfirmed transfer. `silent`: the provider no longer reports it. */
export interface BankPart {
  readonly id: string
  readonly amount: Units
  state: 'seen' | 'ended' | 'silent'
}

export interface BankPayment {
  readonly paymentId: string
  readonly reference: string
  readonly method: PaymentMethod
  /** The price. */
  readonly askedMinor: number
  readonly currency: PaymentRequest['currency']
  /** The payer's amount and its decimals; in coins at a rate. */
  readonly asked: Units
  readonly decimals: number
  /** The provider's own word. */
  status: PaymentReport['status']
  /** When its word, or its money that is not final, last changed. */
  changedMs: number
  /** Parts that are still to come, which make up exactly what was asked. */
  due: Units[]
  /** Only payments that were shown to a buyer can be paid. */
  isShown: boolean
  capturedBy: string | undefined
  wasApproved: boolean
  readonly receipts: BankReceipt[]
  seen: BankPart[]
  /** Money under a success without a number; it gets one, or fails. */
  unnumbered: Units
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
  /** The order as it was then. */
  readonly asked: PlacedOrder | undefined
}

/** How a provider handles a used reference; the port allows all three. */
export type RepeatedReference = 'same' | 'refused' | 'another'

/** All providers: where the money really is. */
export class Bank {
  readonly payments: BankPayment[] = []
  readonly news: BankNews[] = []
  readonly disputes: BankDispute[] = []
  repeated: RepeatedReference = 'same'
  /** Payments by UPI are single transfers. */
  isOneTransfer = false
  upiMinMinor = 10_000
  /** The result of a successful capture. */
  captureEnds: 'received' | 'confirming' | 'declined' = 'received'
  onCapture: (payment: BankPayment) => void = () => undefined
  /** How refunds that the shop sends end. */
  refundsEnd: 'reversed' | 'pending' = 'reversed'
  refusesRefunds = false

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
      ...(method === 'crypto' ? inCoins(askedMinor) : { asked: askedMinor, decimals: 2 }),
      status: 'waiting',
      changedMs: 0,
      due: [],
      isShown: false,
      capturedBy: undefined,
      wasApproved: false,
      receipts: [],
      seen: [],
      unnumbered: 0,
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
      if (this.captureEnds === 'received') this.pay(payment, payment.asked, nowMs)
      else this.says(payment, this.captureEnds, nowMs)
    }
    return reportOf(payment)
  }

  /** Sends a refund once, by its id. */
  sendRefund({ refundId, receiptId, amount }: RefundOrder, now: { nowMs: number; onMade: () => void }): ReportedRefund {
    const receipts = this.payments.flatMap((payment) => payment.receipts)
    const receipt = receipts.find((one) => one.receiptId === receiptId)
    if (!receipt) throw new PaymentRejected('no such receipt')
    const known = receipt.sends.find((one) => one.refundId === refundId)
    if (known) return reportedSend(known)
    const units = Math.round(Number(amount) * 100)
    const left = receipt.paid - receipt.reversed - receipt.pending
    const isDisputed = this.disputes.some((one) => one.receiptId === receiptId && one.outcome === 'open')
    if (isDisputed || this.refusesRefunds || receipt.state !== 'final' || units > left)
      throw new PaymentRejected('the provider refuses it')
    now.onMade()
    const sent = { refundId, amount: units, as: this.refundsEnd }
    receipt.sends.push(sent)
    this.refund(receipt, units, { as: sent.as, nowMs: now.nowMs })
    return reportedSend(sent)
  }

  says(payment: BankPayment, status: BankPayment['status'], nowMs: number): void {
    Object.assign(payment, { status, changedMs: nowMs })
  }

  /** Adds money to the receipt of a payment. */
  pay(payment: BankPayment, amount: Units, nowMs: number): void {
    const receiptId = payment.method === 'crypto' ? payment.paymentId : `receipt-of-${payment.paymentId}`
    const known = payment.receipts.find((receipt) => receipt.receiptId === receiptId)
    const paid = (known?.paid ?? 0) + amount
    if (known) {
      known.cameAgain ||= known.state === 'withdrawn' || known.paid < known.peak
      const peak = Math.max(known.peak, paid)
      Object.assign(known, { paid, peak, state: 'final', more: 0, changedMs: nowMs })
    } else payment.receipts.push(newReceipt(receiptId, amount, nowMs))
    this.numbered(payment, nowMs)
  }

  /** Adds a transfer of its own. */
  payPart(payment: BankPayment, amount: Units, nowMs: number): void {
    const number = payment.seen.length + payment.receipts.length + 1
    payment.receipts.push(newReceipt(`${payment.paymentId}-part-${number}`, amount, nowMs))
    this.numbered(payment, nowMs)
  }

  /** Its money has a number now. */
  private numbered(payment: BankPayment, nowMs: number): void {
    payment.unnumbered = 0
    this.says(payment, 'received', nowMs)
  }

  /** Adds an unconfirmed transfer with its own id. */
  see(payment: BankPayment, amount: Units, nowMs: number): void {
    const number = payment.seen.length + payment.receipts.length + 1
    payment.seen.push({ id: `${payment.paymentId}-part-${number}`, amount, state: 'seen' })
    this.says(payment, payment.receipts.length === 0 ? 'confirming' : payment.status, nowMs)
  }

  ends(payment: BankPayment, part: BankPart, as: 'received' | 'ended' | 'silent', { nowMs }: { nowMs: number }): void {
    if (as === 'received') {
      payment.seen = payment.seen.filter((other) => other !== part)
      payment.receipts.push(newReceipt(part.id, part.amount, nowMs))
      this.numbered(payment, nowMs)
      return
    }
    part.state = as
    const isOver = payment.receipts.length === 0 && !payment.seen.some(({ state }) => state === 'seen')
    this.says(payment, isOver ? (as === 'ended' ? 'declined' : 'failed') : payment.status, nowMs)
  }

  /** Reports a receipt for another payment, too. Later changes may be reported for only one of them. */
  share(receipt: BankReceipt, payment: BankPayment, { isOwnCopy, nowMs }: { isOwnCopy: boolean; nowMs: number }): void {
    receipt.changedMs = nowMs
    // Two copies may differ later.
    if (isOwnCopy) Object.assign(receipt, { wentBack: true, cameAgain: true })
    payment.receipts.push(isOwnCopy ? { ...receipt } : receipt)
    this.numbered(payment, nowMs)
  }

  reverse(payment: BankPayment, share: number, nowMs: number): void {
    for (const receipt of payment.receipts) {
      const amount = Math.min(Math.max(1, Math.floor(receipt.paid * share)), receipt.paid - receipt.pending)
      if (amount <= receipt.reversed) continue
      Object.assign(receipt, { reversed: amount, wentBack: true, changedMs: nowMs })
    }
  }

  /** Pays a part of a receipt back; the refund may be under way, or fail. */
  refund(receipt: BankReceipt, amount: Units, { as, nowMs }: { as: RefundEnd; nowMs: number }): void {
    const left = Math.max(0, receipt.paid - (as === 'failed' ? receipt.failed : receipt.reversed + receipt.pending))
    receipt[as] += Math.min(left, amount)
    receipt.wentBack ||= as !== 'failed'
    receipt.changedMs = nowMs
  }

  /** A refund that was under way ends, or one that failed is made once more. */
  refundEnds(receipt: BankReceipt, from: 'pending' | 'failed', to: RefundEnd, nowMs: number): void {
    const amount = receipt[from]
    receipt[from] = 0
    for (const sent of receipt.sends) if (sent.as === from) sent.as = to
    receipt.cameAgain ||= from === 'pending' && to === 'failed'
    this.refund(receipt, amount, { as: to, nowMs })
  }

  /** Says that less has arrived than before, or what it said first. */
  correct(receipt: BankReceipt, paid: Units, nowMs: number): void {
    receipt.cameAgain ||= paid > receipt.paid
    Object.assign(receipt, { paid, wentBack: true, changedMs: nowMs })
  }

  /** Gives back what it had taken, such as after a cancelled chargeback. */
  undo(receipt: BankReceipt, left: Units, nowMs: number): void {
    Object.assign(receipt, { reversed: left, cameAgain: true, changedMs: nowMs })
  }

  /** Says that a receipt is not final, that there is no such money, or that it is. `more` came with it. */
  restate(payment: BankPayment, receipt: BankReceipt, to: Restated, nowMs: number): void {
    const paid = to.state === 'final' ? receipt.paid + receipt.more : receipt.paid
    const more = to.state === 'loose' ? (to.more ?? 0) : 0
    receipt.wentBack ||= to.state === 'withdrawn'
    // While it is not final, a correction is not reported.
    receipt.cameAgain ||= receipt.state === 'withdrawn' || (to.state === 'loose' && receipt.paid < receipt.peak)
    Object.assign(receipt, { paid, more, state: to.state, peak: Math.max(receipt.peak, paid), changedMs: nowMs })
    this.says(payment, to.status, nowMs)
  }

  dispute(payment: BankPayment, { receiptId }: BankReceipt): BankDispute {
    const disputeId = `dispute-${this.disputes.length + 1}`
    const dispute: BankDispute = { disputeId, receiptId, payment, outcome: 'open' }
    this.disputes.push(dispute)
    return dispute
  }

  /** Queues a report of the current state. */
  send(payment: BankPayment, asked: PlacedOrder | undefined): void {
    this.news.push({ payment, report: reportOf(payment), asked })
  }
}

/** How a provider reports a refund. */
export type RefundEnd = 'reversed' | 'pending' | 'failed'

interface Restated {
  readonly state: BankReceipt['state']
  readonly status: BankPayment['status']
  readonly more?: Units
}

const COIN_DECIMALS = 8
/** Of one coin. */
const RATE_CENTS = 8_500

function inCoins(cents: number): Pick<BankPayment, 'asked' | 'decimals'> {
  return { asked: Math.ceil((cents * 10 ** COIN_DECIMALS) / RATE_CENTS), decimals: COIN_DECIMALS }
}

function newReceipt(receiptId: string, paid: Units, changedMs: number): BankReceipt {
  return {
    receiptId,
    paid,
    peak: paid,
    reversed: 0,
    pending: 0,
    failed: 0,
    state: 'final',
    more: 0,
    sends: [],
    wentBack: false,
    cameAgain: false,
    changedMs,
  }
}

function reportedSend({ refundId, amount, as }: BankReceipt['sends'][number]): ReportedRefund {
  const status = ({ reversed: 'done', pending: 'pending', failed: 'failed' } as const)[as]
  return { refundId, providerRefundId: `sent-${refundId}`, amount: textOf({ decimals: 2 }, amount), status }
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
  const { asked } = payment
  const reports = others.filter((other) => !isStray(other)).map((other) => reportOf({ ...other, asked }))
  const strays = others.filter(isStray).flatMap((other) =>
    other.receipts.map((receipt) => ({
      receiptId: receipt.receiptId,
      amount: textOf(other, receipt.paid),
      currency: 'another coin',
      ...(goneOf(receipt) >= receipt.paid && { isGone: true }),
    })),
  )
  const all = [own, ...reports]
  return {
    ...own,
    status: arrivals.has(own.status) ? own.status : (further?.status ?? own.status),
    receipts: all.flatMap(({ receipts }) => receipts),
    strays,
    parts: all.flatMap(({ parts = [] }) => parts),
    ended: all.flatMap(({ ended = [] }) => ended),
    back: all.flatMap(({ back = [] }) => back),
  }
}

/** As plain decimal text, at the payment's own decimals. */
export function textOf({ decimals }: Pick<BankPayment, 'decimals'>, amount: Units): string {
  const digits = String(amount).padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

function sumOf(amounts: readonly Units[]): Units {
  return amounts.reduce((total, amount) => total + amount, 0)
}

export function coinOf({ method, currency }: BankPayment): string {
  return method === 'crypto' ? 'ltc' : currency
}

/** What is gone of a receipt, or about to be. */
export function goneOf({ paid, more, reversed, pending }: BankReceipt): Units {
  return Math.min(paid + more, reversed + pending)
}

/** What its provider holds of a receipt and calls final. */
export function leftOf(receipt: BankReceipt): Units {
  return receipt.state === 'final' ? receipt.paid - Math.min(receipt.paid, goneOf(receipt)) : 0
}

export function reportOf(payment: BankPayment): PaymentReport {
  const { status, asked, receipts, seen, unnumbered } = payment
  const currency = coinOf(payment)
  const text = (amount: Units): string => textOf(payment, amount)
  const finals = receipts.filter(({ state }) => state === 'final')
  const loose = receipts.filter(({ state }) => state === 'loose')
  const back = loose.filter((receipt) => goneOf(receipt) > 0)
  const parts = [
    ...loose.map((receipt) => ({ id: receipt.receiptId, amount: receipt.paid + receipt.more - goneOf(receipt) })),
    ...seen.filter(({ state }) => state === 'seen'),
  ].filter(({ amount }) => amount > 0)
  const ended = [
    ...receipts.filter(({ state }) => state === 'withdrawn').map(({ receiptId }) => receiptId),
    // What went back in full holds no money, either.
    ...back.filter((one) => goneOf(one) >= one.paid + one.more).map(({ receiptId }) => receiptId),
    ...seen.filter(({ state }) => state === 'ended').map(({ id }) => id),
  ]
  const paid = sumOf([...finals.map((receipt) => receipt.paid), ...parts.map(({ amount }) => amount), unnumbered])
  const seenStatus = seenStatuses.find((one) => one === status) ?? 'confirming'
  return {
    status: finals.length > 0 ? paidStatus(finals, asked) : parts.length > 0 ? seenStatus : status,
    amountPaid: paid > 0 ? text(paid) : null,
    receipts: finals.map((receipt) => ({
      receiptId: receipt.receiptId,
      amount: text(receipt.paid),
      currency,
      askedAmount: text(asked),
      reversedAmount: text(receipt.reversed),
      ...(receipt.pending > 0 && { pendingAmount: text(receipt.pending) }),
      ...(receipt.failed > 0 && { failedAmount: text(receipt.failed) }),
      ...(receipt.sends.length > 0 && { refunds: receipt.sends.map(reportedSend) }),
    })),
    ...(parts.length > 0 && { parts: parts.map(({ id, amount }) => ({ id, amount: text(amount), currency })) }),
    ...(ended.length > 0 && { ended }),
    ...(back.length > 0 && {
      back: back.map((one) => ({ receiptId: one.receiptId, amount: text(goneOf(one)), currency })),
    }),
    ...(status === 'unknown' && { isUnclear: true }),
  }
}

function paidStatus(finals: readonly BankReceipt[], asked: Units): PaymentReport['status'] {
  if (finals.every(({ paid, reversed }) => reversed >= paid)) return 'refunded'
  return sumOf(finals.map(({ paid }) => paid)) < asked ? 'partially_paid' : 'received'
}

function startedFrom(payment: BankPayment): StartedPayment {
  const nothing = { address: null, network: null, url: null, intents: null, expiresAt: null }
  const { paymentId, asked } = payment
  return { paymentId, payAmount: textOf(payment, asked), payCurrency: coinOf(payment), ...nothing }
}
