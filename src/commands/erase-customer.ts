import { customer as customerDecider, type ErasedCustomers } from '../domain/customer/customer.ts'
import type { CustomerEvent } from '../domain/customer/events.ts'
import type { Reservation } from '../domain/inventory/inventory.ts'
import { needsItsBuyer } from '../domain/order/needs-buyer.ts'
import { order as orderDecider } from '../domain/order/order.ts'
import type { OrderState } from '../domain/order/order-state.ts'
import { Refusal } from '../domain/refusal.ts'
import { ERASED_STREAM, orderStream } from '../domain/stream-names.ts'
import type { Caller } from '../log/event-log.ts'
import { type Position, START } from '../engines/event-store/event-store.ts'
import { forgetErased } from '../shop/blocks.ts'
import { handleCommand, readState } from '../shop/handle-command.ts'
import { HotStream } from '../shop/hot/hot-stream.ts'
import { ShopBusy } from '../shop/shop-busy.ts'
import { callerFor, nowText, type CommandContext } from '../shop/command-context.ts'

/** How often to poll whether orders being placed are done; after that `finish-erasures` continues the erasure. */
const CLAIM_POLLS_MAX = 25
const CLAIM_POLL_MS = 200
/** Order numbers named in a refusal. */
const NAMED_MAX = 10
const CUSTOMERS_AT_ONCE = 1_000

type EraseWorld = Pick<CommandContext, 'log' | 'vault' | 'clock' | 'random'> & {
  readonly hot: Pick<CommandContext['hot'], 'inventory'>
}

/** Read from the views by the caller, since commands never read views. */
export interface KnownOrders {
  /** Every order of this person up to this position, deleted ones too. Throws while they are unknown. */
  orderIdsOf(customerId: string, upTo: Position): Promise<readonly string[]>
  /** Of these reservations all without a claim or fence, perhaps also some with one: a claim never vanishes. */
  unclaimed(reservations: readonly Reservation[]): Promise<readonly Reservation[]>
}

/** For staff. */
export const BLOCK_STAYS = 'A block of this buyer stays until it ends: as hashes, which lead to no name and no order.'

interface ErasureResult {
  /** False while an order is still being placed; `finish-erasures` continues afterwards. */
  readonly isErased: boolean
  /** A block of this buyer stays, as hashes. */
  readonly isBlocked: boolean
  readonly position: Position
}

/**
 * Erases a person: whatever was sealed for them can never be opened again. Throws `customer/not-found`, and `customer/has-open-orders` when an order
 * still needs its buyer: that customer stays, others with this e-mail may be erased already.
 */
export async function eraseCustomer(
  context: EraseWorld & Pick<CommandContext, 'keys'>,
  caller: Caller,
  { email, adminId, known }: { email: string; adminId: string; known: KnownOrders },
): Promise<ErasureResult> {
  const customerIds = await customersOf(context, email)
  if (customerIds.length === 0) throw new Refusal('customer/not-found', 'Nobody has ordered with this e-mail.')
  const results: ErasureResult[] = []
  for (const customerId of customerIds)
    results.push(await eraseById(context, callerFor(caller, customerId), { customerId, adminId, known }))
  const positions = results.map(({ position }) => position)
  return {
    isErased: results.every(({ isErased }) => isErased),
    isBlocked: results.some(({ isBlocked }) => isBlocked),
    position: positions.toSorted().at(-1) ?? START,
  }
}

export async function customersOf(
  { keys, vault }: Pick<CommandContext, 'keys' | 'vault'>,
  email: string,
): Promise<string[]> {
  return vault.customersByEmail(keys.emailHmac(email))
}

/** Erases one customer by id; continues where an earlier attempt stopped. */
export async function eraseById(
  context: EraseWorld,
  caller: Caller,
  { customerId, adminId, known }: { customerId: string; adminId: string; known: KnownOrders },
): Promise<ErasureResult> {
  const { vault, log } = context
  const erasureId = context.random.uuid()
  // From here on a new order with this e-mail belongs to a new customer.
  const hasRow = await vault.detachEmail(customerId, { erasureId, at: context.clock.now() })
  // Once the log records the erasure, only the key is left to delete, whatever happened to the orders since.
  if (hasRow && (await readRegister(log)).state.get(customerId) === undefined) {
    if (!(await waitForClaims(context, known))) return { isErased: false, isBlocked: false, position: START }
    const needed = await numbersOfOrdersNeedingBuyer(context, await known.orderIdsOf(customerId, await log.head()))
    if (needed.length > 0) {
      await vault.attachEmail(customerId, erasureId)
      throw refusalFor(needed)
    }
    if (!(await vault.decideErasure(customerId, erasureId))) throw new ShopBusy('this person is being erased already')
  }
  const position = await recordErasure(context, caller, { customerId, adminId })
  await vault.deleteCustomers([customerId])
  const blocks = await forgetErased(context, (id) => id === customerId)
  return { isErased: true, isBlocked: blocks > 0, position }
}

/** A vault restored from an older copy has customers that were erased since: deletes them again, and returns how many. */
export async function deleteErased({ log, vault }: Pick<CommandContext, 'log' | 'vault'>): Promise<number> {
  const { state } = await readRegister(log)
  const erased = [...state.values()]
  let deleted = 0
  for (let from = 0; from < erased.length; from += CUSTOMERS_AT_ONCE) {
    const some = erased.slice(from, from + CUSTOMERS_AT_ONCE)
    const keys = await vault.keysOf(some)
    const left = some.filter((customerId) => keys.get(customerId) !== 'erased')
    if (left.length > 0) await vault.deleteCustomers(left)
    deleted += left.length
  }
  await forgetErased({ vault }, (id) => state.get(id) !== undefined)
  return deleted
}

/**
 * Placing an order reserves stock before it reads the buyer's row. So once each reservation that is open now is claimed or fenced (its order's
 * stream has an event at `claimAt`), this detached customer gets no further order. One that has ended was claimed or fenced before.
 */
async function waitForClaims(context: EraseWorld, known: KnownOrders): Promise<boolean> {
  const { inventory } = context.hot
  await inventory.refresh()
  let open = await known.unclaimed([...inventory.state.open.values()])
  for (let poll = 0; poll < CLAIM_POLLS_MAX; poll += 1) {
    const orders = await readOrders(
      context,
      open.map(({ orderId }) => orderId),
    )
    open = open.filter(({ claimAt }, index) => (orders[index]?.next ?? 0) <= claimAt)
    if (open.length === 0) return true
    await context.clock.sleep(CLAIM_POLL_MS)
  }
  return false
}

async function numbersOfOrdersNeedingBuyer(context: EraseWorld, orderIds: readonly string[]): Promise<string[]> {
  const orders = await readOrders(context, orderIds)
  return orders.flatMap((order) => (order.kind === 'placed' && needsItsBuyer(order) ? [order.placed.orderNumber] : []))
}

/** From their streams, one after another: this is not urgent. */
async function readOrders(context: EraseWorld, orderIds: readonly string[]): Promise<OrderState[]> {
  const states: OrderState[] = []
  for (const orderId of orderIds) states.push((await readState(context, orderDecider, orderStream(orderId))).state)
  return states
}

function refusalFor(orderNumbers: readonly string[]): Refusal {
  const named = orderNumbers.slice(0, NAMED_MAX)
  const more = orderNumbers.length > named.length ? ` and ${orderNumbers.length - named.length} more` : ''
  return new Refusal(
    'customer/has-open-orders',
    `This person has orders that are open, need attention, or may still receive money: ${named.join(', ')}${more}.`,
    { orderNumbers: named },
  )
}

/** The log records it before the key is deleted, so that no copy of the vault brings the person back. */
async function recordErasure(
  context: EraseWorld,
  caller: Caller,
  { customerId, adminId }: { customerId: string; adminId: string },
): Promise<Position> {
  const { position } = await handleCommand(context, customerDecider, {
    stream: ERASED_STREAM,
    command: { type: 'EraseCustomer', customerId, adminId, at: nowText(context) },
    caller,
    read: async () => readRegister(context.log),
  })
  return position
}

async function readRegister(log: CommandContext['log']): Promise<HotStream<ErasedCustomers, CustomerEvent>> {
  const stream = new HotStream<ErasedCustomers, CustomerEvent>(log, ERASED_STREAM, customerDecider)
  await stream.refresh()
  return stream
}
