import { setImmediate as othersTurn } from 'node:timers/promises'
import { quoteBy } from '../../commands/quote-order.ts'
import { type Caller, nowText, type Shop, systemCaller } from '../../shop/shop.ts'
import { fold } from '../../domain/decider.ts'
import { marketIdsFor } from '../../domain/market-ids.ts'
import { order as orderDecider, plusMinutes } from '../../domain/order/order.ts'
import type { PlacedOrder } from '../../domain/order/order-state.ts'
import { marketIdAmounts } from '../../domain/pricing.ts'
import { orderStream, type Personal } from '../../event-store/event-log.ts'
import { NO_EVENTS } from '../../event-store/event-store.ts'
import { seal } from '../../event-store/sealing.ts'
import type { CustomerKey } from '../../vault/vault.ts'
import { actOn, type LifeWorld } from './order-life.ts'
import { OrderWriter } from './order-writer.ts'
import { buyers, type Person } from './people.ts'
import { type Placing, placingTimes } from './placing-times.ts'
import { portions } from './portions.ts'
import { StockBook } from './stock-book.ts'
import { type Act, openStory, type Story, storyTeller } from './stories.ts'
import { Timeline } from './timeline.ts'

/** So many orders are placed between two writes; what happens to others meanwhile is written along. */
const PLACED_PER_WRITE = 500
const KEY_BYTES = 32
const NONCE_BYTES = 12
/** Small ones sell best. */
const quantitiesM = [1, 5, 10, 10, 20, 20, 50, 50, 60, 100, 150, 200, 300, 500, 1_000]

/** The shop that is filled: its clock is moved along. */
export interface SeededShop {
  readonly shop: Shop & Pick<LifeWorld, 'providers'>
  /** Every time that is told, and every event that is recorded from now on, is this. */
  readonly setTime: (ms: number) => void
}

interface Living {
  order: PlacedOrder
  readonly caller: Caller
  actsLeft: number
}

interface Planned extends Placing {
  readonly person: Person
  readonly story: Story
}

/**
 * Fills a shop that was just opened with orders of two years that end at `nowMs`, decided by its own rules and written as its own events: people, keys,
 * reservations, payments of the sandbox, receipts. Ends with the snapshot of the stock.
 */
export async function seedOrders(
  { shop, setTime }: SeededShop,
  options: { count: number; nowMs: number; onProgress?: (placed: number) => void },
): Promise<void> {
  const { count, nowMs, onProgress } = options
  const nextBuyer = buyers(shop.random)
  const nextStory = storyTeller(shop.random)
  const ahead = new Timeline<{ orderId: string; act: Act }>()
  const living = new Map<string, Living>()
  const customers = new Map<number, CustomerKey>()
  const stock = new StockBook(shop)
  const writer = new OrderWriter(shop)
  let writing: Promise<unknown> = Promise.resolve()

  const plan = function* (): Generator<Planned> {
    for (const placing of placingTimes(count, nowMs))
      yield { ...placing, person: nextBuyer(), story: placing.isOpen ? openStory : nextStory() }
  }

  async function customersFor(planned: readonly Planned[]): Promise<void> {
    const unknown = new Map(planned.map(({ person }) => [person.number, person]))
    for (const number of unknown.keys()) if (customers.has(number)) unknown.delete(number)
    // Asked for in one turn, they share one transaction of the vault.
    const rows = await Promise.all(
      [...unknown.values()].map(async ({ number, customerEmail }) => {
        const candidate = { customerId: shop.random.uuid(), key: shop.random.bytes(KEY_BYTES) }
        return [number, await shop.vault.customerByEmail(shop.keys.emailHmacs(customerEmail)[0], candidate)] as const
      }),
    )
    for (const [number, row] of rows) customers.set(number, row)
  }

  function place({ atMs, person, story }: Planned): void {
    const customer = customers.get(person.number)
    if (!customer) throw new Error('every buyer has a row in the vault by now')
    const orderId = shop.random.uuid()
    const caller = systemCaller(shop.random)
    const quantityM = quantitiesM[Math.floor(shop.random.fraction() * quantitiesM.length)] ?? 1
    const serial = stock.reserve({ orderId, quantityM, claimAt: 0, outdatedSerials: [] }, caller)
    const placed = placedOrder(shop, { orderId, serial, quantityM, person, customer, method: story.method })
    const events = orderDecider.decide({ type: 'PlaceOrder', placed }, orderDecider.initial)
    const stream = orderStream(orderId)
    writer.add(orderId, { stream, expectedRevision: NO_EVENTS, events, actor: 'buyer' }, caller)
    const order = fold(orderDecider, events) as PlacedOrder
    if (story.acts.length === 0) return
    living.set(orderId, { order, caller, actsLeft: story.acts.length })
    for (const [minutes, act] of story.acts) ahead.add(atMs + minutes * 60_000, { orderId, act })
  }

  async function act(orderId: string, what: Act): Promise<void> {
    const one = living.get(orderId)
    if (!one) throw new Error('nothing happens to an order whose story is over')
    const { caller } = one
    const world: LifeWorld = {
      ...shop,
      reserve: ({ placed }, claim) => stock.reserve({ orderId, quantityM: placed.quantityM, ...claim }, caller),
    }
    const outcome = await actOn(world, one.order, what)
    for (const decided of outcome.decided) writer.add(orderId, decided, caller)
    one.order = outcome.order
    stock.follow(one.order, caller)
    one.actsLeft -= 1
    if (one.actsLeft === 0) living.delete(orderId)
  }

  /** Everything that is due until then, each at its own time. */
  async function actUntil(untilMs: number): Promise<void> {
    for (let due = ahead.take(untilMs); due; due = ahead.take(untilMs)) {
      setTime(due.at)
      await act(due.item.orderId, due.item.act)
    }
  }

  /** Reservations before the orders that claim them, and their ends after the orders that decided so: as the shop writes them. */
  async function write(): Promise<void> {
    // One portion is written while the next one is decided.
    await writing
    writing = Promise.all([stock.writeReserved(), ...writer.written(), stock.writeEnded()])
    // Told to whoever awaits it next.
    writing.catch(() => undefined)
  }

  let placed = 0
  for (const planned of portions(plan(), PLACED_PER_WRITE)) {
    const [first] = planned
    if (!first) break
    setTime(first.atMs)
    stock.restock()
    await customersFor(planned)
    for (const one of planned) {
      await actUntil(one.atMs)
      setTime(one.atMs)
      place(one)
    }
    await write()
    placed += planned.length
    onProgress?.(placed)
    await othersTurn()
  }
  await actUntil(nowMs)
  setTime(nowMs)
  await write()
  await writing
  await stock.snapshot()
}

function placedOrder(
  shop: Shop,
  given: {
    orderId: string
    serial: number
    quantityM: number
    person: Person
    customer: CustomerKey
    method: Story['method']
  },
) {
  const { orderId, serial, quantityM, person, customer, method } = given
  const { keys, policy, hot, random } = shop
  const at = nowText(shop)
  const { customerEmail, discordUsername, marketId } = person
  const spread = marketIdAmounts(quantityM).map((amountM) => ({ marketId, amountM }))
  const marketIds = marketIdsFor(quantityM, { marketId, marketIds: spread })
  const personal: Personal = { customerEmail, discordUsername, marketIds }
  const text = JSON.stringify(personal)
  const { unitPriceTenThousandths, discountPercent, totalCents } = quoteBy(hot.currentSettings(), quantityM)
  return {
    orderId,
    serial,
    orderNumber: keys.orderNumber(serial),
    customerId: customer.customerId,
    personal: seal(customer, text, orderStream(orderId), random.bytes(NONCE_BYTES)),
    requestHash: keys.fingerprint(text),
    quantityM,
    paymentMethod: method,
    preOrder: false,
    settingsRevision: Math.max(hot.settings.revision, 0),
    unitPriceTenThousandths,
    discountPercent,
    totalCents,
    paisePerUsd: policy.paisePerUsd,
    expiresAt: plusMinutes(at, policy.orderTtlMinutes),
    at,
  }
}
