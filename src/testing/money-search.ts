import { diceFor, type Dice } from './simulation/dice.ts'
import { statusCommand } from '../commands/record-payment.ts'
import { plusMinutes } from '../domain/plus-minutes.ts'
import { Refusal } from '../domain/refusal.ts'
import type { OrderCommand } from '../domain/order/commands.ts'
import { type AttentionReason, type DeliveryMode, deliveryModes, type OrderEvent } from '../domain/order/events.ts'
import { expiryOf } from '../domain/order/deadline.ts'
import { order as decider } from '../domain/order/order.ts'
import {
  heldOf,
  holdsStock,
  isCovered,
  isDeliveryUnknown,
  isDisputed,
  isMoneyOnItsWay,
  isOpen,
  isToBeDelivered,
  keepsCents,
  mayBeReinstated,
  noOrder,
  openCapture,
  openDelivery,
  type Order,
  paidCents,
  type PlacedOrder,
  readinessOf,
} from '../domain/order/order-state.ts'
import { paymentMethods, type PaymentMethod } from '../domain/payment-methods.ts'
import type { PaymentReport } from '../payments/payment-provider.ts'
import { adminId, placed, TOTAL_CENTS } from '../domain/testing/order-samples.ts'

/*
 * Random histories of the order's decider under a bank that does what providers can report. At rest each amount that the bank last reported as held must
 * have its coins, an open order, an answer of staff or a true line in the list of orders that need a person.
 * node src/testing/money-search.ts [histories] [first seed]
 */

/** `seen`: not confirmed. `lost`: no longer reported, without a word. `gone`: the provider says that it failed. */
type TransferState = 'seen' | 'received' | 'lost' | 'gone'

interface Transfer {
  readonly id: string
  state: TransferState
  cents: number
  reversedCents: number
  /** A transfer without the bank's number: it is seen only. */
  readonly isNumberless: boolean
  readonly isStray: boolean
  /** When more of it was last reported as held than before; -1 before that. */
  heldAt: number
  heldCents: number
  reportedAs: string
}

interface BankPayment {
  readonly attempt: number
  readonly method: PaymentMethod
  readonly asked: number
  readonly transfers: Transfer[]
  isApproved: boolean
  /** An unknown word, and nothing else from the provider. */
  isUnknown: boolean
  hasFailed: boolean
}

interface Dispute {
  readonly id: string
  readonly attempt: number
  readonly receiptId: string
  outcome: 'open' | 'won' | 'lost'
}

class History {
  readonly events: OrderEvent[] = []
  readonly payments: BankPayment[] = []
  readonly disputes: Dispute[] = []
  readonly log: string[] = []
  order: Order = noOrder
  now = '2026-03-01T12:00:00.000Z'
  step = 0
  settledAt = -1
  isGiven = false
  private readonly dice: Dice
  private serial = 0
  readonly mode: DeliveryMode

  constructor(seed: number) {
    this.dice = diceFor(seed)
    this.mode = this.dice.pick(deliveryModes) ?? 'staff'
  }

  get placedOrder(): PlacedOrder {
    if (this.order.kind === 'none') throw new Error('no order is placed')
    return this.order
  }

  run(): void {
    const preOrder = this.dice.chance(0.1)
    const facts = placed({ serial: this.nextSerial(), preOrder, at: this.now, expiresAt: plusMinutes(this.now, 60) })
    this.decide({ type: 'PlaceOrder', placed: facts.data })
    const steps = this.dice.between(6, 45)
    for (let index = 0; index < steps; index += 1) this.act()
    this.rest()
  }

  private nextSerial(): number {
    this.serial += 1
    return this.serial
  }

  private decide(command: OrderCommand): boolean {
    this.step += 1
    try {
      const events = decider.decide(command, this.order)
      for (const event of events) {
        this.order = decider.evolve(this.order, event)
        this.events.push(event)
      }
      if (events.length > 0) this.log.push(`${command.type} -> ${events.map(told).join(', ')}`)
      return true
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return false
    }
  }

  private later(minutes: number): void {
    this.now = plusMinutes(this.now, minutes)
  }

  private act(): void {
    const { dice } = this
    const actions: (readonly [number, () => void])[] = [
      [8, () => this.later(dice.pick([0.1, 1, 5, 30]) ?? 1)],
      [2, () => this.later(dice.pick([61, 600, 1_500, 3 * 1_440, 9 * 1_440]) ?? 61)],
      [8, () => this.startPayment()],
      [12, () => this.transfer()],
      [8, () => this.confirm()],
      [4, () => this.change()],
      [18, () => this.report(dice.pick(this.payments))],
      [6, () => this.sweep()],
      [2, () => this.decide({ type: 'CancelOrder', at: this.now })],
      [3, () => this.approve()],
      [2, () => this.remove()],
      [3, () => this.settle()],
      [3, () => this.refund()],
      [3, () => this.deliver()],
      [3, () => this.capture()],
      [4, () => this.dispute()],
    ]
    let left = dice.fraction() * actions.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, action] of actions) {
      left -= weight
      if (left < 0) return action()
    }
  }

  private startPayment(): void {
    const { dice, placedOrder: order } = this
    const method = dice.pick(paymentMethods) ?? 'crypto'
    const attempt = order.attempts.length + 1
    const coversCents = TOTAL_CENTS - paidCents(order)
    if (coversCents <= 0) return
    const request = { attempt, method, provider: method, reference: `REF-${attempt}`, currency: 'USD' } as const
    const asked = { askedMinor: coversCents, coversCents }
    this.decide({ type: 'RequestPayment', request: { ...request, ...asked }, replaces: attempt - 1, at: this.now })
    if (this.placedOrder.attempts.length < attempt) return
    const nothing = { address: null, network: null, url: null, intents: null, paymentExpiresAt: null }
    const started = { attempt, paymentId: `payment-${attempt}`, payAmount: text(coversCents), payCurrency: 'USD' }
    this.decide({ type: 'StartPayment', started: { ...started, ...nothing }, at: this.now })
    const payment = { attempt, method, asked: coversCents, transfers: [] }
    this.payments.push({ ...payment, isApproved: false, isUnknown: false, hasFailed: false })
  }

  /** Money comes to a payment: seen, or received at once. */
  private transfer(): void {
    const { dice } = this
    const payment = dice.pick(this.payments)
    if (!payment || payment.transfers.length >= (payment.method === 'upi' ? 1 : 3)) return
    const id = `t-${payment.attempt}-${payment.transfers.length + 1}`
    const share = dice.pick([1, 1, 1, 0.5, 0.4, 1.3]) ?? 1
    const cents = Math.max(1, Math.round(payment.asked * share))
    const isNumberless = payment.method === 'upi' && payment.transfers.length === 0 && dice.chance(0.4)
    const state = isNumberless || dice.chance(0.6) ? 'seen' : 'received'
    const isStray = payment.method === 'crypto' && dice.chance(0.1)
    const unsaid = { reversedCents: 0, heldAt: -1, heldCents: 0, reportedAs: '' }
    payment.transfers.push({ id, state, cents, isNumberless, isStray, ...unsaid })
    if (dice.chance(0.8)) this.report(payment)
  }

  /** Seen money arrives, fails with a word, or is no longer spoken of; some stays a sighting for ever. */
  private confirm(): void {
    const { dice } = this
    const [payment, transfer] = this.pickTransfer(({ state }) => state === 'seen')
    if (!payment || !transfer) return
    transfer.state =
      dice.pick(['received', 'received', transfer.isNumberless ? 'lost' : 'gone', 'lost'] as const) ?? 'lost'
    if (dice.chance(0.8)) this.report(payment)
  }

  /** Received money grows, goes back, or comes back. */
  private change(): void {
    const { dice } = this
    const [payment, transfer] = this.pickTransfer(({ state }) => state === 'received')
    if (!payment) return
    if (!transfer) {
      if (dice.chance(0.5)) payment.hasFailed = true
      else payment.isUnknown = true
    } else if (dice.chance(0.3) && !transfer.isStray) transfer.cents += Math.round(payment.asked * 0.4)
    else if (transfer.reversedCents === 0 || dice.chance(0.4))
      transfer.reversedCents = Math.ceil(transfer.cents * (dice.pick([0.3, 1, 1]) ?? 1))
    else transfer.reversedCents = 0
    if (dice.chance(0.8)) this.report(payment)
  }

  private pickTransfer(fits: (transfer: Transfer) => boolean): [BankPayment | undefined, Transfer | undefined] {
    const payment = this.dice.pick(this.payments)
    return [payment, payment && this.dice.pick(payment.transfers.filter(fits))]
  }

  /** The shop reads the payment, by a check or a webhook, and records what it says. */
  private report(payment: BankPayment | undefined): void {
    if (!payment) return
    const { attempt, method } = payment
    const at = this.now
    const news = { attempt, deliveryMode: this.mode, at } as const
    const report = reportOf(payment)
    for (const transfer of payment.transfers) {
      const said = `${transfer.state} ${transfer.cents} ${transfer.reversedCents}`
      if (transfer.reportedAs === said) continue
      transfer.reportedAs = said
      const isHeld = transfer.state === 'seen' || transfer.state === 'received'
      // A reversal that is reported behind a refund may be that refund.
      const isWhole = transfer.isStray || this.placedOrder.refunds.length > 0
      const held = isHeld ? transfer.cents - (isWhole ? 0 : transfer.reversedCents) : 0
      if (held > transfer.heldCents) transfer.heldAt = this.step
      transfer.heldCents = held
    }
    const disputes = this.disputes.filter((dispute) => dispute.attempt === attempt)
    const note = (dispute: Dispute) => {
      const { id: disputeId, receiptId, outcome } = dispute
      this.decide({ type: 'NoteDispute', disputeId, receiptId, outcome, ...news })
    }
    for (const dispute of disputes) if (dispute.outcome !== 'won') note(dispute)
    for (const { receiptId, amount, currency, reversedAmount } of report.receipts) {
      const receipt = { attempt, provider: method, receiptId, amount, currency, coversCents: centsIn(amount) }
      const reversedCents = centsIn(reversedAmount ?? '0')
      const known = this.placedOrder.receipts.find((other) => other.receiptId === receiptId)
      if (reversedCents > 0 || (known && known.reversedCents > 0))
        this.decide({ type: 'ReversePayment', receipt, reversedCents, ...news })
      else this.decide({ type: 'ReceivePayment', receipt, ...news })
    }
    for (const { receiptId } of report.strays ?? []) this.decide({ type: 'NoteWrongCoin', receiptId, at })
    for (const dispute of disputes) if (dispute.outcome === 'won') note(dispute)
    const command = statusCommand(report, news, this.placedOrder.attempts[attempt - 1]?.parts ?? [])
    if (command) this.decide(command)
  }

  private approve(): void {
    const serial = holdsStock(this.placedOrder) ? null : this.nextSerial()
    this.decide({ type: 'ApproveOrder', serial, adminId, deliveryMode: this.mode, at: this.now })
  }

  private remove(): void {
    const coinsGiven = this.dice.pick([null, true, false]) ?? null
    this.decide({ type: 'DeleteOrder', coinsGiven, adminId, at: this.now })
  }

  private settle(): void {
    const count = this.events.length
    this.decide({ type: 'SettleAttention', adminId, at: this.now })
    if (this.events.length > count) this.settledAt = this.step
  }

  private refund(): void {
    const held = paidCents(this.placedOrder)
    if (held <= 0) return
    const excess = held - keepsCents(this.placedOrder)
    const amountCents = excess > 0 && this.dice.chance(0.7) ? excess : Math.ceil(held * (this.dice.pick([0.5, 1]) ?? 1))
    const coinsGiven = this.dice.pick([null, true, false]) ?? null
    const noted = { refundId: `refund-${this.step}`, requestHash: 'hash', amountCents, receiptId: null } as const
    const facts = { reason: 'other', whereTo: null, coinsGiven, adminId } as const
    this.decide({ type: 'RecordRefund', ...noted, ...facts, at: this.now })
  }

  private deliver(): void {
    const { dice, now: at } = this
    if (readinessOf(this.placedOrder)?.deliveryMode === 'staff') this.decide({ type: 'MarkDelivered', at })
    this.decide({ type: 'RequestDelivery', callsUntil: plusMinutes(at, 10), at })
    if (!openDelivery(this.placedOrder) && !dice.chance(0.3)) return
    if (dice.chance(0.6)) this.decide({ type: 'ConfirmDelivery', at })
    else if (dice.chance(0.5)) {
      this.later(15)
      this.decide({ type: 'GiveUpDelivery', at: this.now })
    }
  }

  private capture(): void {
    const { dice } = this
    const payment = dice.pick(this.payments.filter(({ method }) => method === 'paypal'))
    if (!payment) return
    const { attempt } = payment
    this.decide({
      type: 'RequestCapture',
      attempt,
      requestId: `capture-${attempt}`,
      callsUntil: plusMinutes(this.now, 10),
      at: this.now,
    })
    if (!openCapture(this.placedOrder)) return
    if (dice.chance(0.7)) return this.report(payment)
    this.later(15)
    this.decide({ type: 'GiveUpCapture', attempt, deliveryMode: this.mode, at: this.now })
  }

  private dispute(): void {
    const { dice } = this
    const open = dice.pick(this.disputes.filter(({ outcome }) => outcome === 'open'))
    if (open) {
      open.outcome = dice.pick(['won', 'lost'] as const) ?? 'won'
      return this.report(this.payments[open.attempt - 1])
    }
    const [payment, transfer] = this.pickTransfer(({ state }) => state === 'received')
    if (!payment || !transfer || this.disputes.length >= 2) return
    const { attempt } = payment
    this.disputes.push({ id: `PP-D-${this.disputes.length + 1}`, attempt, receiptId: transfer.id, outcome: 'open' })
    this.report(payment)
  }

  /** What the workers do with an order. */
  private sweep(): void {
    const { now: at, mode: deliveryMode, placedOrder: order } = this
    this.decide({ type: 'ExpireOrder', at })
    if (mayBeReinstated(order)) {
      if (this.dice.chance(0.7)) this.decide({ type: 'ReinstateOrder', serial: this.nextSerial(), deliveryMode, at })
      else this.decide({ type: 'RefuseReinstatement', at })
    }
    if (isToBeDelivered(order) && !holdsStock(order) && this.dice.chance(0.5))
      this.decide({ type: 'ReservePreOrder', serial: this.nextSerial(), deliveryMode, at })
    this.decide({ type: 'RequestDelivery', callsUntil: plusMinutes(at, 10), at })
    const capture = openCapture(order)
    if (capture) this.decide({ type: 'GiveUpCapture', attempt: capture.attempt, deliveryMode, at })
    this.decide({ type: 'GiveUpDelivery', at })
    for (const { attempt } of this.payments) this.decide({ type: 'EndPaymentWatch', attempt, pollBeganAt: at, at })
  }

  /** Nothing new comes: all that is due is done, payments are read until their watch ends, and once afterwards by a webhook. */
  private rest(): void {
    for (const minutes of [0, 15, 15, 61, 1_441, 15, 15, 8 * 1_440, 15, 15, 8 * 1_440, 15]) {
      this.later(minutes)
      for (const payment of this.payments)
        if (this.placedOrder.attempts[payment.attempt - 1]?.isWatched) this.report(payment)
      this.sweep()
    }
    if (this.dice.chance(0.3)) {
      this.transfer()
      this.confirm()
      for (const payment of this.payments) this.report(payment)
      for (const minutes of [1, 15, 1_441, 15]) {
        this.later(minutes)
        this.sweep()
      }
    }
  }
}

function told({ type, data }: OrderEvent): string {
  return type === 'OrderNeedsAttention' ? `${type} ${data.reasons.join()}` : type
}

function text(cents: number): string {
  return (cents / 100).toFixed(2)
}

function centsIn(amount: string): number {
  return Math.round(Number(amount) * 100)
}

/** What a gateway says of a payment. */
function reportOf({ transfers, asked, method, hasFailed, isUnknown }: BankPayment): PaymentReport {
  const received = transfers.filter(({ state }) => state === 'received')
  const counted = received.filter(({ isStray }) => !isStray)
  const strays = received.filter(({ isStray }) => isStray)
  const seen = transfers.filter(({ state }) => state === 'seen')
  const sum = counted.reduce((total, { cents }) => total + cents, 0)
  const receipts = counted.map(({ id, isNumberless, cents, reversedCents }) => ({
    receiptId: isNumberless ? `utr-${id}` : id,
    amount: text(cents),
    currency: 'USD',
    askedAmount: text(asked),
    reversedAmount: text(reversedCents),
  }))
  const shownCents = sum + seen.reduce((total, { cents }) => total + cents, 0)
  const ended = transfers.filter(({ state }) => state === 'gone')
  return {
    status: status(),
    amountPaid: shownCents > 0 ? text(shownCents) : null,
    receipts,
    strays: strays.map(({ id, cents }) => ({ receiptId: id, amount: text(cents), currency: 'ltc' })),
    parts: seen
      .filter(({ isNumberless }) => !isNumberless)
      .map(({ id, cents }) => ({ id, amount: text(cents), currency: 'USD' })),
    ended: ended.map(({ id }) => id),
  }

  function status(): PaymentReport['status'] {
    if (counted.length > 0) {
      if (counted.every(({ cents, reversedCents }) => reversedCents >= cents)) return 'refunded'
      return sum < asked ? 'partially_paid' : 'received'
    }
    if (seen.length > 0) return method === 'upi' ? 'confirmed' : 'confirming'
    if (ended.length > 0) return 'declined'
    if (transfers.some(({ state }) => state === 'lost')) return 'failed'
    if (isUnknown) return 'unknown'
    return hasFailed ? 'expired' : 'waiting'
  }
}

/** Between its last change and rest the provider has spoken of it. */
function isTold({ reportedAs, state, cents, reversedCents }: Transfer): boolean {
  return reportedAs === `${state} ${cents} ${reversedCents}`
}

/** What is wrong at rest, by kind. */
function wrongsOf(history: History): string[] {
  const { placedOrder: order, payments, settledAt } = history
  const reasons = new Set(order.attention.map(({ reason }) => reason))
  const has = (...any: AttentionReason[]): boolean => any.some((reason) => reasons.has(reason))
  const wrongs: string[] = []
  const transfers = payments.flatMap((payment) => payment.transfers.map((transfer) => ({ payment, transfer })))
  for (const { payment, transfer } of transfers) {
    if (!isTold(transfer)) continue
    const isAnswered = settledAt > transfer.heldAt
    const isHeld = transfer.state === 'seen' || (transfer.state === 'lost' && transfer.heldAt >= 0)
    if (isHeld && !isAnswered && !has('never-confirmed') && !isOpen(order)) {
      const isBeside = payment.transfers.some((other) => other !== transfer && other.state === 'received')
      const wasSeen = transfer.state === 'lost' ? 'lost without a word' : 'seen'
      wrongs.push(`forgotten: ${wasSeen}${isBeside ? ' beside a receipt' : ''} on ${order.life.kind}`)
    }
    if (transfer.state === 'received' && transfer.isStray && !isAnswered && !has('wrong-coin') && !isHanded(order))
      wrongs.push(`forgotten: another coin on ${order.life.kind}`)
    if (transfer.state !== 'received' || transfer.isStray) continue
    const known = order.receipts.find(({ receiptId }) => receiptId.endsWith(transfer.id))
    if (!known) wrongs.push(`not recorded: a receipt on ${order.life.kind}`)
    else if (known.coversCents < transfer.cents) wrongs.push('books: less was recorded')
    else if (heldOf(order, known) < transfer.cents - transfer.reversedCents && order.refunds.length === 0)
      wrongs.push('books: a reversal that was undone stays')
  }
  const excess = paidCents(order) - keepsCents(order)
  if (!isOpen(order) && excess > 0 && order.attention.length === 0) {
    const held = transfers.filter(({ transfer }) => transfer.state === 'received' && !transfer.isStray)
    const last = Math.max(...held.map(({ transfer }) => transfer.heldAt))
    if (settledAt < last && !mayBeReinstated(order)) wrongs.push(`forgotten: received on ${order.life.kind}`)
  }
  if (isOpen(order) && order.attention.length === 0 && expiryOf(order) === undefined) {
    const isWaiting = readinessOf(order) !== undefined || (isToBeDelivered(order) && !holdsStock(order))
    if (!isWaiting) wrongs.push('asleep: open, no deadline, no line')
  }
  for (const reason of reasons) if (!isTrue(reason, order)) wrongs.push(`untrue: ${reason} on ${order.life.kind}`)
  return wrongs
}

function isHanded({ holding }: PlacedOrder): boolean {
  return holding.kind === 'committed'
}

function isTrue(reason: AttentionReason, order: PlacedOrder): boolean {
  const excess = paidCents(order) - keepsCents(order)
  switch (reason) {
    case 'short':
      return isOpen(order) && !isCovered(order)
    case 'paid-without-stock':
    case 'late-and-short':
      return excess > 0 && !isOpen(order) && !isHanded(order)
    case 'over':
    case 'double':
    case 'money-on-deleted-order':
    case 'paid-after-settling':
      return excess > 0
    case 'never-confirmed':
      return isMoneyOnItsWay(order)
    case 'capture-unknown':
      return order.attempts.some(({ money }) => money.kind === 'failed' && money.reason === 'capture-unknown')
    case 'delivery-unknown':
      return isDeliveryUnknown(order)
    case 'disputed':
      return isDisputed(order)
    case 'reversed':
    case 'receipt-refused':
    case 'delivered-after-end':
    case 'wrong-coin':
    case 'buyer-unreadable':
    case 'payment-unclear':
      return true
  }
}

/** Runs one history; `wrongs` says what it came to. */
export function moneyHistory(seed: number): { readonly wrongs: readonly string[]; readonly log: readonly string[] } {
  const history = new History(seed)
  history.run()
  return { wrongs: [...new Set(wrongsOf(history))], log: history.log }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

if (import.meta.main) {
  const [histories, first] = [Number(process.argv[2] ?? 20_000), Number(process.argv[3] ?? 1)]
  const found = new Map<string, number[]>()
  let failed = 0
  for (let seed = first; seed < first + histories; seed += 1) {
    const { wrongs, log } = moneyHistory(seed)
    if (wrongs.length > 0) failed += 1
    for (const wrong of wrongs) found.set(wrong, [...(found.get(wrong) ?? []), seed])
    if (histories === 1) for (const line of log) print(line)
  }
  print(`${failed} of ${histories} histories end wrong`)
  for (const wrong of [...found.keys()].toSorted()) {
    const seeds = found.get(wrong) ?? []
    print(`${seeds.length}  ${wrong} (first: ${seeds[0]})`)
  }
}
