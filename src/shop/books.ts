import { orderIdOf, orderStream, STOCK_STREAM } from '../domain/stream-names.ts'
import { inventory } from '../domain/inventory/inventory.ts'
import type { InventoryEvent } from '../domain/inventory/events.ts'
import { order as orderDecider } from '../domain/order/order.ts'
import { isCovered, isOverspent, paidCents } from '../domain/order/order-money.ts'
import {
  committedSerial,
  fateOf,
  heldSerial,
  holdsStock,
  isDeleted,
  isOpen,
  type OrderState,
  outcomeOf,
  type PlacedOrder,
  revenueLeftCents,
} from '../domain/order/order-state.ts'
import type { OrderEvent } from '../domain/order/events.ts'
import type { ReceiptEvent } from '../domain/receipt/events.ts'
import type { RecordedEvent } from '../log/event-log.ts'

export interface Books {
  readonly orders: ReadonlyMap<string, PlacedOrder>
  readonly freeM: number
  /** Of completed orders that are not deleted, less refunds. */
  readonly revenueCents: number
  /** One sentence per violated rule. */
  readonly problems: readonly string[]
}

export interface BooksAudit {
  /** The next event of the log. */
  see(event: RecordedEvent): void
  /** When it has seen the whole log. */
  books(): Books
}

/**
 * Audits a whole log, keeping only the state of each order. `atRest`: no work is under way, so every open reservation must be
 * held by its order, and every open order must hold one.
 */
export function booksAudit({ atRest }: { atRest: boolean }): BooksAudit {
  const problems: string[] = []
  const counts = new Map<string, number>()
  const states = new Map<string, OrderState>()
  const approved = new Set<string>()
  const stock = stockAudit()
  const receipts = receiptsAudit()
  const heldCents = new Map<string, number>()

  /** The revision that the stream's next event must have. Counts the event, except for an order, whose state counts its own. */
  function takeRevision(stream: string): number {
    const order = states.get(stream)
    if (order) return order.next
    const count = counts.get(stream) ?? 0
    if (orderIdOf(stream) === undefined) counts.set(stream, count + 1)
    return count
  }

  return {
    see(event) {
      const { stream, revision } = event
      const expected = takeRevision(stream)
      if (revision !== expected) problems.push(`${stream} has revision ${revision} where ${expected} should be`)
      if (stream === STOCK_STREAM) stock.see(event as unknown as InventoryEvent)
      receipts.see(event as unknown as ReceiptEvent | OrderEvent)
      if (orderIdOf(stream) === undefined) return
      heldCents.set(stream, (heldCents.get(stream) ?? 0) + changeOfHeld(event as unknown as OrderEvent))
      const state = states.get(stream) ?? orderDecider.initial
      if (event.type === 'OrderPlaced' && state.kind === 'placed') problems.push(`${stream} was placed twice`)
      const next = orderDecider.evolve(state, event as unknown as OrderEvent)
      states.set(stream, next)
      if (event.type === 'OrderApproved') approved.add(stream)
      if (event.type === 'OrderCompleted' && next.kind === 'placed' && !approved.has(stream) && !wasCovered(next))
        problems.push(`${next.placed.orderId} was completed, and was neither paid nor approved`)
    },

    books() {
      const orders = new Map<string, PlacedOrder>()
      for (const state of states.values()) if (state.kind === 'placed') orders.set(state.placed.orderId, state)
      const { freeM, open, problems: stockProblems } = stock.end()
      const found = [
        ...problems,
        ...stockProblems,
        ...auditFates(stock.ends, orders),
        ...receipts.end(orders),
        ...auditDeliveries(orders),
        ...auditRefunds(orders),
        ...auditHeld(heldCents, orders),
        ...(atRest ? auditRest(open, orders) : []),
      ]
      return { orders, freeM, revenueCents: revenueOf(orders), problems: found }
    },
  }
}

interface OpenReservation {
  readonly orderId: string
  readonly serial: number
  readonly claimAt: number
  readonly quantityM: number
}

interface EndedReservation {
  readonly orderId: string
  readonly serial: number
  readonly claimAt: number
  readonly by: 'commit' | 'release'
}

function stockAudit() {
  const problems: string[] = []
  const ends: EndedReservation[] = []
  /** By serial; undefined once its reservation has ended. */
  const claimAtOf = new Map<number, number | undefined>()
  let state = inventory.initial
  let setM = 0
  let committedM = 0
  let runningFreeM = 0

  function see(event: InventoryEvent): void {
    state = inventory.evolve(state, event)
    switch (event.type) {
      case 'StockSet':
        setM += event.data.quantityM
        runningFreeM += event.data.quantityM
        break
      case 'StockAdjusted':
        setM += event.data.differenceM
        runningFreeM += event.data.differenceM
        break
      case 'SerialsSkipped':
        break
      case 'StockReserved':
        if (claimAtOf.has(event.data.serial)) problems.push(`serial ${event.data.serial} was given twice`)
        claimAtOf.set(event.data.serial, event.data.claimAt)
        runningFreeM -= event.data.quantityM
        break
      case 'StockReleased':
      case 'StockCommitted': {
        const { serial, orderId, quantityM } = event.data
        const by = event.type === 'StockCommitted' ? 'commit' : 'release'
        const claimAt = claimAtOf.get(serial)
        if (claimAt === undefined && claimAtOf.has(serial)) problems.push(`serial ${serial} was ended twice`)
        ends.push({ orderId, serial, claimAt: claimAt ?? -1, by })
        claimAtOf.set(serial, undefined)
        if (by === 'commit') committedM += quantityM
        else runningFreeM += quantityM
        break
      }
    }
    if (runningFreeM < 0) problems.push(`${-runningFreeM}M more were reserved than in stock`)
  }

  function end(): { freeM: number; open: readonly OpenReservation[]; problems: readonly string[] } {
    const { freeM } = state
    const open = [...state.open.values()]
    const openM = open.reduce((sum, { quantityM }) => sum + quantityM, 0)
    const isBalanced = freeM + openM + committedM === setM
    const sum = `${freeM}M free + ${openM}M reserved + ${committedM}M sold is not the ${setM}M that were set`
    return { freeM, open, problems: isBalanced ? problems : [...problems, sum] }
  }

  return { see, end, ends }
}

function auditFates(ends: readonly EndedReservation[], orders: ReadonlyMap<string, PlacedOrder>): string[] {
  return ends.flatMap(({ orderId, serial, claimAt, by }) => {
    const order = orders.get(orderId)
    if (!order) return by === 'release' ? [] : [`serial ${serial} was sold to no order`]
    const fate = fateOf(order, { serial, claimAt })
    return fate === by ? [] : [`serial ${serial} of ${orderId} was ended by ${by}, but its order says ${fate}`]
  })
}

function receiptsAudit() {
  const claims = new Map<string, string>()
  const problems: string[] = []

  function see({ type, data }: ReceiptEvent | OrderEvent): void {
    if (type === 'ReceiptClaimed') claims.set(data.receiptId, data.orderId)
    if (type === 'PaymentReceived' && claims.get(data.receiptId) !== data.orderId)
      problems.push(`receipt ${data.receiptId} is recorded on ${data.orderId}, which has not claimed it`)
  }

  function end(orders: ReadonlyMap<string, PlacedOrder>): string[] {
    const strays = [...claims].filter(([, orderId]) => !orders.has(orderId))
    return [
      ...problems,
      ...strays.map(([receiptId, orderId]) => `receipt ${receiptId} is claimed by ${orderId}, which does not exist`),
    ]
  }

  return { see, end }
}

function auditDeliveries(orders: ReadonlyMap<string, PlacedOrder>): string[] {
  return [...orders.values()].flatMap((order) =>
    outcomeOf(order) === 'completed' && committedSerial(order) === undefined
      ? [`${order.placed.orderId} was completed without coins`]
      : [],
  )
}

/** By all money received, ignoring later reversals and refunds. */
function wasCovered(order: PlacedOrder): boolean {
  const receipts = order.receipts.map((receipt) => ({ ...receipt, reversed: { amount: '0', refundedCents: 0 } }))
  return isCovered({ ...order, receipts, refunds: [] })
}

function revenueOf(orders: ReadonlyMap<string, PlacedOrder>): number {
  const completed = orders.values().filter((order) => outcomeOf(order) === 'completed' && !isDeleted(order))
  return completed.reduce((sum, order) => sum + revenueLeftCents(order), 0)
}

/** No receipt loses more than it brought, and no order more revenue than it made. */
function auditRefunds(orders: ReadonlyMap<string, PlacedOrder>): string[] {
  return [...orders.values()].flatMap((order) => {
    const { orderId } = order.placed
    const receiptIds = new Set(order.receipts.map(({ receiptId }) => receiptId))
    const strays = order.refunds.filter(({ parts }) => parts.some((part) => !receiptIds.has(part.receiptId)))
    const odd = order.refunds.filter(
      ({ parts, amountCents }) => parts.reduce((sum, part) => sum + part.amountCents, 0) !== amountCents,
    )
    // Refunds are whole cents, so one may exceed the exact worth of its receipt by less than a cent.
    const spent = order.receipts.filter((receipt) => isOverspent(order, receipt))
    return [
      ...strays.map(() => `${orderId} has a refund of a receipt that it never had`),
      ...odd.map(({ amountCents }) => `a refund of ${amountCents} cents on ${orderId} does not add up`),
      ...spent.map(({ receiptId }) => `more of receipt ${receiptId} was paid or taken back than ${orderId} received`),
      ...(revenueLeftCents(order) < 0 ? [`refunds took more from the revenue than ${orderId} brought`] : []),
    ]
  })
}

/** By how many cents an event changes what its order holds. */
function changeOfHeld({ type, data }: OrderEvent): number {
  if (type === 'PaymentReceived') return data.addedCents
  if (type === 'PaymentReversed') return -data.takenCents
  return type === 'RefundRecorded' ? -data.amountCents : 0
}

/** The cents of an order's events add up to what it holds. */
function auditHeld(heldCents: ReadonlyMap<string, number>, orders: ReadonlyMap<string, PlacedOrder>): string[] {
  return [...orders.values()].flatMap((order) => {
    const { orderId } = order.placed
    const addedUp = heldCents.get(orderStream(orderId)) ?? 0
    return addedUp === paidCents(order)
      ? []
      : [`the events of ${orderId} add up to ${addedUp} cents, and it holds ${paidCents(order)}`]
  })
}

function auditRest(open: readonly OpenReservation[], orders: ReadonlyMap<string, PlacedOrder>): string[] {
  const problems = open.flatMap((reservation) => {
    const order = orders.get(reservation.orderId)
    const fate = order ? fateOf(order, reservation) : 'no order'
    return fate === 'stay' ? [] : [`serial ${reservation.serial} of ${reservation.orderId} is open, but: ${fate}`]
  })
  const openSerials = new Set(open.map(({ serial }) => serial))
  for (const order of orders.values()) {
    if (!isOpen(order)) continue
    const serial = heldSerial(order)
    const isHeld = serial !== undefined && openSerials.has(serial)
    if (!isHeld) problems.push(`${order.placed.orderId} is pending, but nothing is reserved for it`)
    else if (!order.placed.preOrder && !holdsStock(order)) problems.push(`${order.placed.orderId} holds too little`)
  }
  return problems
}
