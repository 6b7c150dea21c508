import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { fold } from '../domain/decider.ts'
import { inventory } from '../domain/inventory/inventory.ts'
import { paidCents } from '../domain/order/order-money.ts'
import { type PlacedOrder } from '../domain/order/order-state.ts'
import { statusesOf } from '../domain/order/standing.ts'
import type { Caller } from '../log/event-log.ts'
import { ProviderAway } from '../payments/payment-provider.ts'
import { nowText, type CommandContext } from '../shop/command-context.ts'
import { allEvents, auditBooks } from '../testing/audit-books.ts'
import * as faults from '../engines/testing/interposed.ts'
import { type Fate, fails, interposed, losesAnswer } from '../engines/testing/interposed.ts'
import { VaultAway } from '../engines/vault/vault.ts'
import { approveOrder } from './approve-order.ts'
import {
  cancelOrder,
  choosePaymentMethod,
  deleteOrder,
  expireOrder,
  markDelivered,
  settleAttention,
} from './order-verbs.ts'
import { capturePayment } from './capture-payment.ts'
import { changeSettings } from './change-settings.ts'
import { checkPayment } from './check-payment.ts'
import { deliverOrder, type DeliveryCall } from './deliver-order.ts'
import { endReservation } from './end-reservation.ts'
import { eraseCustomer } from './erase-customer.ts'
import { finishReceipt } from './finish-receipt.ts'
import { handleProduct } from './handle-product.ts'
import { placeOrder } from './place-order.ts'
import { recordRefund } from './record-refund.ts'
import { sendRefund } from './send-refund.ts'
import { reinstateOrder, reservePreOrders } from './claim-coins.ts'
import { setStock } from './set-stock.ts'
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
  recordReport,
} from '../testing/test-shop.ts'

const adminId = 'owner'
const noOrders = { orderIdsOf: async () => [], unclaimed: async () => [] }

interface Paying {
  readonly amount?: string | undefined
  readonly mode?: 'staff' | 'webhook'
}

async function pay(test: TestShop, { amount = '10.00', mode = 'webhook' }: Paying = {}) {
  const { orderId, paymentId } = await test.started('crypto')
  const report = reportOf('received', [receiptOf('money-1', { amount })])
  const context = { ...test.context, config: { ...test.context.config, DELIVERY: mode } }
  const update = { orderId, attempt: 1, report }
  return { orderId, paymentId, report, update, now: async () => recordReport(context, test.caller(), update) }
}

async function paid(test: TestShop, paying?: Paying): Promise<{ orderId: string; adminId: string }> {
  const { orderId, now } = await pay(test, paying)
  await now()
  return { orderId, adminId }
}

/** Prepares a shop; returns the command, which any process can run. */
type Scene = (
  test: TestShop,
  call: DeliveryCall,
) => Promise<(context: CommandContext, caller: Caller) => Promise<unknown>>

const asks =
  <Request>(
    command: (context: CommandContext, caller: Caller, request: Request) => Promise<unknown>,
    prepare: (test: TestShop, call: DeliveryCall) => Promise<Request>,
  ): Scene =>
  async (test, call) => {
    const request = await prepare(test, call)
    return async (context, caller) => command(context, caller, request)
  }

async function placed(test: TestShop): Promise<{ orderId: string; adminId: string }> {
  return { orderId: (await test.placed()).placed.orderId, adminId }
}

/** An order that was paid after its end. */
async function paidLate(test: TestShop, amount?: string): Promise<{ orderId: string; adminId: string }> {
  const { orderId, now } = await pay(test, { amount })
  await test.ask(cancelOrder, { orderId })
  await now()
  return { orderId, adminId }
}

/** By file of commands; a colon separates several scenes of one file. */
const scenes: Record<string, Scene> = {
  'place-order': asks(placeOrder, async () => orderRequest({ idempotencyKey: 'key-1' })),
  'order-verbs: choose': asks(choosePaymentMethod, async (test) => ({
    ...(await placed(test)),
    paymentMethod: 'upi' as const,
  })),
  'start-payment': asks(startPayment, async (test) => paymentRequest((await placed(test)).orderId, 'crypto')),
  'check-payment': asks(checkPayment, async (test) => {
    const { orderId, paymentId, report } = await pay(test)
    test.providers.crypto.reports.set(paymentId, report)
    return { orderId, attempt: 1 }
  }),
  'capture-payment': asks(capturePayment, async (test) => {
    const { reports, before } = test.providers.paypal
    const { orderId, paymentId } = await test.started('paypal')
    reports.set(paymentId, reportOf('approved'))
    before.capture = () => void reports.set(paymentId, reportOf('received', [receiptOf('capture-1')]))
    return { orderId, paymentId }
  }),
  'record-payment': asks(recordReport, async (test) => (await pay(test)).update),
  'record-payment: of another order': asks(recordReport, async (test) => {
    await paid(test)
    return (await pay(test)).update
  }),
  'finish-receipt': asks(finishReceipt, async (test) => {
    const { update } = await pay(test)
    const isDead = faults.crashed(test.store, 'order-')
    void recordReport(await test.anotherProcess(), test.caller(), update)
    await isDead
    return { provider: 'crypto', receiptId: 'money-1' }
  }),
  'take-payment-news': asks(takePaymentNews, async (test) => {
    const { orderId, paymentId, report } = await pay(test)
    test.providers.crypto.reports.set(paymentId, report)
    return { provider: 'crypto', paymentId, reference: test.context.keys.reference(orderId, 1) }
  }),
  'settle-unplaced-receipt': asks(settleUnplacedReceipt, async (test) => {
    const reference = test.context.keys.reference('00000000-0000-4000-8000-000000000001', 1)
    const upi = { ...test.providers.upi, isKnownByReference: true as const, check: async () => reportOf('confirmed') }
    const news = { provider: 'upi', paymentId: reference, reference }
    await takePaymentNews(
      { ...test.context, providers: { ...test.context.providers, upi: [upi] } },
      test.caller(),
      news,
    )
    return { provider: 'upi', receiptId: reference, outcome: 'paid-back' as const, adminId }
  }),
  'deliver-order': asks(deliverOrder, async (test, call) => ({ ...(await paid(test)), call })),
  'order-verbs: deliver': asks(markDelivered, async (test) => paid(test, { mode: 'staff' })),
  'order-verbs: cancel': asks(cancelOrder, placed),
  'order-verbs: expire': asks(expireOrder, async (test) => {
    const one = await placed(test)
    test.pass(61)
    return one
  }),
  'order-verbs: delete': asks(deleteOrder, async (test) => ({ ...(await placed(test)), coinsGiven: null })),
  'approve-order': asks(approveOrder, async (test) => paid(test, { amount: '4.00' })),
  'approve-order: that has ended': asks(approveOrder, async (test) => paidLate(test, '4.00')),
  'claim-coins: reinstate': asks(reinstateOrder, async (test) => paidLate(test)),
  'claim-coins: of pre-orders': asks(reservePreOrders, async (test) => {
    await test.change({ preOrdersEnabled: true })
    await test.setStock(0)
    const { orderId } = await paid(test)
    await test.setStock(200)
    return [orderId]
  }),
  'record-refund': asks(recordRefund, async (test) => {
    const one = await paid(test)
    const order = await test.order(one.orderId)
    const amountCents = paidCents(order)
    const refund = { amountCents, receiptId: null, reason: 'other', whereTo: 'ltc1', coinsGiven: null } as const
    return { ...one, idempotencyKey: undefined, revision: order.next - 1, refund }
  }),
  'send-refund': asks(sendRefund, async (test) => {
    const { orderId, paymentId } = await test.started('upi')
    const report = reportOf('received', [receiptOf('money-1')])
    test.providers.upi.reports.set(paymentId, report)
    await recordReport(test.context, test.caller(), { orderId, attempt: 1, report })
    const refund = { receiptId: 'money-1', amount: '10.00', reason: 'other', coinsGiven: null } as const
    const revision = (await test.order(orderId)).next - 1
    return { orderId, adminId, idempotencyKey: 'refund-1', revision, refund }
  }),
  'order-verbs: settle': asks(settleAttention, async (test) => {
    const one = await paidLate(test, '4.00')
    return { ...one, reason: 'to-pay-back' as const, revision: (await test.order(one.orderId)).next - 1 }
  }),
  'end-reservation': asks(endReservation, async (test) => {
    const isDead = faults.crashed(test.store, 'order-')
    void placeOrder(await test.anotherProcess(), test.caller(), orderRequest({ idempotencyKey: 'key-1' }))
    await isDead
    return { orderId: test.context.keys.orderIdFor('key-1'), claimAt: 0, serial: 1 }
  }),
  'set-stock': asks(setStock, async () => ({ stockM: 700, seenM: 1000, editKey: 'edit-1', adminId })),
  'change-settings': asks(changeSettings, async () => {
    return { changes: { basePriceCents: 7 }, adminId, seenRevision: undefined }
  }),
  'handle-product': asks(handleProduct, async ({ context }) => {
    const fields = { name: 'Starter', description: '', quantityM: 10, active: true, position: 0 }
    return { type: 'CreateProduct' as const, productId: 'product-1', fields, adminId, at: nowText(context) }
  }),
  'erase-customer': asks(eraseCustomer, async (test) => {
    await test.ask(cancelOrder, await placed(test))
    return { email: 'ash@example.com', adminId, known: noOrders }
  }),
}

/** Files without a command to a running shop, or with fault tests of their own. */
const others = {
  'accept-lost-customers': 'runs while the shop is stopped',
  'accept-lost-events': 'runs while the shop is stopped',
  'adopt-payment': 'part of take-payment-news',
  'admin-password': 'hashing is slow: has its own test',
  'bind-vault': 'at the start',
  'block-buyer': 'staff repeat it: has its own test',
  'check-buyers': 'at the start',
  'log-in-admin': 'hashing is slow: has its own test',
  'note-reveal': 'each call is an event of its own',
  'initialize-shop': 'at the start',
  'quote-order': 'pure',
  'second-factor': 'hashing is slow: has its own test',
  'started-data': 'pure',
}

it('the scenes cover every file of commands', () => {
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

/** A shop whose calls are counted from `begin` on; one of them fails by `fate`. */
async function play(scene: Scene, found?: { at: number; fate: Fate }) {
  const calls: string[] = []
  let isCounting = false
  const { promise: crashed, resolve: crashes } = Promise.withResolvers<false>()
  const fateOf =
    (port: string): Fate =>
    async (make, call) => {
      if (!isCounting || calls.push(`${port} ${call.name}`) - 1 !== found?.at) return make()
      isCounting = false
      // Let the crash settle before anything else runs.
      if (isCrash(found.fate)) setImmediate(() => crashes(false))
      return found.fate(make, call)
    }
  const fates = { log: fateOf('log'), vault: fateOf('vault'), provider: fateOf('provider') }
  const test = await testShop({ env: { DELIVERY: 'webhook' }, fates })
  const bot = interposed({ call: async () => undefined }, fateOf('bot'))
  const command = await scene(test, async () => bot.call())
  /** Resolves to whether the command succeeded. */
  const run = async (context: CommandContext): Promise<boolean> =>
    command(context, test.caller()).then(
      () => true,
      () => false,
    )
  return {
    calls,
    async begin(): Promise<boolean> {
      isCounting = true
      const isDone = await Promise.race([run(test.context), crashed])
      isCounting = false
      return isDone
    },
    repeat: async () => run(await test.anotherProcess()),
    /** After a sweep: each order, the stock and the types of all other events. */
    async outcome() {
      test.pass(2)
      await test.sweep()
      const events = await allEvents(test.context.log)
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
    // An attempt that was only requested is requested again by its buyer.
    attempts: attempts.filter(({ started }) => started !== undefined).length,
    receipts: receipts.length,
    paid: paidCents(order),
  }
}

it.for(Object.entries(scenes))(
  'a command that fails at any of its calls and is repeated or swept ends as if nothing had failed: %s',
  async ([, scene]) => {
    const untouched = await (await play(scene)).outcome()
    const clean = await play(scene)
    await clean.begin()
    const done = await clean.outcome()
    expect(done.problems).toEqual([])
    expect(clean.calls).not.toEqual([])
    for (const [at, call] of clean.calls.entries())
      for (const [fault, fate] of Object.entries(faultsOf(call))) {
        // A crash before the call has the effect of an engine that is away.
        if (fate !== crash) {
          const repeated = await play(scene, { at, fate })
          // A command that succeeded is not repeated.
          if (!(await repeated.begin())) await repeated.repeat()
          expect({ at, call, fault, ...(await repeated.outcome()) }).toEqual({ at, call, fault, ...done })
        }
        // A caller repeats after an error. After a crash only the sweep may go on.
        if (!isCrash(fate)) continue
        const swept = await play(scene, { at, fate })
        await swept.begin()
        expect([untouched, done], `${at} ${call} ${fault}`).toContainEqual(await swept.outcome())
      }
  },
)
