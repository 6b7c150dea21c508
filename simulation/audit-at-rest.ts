import { orderStream } from '../src/domain/stream-names.ts'
import type { ShopKeys } from '../src/shop/keys.ts'
import { fold } from '../src/domain/decider.ts'
import type { OrderEvent } from '../src/domain/order/events.ts'
import { endedAt, type OrderState } from '../src/domain/order/order-state.ts'
import { order as orderDecider } from '../src/domain/order/order.ts'
import type { Buyer, RecordedEvent } from '../src/log/event-log.ts'
import { analyticsProjection, type TotalsDocument } from '../src/projections/analytics.ts'
import { cleanFold } from '../src/projector/testing/clean-fold.ts'
import { listToDeliver } from '../src/projections/to-deliver.ts'
import { viewReader } from '../src/projector/view-reader.ts'
import { auditBooks, allEvents } from '../src/testing/audit-books.ts'
import { auditMoney } from './audit-money.ts'
import { auditMessages } from './messages.ts'
import { auditViews } from '../src/testing/audit-views.ts'
import { simulatedLog, type World } from './engines.ts'
import { isDeliverable, isInList, isLiving } from '../src/words/testing/facts.ts'
import { attemptOf, type Ledger, needsItsBuyer, reasonsFor } from './ledger.ts'
import { paidCents } from '../src/words/testing/money-facts.ts'
import type { OrderRow } from './order-row.ts'
import { auditSeen } from './seen-money.ts'
import { auditSentRefunds } from './sent-refunds.ts'
import { outside } from './scheduler.ts'
import { SHAPE } from './shop-process.ts'
import type { Shopping } from './shopping.ts'

/** Checks everything that must hold once no work is open. */
export async function auditAtRest(rest: {
  world: World
  shopping: Shopping
  ledger: Ledger
  keys: ShopKeys
}): Promise<void> {
  const { world, ledger } = rest
  const wrong = (problems: readonly string[]): void => {
    for (const problem of problems) ledger.wrong(problem)
  }
  const log = simulatedLog(world, outside)
  const events = await allEvents(log)
  const { projections } = rest.shopping
  wrong(
    await auditViews({ store: world.views, shape: SHAPE, projections, log, now: () => world.scheduler.nowMs }, events),
  )
  wrong(auditBooks(events, { atRest: true }).problems)
  // A smaller order never overtakes a paid one.
  const waiting = [...ledger.orders.values()].filter((row) => isDeliverable(row) && row.heldM < row.placed.quantityM)
  const isStockShort = waiting.some(({ placed }) => placed.quantityM > ledger.freeM)
  const streams = Map.groupBy(events, ({ stream }) => stream)
  for (const [orderId, row] of ledger.orders) {
    const own = streams.get(orderStream(orderId)) ?? []
    const order: OrderState = fold(orderDecider, own as unknown as OrderEvent[])
    const reasons = order.kind === 'placed' ? order.attention.map(({ reason }) => reason) : []
    wrong(auditOrder(row, reasons, isStockShort))
    const watched =
      order.kind === 'placed' && endedAt(order) !== undefined && order.attempts.some((one) => one.isWatched)
    if (watched) ledger.wrong(`${orderId} ended long ago, and its payments are watched forever`)
    const isErased = (await world.vault.keysOf([row.placed.customerId])).get(row.placed.customerId) === 'erased'
    wrong(auditMessages(rest, orderId, { events: own, isErased }))
    if (world.given.has(orderId) && !rest.shopping.mistakes.has(orderId)) wrong(auditGiven(row))
  }
  wrong(auditRevenue(ledger, events))
  wrong(await auditList(rest))
  wrong(await auditErasing(rest, events, await log.openPersonal(events)))
  for (const [serial, { state, orderId }] of ledger.reservations) {
    const row = ledger.orders.get(orderId)
    if (state === 'open' && !(row && isLiving(row) && row.held === serial))
      ledger.wrong(`serial ${serial} of ${orderId} is reserved forever`)
  }
  for (const [key, { orderId }] of ledger.claims)
    if (!ledger.recordedOn.has(key)) ledger.wrong(`receipt ${key} is claimed by ${orderId}, which never heard of it`)
  wrong(auditOtherCoins(rest))
  wrong(auditDisputes(rest))
  wrong(auditSeen(rest))
  wrong(auditSentRefunds(rest))
  wrong(auditMoney(rest))
}

/** The revenue of delivered orders, less refunds. */
function auditRevenue({ revenueCents }: Ledger, events: readonly RecordedEvent[]): string[] {
  const totals = cleanFold(analyticsProjection({ timeZone: 'UTC' }), events).get('totals')?.body as
    TotalsDocument | undefined
  const shownCents = totals?.revenueCents ?? 0
  return shownCents === revenueCents ? [] : [`a revenue of ${shownCents} cents is shown, and it is ${revenueCents}`]
}

/** Staff see the orders to deliver, the oldest first. */
async function auditList({ world, shopping, ledger }: { world: World; shopping: Shopping; ledger: Ledger }) {
  const { projections } = shopping
  const views = viewReader({ store: world.views, shape: SHAPE, projections, now: () => world.scheduler.nowMs })
  const { orders } = await listToDeliver(views, { limit: LISTED_MAX })
  const shown = orders.map(({ orderId, toDeliverSince }) => `${toDeliverSince} ${orderId}`)
  const waiting = [...ledger.orders.values()]
    .filter(isInList)
    .map(({ placed, ready }) => `${ready?.since} ${placed.orderId}`)
    .toSorted()
  const isSame = shown.join() === waiting.join()
  return isSame ? [] : [`staff see '${shown.join()}' to deliver, and '${waiting.join()}' wait for them`]
}

/** Every requested erasure is done, or an order still needs the customer's data. */
async function auditErasing(
  { world, ledger }: { world: World; ledger: Ledger },
  events: readonly RecordedEvent[],
  opened: ReadonlyMap<string, Buyer>,
): Promise<string[]> {
  const { vault } = world
  const rows = [...ledger.orders.values()]
  const problems: string[] = []
  for (const customerId of ledger.keysGone)
    if (!ledger.erased.has(customerId)) problems.push(`the key of ${customerId} is gone, and the log does not know`)
  for (const [customerId, key] of await vault.keysOf([...ledger.erased]))
    if (key !== 'erased') problems.push(`${customerId} is erased in the log, and its key is still there`)
  for (const customerId of await vault.detached({ before: Number.MAX_SAFE_INTEGER, limit: ERASURES_MAX }))
    if (!rows.some((row) => row.placed.customerId === customerId && needsItsBuyer(row)))
      problems.push(`${customerId} is being erased forever`)
  const emails = new Map<string, string>()
  for (const event of events) {
    const buyer = opened.get(event.id)
    if (event.type !== 'OrderPlaced' || buyer === undefined) continue
    const { orderId, customerId } = event.data
    if ((buyer === 'erased') !== ledger.erased.has(customerId))
      problems.push(`${orderId} ${buyer === 'erased' ? 'has lost its buyer' : 'still tells who its erased buyer was'}`)
    if (buyer === 'unreadable') problems.push(`the key of ${customerId} is lost`)
    if (typeof buyer === 'string') continue
    const email = emails.get(customerId) ?? buyer.customerEmail
    if (email !== buyer.customerEmail) problems.push(`${customerId} is two persons`)
    emails.set(customerId, email)
  }
  return problems
}

function auditOrder(row: OrderRow, reasons: readonly string[], isStockShort: boolean): string[] {
  const { orderId, quantityM } = row.placed
  const problems: string[] = []
  if (row.capture) problems.push(`${orderId} has a capture open forever`)
  if (row.delivery) problems.push(`${orderId} has a delivery open forever`)
  const isWaiting = isDeliverable(row) && row.heldM < quantityM && isStockShort
  if (isLiving(row)) {
    if (isDeliverable(row) && row.heldM < quantityM && !isWaiting && !row.isDeliveryUnknown)
      problems.push(`${orderId} is paid, there is stock, and it waits forever`)
    if (isDeliverable(row) && row.heldM === quantityM && !row.isDeliveryUnknown && !isInList(row))
      problems.push(`${orderId} is to be delivered, holds its coins, and waits forever`)
    if (!isWaiting && !isInList(row) && reasons.length === 0) problems.push(`${orderId} is pending forever, unseen`)
  }
  const { everRaised } = row
  if (row.wasReversed && !everRaised.has('reversed')) problems.push(`${orderId} lost its money, but nobody is notified`)
  for (const reason of reasonsFor(row))
    if (!reasons.includes(reason)) problems.push(`${orderId}: ${reason}, but nobody is notified`)
  if (row.isGiven) return problems
  const isOwed = paidCents(row) > 0 && row.cameCents > row.settledCents
  if (isOwed && reasons.length === 0 && !isWaiting && !isInList(row))
    problems.push(`${orderId} brought ${paidCents(row)} cents and got nothing, but nobody is notified`)
  return problems
}

function auditGiven(row: OrderRow): string[] {
  const isAsked = isLiving(row) && (row.isDeliveryUnknown || isInList(row))
  const isOnTheBooks = row.isGiven || isAsked
  const isRaised = row.everRaised.has('delivered-after-end')
  return isOnTheBooks || isRaised ? [] : [`the coins of ${row.placed.orderId} were given, but the books do not know`]
}

const ERASURES_MAX = 100
const LISTED_MAX = 100

/** Money in another coin raises attention and does not count; money without an order is recorded as unplaced. */
function auditOtherCoins({ world, keys, ledger }: { world: World; keys: ShopKeys; ledger: Ledger }): string[] {
  return world.bank.payments.flatMap((payment) => {
    const found = attemptOf(payment, { keys, ledger })
    if (found && payment.transfer?.isStray !== true) return []
    return payment.receipts.flatMap(({ receiptId, paid, reversed, changedMs }) => {
      const key = `${payment.method}/${receiptId}`
      if (ledger.claims.has(key)) return [`${receiptId} counts, and it is of another coin or of no order`]
      if (ledger.unplaced.has(key)) return []
      if (!found) return [`${receiptId} is of no order, but nobody is notified`]
      const { row, attempt } = found
      const deadline = row.watchEndedAt.get(attempt)
      const isInTime = deadline === undefined || changedMs < Date.parse(deadline)
      const isGone = row.strays.get(receiptId) ?? true
      if (isInTime && isGone !== reversed >= paid)
        return [`${receiptId} of another coin is ${isGone ? 'there' : 'gone'}`]
      const isRaised = isGone || row.everRaised.has('wrong-coin')
      return isRaised ? [] : [`${receiptId} came in another coin, but nobody is notified`]
    })
  })
}

/** A dispute raises attention, unless it is won. */
function auditDisputes({ world, keys, ledger }: { world: World; keys: ShopKeys; ledger: Ledger }): string[] {
  return world.bank.disputes.flatMap(({ disputeId, payment, outcome }) => {
    const row = attemptOf(payment, { keys, ledger })?.row
    if (!row) return []
    const isOpen = (row.disputes.get(disputeId)?.outcome ?? 'won') !== 'won'
    if (isOpen !== (outcome !== 'won'))
      return [`${disputeId} is ${outcome}, and ${row.placed.orderId} has it ${isOpen ? 'open' : 'not'}`]
    return isOpen && !row.everRaised.has('disputed') ? [`${disputeId} is ${outcome}, but nobody is notified`] : []
  })
}
