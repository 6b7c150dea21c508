import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fold } from '../domain/decider.ts'
import { inventory } from '../domain/inventory/inventory.ts'
import { paidCents, type PlacedOrder, statusesOf } from '../domain/order/order-state.ts'
import type { Caller } from '../event-store/event-log.ts'
import { ProviderAway } from '../payments/payment-provider.ts'
import type { Shop } from '../shop/shop.ts'
import { allEvents, auditBooks } from '../testing/audit-books.ts'
import * as faults from '../testing/interposed.ts'
import { type Fate, fails, interposed, losesAnswer } from '../testing/interposed.ts'
import { VaultAway } from '../vault/vault.ts'
import { approveOrder } from './approve-order.ts'
import { cancelOrder } from './cancel-order.ts'
import { capturePayment } from './capture-payment.ts'
import { changeSettings } from './change-settings.ts'
import { checkPayment } from './check-payment.ts'
import { choosePaymentMethod } from './choose-payment-method.ts'
import { deleteOrder } from './delete-order.ts'
import { deliverOrder, type DeliveryCall } from './deliver-order.ts'
import { endReservation } from './end-reservation.ts'
import { eraseCustomer } from './erase-customer.ts'
import { expireOrder } from './expire-order.ts'
import { finishReceipt } from './finish-receipt.ts'
import { handleProduct } from './handle-product.ts'
import { markDelivered } from './mark-delivered.ts'
import { placeOrder } from './place-order.ts'
import { recordPayment } from './record-payment.ts'
import { recordRefund } from './record-refund.ts'
import { reinstateOrder } from './reinstate-order.ts'
import { reservePreOrders } from './reserve-pre-order.ts'
import { setStock } from './set-stock.ts'
import { settleAttention } from './settle-attention.ts'
import { settleUnplacedReceipt } from './settle-unplaced-receipt.ts'
import { startPayment } from './start-payment.ts'
import { takePaymentNews } from './take-payment-news.ts'
import {
  orderRequest,
  paymentRequest,
  receiptOf,
  reportOf,
  STOCK,
  testShop,
  type TestShop,
} from './testing/test-shop.ts'

const adminId = 'owner'
const noOrders = { orderIdsOf: async () => [], unclaimedReservations: async () => [] }

async function pay(test: TestShop, mode: 'staff' | 'webhook' = 'webhook', amount = '10.00') {
  const { orderId, paymentId } = await test.started('crypto')
  const report = reportOf('received', [receiptOf('money-1', { amount })])
  const shop = { ...test.shop, policy: { ...test.shop.policy, deliveryMode: mode } }
  const record = async (by: Shop, caller: Caller) => recordPayment(by, caller, { orderId, attempt: 1, report })
  return { orderId, paymentId, report, record, pay: async () => record(shop, test.caller()) }
}

async function paid(test: TestShop, mode?: 'staff' | 'webhook', amount?: string): Promise<string> {
  const { orderId, pay: now } = await pay(test, mode, amount)
  await now()
  return orderId
}

async function stockOf(test: TestShop, stockM: number): Promise<void> {
  await setStock(test.shop, test.caller(), { stockM, seenM: undefined, editKey: null, adminId })
}

/** Makes what the command needs; the command as any process can be asked for it. */
type Prepared = (shop: Shop, caller: Caller) => Promise<unknown>
type Scene = (test: TestShop, bot: DeliveryCall) => Promise<Prepared>

const ofAnOrder =
  (
    command: (shop: Shop, caller: Caller, request: { orderId: string; adminId: string }) => Promise<unknown>,
    prepare: (test: TestShop) => Promise<string>,
  ): Scene =>
  async (test) => {
    const orderId = await prepare(test)
    return async (shop, caller) => command(shop, caller, { orderId, adminId })
  }
const placed = async (test: TestShop): Promise<string> => (await test.placed()).placed.orderId

/** Each file of commands, by its name; a second scene of one stands behind a colon. */
const scenes: Record<string, Scene> = {
  'place-order': async () => async (shop, caller) =>
    placeOrder(shop, caller, orderRequest({ idempotencyKey: 'key-1' })),
  'choose-payment-method': async (test) => {
    const orderId = await placed(test)
    return async (shop, caller) => choosePaymentMethod(shop, caller, { orderId, paymentMethod: 'upi' })
  },
  'start-payment': async (test) => {
    const orderId = await placed(test)
    return async (shop, caller) => startPayment(shop, caller, paymentRequest(orderId, 'crypto'))
  },
  'check-payment': async (test) => {
    const { orderId, paymentId, report } = await pay(test)
    test.providers.crypto.reports.set(paymentId, report)
    return async (shop, caller) => checkPayment(shop, caller, { orderId, attempt: 1 })
  },
  'capture-payment': async (test) => {
    const { orderId, paymentId } = await test.started('paypal')
    test.providers.paypal.reports.set(paymentId, reportOf('approved'))
    test.providers.paypal.before.capture = () => {
      test.providers.paypal.reports.set(paymentId, reportOf('received', [receiptOf('capture-1')]))
    }
    return async (shop, caller) => capturePayment(shop, caller, { orderId, paymentId })
  },
  'record-payment': async (test) => (await pay(test)).record,
  'record-payment: of another order': async (test) => {
    await paid(test)
    return (await pay(test)).record
  },
  'finish-receipt': async (test) => {
    const { record } = await pay(test)
    const isDead = faults.crashed(test.store, 'order-')
    void record(await test.anotherProcess(), test.caller())
    await isDead
    return async (shop, caller) => finishReceipt(shop, caller, { provider: 'crypto', receiptId: 'money-1' })
  },
  'take-payment-news': async (test) => {
    const { orderId, paymentId, report } = await pay(test)
    test.providers.crypto.reports.set(paymentId, report)
    const reference = test.shop.keys.reference(orderId, 1)
    return async (shop, caller) => takePaymentNews(shop, caller, { provider: 'crypto', paymentId, reference })
  },
  'settle-unplaced-receipt': async (test) => {
    const reference = test.shop.keys.reference('00000000-0000-4000-8000-000000000001', 1)
    const upi = { ...test.providers.upi, isKnownByReference: true as const, check: async () => reportOf('confirmed') }
    const news = { provider: 'upi', paymentId: reference, reference }
    await takePaymentNews({ ...test.shop, providers: { ...test.shop.providers, upi: [upi] } }, test.caller(), news)
    const settled = { provider: 'upi', receiptId: reference, outcome: 'paid-back', adminId } as const
    return async (shop, caller) => settleUnplacedReceipt(shop, caller, settled)
  },
  'deliver-order': async (test, call) => {
    const orderId = await paid(test)
    return async (shop, caller) => deliverOrder(shop, caller, { orderId, call })
  },
  'mark-delivered': ofAnOrder(markDelivered, async (test) => paid(test, 'staff')),
  'cancel-order': ofAnOrder(cancelOrder, placed),
  'expire-order': ofAnOrder(expireOrder, async (test) => {
    const orderId = await placed(test)
    test.pass(61)
    return orderId
  }),
  'delete-order': ofAnOrder(
    async (shop, caller, one) => deleteOrder(shop, caller, { ...one, coinsGiven: null }),
    placed,
  ),
  'approve-order': ofAnOrder(approveOrder, async (test) => paid(test, 'webhook', '4.00')),
  'approve-order: that has ended': ofAnOrder(approveOrder, async (test) => {
    const { orderId, pay: now } = await pay(test, 'webhook', '4.00')
    await cancelOrder(test.shop, test.caller(), { orderId })
    await now()
    return orderId
  }),
  'reinstate-order': ofAnOrder(reinstateOrder, async (test) => {
    const { orderId, pay: now } = await pay(test)
    await cancelOrder(test.shop, test.caller(), { orderId })
    await now()
    return orderId
  }),
  'reserve-pre-order': async (test) => {
    await changeSettings(test.shop, test.caller(), {
      changes: { preOrdersEnabled: true },
      adminId,
      seenRevision: undefined,
    })
    await stockOf(test, 0)
    const orderId = await paid(test)
    await stockOf(test, 200)
    return async (shop, caller) => reservePreOrders(shop, caller, [orderId])
  },
  'record-refund': async (test) => {
    const orderId = await paid(test)
    const order = await test.order(orderId)
    const refund = {
      amountCents: paidCents(order),
      receiptId: null,
      reason: 'other',
      whereTo: 'ltc1',
      coinsGiven: null,
    } as const
    const request = { orderId, adminId, idempotencyKey: undefined, revision: order.next - 1, refund }
    return async (shop, caller) => recordRefund(shop, caller, request)
  },
  'settle-attention': async (test) => {
    const { orderId, pay: now } = await pay(test, 'webhook', '4.00')
    await cancelOrder(test.shop, test.caller(), { orderId })
    await now()
    const revision = (await test.order(orderId)).next - 1
    return async (shop, caller) => settleAttention(shop, caller, { orderId, adminId, revision })
  },
  'end-reservation': async (test) => {
    const isDead = faults.crashed(test.store, 'order-')
    void placeOrder(await test.anotherProcess(), test.caller(), orderRequest({ idempotencyKey: 'key-1' }))
    await isDead
    const reservation = { orderId: test.shop.keys.orderIdFor('key-1'), claimAt: 0, serial: 1 }
    return async (shop, caller) => endReservation(shop, caller, reservation)
  },
  'set-stock': async () => async (shop, caller) =>
    setStock(shop, caller, { stockM: 700, seenM: 1000, editKey: 'edit-1', adminId }),
  'change-settings': async () => async (shop, caller) =>
    changeSettings(shop, caller, { changes: { basePriceCents: 7 }, adminId, seenRevision: undefined }),
  'handle-product': async () => async (shop, caller) => {
    const fields = { name: 'Starter', description: '', quantityM: 10, imageUrl: null, active: true, position: 0 }
    const at = new Date(shop.clock.now()).toISOString()
    return handleProduct(shop, caller, { type: 'CreateProduct', productId: 'product-1', fields, adminId, at })
  },
  'erase-customer': async (test) => {
    await cancelOrder(test.shop, test.caller(), { orderId: await placed(test) })
    return async (shop, caller) => eraseCustomer(shop, caller, { email: 'ash@example.com', adminId, known: noOrders })
  },
}

/** Files that hold no command to a running shop, or whose faults have their tests beside them. */
const others = {
  'accept-lost-customers': 'beside a stopped shop',
  'accept-lost-events': 'beside a stopped shop',
  'adopt-payment': 'part of take-payment-news',
  'admin-password': 'hashes cost a core for long: its own test',
  'bind-vault': 'at the start',
  'check-buyers': 'at the start',
  'log-in-admin': 'hashes cost a core for long: its own test',
  'note-reveal': 'each call is an event of its own',
  'open-shop': 'at the start',
  'quote-order': 'pure',
  'started-data': 'pure',
}

it('knows every file of commands', () => {
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  const known = [...Object.keys(scenes).map((name) => name.replace(/:.*/, '')), ...Object.keys(others)]
  expect([...new Set(known)].toSorted()).toEqual(files.map((file) => file.replace('.ts', '')).toSorted())
})

const { crash, crashAfter } = faults
const outward = (error: Error) => ({ away: fails(error), 'answer lost': losesAnswer(error), crash, crashAfter })
const read = { away: faults.away, crash }
const append = {
  ...read,
  'not written': faults.notWritten,
  'answer lost': faults.lostAnswer,
  beaten: faults.beaten,
  crashAfter,
}

function faultsOf(call: string): Record<string, Fate> {
  if (call.startsWith('log')) return call === 'log append' ? append : read
  return outward(call.startsWith('vault') ? new VaultAway('played') : new ProviderAway('played'))
}

const isCrash = (fate: Fate): boolean => fate === crash || fate === crashAfter

/** A shop whose calls are counted from `begin` on; one of them meets its fate. */
async function play(scene: Scene, found?: { at: number; fate: Fate }) {
  const calls: string[] = []
  let isCounting = false
  const { promise: crashed, resolve: crashes } = Promise.withResolvers<false>()
  const fateOf =
    (port: string): Fate =>
    async (make, call) => {
      if (!isCounting || calls.push(`${port} ${call.name}`) - 1 !== found?.at) return make()
      isCounting = false
      // What a crash leaves behind is there before anything else goes on.
      if (isCrash(found.fate)) setImmediate(() => crashes(false))
      return found.fate(make, call)
    }
  const fates = { log: fateOf('log'), vault: fateOf('vault'), provider: fateOf('provider') }
  const test = await testShop({ policy: { deliveryMode: 'webhook' }, fates })
  const bot = interposed({ call: async () => undefined }, fateOf('bot'))
  const command = await scene(test, async () => bot.call())
  /** Whether it was answered with success. */
  const run = async (shop: Shop): Promise<boolean> =>
    command(shop, test.caller()).then(
      () => true,
      () => false,
    )
  return {
    calls,
    async begin(): Promise<boolean> {
      isCounting = true
      const isDone = await Promise.race([run(test.shop), crashed])
      isCounting = false
      return isDone
    },
    repeat: async () => run(await test.anotherProcess()),
    /** What a sweep leaves: each order, the stock, and the kinds of all other events. */
    async outcome() {
      test.pass(2)
      await test.sweep()
      const events = await allEvents(test.shop.log)
      const { orders, problems } = auditBooks(events, { atRest: true })
      const { freeM, open } = fold(inventory, (await test.eventsOf(STOCK)) as never)
      const kinds = events.filter(({ stream }) => !/^(order|stock)-/.test(stream)).map(({ type }) => type)
      return { problems, freeM, open: open.size, orders: [...orders.values()].map(summaryOf), kinds: kinds.toSorted() }
    },
  }
}

function summaryOf(order: PlacedOrder) {
  const { life, attention, attempts, receipts } = order
  const reasons = attention.map(({ reason }) => reason).toSorted()
  return {
    status: statusesOf(order).status,
    life: life.kind,
    reasons,
    // One that only was requested is asked for again by its buyer.
    attempts: attempts.filter(({ started }) => started !== undefined).length,
    receipts: receipts.length,
    paid: paidCents(order),
  }
}

describe('a command that fails at any of its calls', () => {
  it.for(Object.entries(scenes))('ends as if nothing had failed, repeated or swept: %s', async ([, scene]) => {
    const untouched = await (await play(scene)).outcome()
    const clean = await play(scene)
    await clean.begin()
    const done = await clean.outcome()
    expect(done.problems).toEqual([])
    expect(clean.calls).not.toEqual([])
    for (const [at, call] of clean.calls.entries())
      for (const [fault, fate] of Object.entries(faultsOf(call))) {
        const repeated = await play(scene, { at, fate })
        // What was answered with success needs no repetition.
        if (!(await repeated.begin())) await repeated.repeat()
        expect({ at, call, fault, ...(await repeated.outcome()) }).toEqual({ at, call, fault, ...done })
        // A caller that gets an error asks again. After a crash the sweep alone may go on.
        if (!isCrash(fate)) continue
        const swept = await play(scene, { at, fate })
        await swept.begin()
        expect([untouched, done], `${at} ${call} ${fault}`).toContainEqual(await swept.outcome())
      }
  })
})
