import { CLOCKS_APART_MS } from '../../domain/clocks-apart.ts'
import { isReceiptStream, isStockStream, orderIdOf } from '../../domain/stream-names.ts'
import type { AttentionReason, DeliveryMode, OrderEvent, OrderEventData } from '../../domain/order/events.ts'
import { noOrder, type Order } from '../../domain/order/order-state.ts'
import { order as orderDecider } from '../../domain/order/order.ts'
import type { InventoryEvent } from '../../domain/inventory/events.ts'
import type { ReceiptEvent } from '../../domain/receipt/events.ts'
import type { RecordedEvent } from '../../event-store/event-log.ts'

/*
 * The books as an accountant would keep them, from the events alone and with rules written down a second time: what must never be is said here, not
 * asked of the deciders.
 */

interface Reservation {
  readonly orderId: string
  readonly quantityM: number
  state: 'open' | 'released' | 'committed'
}

interface ReceiptRow {
  coversCents: number
  reversedCents: number
  /** What staff have paid back of it. */
  refundedCents: number
  readonly attempt: number
}

export interface OrderRow {
  readonly placed: OrderEventData<'OrderPlaced'>
  status: 'pending' | 'completed' | 'expired' | 'cancelled' | 'refunded'
  isDeleted: boolean
  held: number | undefined
  heldM: number
  /** Claims that this order's stream has named. */
  readonly serials: Set<number>
  readonly attempts: OrderEventData<'PaymentRequested'>[]
  readonly paymentIds: Map<number, string>
  readonly ended: Set<number>
  readonly watchEndedAt: Map<number, string>
  /** Staff have looked at payments that errors held up: these are not asked about again. */
  unclearSettledAt?: string
  readonly receipts: Map<string, ReceiptRow>
  readonly refused: Set<string>
  /** Attempts with money that is not confirmed, and the ids of its parts. */
  readonly seen: Map<number, Set<string>>
  /** Attempts that a receipt came by, also one that another attempt has reported since. */
  readonly brought: Set<number>
  readonly everSeen: Set<number>
  readonly everParts: Set<string>
  /** Staff have settled what is on its way, and no more was seen since. */
  isSeenSettled: boolean
  /** By attempt and part: what was on its way when staff settled it. */
  readonly settledParts: Set<string>
  readonly captureUnknown: Set<number>
  readonly unclear: Set<number>
  wasReversed: boolean
  /** Those that are not won. */
  readonly openDisputes: Set<string>
  isApproved: boolean
  capture: OrderEventData<'CaptureRequested'> | undefined
  delivery: OrderEventData<'DeliveryRequested'> | undefined
  isDeliveryUnknown: boolean
  /** How and since when it can be handed over, as recorded; by staff where nothing is recorded. */
  ready: { readonly deliveryMode: DeliveryMode; readonly since: string } | undefined
  /** As it was before the last append. */
  before: Pick<OrderRow, 'ready' | 'delivery' | 'isDeliveryUnknown'>
  /** What staff are shown, which is compared with these books. */
  shown: Order
  attention: ReadonlySet<AttentionReason>
  readonly everRaised: Set<AttentionReason>
  /** Staff have paid money back of an order that was not delivered. */
  wasRefunded: boolean
  /** What refunds have taken from the revenue. */
  lostCents: number
  /** What had come when staff last said that all is dealt with. */
  settledCents: number
  /** What came again by reversals that were undone. */
  undoneCents: number
  /** Late money does not bring it back any more. */
  refusesLate: boolean
  completions: number
  endedAt: string | undefined
  expiresAtMs: number
  /** By attempt: what is seen of it would cover. */
  readonly seenCents: Map<number, number | null>
  /** Until when money keeps it open, by what granted that. */
  readonly grants: Map<string, number>
  coinsGiven: boolean
  readonly history: string[]
  /** The last one, open or not. */
  lastDelivery: OrderEventData<'DeliveryRequested'> | undefined
  /** Whether, after each event, a call to deliver would have been right. */
  readonly mayBeCalledFor: boolean[]
  /** Whether, after each event, the buyer's data was still needed. */
  readonly neededItsBuyer: boolean[]
}

export class Ledger {
  readonly orders = new Map<string, OrderRow>()
  /** Whose a receipt is, by its claim and by what is recorded. */
  readonly claims = new Map<string, string>()
  /** By the same key: the attempt that claimed it. */
  readonly claimedBy = new Map<string, number>()
  readonly recordedOn = new Map<string, string>()
  /** Receipts noted without an order, until one claims them. */
  readonly unplaced = new Set<string>()
  readonly settledUnplaced = new Set<string>()
  /** Money or coins are wrong, or an order waits for ever. */
  readonly harm: string[] = []
  /** A rule was broken that keeps harm away. */
  readonly breaches: string[] = []
  /** Customers erased according to the log, and those whose key the vault has deleted. */
  readonly erased = new Set<string>()
  readonly keysGone = new Set<string>()
  /** What staff saw, by the request with which they settled. */
  readonly seenBySettler = new Map<string, { readonly reasons: readonly AttentionReason[]; readonly cents: number }>()
  /** What was left of an order's money, as staff saw it who paid it back. */
  readonly seenByRefunder = new Map<string, number>()
  revenueCents = 0
  freeM = 0
  setM = 0
  openM = 0
  committedM = 0
  readonly reservations = new Map<number, Reservation>()
  onEvent: (event: RecordedEvent, order: OrderRow | undefined) => void = () => undefined
  onAttention: (orderId: string, reason: AttentionReason) => void = () => undefined

  /** The events of one append, in order. */
  take(events: readonly RecordedEvent[]): void {
    const first = events[0]
    if (!first) return
    if (orderIdOf(first.stream) !== undefined) this.takeOrder(events as unknown as (OrderEvent & RecordedEvent)[])
    else if (isStockStream(first.stream)) this.takeStock(events as unknown as (InventoryEvent & RecordedEvent)[])
    else if (isReceiptStream(first.stream)) this.takeReceipt(events as unknown as (ReceiptEvent & RecordedEvent)[])
    else
      for (const event of events) {
        if (event.type === 'CustomerErased') this.erased.add(event.data.customerId)
        this.onEvent(event, undefined)
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

  private takeStock(events: readonly (InventoryEvent & RecordedEvent)[]): void {
    for (const event of events) {
      this.onEvent(event, undefined)
      this.stock(event)
      if (this.freeM < 0) this.wrong(`${-this.freeM}M more are promised than there are`)
      if (this.freeM + this.openM + this.committedM !== this.setM)
        this.wrong(`${this.freeM}M free + ${this.openM}M open + ${this.committedM}M sold is not ${this.setM}M`)
    }
  }

  private stock(event: InventoryEvent): void {
    switch (event.type) {
      case 'StockSet':
        this.freeM += event.data.quantityM
        this.setM += event.data.quantityM
        return
      case 'StockAdjusted':
        this.freeM += event.data.differenceM
        this.setM += event.data.differenceM
        return
      case 'StockReserved': {
        const { serial, orderId, quantityM } = event.data
        if (this.reservations.has(serial)) this.wrong(`serial ${serial} was given twice`)
        this.reservations.set(serial, { orderId, quantityM, state: 'open' })
        this.freeM -= quantityM
        this.openM += quantityM
        return
      }
      case 'SerialsSkipped':
        return
      case 'StockReleased':
        this.end(event.data.serial, 'released')
        return
      case 'StockCommitted':
        this.end(event.data.serial, 'committed')
        return
    }
  }

  private end(serial: number, state: 'released' | 'committed'): void {
    const reservation = this.reservations.get(serial)
    if (reservation?.state !== 'open') {
      this.wrong(`serial ${serial} was ${state}, but it was ${reservation?.state ?? 'never reserved'}`)
      return
    }
    const { quantityM, orderId } = reservation
    reservation.state = state
    this.openM -= quantityM
    if (state === 'released') this.freeM += quantityM
    else this.committedM += quantityM
    const order = this.orders.get(orderId)
    const isGiven = order !== undefined && (order.completions > 0 || order.coinsGiven) && order.held === serial
    const isHeld = order !== undefined && order.held === serial && isLiving(order)
    if (state === 'released' && (isHeld || isGiven))
      this.wrong(`serial ${serial} was released, but ${orderId} ${isGiven ? 'was given its coins' : 'holds it'}`)
    if (state === 'committed' && !isGiven) this.wrong(`serial ${serial} was committed, but ${orderId} was not given it`)
  }

  private takeReceipt(events: readonly (ReceiptEvent & RecordedEvent)[]): void {
    for (const event of events) {
      this.onEvent(event, undefined)
      const { provider, receiptId } = event.data
      const key = `${provider}/${receiptId}`
      if (event.type === 'ReceiptUnplaced') {
        if (this.unplaced.has(key) || this.claims.has(key))
          this.wrong(`receipt ${receiptId} is noted without an order twice`)
        this.unplaced.add(key)
      }
      if (event.type === 'ReceiptUnplacedSettled') this.settledUnplaced.add(key)
      if (event.type !== 'ReceiptClaimed') continue
      const { orderId, attempt } = event.data
      if (this.settledUnplaced.has(key)) this.wrong(`receipt ${receiptId} counts, and staff had settled it`)
      this.unplaced.delete(key)
      if (this.claims.has(key)) this.breach(`receipt ${receiptId} was claimed twice`)
      this.claims.set(key, orderId)
      this.claimedBy.set(key, attempt)
      if (!this.orders.has(orderId)) this.wrong(`receipt ${receiptId} is claimed by ${orderId}, which does not exist`)
    }
  }

  private takeOrder(events: readonly (OrderEvent & RecordedEvent)[]): void {
    const first = events[0]
    if (!first) return
    let row = this.orders.get(first.data.orderId)
    if (row) row.before = { ready: row.ready, delivery: row.delivery, isDeliveryUnknown: row.isDeliveryUnknown }
    for (const event of events) {
      if (event.type === 'OrderPlaced') {
        if (row) this.wrong(`${event.data.orderId} was placed twice`)
        row = newRow(event.data)
        this.orders.set(event.data.orderId, row)
        this.claim(row, event.data.serial, event.data.preOrder ? 0 : event.data.quantityM)
        const { orderId, customerId } = event.data
        if (this.keysGone.has(customerId)) this.wrong(`${orderId} was placed under a key that is gone`)
      } else if (row) this.order(row, event)
      const wakes = event.type === 'OrderReinstated' || event.type === 'OrderApproved'
      if (wakes && row && this.erased.has(row.placed.customerId))
        this.wrong(`${row.placed.orderId} comes back, and nobody can read who its buyer is`)
      row?.history.push(event.type)
      if (row) {
        if (!isReady(row)) row.ready = undefined
        this.show(row, event)
        row.mayBeCalledFor[event.revision] = row.delivery !== undefined && isDeliverable(row)
        row.neededItsBuyer[event.revision] = needsItsBuyer(row)
      }
      this.onEvent(event, row)
    }
    if (row) this.appended(row, events)
  }

  // oxlint-disable-next-line max-lines-per-function -- one case for each event of an order
  private order(row: OrderRow, event: Exclude<OrderEvent, { type: 'OrderPlaced' }> & RecordedEvent): void {
    const { orderId } = row.placed
    switch (event.type) {
      case 'OrderAbandoned':
      case 'PaymentMethodChosen':
        return
      case 'PaymentRequested':
        row.attempts.push(event.data)
        return
      case 'PaymentStarted':
        row.paymentIds.set(event.data.attempt, event.data.paymentId)
        row.expiresAtMs = Date.parse(event.data.orderExpiresAt)
        return
      case 'PaymentSeen':
        this.seen(row, event.data)
        grant(row, event.data.at)
        row.everSeen.add(event.data.attempt)
        for (const { id } of event.data.parts) row.everParts.add(id)
        row.captureUnknown.delete(event.data.attempt)
        this.closeCapture(row, event.data.attempt)
        return
      case 'CaptureRequested':
        if (row.status !== 'pending' || row.isDeleted) this.breach(`a capture of ${orderId}, which is not pending`)
        row.capture = event.data
        return
      case 'PaymentReceived':
        this.received(row, event)
        grant(row, event.data.at)
        return
      case 'PaymentFailed':
        row.seen.delete(event.data.attempt)
        if (event.data.reason === 'capture-unknown') row.captureUnknown.add(event.data.attempt)
        this.closeCapture(row, event.data.attempt)
        return
      case 'PaymentReversed': {
        const receipt = row.receipts.get(event.data.receiptId)
        if (!receipt) this.wrong(`${orderId}: a reversal of receipt ${event.data.receiptId} before it was received`)
        else if (receipt.reversedCents + event.data.takenCents !== event.data.reversedCents)
          this.wrong(`${orderId}: a reversal of ${event.data.receiptId} does not add up`)
        else receipt.reversedCents = event.data.reversedCents
        if (event.data.takenCents < 0) {
          row.undoneCents -= event.data.takenCents
          return
        }
        if (receipt && leftOf(receipt) < 0) this.wrong(`${orderId}: more of ${event.data.receiptId} is gone than came`)
        row.isDeliveryUnknown ||= isInList(row)
        row.wasReversed = true
        row.isApproved = false
        return
      }
      case 'RefundRecorded':
        this.refunded(row, event)
        return
      case 'PaymentDisputed':
        this.disputed(row, event.data)
        return
      case 'DisputeClosed':
        if (event.data.outcome === 'won') row.openDisputes.delete(event.data.disputeId)
        return
      case 'PaymentWatchEnded':
        this.watchEnded(row, event)
        return
      case 'OrderApproved':
        this.notBusy(row, 'approved')
        if (row.isDeleted) this.wrong(`${orderId} was approved after it was deleted`)
        row.status = 'pending'
        row.isApproved = true
        row.endedAt = undefined
        row.refusesLate = false
        if (event.data.serial !== null) this.claim(row, event.data.serial, row.placed.quantityM)
        return
      case 'PreOrderReserved':
        this.claim(row, event.data.serial, row.placed.quantityM)
        return
      case 'OrderReinstated':
        if (row.isDeleted) this.wrong(`${orderId} was reinstated after it was deleted`)
        if (row.openDisputes.size > 0) this.wrong(`${orderId} was reinstated while its payer disputes it`)
        if ((row.settledCents > 0 || row.wasRefunded) && row.status !== 'pending')
          this.wrong(`${orderId} was reinstated after staff had dealt with its money`)
        row.status = 'pending'
        row.endedAt = undefined
        this.claim(row, event.data.serial, row.placed.quantityM)
        return
      case 'OrderReady':
        if (!isReady(row)) this.breach(`${orderId} is recorded as ready, and is not`)
        if (row.ready)
          this.breach(`${orderId} is handed over by ${row.ready.deliveryMode}, and another way is recorded`)
        row.ready = { deliveryMode: event.data.deliveryMode, since: event.data.at }
        return
      case 'DeliveryRequested':
        if (!isDeliverable(row)) this.breach(`a delivery of ${orderId}, which is not to be delivered`)
        if (isInList(row)) this.breach(`a delivery of ${orderId}, which staff hand over`)
        row.delivery = event.data
        row.lastDelivery = event.data
        return
      case 'OrderCompleted':
        this.completed(row)
        return
      case 'OrderExpired':
      case 'OrderCancelled':
        this.ended(row, event)
        return
      case 'PaymentWatchHeldUp':
        return
      case 'ReceiptUnusable':
        this.unusable(row, event.data)
        return
      case 'DeliveryHeld':
        return
      case 'DeliveryGivenUp':
        row.delivery = undefined
        row.isDeliveryUnknown = true
        return
      case 'DeliveredAfterEnd':
        return
      case 'ReinstatementRefused':
        row.refusesLate = true
        return
      case 'AttentionSettled': {
        const seen = this.seenBySettler.get(event.metadata.correlationId)
        const unseen = [...row.attention].filter((reason) => seen !== undefined && !seen.reasons.includes(reason))
        if (unseen.length > 0) this.wrong(`${orderId}: ${unseen.join(', ')} was settled unseen`)
        if (seen && cameCents(row) > seen.cents) this.wrong(`${orderId}: money was settled unseen`)
        if (row.status === 'pending' && !row.isDeleted) this.breach(`${orderId} was settled while pending`)
        row.isSeenSettled = true
        for (const key of seenParts(row)) row.settledParts.add(key)
        row.refusesLate = true
        if (event.data.answered['payment-unclear']) row.unclearSettledAt = event.data.at
        row.settledCents = cameCents(row)
        return
      }
      case 'OrderDeleted':
        this.deleted(row, event.data)
        return
    }
  }

  private received(row: OrderRow, event: Extract<OrderEvent, { type: 'PaymentReceived' }>): void {
    const { provider, receiptId, coversCents, addedCents, attempt, orderId } = event.data
    if (this.claims.get(`${provider}/${receiptId}`) !== orderId)
      this.breach(`receipt ${receiptId} is recorded on ${orderId}, which has not claimed it`)
    const payer = this.recordedOn.get(`${provider}/${receiptId}`) ?? orderId
    if (payer !== orderId) this.wrong(`receipt ${receiptId} pays ${payer} and ${orderId}`)
    this.recordedOn.set(`${provider}/${receiptId}`, orderId)
    const known = row.receipts.get(receiptId)
    if (coversCents !== addedCents + (known?.coversCents ?? 0))
      this.wrong(`${orderId}: receipt ${receiptId} counts ${addedCents} + ${known?.coversCents ?? 0}`)
    const { reversedCents = 0, refundedCents = 0 } = known ?? {}
    row.receipts.set(receiptId, { coversCents, reversedCents, refundedCents, attempt })
    this.closeCapture(row, attempt)
    row.seen.get(attempt)?.delete(receiptId)
    row.brought.add(attempt)
    row.captureUnknown.delete(attempt)
  }

  private refunded(row: OrderRow, event: Extract<OrderEvent, { type: 'RefundRecorded' }> & RecordedEvent): void {
    const { orderId, amountCents, parts, revenueCents, endsOrder } = event.data
    this.notBusy(row, 'refunded')
    const heldCents = paidCents(row)
    const seenCents = this.seenByRefunder.get(event.metadata.correlationId) ?? heldCents
    if (seenCents !== heldCents) this.wrong(`${orderId}: staff saw ${seenCents} cents and refunded of ${heldCents}`)
    if (parts.reduce((sum, part) => sum + part.amountCents, 0) !== amountCents)
      this.wrong(`${orderId}: a refund of ${amountCents} does not add up`)
    for (const part of parts) {
      const receipt = row.receipts.get(part.receiptId)
      if (receipt) receipt.refundedCents += part.amountCents
    }
    if ([...row.receipts.values()].some((receipt) => leftOf(receipt) < 0) || paidCents(row) !== heldCents - amountCents)
      this.wrong(`${orderId}: more money is gone than came`)
    // What exceeded the total of a delivered order never was revenue.
    const isRevenue = row.status === 'completed' && !row.isDeleted
    const excessCents = Math.max(0, heldCents - revenueLeftCents(row))
    if (revenueCents !== (isRevenue ? Math.max(0, amountCents - excessCents) : 0))
      this.wrong(`${orderId}: a refund of ${amountCents} takes ${revenueCents} from the revenue`)
    row.lostCents += revenueCents
    this.revenueCents -= revenueCents
    const isGiven = row.completions > 0 || row.coinsGiven
    if (endsOrder !== (!isGiven && !row.isDeleted && !isCovered(row)))
      this.wrong(`${orderId}: a refund ${endsOrder ? 'ends' : 'does not end'} it`)
    if (endsOrder) this.endedByRefund(row, event.data)
  }

  private seen(row: OrderRow, { attempt, parts, seenCents }: OrderEventData<'PaymentSeen'>): void {
    const known = row.seen.get(attempt)
    if (!known || parts.some(({ id }) => !known.has(id))) row.isSeenSettled = false
    if (!known) row.settledParts.delete(`${attempt} all`)
    for (const { id } of parts) if (!known?.has(id)) row.settledParts.delete(`${attempt} ${id}`)
    row.seen.set(attempt, new Set(parts.map(({ id }) => id)))
    row.seenCents.set(attempt, seenCents)
  }

  private disputed(row: OrderRow, { orderId, disputeId }: OrderEventData<'PaymentDisputed'>): void {
    row.isDeliveryUnknown ||= isInList(row)
    if (row.openDisputes.has(disputeId)) this.breach(`${orderId}: ${disputeId} is opened twice`)
    row.openDisputes.add(disputeId)
    row.isApproved = false
  }

  private endedByRefund(row: OrderRow, { orderId, coinsGiven, at }: OrderEventData<'RefundRecorded'>): void {
    if (isLiving(row) && (row.isDeliveryUnknown || isInList(row)) && coinsGiven === null)
      this.breach(`${orderId} was refunded, and nobody said whether its coins were given`)
    if (coinsGiven === true) this.wrong(`${orderId} was given its coins, and a refund ends it`)
    row.status = 'refunded'
    row.wasRefunded = true
    row.refusesLate = true
    row.endedAt ??= at
    row.held = undefined
    row.heldM = 0
    row.isApproved = false
    row.isDeliveryUnknown = false
  }

  private closeCapture(row: OrderRow, attempt: number): void {
    if (row.capture?.attempt === attempt) row.capture = undefined
  }

  private watchEnded(row: OrderRow, event: Extract<OrderEvent, { type: 'PaymentWatchEnded' }>): void {
    const { attempt, at, orderId, isUnclear } = event.data
    if (isUnclear) row.unclear.add(attempt)
    if (row.endedAt === undefined) this.breach(`${orderId}: a watch ended while the order lives`)
    else if (at === row.unclearSettledAt) row.watchEndedAt.set(attempt, row.placed.at)
    else row.watchEndedAt.set(attempt, new Date(Date.parse(row.endedAt) + WATCH_MS).toISOString())
    if (row.endedAt !== undefined && Date.parse(at) < Date.parse(row.endedAt) + WATCH_MS)
      this.breach(`${orderId}: a watch ended before its time`)
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
    if (row.status !== 'pending' || row.isDeleted) this.wrong(`${orderId} was completed when it was ${row.status}`)
    if (!wasGiven && !isDeliverable(row)) this.wrong(`${orderId} was delivered without money or approval`)
    const reservation = row.held === undefined ? undefined : this.reservations.get(row.held)
    if (row.heldM !== quantityM || reservation?.state !== 'open')
      this.wrong(`${orderId} was delivered, but no coins are held for it: sold twice`)
    row.status = 'completed'
    row.delivery = undefined
    row.isDeliveryUnknown = false
    row.endedAt = 'completed'
  }

  private ended(row: OrderRow, event: Extract<OrderEvent, { type: 'OrderExpired' | 'OrderCancelled' }>): void {
    const { orderId } = row.placed
    const isExpired = event.type === 'OrderExpired'
    this.notBusy(row, isExpired ? 'expired' : 'cancelled')
    if (row.status !== 'pending' || row.isDeleted) this.wrong(`${orderId} ended when it was ${row.status}`)
    if (row.isDeliveryUnknown) this.breach(`${orderId} ended while its delivery is unknown`)
    if (row.isApproved) this.breach(`${orderId} ended although it is approved`)
    if (isDeliverable(row)) this.wrong(`${orderId} ended although it is paid`)
    const isOfAWrongClock = Date.parse(row.placed.at) > Date.parse(event.data.at)
    if (isExpired && !isOfAWrongClock && Date.parse(event.data.at) < keptUntilMs(row))
      this.wrong(`${orderId} expired before the end that its money had granted`)
    if (!isExpired && (row.receipts.size > 0 || isOnItsWay(row)))
      this.breach(`${orderId} was cancelled although money was seen`)
    row.status = isExpired ? 'expired' : 'cancelled'
    row.endedAt = event.data.at
    row.held = undefined
    row.heldM = 0
    row.isApproved = false
  }

  private deleted(row: OrderRow, data: OrderEventData<'OrderDeleted'>): void {
    const { orderId } = row.placed
    this.notBusy(row, 'deleted')
    if (row.isDeleted) this.wrong(`${orderId} was deleted twice`)
    if ((row.isDeliveryUnknown || isInList(row)) && data.coinsGiven === null)
      this.breach(`${orderId} was deleted, and nobody said whether its coins were given`)
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

  private unusable(row: OrderRow, { receiptId }: OrderEventData<'ReceiptUnusable'>): void {
    row.refused.add(receiptId)
    const brought = new Set([...row.receipts.values()].map(({ attempt }) => attempt))
    for (const [attempt, parts] of row.seen)
      if (parts.delete(receiptId) && parts.size === 0 && !brought.has(attempt)) row.seen.delete(attempt)
  }

  /** Takes over what staff are shown. */
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

  /** After a sweep: an order keeps its coins no longer than its money grants. */
  sweptAt(nowMs: number): void {
    for (const [orderId, row] of this.orders) {
      const mayStay = row.isApproved || isCovered(row) || row.capture || row.delivery || row.isDeliveryUnknown
      if (isLiving(row) && !mayStay && keptUntilMs(row) + CLOCKS_APART_MS < nowMs)
        this.wrong(`${orderId} keeps its coins for money that grants nothing`)
    }
  }

  /** What holds after every append. */
  private appended(row: OrderRow, events: readonly (OrderEvent & RecordedEvent)[]): void {
    const last = events.at(-1)
    for (const reason of reasonsFor(row, events))
      if (!row.attention.has(reason)) this.breach(`${row.placed.orderId}: ${reason}, and nobody is told`)
    const isRefused = last?.type === 'ReinstatementRefused'
    const isOwn = (serial: number): boolean => {
      const reservation = this.reservations.get(serial)
      return reservation?.state === 'open' && reservation.quantityM > 0
    }
    if (isRefused && [...row.serials].some(isOwn))
      this.wrong(`${row.placed.orderId} was refused for lack of the coins that it held itself`)
    if (row.endedAt === 'completed' && last) row.endedAt = last.data.at
    // An open delivery is the bot's, also where a dispute stopped its calls for a while.
    if (last && isReady(row) && !row.ready && !row.delivery) {
      this.breach(`${row.placed.orderId} is ready, and how it is handed over is not recorded`)
      row.ready = { deliveryMode: 'staff', since: last.data.at }
    }
    if (isLiving(row) && this.erased.has(row.placed.customerId))
      this.wrong(`${row.placed.orderId} is open, and nobody can read who its buyer is`)
    if (!isLiving(row) || row.heldM === 0) return
    const state = row.held === undefined ? 'missing' : this.reservations.get(row.held)?.state
    if (state !== 'open') this.wrong(`${row.placed.orderId} needs coins, but its reservation is ${state ?? 'missing'}`)
  }
}

/** Why a person has to look at an order. */
export function reasonsFor(row: OrderRow, events: readonly OrderEvent[] = []): AttentionReason[] {
  const isGiven = row.completions > 0 || row.coinsGiven
  const isUnapproved = isLiving(row) && !row.isApproved
  const keptCents = isLiving(row) ? row.placed.totalCents : isGiven ? revenueLeftCents(row) : 0
  const isOwed = paidCents(row) > keptCents && cameCents(row) > row.settledCents && !mayComeBack(row)
  const has = (type: OrderEvent['type']): boolean => events.some((event) => event.type === type)
  const isTaken = events.some((event) => event.type === 'PaymentReversed' && event.data.takenCents > 0)
  const needed: readonly (readonly [AttentionReason, boolean])[] = [
    ['short', isUnapproved && paidCents(row) > 0 && !isCovered(row)],
    ['over', isOwed && (isLiving(row) || isGiven)],
    ['unearned', isOwed && !isLiving(row) && !isGiven],
    ['reversed', isTaken || (isUnapproved && row.wasReversed)],
    ['disputed', row.openDisputes.size > 0 && (has('PaymentDisputed') || isUnapproved)],
    ['delivery-unknown', row.isDeliveryUnknown],
    ['never-confirmed', !isLiving(row) && isOnItsWay(row) && !isSeenSettled(row)],
    ['delivered-after-end', has('DeliveredAfterEnd')],
  ]
  return needed.flatMap(([reason, isNeeded]) => (isNeeded ? [reason] : []))
}

/** Attempts whose money is on its way, with the ids of its parts. */
function seenAttempts({ seen, brought }: OrderRow): [attempt: number, ids: ReadonlySet<string>][] {
  return [...seen].filter(([attempt, ids]) => ids.size > 0 || !brought.has(attempt))
}

/** What is on its way, by attempt and part; `all` of an attempt whose parts have no ids. */
function seenParts(row: OrderRow): string[] {
  return seenAttempts(row).flatMap(([attempt, ids]) =>
    (ids.size > 0 ? [...ids] : ['all']).map((id) => `${attempt} ${id}`),
  )
}

/** Staff have settled each part that is seen now, whatever was seen and has arrived in between. */
export function isSeenSettled(row: OrderRow): boolean {
  if (row.isSeenSettled || row.seen.size === 0) return row.isSeenSettled
  return seenParts(row).every((key) => row.settledParts.has(key))
}

/** Late money covers it. */
function mayComeBack(row: OrderRow): boolean {
  const isEnded = row.status === 'expired' || row.status === 'cancelled'
  const isClear = !row.refusesLate && !row.wasReversed && row.openDisputes.size === 0
  return isEnded && !row.isDeleted && isClear && isCovered(row)
}

const HOUR_MS = 3_600_000

/** Each rule grants once, when it first holds. */
function grant(row: OrderRow, at: string): void {
  if (!isLiving(row)) return
  const { totalCents, isLargeHold } = row.placed
  const seen = seenAttempts(row).map(([attempt]) => row.seenCents.get(attempt) ?? null)
  const receivedCents = [...row.receipts.values()].reduce((sum, { coversCents }) => sum + coversCents, 0)
  const seenCents = seen.reduce<number>((sum, cents) => sum + (cents ?? 0), 0)
  const rules: [string, boolean, number][] = [
    ['received', receivedCents >= totalCents / 2, 24],
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

function newRow(placed: OrderEventData<'OrderPlaced'>): OrderRow {
  return {
    placed,
    status: 'pending',
    isDeleted: false,
    held: undefined,
    heldM: 0,
    serials: new Set(),
    attempts: [],
    paymentIds: new Map(),
    ended: new Set(),
    watchEndedAt: new Map(),
    receipts: new Map(),
    refused: new Set(),
    seen: new Map(),
    brought: new Set(),
    everSeen: new Set(),
    everParts: new Set(),
    isSeenSettled: false,
    settledParts: new Set(),
    captureUnknown: new Set(),
    unclear: new Set(),
    wasReversed: false,
    openDisputes: new Set(),
    isApproved: false,
    capture: undefined,
    delivery: undefined,
    isDeliveryUnknown: false,
    ready: undefined,
    before: { ready: undefined, delivery: undefined, isDeliveryUnknown: false },
    shown: noOrder,
    attention: new Set(),
    everRaised: new Set(),
    wasRefunded: false,
    lostCents: 0,
    settledCents: 0,
    undoneCents: 0,
    refusesLate: false,
    completions: 0,
    endedAt: undefined,
    expiresAtMs: Date.parse(placed.expiresAt),
    seenCents: new Map(),
    grants: new Map(),
    coinsGiven: false,
    history: [],
    lastDelivery: undefined,
    mayBeCalledFor: [],
    neededItsBuyer: [],
  }
}

/** To deliver, to pay back, to ask. */
export function needsItsBuyer(row: OrderRow): boolean {
  const isUnderWay = row.capture !== undefined || row.delivery !== undefined || row.isDeliveryUnknown
  const isAnswered = row.completions > 0 || row.coinsGiven || row.settledCents > 0
  return isLiving(row) || isUnderWay || row.attention.size > 0 || (paidCents(row) > 0 && !isAnswered)
}

export function isLiving(row: OrderRow): boolean {
  return row.status === 'pending' && !row.isDeleted
}

export function receivedCents(row: OrderRow): number {
  let sum = 0
  for (const { coversCents } of row.receipts.values()) sum += coversCents
  return sum
}

/** All that ever came, also what came again. */
export function cameCents(row: OrderRow): number {
  return receivedCents(row) + row.undoneCents
}

export function paidCents(row: OrderRow): number {
  let sum = 0
  for (const receipt of row.receipts.values()) sum += leftOf(receipt)
  return sum
}

function revenueLeftCents({ placed, lostCents }: OrderRow): number {
  return placed.totalCents - lostCents
}

function leftOf({ coversCents, reversedCents, refundedCents }: ReceiptRow): number {
  return coversCents - reversedCents - refundedCents
}

export function isCovered(row: OrderRow): boolean {
  const { totalCents } = row.placed
  let isCrypto = false
  for (const receipt of row.receipts.values())
    if (row.attempts[receipt.attempt - 1]?.method === 'crypto' && leftOf(receipt) > 0) isCrypto = true
  return paidCents(row) >= totalCents - (isCrypto ? Math.floor(totalCents * 0.005) : 0)
}

/** Seen, and neither received nor failed. */
export function isOnItsWay(row: OrderRow): boolean {
  return seenAttempts(row).length > 0
}

export function isDeliverable(row: OrderRow): boolean {
  return isLiving(row) && (row.isApproved || (isCovered(row) && !row.wasReversed && row.openDisputes.size === 0))
}

function isReady(row: OrderRow): boolean {
  return isDeliverable(row) && row.heldM === row.placed.quantityM && !row.capture && !row.isDeliveryUnknown
}

/** Staff hand it over, and have not marked it. */
export function isInList({ ready }: OrderRow): boolean {
  return ready?.deliveryMode === 'staff'
}
