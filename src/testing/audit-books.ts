import { fold } from '../domain/decider.ts'
import { inventory } from '../domain/inventory/inventory.ts'
import type { InventoryEvent } from '../domain/inventory/events.ts'
import { order as orderDecider } from '../domain/order/order.ts'
import { fateOf, holdsStock, type Order, type PlacedOrder } from '../domain/order/order-state.ts'
import type { OrderEvent } from '../domain/order/events.ts'
import type { ReceiptEvent } from '../domain/receipt/events.ts'
import type { EventLog, RecordedEvent } from '../event-store/event-log.ts'
import { START } from '../event-store/event-store.ts'

const PAGE = 5_000

export interface Books {
  readonly orders: ReadonlyMap<string, PlacedOrder>
  readonly freeM: number
  /** One sentence for each thing that must never be. */
  readonly problems: readonly string[]
}

/** Every event of a log, in order. Throws at one that cannot be read. */
export async function allEvents(log: EventLog): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = []
  let after = START
  for (;;) {
    const page = await log.readAll({ after, limit: PAGE })
    for (const event of page) {
      if (event.type === 'unreadable') throw new Error(`${event.storedType} at ${event.position}: ${event.reason}`)
      events.push(event)
      after = event.position
    }
    if (page.length < PAGE) return events
  }
}

/**
 * Audits a whole log. `atRest`: nothing is under way any more, so every reservation must be held by a living order and every ended one must be gone.
 */
export function auditBooks(events: readonly RecordedEvent[], { atRest }: { atRest: boolean }): Books {
  const problems: string[] = []
  const streams = Map.groupBy(events, (event) => event.stream)
  for (const [stream, own] of streams)
    for (const [index, event] of own.entries())
      if (event.revision !== index) problems.push(`${stream} has revision ${event.revision} where ${index} should be`)

  const stockEvents = (streams.get('stock-main') ?? []) as unknown as InventoryEvent[]
  const stock = fold(inventory, stockEvents)
  problems.push(...auditStock(stockEvents, stock.freeM, [...stock.open.values()]))

  const orders = new Map<string, PlacedOrder>()
  for (const [stream, own] of streams) {
    if (!stream.startsWith('order-')) continue
    const state: Order = fold(orderDecider, own as unknown as OrderEvent[])
    if (own.filter(({ type }) => type === 'OrderPlaced').length > 1) problems.push(`${stream} was placed twice`)
    if (state.kind === 'placed') orders.set(state.placed.orderId, state)
  }
  problems.push(...auditFates(stockEvents, orders))
  problems.push(...auditReceipts(events, orders))
  problems.push(...auditDeliveries(orders))
  if (atRest) problems.push(...auditRest([...stock.open.values()], orders))
  return { orders, freeM: stock.freeM, problems }
}

interface OpenReservation {
  readonly orderId: string
  readonly serial: number
  readonly claimAt: number
  readonly quantityM: number
}

function auditStock(events: readonly InventoryEvent[], freeM: number, open: readonly OpenReservation[]): string[] {
  const problems: string[] = []
  let setM = 0
  let committedM = 0
  const serials = new Set<number>()
  const ended = new Set<number>()
  let runningFreeM = 0
  for (const event of events) {
    switch (event.type) {
      case 'StockSet':
        setM += event.data.quantityM
        runningFreeM += event.data.quantityM
        break
      case 'StockAdjusted':
        setM += event.data.differenceM
        runningFreeM += event.data.differenceM
        break
      case 'StockReserved':
        if (serials.has(event.data.serial)) problems.push(`serial ${event.data.serial} was given twice`)
        serials.add(event.data.serial)
        runningFreeM -= event.data.quantityM
        break
      case 'StockReleased':
      case 'StockCommitted':
        if (ended.has(event.data.serial)) problems.push(`serial ${event.data.serial} was ended twice`)
        ended.add(event.data.serial)
        if (event.type === 'StockCommitted') committedM += event.data.quantityM
        else runningFreeM += event.data.quantityM
        break
    }
    if (runningFreeM < 0) problems.push(`${-runningFreeM}M more were promised than there were`)
  }
  const openM = open.reduce((sum, { quantityM }) => sum + quantityM, 0)
  if (freeM + openM + committedM !== setM)
    problems.push(`${freeM}M free + ${openM}M reserved + ${committedM}M sold is not the ${setM}M that were set`)
  return problems
}

function auditFates(events: readonly InventoryEvent[], orders: ReadonlyMap<string, PlacedOrder>): string[] {
  const claimAtOf = new Map<number, number>()
  return events.flatMap((event) => {
    if (event.type === 'StockReserved') claimAtOf.set(event.data.serial, event.data.claimAt)
    if (event.type !== 'StockReleased' && event.type !== 'StockCommitted') return []
    const { serial, orderId } = event.data
    const order = orders.get(orderId)
    if (!order) return event.type === 'StockReleased' ? [] : [`serial ${serial} was sold to no order`]
    const fate = fateOf(order, { serial, claimAt: claimAtOf.get(serial) ?? -1 })
    const should = event.type === 'StockCommitted' ? 'commit' : 'release'
    return fate === should ? [] : [`serial ${serial} of ${orderId} was ended by ${should}, but its order says ${fate}`]
  })
}

function auditReceipts(events: readonly RecordedEvent[], orders: ReadonlyMap<string, PlacedOrder>): string[] {
  const claims = new Map<string, string>()
  const problems: string[] = []
  for (const event of events as unknown as (ReceiptEvent | OrderEvent)[]) {
    if (event.type === 'ReceiptClaimed') claims.set(event.data.receiptId, event.data.orderId)
    if (event.type === 'PaymentReceived' && claims.get(event.data.receiptId) !== event.data.orderId)
      problems.push(`receipt ${event.data.receiptId} is recorded on ${event.data.orderId}, which has not claimed it`)
  }
  for (const [receiptId, orderId] of claims)
    if (!orders.has(orderId)) problems.push(`receipt ${receiptId} is claimed by ${orderId}, which does not exist`)
  return problems
}

function auditDeliveries(orders: ReadonlyMap<string, PlacedOrder>): string[] {
  return [...orders.values()].flatMap((order) =>
    order.status === 'completed' && order.committedSerial === undefined
      ? [`${order.placed.orderId} was completed without coins`]
      : [],
  )
}

function auditRest(open: readonly OpenReservation[], orders: ReadonlyMap<string, PlacedOrder>): string[] {
  const problems = open.flatMap((reservation) => {
    const order = orders.get(reservation.orderId)
    const fate = order ? fateOf(order, reservation) : 'no order'
    return fate === 'stay' ? [] : [`serial ${reservation.serial} of ${reservation.orderId} is open, but: ${fate}`]
  })
  const openSerials = new Set(open.map(({ serial }) => serial))
  for (const order of orders.values()) {
    const isHeld = order.heldSerial !== undefined && openSerials.has(order.heldSerial)
    if (order.status !== 'pending' || order.isDeleted) continue
    if (!isHeld) problems.push(`${order.placed.orderId} is pending, but nothing is reserved for it`)
    else if (!order.placed.preOrder && !holdsStock(order)) problems.push(`${order.placed.orderId} holds too little`)
  }
  return problems
}
