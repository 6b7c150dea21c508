import { CLOCKS_APART_MS } from '../src/domain/clocks-apart.ts'
import { isReceiptStream, orderIdOf } from '../src/domain/stream-names.ts'
import type { AttentionReason } from '../src/domain/words.ts'
import type { OrderEvent, OrderEventData } from '../src/domain/order/events.ts'
import { order as orderDecider } from '../src/domain/order/order.ts'
import type { ReceiptEvent } from '../src/domain/receipt/events.ts'
import type { RecordedEvent } from '../src/log/event-log.ts'
import type { ShopKeys } from '../src/shop/keys.ts'
import { untrueOf } from '../src/words/testing/claims.ts'
import { Exact } from '../src/words/testing/exact.ts'
import {
  isDeliverable,
  isDisputed,
  isLiving,
  isMoneySeen,
  isRefundOpen,
  isRefundUnknown,
  revenueLeftCents,
  seenAttempts,
} from '../src/words/testing/facts.ts'
import {
  arrivedOf,
  goneOf,
  isCovered,
  isOverspent,
  missingRefunds,
  paidCents,
  reversalOf,
} from '../src/words/testing/money-facts.ts'
import { readOf } from '../src/words/testing/read.ts'
import type { BankPayment } from './bank.ts'
import { OrderRow } from './order-row.ts'

// Keeps the books like an accountant, from the events alone, and checks them after each append. What one order's rules promise
// for themselves is said by the properties of the domain; here is what several streams, processes and people may do to each other.

interface Reservation {
  readonly orderId: string
  readonly quantityM: number
  state: 'open' | 'released' | 'committed'
}

type Taken = Exclude<OrderEvent, { type: 'OrderPlaced' }>
/** Looks at a row before an event, and returns what is to be done after it; `by` is the event's correlation id. */
type Look<Type extends Taken['type']> = (
  row: OrderRow,
  data: OrderEventData<Type>,
  by: string,
) => (() => void) | undefined

export class Ledger {
  readonly orders = new Map<string, OrderRow>()
  /** The owner of a receipt, by its claim and by what is recorded. */
  readonly claims = new Map<string, { readonly orderId: string; readonly attempt: number }>()
  readonly recordedOn = new Map<string, string>()
  /** Receipts recorded without an order, until an order claims them. */
  readonly unplaced = new Set<string>()
  readonly settledUnplaced = new Set<string>()
  /** Wrong money or coins, or an order that waits forever. */
  readonly harm: string[] = []
  /** Broken rules that prevent harm. */
  readonly breaches: string[] = []
  /** Customers erased according to the log, and customers whose keys are deleted. */
  readonly erased = new Set<string>()
  readonly keysGone = new Set<string>()
  /** What staff saw when they settled, by correlation id. */
  readonly seenBySettler = new Map<string, { readonly reasons: readonly AttentionReason[]; readonly cents: number }>()
  /** The money of an order as staff saw it when they refunded, by correlation id. */
  readonly seenByRefunder = new Map<string, number>()
  revenueCents = 0
  setM = 0
  readonly reservations = new Map<number, Reservation>()
  onEvent: (event: RecordedEvent, order: OrderRow | undefined) => void = () => undefined
  onAttention: (orderId: string, reason: AttentionReason) => void = () => undefined

  /** Applies the events of one append, in order. */
  take(events: readonly RecordedEvent[]): void {
    if (orderIdOf(events[0]?.stream ?? '') !== undefined) this.takeOrder(events as (OrderEvent & RecordedEvent)[])
    else
      for (const event of events) {
        this.onEvent(event, undefined)
        this.takeOther(event)
        if (this.freeM < 0) this.wrong(`${-this.freeM}M more are promised than there are`)
      }
  }

  keysDeleted(customerIds: readonly string[]): void {
    for (const customerId of customerIds) {
      this.keysGone.add(customerId)
      if (!this.erased.has(customerId)) this.breach(`the key of ${customerId} is gone before the log knows of it`)
    }
  }

  get problems(): readonly string[] {
    return this.breaches.length === 0 ? this.harm : [...this.harm, ...this.breaches]
  }

  wrong(problem: string): void {
    this.harm.push(problem)
  }

  breach(problem: string): void {
    this.breaches.push(problem)
  }

  /** The stock that is neither reserved nor sold. */
  get freeM(): number {
    const taken = [...this.reservations.values()].filter(({ state }) => state !== 'released')
    return this.setM - taken.reduce((sum, { quantityM }) => sum + quantityM, 0)
  }

  private takeOther(event: RecordedEvent): void {
    const { type, data } = event
    if (type === 'CustomerErased') this.erased.add(data.customerId)
    if (type === 'StockSet') this.setM += data.quantityM
    if (type === 'StockAdjusted') this.setM += data.differenceM
    if (type === 'StockReserved') {
      const { serial, orderId, quantityM } = data
      if (this.reservations.has(serial)) this.wrong(`serial ${serial} was given twice`)
      this.reservations.set(serial, { orderId, quantityM, state: 'open' })
    }
    if (type === 'StockReleased') this.end(data.serial, 'released')
    if (type === 'StockCommitted') this.end(data.serial, 'committed')
    if (isReceiptStream(event.stream)) this.takeReceipt(event as ReceiptEvent & RecordedEvent)
  }

  private end(serial: number, state: 'released' | 'committed'): void {
    const reservation = this.reservations.get(serial)
    if (reservation?.state !== 'open') {
      this.wrong(`serial ${serial} was ${state}, but it was ${reservation?.state ?? 'never reserved'}`)
      return
    }
    const { orderId } = reservation
    reservation.state = state
    const order = this.orders.get(orderId)
    const holder = order?.held === serial ? order : undefined
    const wasGiven = holder?.isGiven === true
    if (state === 'released' && holder && (isLiving(holder) || wasGiven))
      this.wrong(`serial ${serial} was released, but ${orderId} ${wasGiven ? 'was given its coins' : 'holds it'}`)
    if (state === 'committed' && !wasGiven)
      this.wrong(`serial ${serial} was committed, but ${orderId} was not given it`)
  }

  private takeReceipt({ type, data }: ReceiptEvent): void {
    const { provider, receiptId } = data
    const key = `${provider}/${receiptId}`
    if (type === 'ReceiptUnplaced') {
      if (this.unplaced.has(key) || this.claims.has(key))
        this.wrong(`receipt ${receiptId} is noted without an order twice`)
      this.unplaced.add(key)
    } else if (type === 'ReceiptUnplacedSettled') this.settledUnplaced.add(key)
    else if (type === 'ReceiptClaimed') {
      const { orderId, attempt } = data
      if (this.settledUnplaced.has(key)) this.wrong(`receipt ${receiptId} counts, and staff had settled it`)
      this.unplaced.delete(key)
      this.claims.set(key, { orderId, attempt })
      if (!this.orders.has(orderId)) this.wrong(`receipt ${receiptId} is claimed by ${orderId}, which does not exist`)
    }
  }

  private takeOrder(events: readonly (OrderEvent & RecordedEvent)[]): void {
    const first = events[0]
    if (!first) return
    let row = this.orders.get(first.data.orderId)
    if (row) row.before = { ready: row.ready, delivery: row.delivery, isDeliveryUnknown: row.isDeliveryUnknown }
    for (const event of events) {
      if (event.type === 'OrderPlaced') row = this.placed(event.data)
      else if (row) {
        const look = this.looks[event.type] as Look<never> | undefined
        const after = look?.(row, event.data as never, event.metadata.correlationId)
        row.take(event)
        after?.()
      }
      row?.history.push(event.type)
      if (row) {
        this.notice(row)
        this.show(row, event)
        row.mayBeCalledFor[event.revision] = row.delivery !== undefined && isDeliverable(row)
        row.neededItsBuyer[event.revision] = needsItsBuyer(row)
        row.openRefundAt[event.revision] = [...row.wishes].find(([, state]) => state === 'open')?.[0]
      }
      this.onEvent(event, row)
    }
    if (row) this.appended(row, events)
  }

  private placed(data: OrderEventData<'OrderPlaced'>): OrderRow {
    const { orderId, customerId } = data
    if (this.orders.has(orderId)) this.wrong(`${orderId} was placed twice`)
    const row = new OrderRow(data)
    this.orders.set(orderId, row)
    this.claimed(row)
    if (this.keysGone.has(customerId)) this.wrong(`${orderId} was placed under a key that is gone`)
    return row
  }

  /** A failed refund is news when it begins or grows. */
  private notice(row: OrderRow): void {
    const { missing } = row
    row.missing = missingRefunds(row)
    for (const receiptId of missing.keys()) if (!row.missing.has(receiptId)) row.untoldMissing.delete(receiptId)
    for (const [receiptId, failed] of row.missing)
      if (Exact.of(missing.get(receiptId) ?? '0').isBelow(Exact.of(failed))) row.untoldMissing.add(receiptId)
  }

  private readonly looks: { readonly [Type in Taken['type']]?: Look<Type> } = {
    PaymentStarted: (row, { orderExpiresAt }) => {
      row.expiresAtMs = Date.parse(orderExpiresAt)
      return undefined
    },
    PaymentSeen: (row, { attempt, parts, seenCents, at }) => {
      const known = row.seen.get(attempt)
      if (!known || parts.some(({ id }) => !known.has(id))) row.isSeenSettled = false
      if (!known) row.settledParts.delete(`${attempt} all`)
      for (const { id } of parts) {
        if (!known?.has(id)) row.settledParts.delete(`${attempt} ${id}`)
        row.everParts.add(id)
      }
      row.seenCents.set(attempt, seenCents)
      row.everSeen.add(attempt)
      return () => grant(row, at)
    },
    PaymentReceived: (row, data) => this.received(row, data),
    RefundReported: (row, { orderId, receiptId }) => {
      if (!row.receipts.has(receiptId))
        this.wrong(`${orderId}: a refund of receipt ${receiptId} is reported before it was received`)
      return undefined
    },
    PaymentReversed: (row, data) => this.reversed(row, data),
    RefundRequested: (row, data) => {
      if (isRefundOpen(row)) this.wrong(`${data.orderId} has two refunds to be sent at once`)
      row.everWished.set(data.refundId, data)
      return undefined
    },
    RefundRecorded: (row, data, by) => this.refunded(row, data, by),
    PaymentWatchEnded: (row, { attempt, at }) => {
      if (row.watchEndedAt.has(attempt)) return undefined
      const endMs = Date.parse(row.endedAt ?? at) + WATCH_MS
      // Where staff have settled what errors had held up, later money is not looked for.
      row.watchEndedAt.set(attempt, at === row.unclearSettledAt ? row.placed.at : new Date(endMs).toISOString())
      return undefined
    },
    OrderApproved:
      (row, { serial }) =>
      () =>
        this.woken(row, 'approved', serial),
    PreOrderReserved: (row) => () => this.claimed(row),
    OrderReinstated: (row, { orderId, serial }) => {
      if (isDisputed(row)) this.wrong(`${orderId} was reinstated while its payer disputes it`)
      if (row.refusesLate) this.wrong(`${orderId} was reinstated after staff had dealt with its money`)
      return () => this.woken(row, 'reinstated', serial)
    },
    DeliveryRequested: (row, data) => {
      row.lastDelivery = data
      return undefined
    },
    OrderCompleted: (row) => this.completed(row),
    OrderExpired: (row, { orderId, at }) => {
      const isOfAWrongClock = Date.parse(row.placed.at) > Date.parse(at)
      if (!isOfAWrongClock && Date.parse(at) < keptUntilMs(row))
        this.wrong(`${orderId} expired before the end that its money had granted`)
      return this.ended(row)
    },
    OrderCancelled: (row) => this.ended(row),
    AttentionSettled: (row, { orderId, answers, at }, by) => {
      const seen = this.seenBySettler.get(by)
      const unseen = [...row.attention].filter((reason) => seen !== undefined && !seen.reasons.includes(reason))
      if (unseen.length > 0) this.wrong(`${orderId}: ${unseen.join(', ')} was settled unseen`)
      if (seen && row.cameCents > seen.cents) this.wrong(`${orderId}: money was settled unseen`)
      row.isSeenSettled = true
      for (const key of seenParts(row)) row.settledParts.add(key)
      if (answers.includes('payment-unclear')) row.unclearSettledAt = at
      row.settledCents = row.cameCents
      if (answers.includes('refund-failed')) row.untoldMissing.clear()
      return undefined
    },
    OrderDeleted: (row, { orderId, totalCents }) => {
      if (row.isDeleted) this.wrong(`${orderId} was deleted twice`)
      if (row.status !== 'completed') return undefined
      this.revenueCents -= totalCents
      if (totalCents !== revenueLeftCents(row))
        this.wrong(`${orderId} is deleted, and takes ${totalCents} from the revenue`)
      return undefined
    },
  }

  private received(row: OrderRow, data: OrderEventData<'PaymentReceived'>): () => void {
    const { provider, receiptId, attempt, amount, addedAmount, askedAmount, currency, addedCents, orderId, at } = data
    const key = `${provider}/${receiptId}`
    const claim = this.claims.get(key)
    if (claim?.orderId !== orderId)
      this.breach(`receipt ${receiptId} is recorded on ${orderId}, which has not claimed it`)
    const payer = this.recordedOn.get(key) ?? orderId
    if (payer !== orderId) this.wrong(`receipt ${receiptId} pays ${payer} and ${orderId}`)
    this.recordedOn.set(key, orderId)
    const known = row.receipts.get(receiptId)
    if (known && (known.attempt !== attempt || known.askedAmount !== askedAmount || known.currency !== currency))
      this.wrong(`${orderId}: receipt ${receiptId} counts by two attempts or amounts`)
    const before = Exact.of(known?.amount ?? '0')
    if (!before.isBelow(Exact.of(amount)) || !before.plus(Exact.of(addedAmount)).isSame(Exact.of(amount)))
      this.wrong(`${orderId}: receipt ${receiptId} is ${amount}, and ${addedAmount} more than ${known?.amount ?? '0'}`)
    const addsUp = this.addingUp(row, receiptId, addedCents)
    return () => {
      addsUp()
      grant(row, at)
    }
  }

  private reversed(row: OrderRow, data: OrderEventData<'PaymentReversed'>): (() => void) | undefined {
    const { orderId, receiptId, reversedAmount, refundedCents, takenCents } = data
    const receipt = row.receipts.get(receiptId)
    if (!receipt) {
      this.wrong(`${orderId}: a reversal of receipt ${receiptId} before it was received`)
      return undefined
    }
    if (!Exact.of(reversedAmount).isSame(goneOf(receipt)) || refundedCents !== receipt.refundedCents)
      this.wrong(`${orderId}: a reversal of ${receiptId} is not what its provider reports`)
    const [counted, known] = [reversalOf(row, receipt), receipt.reversed]
    const addsUp = this.addingUp(row, receiptId, -takenCents)
    return () => {
      addsUp()
      if (isOverspent(row, receipt)) this.wrong(`${orderId}: more of ${receiptId} is gone than came`)
      if (reversalOf(row, receipt).isBelow(counted) && refundedCents === known.refundedCents) row.undone.add(receiptId)
    }
  }

  /** The cents of an event are what it changes of what the order holds. */
  private addingUp(row: OrderRow, receiptId: string, changeCents: number): () => void {
    const heldCents = paidCents(row)
    return () => {
      const afterCents = paidCents(row)
      const what = `${row.placed.orderId}: ${receiptId} counts ${changeCents} cents`
      if (afterCents !== heldCents + changeCents) this.wrong(`${what}: ${heldCents} were held, and now ${afterCents}`)
      row.cameCents += Math.max(0, afterCents - heldCents)
    }
  }

  private refunded(row: OrderRow, data: OrderEventData<'RefundRecorded'>, by: string): () => void {
    const { orderId, amountCents, parts, revenueCents, endsOrder, coinsGiven } = data
    const heldCents = paidCents(row)
    const seenCents = this.seenByRefunder.get(by) ?? heldCents
    if (seenCents !== heldCents) this.wrong(`${orderId}: staff saw ${seenCents} cents and refunded of ${heldCents}`)
    if (parts.reduce((sum, part) => sum + part.amountCents, 0) !== amountCents)
      this.wrong(`${orderId}: a refund of ${amountCents} does not add up`)
    // Money above the total of a delivered order was never revenue.
    const isRevenue = row.status === 'completed' && !row.isDeleted
    const excessCents = Math.max(0, heldCents - revenueLeftCents(row))
    if (revenueCents !== (isRevenue ? Math.max(0, amountCents - excessCents) : 0))
      this.wrong(`${orderId}: a refund of ${amountCents} takes ${revenueCents} from the revenue`)
    if (endsOrder && coinsGiven === true) this.wrong(`${orderId} was given its coins, and a refund ends it`)
    this.revenueCents -= revenueCents
    return () => {
      const isOver = row.receipts.values().some((receipt) => isOverspent(row, receipt))
      if (isOver || paidCents(row) !== heldCents - amountCents) this.wrong(`${orderId}: more money is gone than came`)
      // By the provider's word, an order may lose its money while its coins may be given.
      const isQuestion = data.sent !== null && isLiving(row) && (row.isDeliveryUnknown || row.delivery !== undefined)
      if (endsOrder !== (!row.isGiven && !row.isDeleted && !isCovered(row) && !isQuestion))
        this.wrong(`${orderId}: a refund ${endsOrder ? 'ends' : 'does not end'} it`)
    }
  }

  private woken(row: OrderRow, how: string, serial: number | null): void {
    const { orderId, customerId } = row.placed
    if (row.isDeleted) this.wrong(`${orderId} was ${how} after it was deleted`)
    if (this.erased.has(customerId)) this.wrong(`${orderId} was reinstated, but its buyer cannot be read`)
    if (serial !== null) this.claimed(row)
  }

  private claimed(row: OrderRow): void {
    const { held = 0, heldM } = row
    const { orderId } = row.placed
    const reservation = this.reservations.get(held)
    if (reservation?.orderId !== orderId || reservation.state !== 'open')
      this.wrong(`${orderId} claims serial ${held}, which is ${reservation?.state ?? 'not there'}: sold twice`)
    else if (reservation.quantityM !== heldM)
      this.wrong(`${orderId} claims ${heldM}M by serial ${held}, which is over ${reservation.quantityM}M`)
    row.serials.add(held)
  }

  private completed(row: OrderRow): undefined {
    const { orderId, quantityM, totalCents } = row.placed
    this.revenueCents += totalCents
    const wasGiven = row.delivery !== undefined || row.isDeliveryUnknown
    if (!isLiving(row)) this.wrong(`${orderId} was completed when it was ${row.status}`)
    if (!wasGiven && !isDeliverable(row)) this.wrong(`${orderId} was delivered without money or approval`)
    const reservation = row.held === undefined ? undefined : this.reservations.get(row.held)
    if (row.heldM !== quantityM || reservation?.state !== 'open')
      this.wrong(`${orderId} was delivered, but no coins are held for it: sold twice`)
  }

  private ended(row: OrderRow): undefined {
    const { orderId } = row.placed
    if (isRefundOpen(row)) this.wrong(`${orderId} ended while a refund was to be sent`)
    if (!isLiving(row)) this.wrong(`${orderId} ended when it was ${row.status}`)
    if (isDeliverable(row)) this.wrong(`${orderId} ended although it is paid`)
  }

  /** Updates the decider's state and reports new attention. */
  private show(row: OrderRow, event: OrderEvent): void {
    row.shown = orderDecider.evolve(row.shown, event)
    const reasons = row.shown.kind === 'placed' ? row.shown.attention.map(({ reason }) => reason) : []
    const begun = reasons.filter((reason) => !row.attention.has(reason))
    row.attention = new Set(reasons)
    for (const reason of begun) {
      row.everRaised.add(reason)
      this.onAttention(row.placed.orderId, reason)
    }
  }

  /** After a sweep: no order keeps its coins longer than its money allows. */
  sweptAt(nowMs: number): void {
    for (const [orderId, row] of this.orders) {
      const mayStay = row.isApproved || isCovered(row) || row.capture || row.delivery || row.isDeliveryUnknown
      if (isLiving(row) && !mayStay && keptUntilMs(row) + CLOCKS_APART_MS < nowMs)
        this.wrong(`${orderId} keeps its coins for money that grants nothing`)
    }
  }

  /** Checks what must hold after every append. */
  private appended(row: OrderRow, events: readonly OrderEvent[]): void {
    const { orderId, customerId } = row.placed
    const untrue = row.shown.kind === 'placed' ? untrueOf(row, readOf(row.shown)) : []
    for (const text of untrue) this.wrong(`${orderId}: '${text}' is told, and is not so`)
    const isOwn = (serial: number): boolean => {
      const reservation = this.reservations.get(serial)
      return reservation?.state === 'open' && reservation.quantityM > 0
    }
    if (events.at(-1)?.type === 'ReinstatementRefused' && [...row.serials].some(isOwn))
      this.wrong(`${orderId} was refused for lack of the coins that it held itself`)
    if (isLiving(row) && this.erased.has(customerId)) this.wrong(`${orderId} is open, but its buyer cannot be read`)
    if (!isLiving(row) || row.heldM === 0) return
    const state = row.held === undefined ? 'missing' : this.reservations.get(row.held)?.state
    if (state !== 'open') this.wrong(`${orderId} needs coins, but its reservation is ${state ?? 'missing'}`)
  }
}

/** The reasons why the order needs attention. */
export function reasonsFor(row: OrderRow): AttentionReason[] {
  const isUnapproved = isLiving(row) && !row.isApproved
  const isUnseen = row.cameCents > row.settledCents && !mayComeBack(row)
  const heldCents = paidCents(row)
  const needed: readonly (readonly [AttentionReason, boolean])[] = [
    ['short', isUnapproved && heldCents > 0 && !isCovered(row)],
    ['over', isUnseen && (isLiving(row) || row.isGiven) && heldCents > revenueLeftCents(row)],
    ['unearned', isUnseen && !isLiving(row) && !row.isGiven && heldCents > 0],
    ['refund-failed', row.untoldMissing.size > 0],
    // Where a refund is unknown, that asks instead of a reversal that staff had answered by a refund before they approved.
    ['reversed', isUnapproved && row.wasReversed && !isRefundUnknown(row)],
    ['refund-unknown', isUnapproved && isRefundUnknown(row)],
    ['disputed', isUnapproved && isDisputed(row)],
    ['delivery-unknown', row.isDeliveryUnknown],
    ['never-confirmed', !isLiving(row) && isMoneySeen(row) && !isSeenSettled(row)],
  ]
  return needed.flatMap(([reason, isNeeded]) => (isNeeded ? [reason] : []))
}

/** Unconfirmed parts as `attempt id`; `all` for an attempt without part ids. */
function seenParts(row: OrderRow): string[] {
  return seenAttempts(row).flatMap(([attempt, ids]) =>
    (ids.size > 0 ? [...ids] : ['all']).map((id) => `${attempt} ${id}`),
  )
}

/** Staff have settled every part that is unconfirmed now, whatever came in between. */
export function isSeenSettled(row: OrderRow): boolean {
  if (row.isSeenSettled || row.seen.size === 0) return row.isSeenSettled
  return seenParts(row).every((key) => row.settledParts.has(key))
}

/** Late money covers the total and may reinstate the order. */
function mayComeBack(row: OrderRow): boolean {
  const isEnded = row.status === 'expired' || row.status === 'cancelled'
  const isClear = !row.refusesLate && !row.wasReversed && !isDisputed(row)
  return isEnded && !row.isDeleted && isClear && isCovered(row)
}

/** Finds the attempt of a payment by reference, method and price. */
export function attemptOf(
  { reference, method, askedMinor, transfer }: BankPayment,
  { keys, ledger }: { readonly keys: ShopKeys; readonly ledger: Ledger },
): { row: OrderRow; attempt: number; asked: OrderRow['attempts'][number] } | undefined {
  const referred = keys.referred(reference)
  const row = referred && ledger.orders.get(referred.orderId)
  const asked = referred && row?.attempts[referred.attempt - 1]
  if (!asked || asked.method !== method) return undefined
  return transfer || asked.askedMinor === askedMinor ? { row, attempt: referred.attempt, asked } : undefined
}

const HOUR_MS = 3_600_000

/** Each rule grants time once, when it first applies. */
function grant(row: OrderRow, at: string): void {
  if (!isLiving(row)) return
  const { totalCents, isLargeHold } = row.placed
  const seen = seenAttempts(row).map(([attempt]) => row.seenCents.get(attempt) ?? null)
  const seenCents = seen.reduce<number>((sum, cents) => sum + (cents ?? 0), 0)
  const rules: [string, boolean, number][] = [
    ['received', !arrivedOf(row).plus(arrivedOf(row)).isBelow(Exact.of(totalCents)), 24],
    ['seen', seenCents >= totalCents / 2, isLargeHold ? 1 : 24],
    ['unknown', seen.includes(null), 1],
  ]
  for (const [rule, holds, hours] of rules)
    if (holds && !row.grants.has(rule)) row.grants.set(rule, Date.parse(at) + hours * HOUR_MS)
}

function keptUntilMs({ expiresAtMs, grants }: OrderRow): number {
  return Math.max(expiresAtMs, ...grants.values())
}

const WATCH_MS = 7 * 24 * 3_600_000

/** To deliver, refund or ask. */
export function needsItsBuyer(row: OrderRow): boolean {
  const isUnderWay = row.capture !== undefined || row.delivery !== undefined || row.isDeliveryUnknown
  const isAnswered = row.isGiven || row.settledCents > 0
  return isLiving(row) || isUnderWay || row.attention.size > 0 || (paidCents(row) > 0 && !isAnswered)
}
