import { setImmediate as othersTurn } from 'node:timers/promises'
import { ADMIN_ID, STOCK_STREAM } from '../../commands/hot/hot-states.ts'
import { writeInventorySnapshot } from '../../commands/hot/inventory-snapshot.ts'
import { quoteBy } from '../../commands/quote-order.ts'
import { type Caller, nowText, type Shop, systemCaller } from '../../commands/shop.ts'
import { fold } from '../../domain/decider.ts'
import type { InventoryEvent } from '../../domain/inventory/events.ts'
import {
  inventory as inventoryDecider,
  type InventoryCommand,
  reservationFor,
} from '../../domain/inventory/inventory.ts'
import { marketIdsFor } from '../../domain/market-ids.ts'
import { marketIdAmounts } from '../../domain/pricing.ts'
import { order as orderDecider, plusMinutes } from '../../domain/order/order.ts'
import { fateOf, type PlacedOrder } from '../../domain/order/order-state.ts'
import { type DecidedEvent, orderStream, type Personal } from '../../event-store/event-log.ts'
import { NO_EVENTS, type Position } from '../../event-store/event-store.ts'
import { seal } from '../../event-store/sealing.ts'
import type { CustomerKey } from '../../vault/vault.ts'
import { actOn, type Decided, type LifeWorld } from './order-life.ts'
import { buyers, type Person } from './people.ts'
import { type Placing, placingTimes } from './placing-times.ts'
import { type Act, openStory, type Story, storyTeller } from './stories.ts'
import { Timeline } from './timeline.ts'

/** So many orders are placed between two writes; what happens to others meanwhile is written along. */
const PLACED_PER_WRITE = 500
/** Well below what one append may hold in bytes. */
const EVENTS_PER_APPEND = 2_000
const RESTOCKED_BELOW_M = 1_000_000
const RESTOCKED_BY_M = 5_000_000
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
  const writer = new Writer(shop)
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
        return [number, await shop.vault.customerByEmail(shop.keys.emailHmac(customerEmail), candidate)] as const
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

interface Append {
  readonly stream: string
  readonly expectedRevision: number
  readonly events: DecidedEvent[]
}

/**
 * What is to be written of orders and their receipts. What belongs to one order is written together, in its own order: the pages of a large log's index
 * that it lies on are then written once.
 */
class Writer {
  private readonly log: Shop['log']
  private readonly orders = new Map<string, Append[]>()

  constructor({ log }: Pick<Shop, 'log'>) {
    this.log = log
  }

  add(orderId: string, { stream, expectedRevision, events, actor }: Decided, caller: Caller): void {
    const own = events.map((event) => ({ event, caller: { ...caller, actor } }))
    const appends = this.orders.get(orderId) ?? []
    this.orders.set(orderId, appends)
    const last = appends.at(-1)
    if (last?.stream === stream) last.events.push(...own)
    else appends.push({ stream, expectedRevision, events: own })
  }

  written(): Promise<unknown>[] {
    const appends = [...this.orders.values()].flat()
    this.orders.clear()
    return appends.map(async ({ stream, expectedRevision, events }) =>
      this.log.append(stream, expectedRevision, events),
    )
  }
}

/** `stock-main` as its single writer keeps it, with what is not written yet. */
class StockBook {
  private readonly shop: Shop
  private state
  private revision: number
  private reserved: DecidedEvent[] = []
  private ends: { command: InventoryCommand; caller: Caller }[] = []
  private position: Position

  constructor(shop: Shop) {
    this.shop = shop
    const { state, revision, position } = shop.hot.inventory
    this.state = state
    this.revision = revision
    this.position = position
  }

  restock(): void {
    if (this.state.freeM >= RESTOCKED_BELOW_M) return
    const at = nowText(this.shop)
    const command = { type: 'AdjustStock', differenceM: RESTOCKED_BY_M, editKey: null, adminId: ADMIN_ID, at } as const
    this.reserved.push(...this.decide(command, { ...systemCaller(this.shop.random), actor: 'staff' }))
  }

  reserve(
    claim: { orderId: string; quantityM: number; claimAt: number; outdatedSerials: readonly number[] },
    caller: Caller,
  ): number {
    const { openOrdersMax: openMax } = this.shop.policy
    const command = { type: 'ReserveStock', ...claim, openMax, at: nowText(this.shop) } as const
    this.reserved.push(...this.decide(command, { ...caller, actor: 'buyer' }))
    const reservation = reservationFor(this.state, claim)
    if (!reservation) throw new Error('what was just reserved is open')
    return reservation.serial
  }

  /** Notes how the reservations end that this order holds no longer. */
  follow(order: PlacedOrder, caller: Caller): void {
    const at = nowText(this.shop)
    for (const claim of order.claims) {
      const { serial } = claim
      if (!this.state.open.get(serial)) continue
      const fate = fateOf(order, claim)
      if (fate === 'commit') this.ends.push({ command: { type: 'CommitStock', serial, at }, caller })
      if (fate === 'release') this.ends.push({ command: { type: 'ReleaseStock', serial, at }, caller })
    }
  }

  async writeReserved(): Promise<void> {
    const events = this.reserved
    this.reserved = []
    await this.append(events)
  }

  async writeEnded(): Promise<void> {
    const events = this.ends.flatMap(({ command, caller }) => this.decide(command, caller))
    this.ends = []
    await this.append(events)
  }

  async snapshot(): Promise<void> {
    const { hot, log } = this.shop
    hot.inventory.restore(this.state, this.revision, this.position)
    await writeInventorySnapshot(log, hot.inventory)
  }

  private decide(command: InventoryCommand, caller: Caller): DecidedEvent[] {
    const events: InventoryEvent[] = inventoryDecider.decide(command, this.state)
    for (const event of events) this.state = inventoryDecider.evolve(this.state, event)
    return events.map((event) => ({ event, caller }))
  }

  private async append(events: readonly DecidedEvent[]): Promise<void> {
    const appends = portions(events, EVENTS_PER_APPEND).map(async (portion) => {
      const expected = this.revision
      this.revision += portion.length
      return this.shop.log.append(STOCK_STREAM, expected, portion)
    })
    for (const { position } of await Promise.all(appends)) this.position = position
  }
}

function* portions<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let portion: Item[] = []
  for (const item of items) {
    portion.push(item)
    if (portion.length < size) continue
    yield portion
    portion = []
  }
  if (portion.length > 0) yield portion
}
