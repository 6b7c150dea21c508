import { CLOCKS_APART_MS } from '../src/domain/clocks-apart.ts'
import { isReceiptStream, orderIdOf } from '../src/domain/stream-names.ts'
import type { AttentionReason } from '../src/domain/words.ts'
import type { OrderEvent, OrderEventData } from '../src/domain/order/events.ts'
import { order as orderDecider } from '../src/domain/order/order.ts'
import type { ReceiptEvent } from '../src/domain/receipt/events.ts'
import type { RecordedEvent } from '../src/log/event-log.ts'
import type { ShopKeys } from '../src/shop/keys.ts'
import type { BankPayment } from './bank.ts'
import { Exact } from './exact.ts'
import {
  arrivedOf,
  goneOf,
  isCovered,
  isOverspent,
  missingRefunds,
  paidCents,
  reportedReversalOf,
  reversalOf,
} from './money.ts'
import { OrderRow, type ReceiptRow } from './order-row.ts'

// Keeps the books like an accountant, from the events alone. It does not use the deciders: the rules are written down here a second time.

interface Reservation {
  readonly orderId: string
  readonly quantityM: number
  state: 'open' | 'released' | 'committed'
}

type Taken = Exclude<OrderEvent, { type: 'OrderPlaced' }>
/** Applies an event to a row; `by` is its correlation id. */
type Takes<Type extends Taken['type']> = (row: OrderRow, data: OrderEventData<Type>, by: string) => void

const nothing = (): void => undefined

const untouched = {
  back: { done: '0', pending: '0', failed: '0' },
  reversed: { reversedAmount: '0', refundedCents: 0 },
  refundedCents: 0,
} satisfies Partial<ReceiptRow>

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
    const wasGiven = holder !== undefined && isGiven(holder)
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
      if (this.claims.has(key)) this.breach(`receipt ${receiptId} was claimed twice`)
      this.claims.set(key, { orderId, attempt })
      if (!this.orders.has(orderId)) this.wrong(`receipt ${receiptId} is claimed by ${orderId}, which does not exist`)
    }
  }

  private takeOrder(events: readonly (OrderEvent & RecordedEvent)[]): void {
    const first = events[0]
    if (!first) return
    let row = this.orders.get(first.data.orderId)
    if (row) row.isMoreReversed = false
    if (row) row.before = { ready: row.ready, delivery: row.delivery, isDeliveryUnknown: row.isDeliveryUnknown }
    for (const event of events) {
      if (event.type === 'OrderPlaced') {
        if (row) this.wrong(`${event.data.orderId} was placed twice`)
        row = new OrderRow(event.data)
        this.orders.set(event.data.orderId, row)
        this.claim(row, event.data.serial, event.data.preOrder ? 0 : event.data.quantityM)
        const { orderId, customerId } = event.data
        if (this.keysGone.has(customerId)) this.wrong(`${orderId} was placed under a key that is gone`)
      } else if (row) {
        const takes = this.takes[event.type] as (row: OrderRow, data: unknown, by: string) => void
        takes(row, event.data, event.metadata.correlationId)
      }
      const wakes = event.type === 'OrderReinstated' || event.type === 'OrderApproved'
      if (wakes && row && this.erased.has(row.placed.customerId))
        this.wrong(`${row.placed.orderId} was reinstated, but its buyer cannot be read`)
      row?.history.push(event.type)
      if (row) {
        if (!isReady(row)) row.ready = undefined
        this.notice(row)
        this.show(row, event)
        row.mayBeCalledFor[event.revision] = row.delivery !== undefined && isDeliverable(row)
        row.neededItsBuyer[event.revision] = needsItsBuyer(row)
      }
      this.onEvent(event, row)
    }
    if (row) this.appended(row, events)
  }

  /** A failed refund is news when it begins or grows. */
  private notice(row: OrderRow): void {
    const { missing } = row
    row.missing = missingRefunds(row)
    for (const receiptId of missing.keys()) if (!row.missing.has(receiptId)) row.untoldMissing.delete(receiptId)
    for (const [receiptId, failed] of row.missing)
      if (Exact.of(missing.get(receiptId) ?? '0').isBelow(Exact.of(failed))) row.untoldMissing.add(receiptId)
  }

  private readonly takes: { readonly [Type in Taken['type']]: Takes<Type> } = {
    OrderAbandoned: nothing,
    PaymentMethodChosen: nothing,
    DeliveryHeld: nothing,
    DeliveredAfterEnd: nothing,
    PaymentRequested: (row, data) => void row.attempts.push(data),
    PaymentStarted: (row, started) => {
      const { attempt, paymentId, orderExpiresAt } = started
      row.paymentIds.set(attempt, paymentId)
      row.started.set(attempt, started)
      row.expiresAtMs = Date.parse(orderExpiresAt)
    },
    PaymentSeen: (row, { attempt, parts, seenCents, at }) => {
      const known = row.seen.get(attempt)
      if (!known || parts.some(({ id }) => !known.has(id))) row.isSeenSettled = false
      if (!known) row.settledParts.delete(`${attempt} all`)
      for (const { id } of parts) {
        if (!known?.has(id)) row.settledParts.delete(`${attempt} ${id}`)
        row.everParts.add(id)
      }
      row.seen.set(attempt, new Set(parts.map(({ id }) => id)))
      row.seenCents.set(attempt, seenCents)
      grant(row, at)
      row.everSeen.add(attempt)
      closeCapture(row, attempt)
    },
    CaptureRequested: (row, data) => {
      if (!isLiving(row)) this.breach(`a capture of ${data.orderId}, which is not pending`)
      row.capture = data
    },
    PaymentReceived: (row, data) => this.received(row, data),
    PaymentFailed: (row, { attempt }) => {
      row.seen.delete(attempt)
      closeCapture(row, attempt)
    },
    RefundReported: (row, { orderId, receiptId, done, pending, failed }) => {
      const receipt = row.receipts.get(receiptId)
      if (receipt) receipt.back = { done, pending, failed }
      else this.wrong(`${orderId}: a refund of receipt ${receiptId} is reported before it was received`)
    },
    PaymentReversed: (row, data) => this.reversed(row, data),
    RefundRecorded: (row, data, by) => this.refunded(row, data, by),
    PaymentDisputed: (row, { orderId, disputeId }) => {
      row.isDeliveryUnknown ||= isInList(row)
      if (row.openDisputes.has(disputeId)) this.breach(`${orderId}: ${disputeId} is opened twice`)
      row.openDisputes.add(disputeId)
      row.isApproved = false
    },
    DisputeClosed: (row, { outcome, disputeId }) => void (outcome === 'won' && row.openDisputes.delete(disputeId)),
    PaymentWatchHeldUp: (row, { attempt }) => void row.unclear.add(attempt),
    PaymentWatchEnded: (row, { attempt, at, isUnclear, orderId }) => {
      if (isUnclear) row.unclear.add(attempt)
      if (row.watchEndedAt.has(attempt)) {
        if (!isUnclear) this.breach(`${orderId}: the watch of attempt ${attempt} ended twice`)
        return
      }
      const endMs = Date.parse(row.endedAt ?? '') + WATCH_MS
      if (row.endedAt === undefined) this.breach(`${orderId}: a watch ended while the order lives`)
      else if (at === row.unclearSettledAt) row.watchEndedAt.set(attempt, row.placed.at)
      else row.watchEndedAt.set(attempt, new Date(endMs).toISOString())
      if (Date.parse(at) < endMs) this.breach(`${orderId}: a watch ended before its time`)
    },
    OrderApproved: (row, { orderId, serial }) => {
      this.notBusy(row, 'approved')
      if (row.isDeleted) this.wrong(`${orderId} was approved after it was deleted`)
      row.status = 'pending'
      row.isApproved = true
      row.endedAt = undefined
      row.refusesLate = false
      if (serial !== null) this.claim(row, serial, row.placed.quantityM)
    },
    PreOrderReserved: (row, { serial }) => this.claim(row, serial, row.placed.quantityM),
    OrderReinstated: (row, { orderId, serial }) => {
      if (row.isDeleted) this.wrong(`${orderId} was reinstated after it was deleted`)
      if (row.openDisputes.size > 0) this.wrong(`${orderId} was reinstated while its payer disputes it`)
      if ((row.settledCents > 0 || row.wasRefunded) && row.status !== 'pending')
        this.wrong(`${orderId} was reinstated after staff had dealt with its money`)
      row.status = 'pending'
      row.endedAt = undefined
      this.claim(row, serial, row.placed.quantityM)
    },
    OrderReady: (row, { orderId, deliveryMode, at }) => {
      if (!isReady(row)) this.breach(`${orderId} is recorded as ready, and is not`)
      if (row.ready) this.breach(`${orderId} is handed over by ${row.ready.deliveryMode}, and another way is recorded`)
      row.ready = { deliveryMode, since: at }
    },
    DeliveryRequested: (row, data) => {
      if (!isDeliverable(row)) this.breach(`a delivery of ${data.orderId}, which is not to be delivered`)
      if (isInList(row)) this.breach(`a delivery of ${data.orderId}, which staff hand over`)
      row.delivery = data
      row.lastDelivery = data
    },
    OrderCompleted: (row) => this.completed(row),
    OrderExpired: (row, { orderId, at }) => {
      this.ended(row, 'expired', at)
      const isOfAWrongClock = Date.parse(row.placed.at) > Date.parse(at)
      if (!isOfAWrongClock && Date.parse(at) < keptUntilMs(row))
        this.wrong(`${orderId} expired before the end that its money had granted`)
    },
    OrderCancelled: (row, { orderId, at }) => {
      this.ended(row, 'cancelled', at)
      if (row.receivedCents > 0 || isOnItsWay(row)) this.breach(`${orderId} was cancelled although money was seen`)
    },
    ReceiptUnusable: (row, data) => this.unusable(row, data),
    DeliveryGivenUp: (row) => {
      row.delivery = undefined
      row.isDeliveryUnknown = true
    },
    ReinstatementRefused: (row) => void (row.refusesLate = true),
    AttentionSettled: (row, { orderId, answers, at }, by) => {
      const seen = this.seenBySettler.get(by)
      const unseen = [...row.attention].filter((reason) => seen !== undefined && !seen.reasons.includes(reason))
      if (unseen.length > 0) this.wrong(`${orderId}: ${unseen.join(', ')} was settled unseen`)
      if (seen && row.cameCents > seen.cents) this.wrong(`${orderId}: money was settled unseen`)
      if (isLiving(row)) this.breach(`${orderId} was settled while pending`)
      row.isSeenSettled = true
      for (const key of seenParts(row)) row.settledParts.add(key)
      row.refusesLate = true
      if (answers.includes('payment-unclear')) row.unclearSettledAt = at
      row.settledCents = row.cameCents
      if (answers.includes('refund-failed')) row.untoldMissing.clear()
    },
    OrderDeleted: (row, data) => this.deleted(row, data),
  }

  private received(row: OrderRow, data: OrderEventData<'PaymentReceived'>): void {
    const { provider, receiptId, attempt, amount, addedAmount, askedAmount, currency, addedCents, orderId, at } = data
    const key = `${provider}/${receiptId}`
    const claim = this.claims.get(key)
    if (claim?.orderId !== orderId)
      this.breach(`receipt ${receiptId} is recorded on ${orderId}, which has not claimed it`)
    const payer = this.recordedOn.get(key) ?? orderId
    if (payer !== orderId) this.wrong(`receipt ${receiptId} pays ${payer} and ${orderId}`)
    this.recordedOn.set(key, orderId)
    const heldCents = paidCents(row)
    const known = row.receipts.get(receiptId)
    if (known && (known.attempt !== attempt || known.askedAmount !== askedAmount || known.currency !== currency))
      this.wrong(`${orderId}: receipt ${receiptId} counts by two attempts or amounts`)
    const before = Exact.of(known?.amount ?? '0')
    if (!before.isBelow(Exact.of(amount)) || !before.plus(Exact.of(addedAmount)).isSame(Exact.of(amount)))
      this.wrong(`${orderId}: receipt ${receiptId} is ${amount}, and ${addedAmount} more than ${known?.amount ?? '0'}`)
    row.sums = undefined
    if (known) known.amount = amount
    else row.receipts.set(receiptId, { attempt, askedAmount, currency, amount, ...untouched })
    this.addsUp(row, data, { heldCents, changeCents: addedCents })
    row.receivedCents += addedCents
    closeCapture(row, attempt)
    row.seen.get(attempt)?.delete(receiptId)
    row.brought.add(attempt)
    grant(row, at)
  }

  private reversed(row: OrderRow, data: OrderEventData<'PaymentReversed'>): void {
    const { orderId, receiptId, reversedAmount, refundedCents, takenCents } = data
    const receipt = row.receipts.get(receiptId)
    if (!receipt) {
      this.wrong(`${orderId}: a reversal of receipt ${receiptId} before it was received`)
      return
    }
    if (!Exact.of(reversedAmount).isSame(goneOf(receipt)) || refundedCents !== receipt.refundedCents)
      this.wrong(`${orderId}: a reversal of ${receiptId} is not what its provider reports`)
    const heldCents = paidCents(row)
    const [counted, before, known] = [reversalOf(row, receipt), reportedReversalOf(row, receipt), receipt.reversed]
    receipt.reversed = { reversedAmount, refundedCents }
    row.sums = undefined
    this.addsUp(row, data, { heldCents, changeCents: -takenCents })
    if (isOverspent(row, receipt)) this.wrong(`${orderId}: more of ${receiptId} is gone than came`)
    if (reversalOf(row, receipt).isBelow(counted) && refundedCents === known.refundedCents) row.undone.add(receiptId)
    if (!before.isBelow(reportedReversalOf(row, receipt))) return
    row.isMoreReversed = true
    row.isDeliveryUnknown ||= isInList(row)
    row.wasReversed = true
    row.isApproved = false
  }

  /** The cents of an event are what it changes of what the order holds. */
  private addsUp(
    row: OrderRow,
    { orderId, receiptId }: { orderId: string; receiptId: string },
    { heldCents, changeCents }: { heldCents: number; changeCents: number },
  ): void {
    const afterCents = paidCents(row)
    if (afterCents !== heldCents + changeCents)
      this.wrong(`${orderId}: ${receiptId} counts ${changeCents} cents: ${heldCents} were held, and now ${afterCents}`)
    row.cameCents += Math.max(0, afterCents - heldCents)
  }

  private unusable(row: OrderRow, data: OrderEventData<'ReceiptUnusable'>): void {
    const { attempt, receiptId, why, news, endsSighting } = data
    if (why === 'another-coin') row.strays.set(receiptId, news === 'gone')
    else row.refused.add(receiptId)
    const brought = new Set([...row.receipts.values()].map((receipt) => receipt.attempt))
    for (const [each, parts] of row.seen)
      if (parts.delete(receiptId) && parts.size === 0 && !brought.has(each)) row.seen.delete(each)
    if (endsSighting && row.seen.get(attempt)?.size === 0 && !brought.has(attempt)) row.seen.delete(attempt)
  }

  private refunded(row: OrderRow, data: OrderEventData<'RefundRecorded'>, by: string): void {
    const { orderId, amountCents, parts, revenueCents, endsOrder, coinsGiven, at } = data
    this.notBusy(row, 'refunded')
    const heldCents = paidCents(row)
    const seenCents = this.seenByRefunder.get(by) ?? heldCents
    if (seenCents !== heldCents) this.wrong(`${orderId}: staff saw ${seenCents} cents and refunded of ${heldCents}`)
    if (parts.reduce((sum, part) => sum + part.amountCents, 0) !== amountCents)
      this.wrong(`${orderId}: a refund of ${amountCents} does not add up`)
    for (const part of parts) {
      const receipt = row.receipts.get(part.receiptId)
      if (receipt) receipt.refundedCents += part.amountCents
    }
    row.sums = undefined
    if (
      [...row.receipts.values()].some((receipt) => isOverspent(row, receipt)) ||
      paidCents(row) !== heldCents - amountCents
    )
      this.wrong(`${orderId}: more money is gone than came`)
    // Money above the total of a delivered order was never revenue.
    const isRevenue = row.status === 'completed' && !row.isDeleted
    const excessCents = Math.max(0, heldCents - revenueLeftCents(row))
    if (revenueCents !== (isRevenue ? Math.max(0, amountCents - excessCents) : 0))
      this.wrong(`${orderId}: a refund of ${amountCents} takes ${revenueCents} from the revenue`)
    row.lostCents += revenueCents
    this.revenueCents -= revenueCents
    if (endsOrder !== (!isGiven(row) && !row.isDeleted && !isCovered(row)))
      this.wrong(`${orderId}: a refund ${endsOrder ? 'ends' : 'does not end'} it`)
    if (!endsOrder) return
    if (isLiving(row) && (row.isDeliveryUnknown || isInList(row)) && coinsGiven === null)
      this.breach(`${orderId} was refunded, but staff did not say whether its coins were given`)
    if (coinsGiven === true) this.wrong(`${orderId} was given its coins, and a refund ends it`)
    row.wasRefunded = true
    row.refusesLate = true
    row.isDeliveryUnknown = false
    ends(row, 'refunded', row.endedAt ?? at)
  }

  private claim(row: OrderRow, serial: number, quantityM: number): void {
    const { orderId } = row.placed
    const reservation = this.reservations.get(serial)
    if (reservation?.orderId !== orderId || reservation.state !== 'open')
      this.wrong(`${orderId} claims serial ${serial}, which is ${reservation?.state ?? 'not there'}: sold twice`)
    else if (reservation.quantityM !== quantityM)
      this.wrong(`${orderId} claims ${quantityM}M by serial ${serial}, which is over ${reservation.quantityM}M`)
    row.held = serial
    row.heldM = quantityM
    row.serials.add(serial)
  }

  private completed(row: OrderRow): void {
    const { orderId, quantityM, totalCents } = row.placed
    row.completions += 1
    this.revenueCents += totalCents
    if (row.completions > 1) this.wrong(`${orderId} was completed twice`)
    if (row.capture) this.breach(`${orderId} was completed while a capture was open`)
    const wasGiven = row.delivery !== undefined || row.isDeliveryUnknown
    if (!isLiving(row)) this.wrong(`${orderId} was completed when it was ${row.status}`)
    if (!wasGiven && !isDeliverable(row)) this.wrong(`${orderId} was delivered without money or approval`)
    const reservation = row.held === undefined ? undefined : this.reservations.get(row.held)
    if (row.heldM !== quantityM || reservation?.state !== 'open')
      this.wrong(`${orderId} was delivered, but no coins are held for it: sold twice`)
    row.status = 'completed'
    row.delivery = undefined
    row.isDeliveryUnknown = false
    row.endedAt = 'completed'
  }

  private ended(row: OrderRow, as: 'expired' | 'cancelled', at: string): void {
    const { orderId } = row.placed
    this.notBusy(row, as)
    if (!isLiving(row)) this.wrong(`${orderId} ended when it was ${row.status}`)
    if (row.isDeliveryUnknown) this.breach(`${orderId} ended while its delivery is unknown`)
    if (row.isApproved) this.breach(`${orderId} ended although it is approved`)
    if (isDeliverable(row)) this.wrong(`${orderId} ended although it is paid`)
    ends(row, as, at)
  }

  private deleted(row: OrderRow, data: OrderEventData<'OrderDeleted'>): void {
    const { orderId } = row.placed
    this.notBusy(row, 'deleted')
    if (row.isDeleted) this.wrong(`${orderId} was deleted twice`)
    if ((row.isDeliveryUnknown || isInList(row)) && data.coinsGiven === null)
      this.breach(`${orderId} was deleted, but staff did not say whether its coins were given`)
    const isGiven = row.status === 'completed' || data.coinsGiven === true
    if (row.status === 'completed') this.revenueCents -= data.totalCents
    if (row.status === 'completed' && data.totalCents !== revenueLeftCents(row))
      this.wrong(`${orderId} is deleted, and takes ${data.totalCents} from the revenue`)
    row.isDeleted = true
    row.endedAt = data.at
    row.coinsGiven = data.coinsGiven === true && row.status !== 'completed'
    row.isDeliveryUnknown = false
    if (isGiven) return
    row.held = undefined
    row.heldM = 0
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

  private notBusy(row: OrderRow, what: string): void {
    if (row.capture) this.breach(`${row.placed.orderId} was ${what} while a capture was open`)
    if (row.delivery) this.breach(`${row.placed.orderId} was ${what} while a delivery was open`)
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
  private appended(row: OrderRow, events: readonly (OrderEvent & RecordedEvent)[]): void {
    const last = events.at(-1)
    for (const reason of reasonsFor(row, events))
      if (!row.attention.has(reason)) this.breach(`${row.placed.orderId}: ${reason}, but nobody is notified`)
    for (const reason of row.attention)
      if (causesOf(row)[reason] === false) this.wrong(`${row.placed.orderId}: ${reason} is told, and is not so`)
    const isRefused = last?.type === 'ReinstatementRefused'
    const isOwn = (serial: number): boolean => {
      const reservation = this.reservations.get(serial)
      return reservation?.state === 'open' && reservation.quantityM > 0
    }
    if (isRefused && [...row.serials].some(isOwn))
      this.wrong(`${row.placed.orderId} was refused for lack of the coins that it held itself`)
    if (row.endedAt === 'completed' && last) row.endedAt = last.data.at
    // The bot still owns an open delivery, even if a dispute has stopped its calls.
    if (last && isReady(row) && !row.ready && !row.delivery) {
      this.breach(`${row.placed.orderId} is ready, and how it is handed over is not recorded`)
      row.ready = { deliveryMode: 'staff', since: last.data.at }
    }
    if (isLiving(row) && this.erased.has(row.placed.customerId))
      this.wrong(`${row.placed.orderId} is open, but its buyer cannot be read`)
    if (!isLiving(row) || row.heldM === 0) return
    const state = row.held === undefined ? 'missing' : this.reservations.get(row.held)?.state
    if (state !== 'open') this.wrong(`${row.placed.orderId} needs coins, but its reservation is ${state ?? 'missing'}`)
  }
}

/** The coins were given, according to the ledger. */
export function isGiven({ completions, coinsGiven }: OrderRow): boolean {
  return completions > 0 || coinsGiven
}

function ends(row: OrderRow, as: OrderRow['status'], at: string): void {
  row.status = as
  row.endedAt = at
  row.held = undefined
  row.heldM = 0
  row.isApproved = false
}

function closeCapture(row: OrderRow, attempt: number): void {
  if (row.capture?.attempt === attempt) row.capture = undefined
}

/** The reasons why the order needs attention. */
export function reasonsFor(row: OrderRow, events: readonly OrderEvent[] = []): AttentionReason[] {
  const isOver = isGiven(row)
  const isUnapproved = isLiving(row) && !row.isApproved
  const keptCents = isLiving(row) ? row.placed.totalCents : isOver ? revenueLeftCents(row) : 0
  const isOwed = paidCents(row) > keptCents && row.cameCents > row.settledCents && !mayComeBack(row)
  const has = (type: OrderEvent['type']): boolean => events.some((event) => event.type === type)
  const isTaken = events.length > 0 && row.isMoreReversed
  const needed: readonly (readonly [AttentionReason, boolean])[] = [
    ['short', isUnapproved && paidCents(row) > 0 && !isCovered(row)],
    ['over', isOwed && (isLiving(row) || isOver)],
    ['unearned', isOwed && !isLiving(row) && !isOver],
    ['refund-failed', row.untoldMissing.size > 0],
    ['reversed', isTaken || (isUnapproved && row.wasReversed)],
    ['disputed', row.openDisputes.size > 0 && (has('PaymentDisputed') || isUnapproved)],
    ['delivery-unknown', row.isDeliveryUnknown],
    ['never-confirmed', !isLiving(row) && isOnItsWay(row) && !isSeenSettled(row)],
    ['delivered-after-end', has('DeliveredAfterEnd')],
  ]
  return needed.flatMap(([reason, isNeeded]) => (isNeeded ? [reason] : []))
}

/** Whether the order gives cause for a reason; missing where only its provider or staff know. */
function causesOf(row: OrderRow): Partial<Record<AttentionReason, boolean>> {
  const isOver = isGiven(row)
  const heldCents = paidCents(row)
  return {
    short: isLiving(row) && heldCents > 0 && !isCovered(row),
    over: (isLiving(row) || isOver) && heldCents > (isLiving(row) ? row.placed.totalCents : revenueLeftCents(row)),
    unearned: !isLiving(row) && !isOver && heldCents > 0,
    'refund-failed': row.missing.size > 0,
    reversed: row.wasReversed,
    disputed: row.openDisputes.size > 0,
    'delivery-unknown': row.isDeliveryUnknown,
    'wrong-coin': [...row.strays.values()].includes(false),
    'payment-unclear': row.unclear.size > 0,
    'never-confirmed': isOnItsWay(row),
    'receipt-refused': row.refused.size > 0,
  }
}

/** Attempts with unconfirmed money, and the ids of its parts. */
function seenAttempts({ seen, brought }: OrderRow): [attempt: number, ids: ReadonlySet<string>][] {
  return [...seen].filter(([attempt, ids]) => ids.size > 0 || !brought.has(attempt))
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
  const isClear = !row.refusesLate && !row.wasReversed && row.openDisputes.size === 0
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
  const isAnswered = isGiven(row) || row.settledCents > 0
  return isLiving(row) || isUnderWay || row.attention.size > 0 || (paidCents(row) > 0 && !isAnswered)
}

export function isLiving(row: OrderRow): boolean {
  return row.status === 'pending' && !row.isDeleted
}

function revenueLeftCents({ placed, lostCents }: OrderRow): number {
  return placed.totalCents - lostCents
}

/** Some money is unconfirmed: neither received nor failed. */
function isOnItsWay(row: OrderRow): boolean {
  return seenAttempts(row).length > 0
}

export function isDeliverable(row: OrderRow): boolean {
  return isLiving(row) && (row.isApproved || (isCovered(row) && !row.wasReversed && row.openDisputes.size === 0))
}

function isReady(row: OrderRow): boolean {
  return isDeliverable(row) && row.heldM === row.placed.quantityM && !row.capture && !row.isDeliveryUnknown
}

/** Staff must deliver it, and have not marked it as delivered. */
export function isInList({ ready }: OrderRow): boolean {
  return ready?.deliveryMode === 'staff'
}
