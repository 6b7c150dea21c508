import { approveOrder } from '../commands/approve-order.ts'
import { cancelOrder } from '../commands/order-verbs.ts'
import { endReservation } from '../commands/end-reservation.ts'
import { ERASED_STREAM, orderStream } from '../domain/stream-names.ts'
import { eraseCustomer } from '../commands/erase-customer.ts'
import { logAndKeys } from '../shop/log-and-keys.ts'
import { assembleShop } from '../assemble-shop.ts'
import { placeOrder } from '../commands/place-order.ts'
import { quoteBy } from '../commands/quote-order.ts'
import { type Shop, systemCaller } from '../shop/shop.ts'
import { needsItsBuyer } from '../domain/order/needs-buyer.ts'
import { Refusal } from '../domain/refusal.ts'
import { outcomeOf } from '../domain/order/order-state.ts'
import { NO_EVENTS } from '../event-store/event-store.ts'
import { memoryEventStore } from '../event-store/testing/memory-event-store.ts'
import { knownOrders } from '../projections/known-orders.ts'
import { ordersProjection } from '../projections/orders.ts'
import { reservationsProjection } from '../projections/reservations.ts'
import { projectionRunner } from '../projector/runner.ts'
import { memoryVault } from '../vault/testing/memory-vault.ts'
import { temporaryViewStore } from '../view-store/sqlite-view-store.ts'
import { allEvents, auditBooks } from './audit-books.ts'
import { seededRandom } from './clock.ts'
import { testWorld } from './test-world.ts'

export const EMAIL = 'anna@example.test'
export const MINUTE_MS = 60_000

/** One shop, and one person who orders and is erased. */
// oxlint-disable-next-line max-lines-per-function -- short steps of one scene over the same shop
export async function erasingScene(seed: number) {
  let nowMs = Date.parse('2026-01-01T00:00:00Z')
  const random = seededRandom(seed)
  const store = memoryEventStore({ now: () => nowMs })
  const vault = memoryVault()
  const viewStore = temporaryViewStore()
  const clock = { now: () => nowMs, sleep: async () => undefined }

  const { log, keys } = await logAndKeys({ store, vault }, { clock, random })
  const world = {
    ...testWorld({ clock, random, policy: { openOrdersMax: 100 } }),
    projections: [ordersProjection, reservationsProjection],
  }
  const runner = projectionRunner({ ...world, log, logId: 'test', store: viewStore })
  const waitFor = async (): Promise<boolean> => {
    while (await runner.runOnce());
    return true
  }
  const assembled = assembleShop({ log, vault, keys, views: viewStore }, world)
  const { shop: main } = assembled
  const views = assembled.reader({ waitFor })
  const known = knownOrders(views)
  const policy = assembled.policies(views).find(({ name }) => name === 'finish-erasures')
  if (!policy) throw new Error('erasures are finished by no policy')
  await assembled.open()

  async function place(shop: Shop): Promise<string> {
    await shop.hot.load()
    const { totalCents } = quoteBy(shop.hot.currentSettings(), 1)
    const { order } = await placeOrder(shop, systemCaller(random), {
      idempotencyKey: undefined,
      customerEmail: EMAIL,
      discordUsername: 'anna',
      marketId: '12345678',
      marketIds: undefined,
      quantityM: 1,
      totalCents,
      paymentMethod: null,
    })
    return order.placed.orderId
  }

  async function erase(shop: Shop) {
    return eraseCustomer(shop, systemCaller(random), { email: EMAIL, adminId: 'owner', known })
  }

  async function endOpenReservations(shop: Shop): Promise<void> {
    await shop.hot.inventory.refresh()
    for (const reservation of shop.hot.inventory.state.open.values())
      await endReservation(shop, systemCaller(random), reservation)
  }

  async function cancelAll(shop: Shop): Promise<void> {
    await shop.hot.load()
    for (const order of (await books()).orders.values())
      if (outcomeOf(order) === undefined) await cancelOrder(shop, systemCaller(random), order.placed)
  }

  async function books() {
    return auditBooks(await allEvents(log), { atRest: false })
  }

  return {
    main,
    vault,
    log,
    keys,
    known,
    place,
    erase,
    endOpenReservations,
    cancelAll,
    books,
    pass: (ms: number) => (nowMs += ms),

    async complete(orderId: string) {
      await approveOrder(main, systemCaller(random), { orderId, adminId: 'owner' })
    },

    async buyers(): Promise<string[]> {
      return [...(await books()).orders.values()].map(({ placed }) => placed.customerId)
    },

    /** An event that no release can read stands in some order. */
    async breakAnOrder() {
      const raw = { id: random.uuid(), type: 'OrderTeleported', version: 1, data: '{}', metadata: '{}' }
      await store.append(orderStream(random.uuid()), NO_EVENTS, [raw])
    },

    /** A receipt of another order is shown. */
    async raiseAttention(orderId: string) {
      const at = new Date(nowMs).toISOString()
      const data = { orderId, receiptId: 'receipt-1', why: 'pays-another-order' as const, at }
      const revision = (await log.readStream(orderStream(orderId))).length - 1
      const event = { type: 'ReceiptUnusable' as const, data }
      await log.append(orderStream(orderId), revision, [{ event, caller: systemCaller(random) }])
    },

    due: async () => policy.due(nowMs),

    /** What the policy does, a while later. */
    async finishAll() {
      nowMs += 10 * MINUTE_MS
      for (const job of await policy.due(nowMs))
        await policy.run(job, systemCaller(random)).catch((error: unknown) => {
          if (!(error instanceof Refusal)) throw error
        })
    },

    /** Orders that need a buyer whose data can no longer be read. */
    async unreadable(): Promise<string[]> {
      const needed = [...(await books()).orders.values()].filter(needsItsBuyer)
      const keysOf = await vault.keysOf(needed.map(({ placed }) => placed.customerId))
      return needed.flatMap(({ placed }) =>
        keysOf.get(placed.customerId) instanceof Uint8Array ? [] : [placed.orderId],
      )
    },

    /** Everyone in the register, and everyone in it whom the vault still has. */
    async register() {
      const events = await log.readStream(ERASED_STREAM)
      const ids = events.flatMap((event) => (event.type === 'CustomerErased' ? [event.data.customerId] : []))
      const kept = await vault.keysOf(ids)
      return { ids, left: ids.filter((id) => kept.get(id) !== 'erased') }
    },
  }
}
