import { CALL_TIMEOUT_MINUTES } from '../../domain/order/deadline.ts'
import { orderStream } from '../../domain/stream-names.ts'
import {
  cameCents,
  heldOf,
  isDeliveryUnknown,
  paidCents as paidCentsOf,
  readinessOf,
} from '../../domain/order/order-state.ts'
import { approveOrder } from '../../commands/approve-order.ts'
import {
  cancelOrder,
  choosePaymentMethod,
  deleteOrder,
  markDelivered,
  settleAttention,
} from '../../commands/order-verbs.ts'
import { capturePayment } from '../../commands/capture-payment.ts'
import { changeSettings } from '../../commands/change-settings.ts'
import { eraseCustomer, type KnownOrders } from '../../commands/erase-customer.ts'
import { findPlacedOrder } from '../../shop/handle-order.ts'
import type { ShopKeys } from '../../shop/keys.ts'
import { type OrderRequest, placeOrder } from '../../commands/place-order.ts'
import { recordPayment } from '../../commands/record-payment.ts'
import { recordRefund } from '../../commands/record-refund.ts'
import { setStock } from '../../commands/set-stock.ts'
import type { Random } from '../../shop/clock-and-random.ts'
import type { Caller, Shop } from '../../shop/shop.ts'
import { startPayment } from '../../commands/start-payment.ts'
import { type AttentionReason, type DeliveryMode, deliveryModes } from '../../domain/order/events.ts'
import { Refusal } from '../../domain/refusal.ts'
import { type PaymentMethod, paymentMethods } from '../../domain/payment-methods.ts'
import type { Actor } from '../../event-store/event-log.ts'
import type { Job } from '../../job-queue/job-queue.ts'
import { coversCents } from '../../payments/payment-amounts.ts'
import type { PaymentReport, ReceiptReport } from '../../payments/payment-provider.ts'
import { knownOrders } from '../../projections/known-orders.ts'
import { ordersProjection } from '../../projections/orders.ts'
import type { Projection } from '../../projections/projection.ts'
import { projectionRunner, type Runner } from '../../projector/runner.ts'
import { paymentsProjection } from '../../projections/payments.ts'
import { reservationsProjection } from '../../projections/reservations.ts'
import { shopProjections } from '../../projections/shop-projections.ts'
import type { Position } from '../../event-store/event-store.ts'
import type { Views } from '../../projections/views.ts'
import type { Policy } from '../../workers/policy.ts'
import type { ActionName } from './actions.ts'
import { type BankNews, type BankPayment, minorText } from './bank.ts'
import { CoinWays } from './coin-ways.ts'
import { Disputes } from './disputes.ts'
import { SeenMoney } from './seen-money.ts'
import { Webhooks } from './webhooks.ts'
import type { Coverage } from './coverage.ts'
import type { Dice } from './dice.ts'
import { type Giving, simulatedLog, simulatedSleep, simulatedViews, type World } from './engines.ts'
import { isInList, isLiving, type Ledger, needsItsBuyer, type OrderRow, paidCents } from './ledger.ts'
import { outside, runs, settled, type Thread } from './scheduler.ts'
import { ShopProcess } from './shop-process.ts'
import type { Config } from './config.ts'
import { CLOCK_ERROR_MS_MAX } from './machines.ts'

interface Running {
  readonly process: ShopProcess
  /** A runner does one page at a time. */
  isProjecting: boolean
  readonly runner: Runner
  policies: readonly Policy[]
}

interface Placed {
  readonly request: OrderRequest
  orderId: string | undefined
}

const CALL_MS = 30_000
const BUYERS = 2
const UNIT_CENTS = 1_000
/** Counted as a large hold. */
const LARGE_M = 3
const VIEW_LOOK_MS = 500
const TIME_ZONE = 'Asia/Kolkata'
export const SHAPE = 'simulated'

/** The errors that callers of a command may get beside refusals: away or busy, retry. */
const retryableErrors = new Set([
  'ShopBusy',
  'EventStoreAway',
  'AppendAmbiguous',
  'VaultAway',
  'ViewStoreAway',
  'ViewBehind',
  'ProviderAway',
  'BotAway',
])

/** Buyers, staff, providers and the shop's processes, each doing one thing at a time. */
export class Shopping {
  running: Running[] = []
  readonly projections: readonly Projection[]
  readonly placed: Placed[] = []
  readonly threads = new Set<Thread>()
  /** Orders of which staff say that their coins were not given, though they were. */
  readonly mistakes = new Set<string>()
  /** Orders of which staff say, and rightly, that their coins were not given: from then on they are not given by hand. */
  private readonly notGiven = new Set<string>()
  private readonly newsOf = new WeakMap<Thread, string>()
  readonly reversedAtStep = new Map<string, number>()
  readonly disputedAtStep = new Map<string, number>()
  /** Payments whose capture was asked for before their payer agreed. */
  private readonly unapproved = new Set<string>()
  /** What may be put in place of a step of the product, by a rule that is switched off. */
  wrapShop: (shop: Shop, thread: Thread) => Shop = (shop) => shop
  wrapPolicies: (policies: Policy[], shop: Shop, thread: Thread) => Policy[] = (policies) => policies
  answersOwnPayment = false
  settlesUnseen = false
  refundsUnseen = false
  dawdlesBeforeCalls = false
  trustsOldViews = false
  wrapKnown: (known: KnownOrders) => KnownOrders = (known) => known
  private readonly parts: {
    readonly world: World
    readonly ledger: Ledger
    readonly coverage: Coverage
    readonly config: Config
    readonly keys: ShopKeys
    readonly random: Random
    readonly dice: Dice
  }
  private processes = 0
  readonly coins: CoinWays
  private readonly disputes: Disputes
  private readonly seenMoney: SeenMoney
  private readonly webhooks = new Webhooks()

  constructor(parts: Shopping['parts']) {
    this.parts = parts
    const { world, dice, config } = parts
    const work = [ordersProjection, reservationsProjection, paymentsProjection]
    this.projections = config.allViews ? shopProjections({ timeZone: TIME_ZONE }) : work
    const repeated = dice.pick(['same', 'refused', 'another'] as const) ?? 'same'
    world.bank.repeated = config.coins ? 'another' : repeated
    const sent = {
      ...parts,
      webhooks: this.webhooks,
      request: (...asked: Parameters<Shopping['request']>) => this.request(...asked),
    }
    this.coins = new CoinWays({ ...sent, idsToCome: () => this.idsToCome() })
    this.disputes = new Disputes(sent)
    this.seenMoney = new SeenMoney(sent)
    world.bank.onCapture = (payment) => this.onCapture(payment)
  }

  async start(): Promise<void> {
    for (let index = 0; index < this.parts.config.processes; index += 1) await this.startProcess()
    // A shop that has been open for a while: its views are there.
    await this.running[0]?.runner.runOnce()
  }

  private async startProcess(): Promise<Running> {
    const { world, keys, config, random } = this.parts
    this.processes += 1
    const name = `P${this.processes}`
    const deliveryMode = this.deliveryMode()
    const { projections } = this
    const process = new ShopProcess({
      name,
      world,
      keys,
      policy: config.policy,
      deliveryMode,
      random,
      projections,
      shape: SHAPE,
      dawdlesBeforeCalls: () => this.dawdlesBeforeCalls,
      wrapShop: (shop, thread) => this.wrapShop(shop, thread),
    })
    const { main } = process
    const runner = projectionRunner({
      log: simulatedLog(world, main),
      logId: 'simulated',
      store: simulatedViews(world, main),
      shape: SHAPE,
      projections,
      clock: { now: () => world.scheduler.nowMs, sleep: async () => undefined },
    })
    const running: Running = { process, runner, isProjecting: false, policies: [] }
    running.policies = this.policies(running, main)
    this.running.push(running)
    const load = process.hot.load()
    if (world.scheduler.isInstant) await load
    else this.watch(main, 'load', load)
    return running
  }

  private views(running: Running, thread: Thread): Views {
    const waitFor = async (position: Position, timeoutMs: number) => this.waitFor(running, thread, position, timeoutMs)
    const views = running.process.assembled(thread).reader({ waitFor })
    return { ...views, waitFor: async (...given) => this.trustsOldViews || views.waitFor(...given) }
  }

  /** As a process does whose runner follows the log. */
  private async waitFor(running: Running, thread: Thread, position: Position, timeoutMs: number): Promise<boolean> {
    const { scheduler } = this.parts.world
    const deadlineMs = scheduler.nowMs + timeoutMs
    while (running.runner.position() < position) {
      if (scheduler.nowMs >= deadlineMs) return false
      const projecting = running.isProjecting ? undefined : this.project(running)
      if (scheduler.isInstant) await projecting
      else if (projecting) this.watch(running.process.main, 'project', projecting)
      await simulatedSleep(scheduler, thread, VIEW_LOOK_MS)
    }
    return true
  }

  private known(running: Running, thread: Thread): KnownOrders {
    return this.wrapKnown(knownOrders(this.views(running, thread)))
  }

  private policies(running: Running, thread: Thread): Policy[] {
    const assembled = running.process.assembled(thread)
    const all = assembled.policies(this.views(running, thread), this.known(running, thread))
    const { mayErase } = this.parts.config
    const wanted = all.filter(({ name }) => mayErase || name !== 'finish-erasures')
    return this.wrapPolicies(wanted, assembled.shop, thread)
  }

  /** Begins one thing, if it can be; it goes on when its turns come. */
  async act(action: ActionName): Promise<boolean> {
    const hasBegun = await this.begin(action)
    if (!hasBegun) return false
    this.parts.coverage.reach('actions', action)
    this.parts.world.scheduler.note(`* ${action}`)
    await settled()
    return true
  }

  // oxlint-disable-next-line max-lines-per-function -- one case for each action
  private async begin(action: ActionName): Promise<boolean> {
    const { world, dice, config } = this.parts
    const { scheduler, bank } = world
    switch (action) {
      case 'place':
        return this.place()
      case 'place-again':
        return this.placeAgain()
      case 'choose-method': {
        const paymentMethod = this.method()
        return this.withOrder('buyer', action, (shop, caller, orderId) =>
          choosePaymentMethod(shop, caller, { orderId, paymentMethod }),
        )
      }
      case 'start-payment':
        return this.startPayment()
      case 'cancel':
        return this.withOrder('buyer', action, (shop, caller, orderId) => cancelOrder(shop, caller, { orderId }))
      case 'capture':
        return this.capture()
      case 'pay':
        return this.pay()
      case 'approve-at-provider': {
        const payment = this.shown(({ method, status }) => method === 'paypal' && status === 'waiting')
        if (!payment) return false
        payment.status = 'approved'
        payment.wasApproved = true
        bank.captureEnds = dice.pick(['received', 'received', 'received', 'confirming', 'declined']) ?? 'received'
        return true
      }
      case 'fail-at-provider': {
        const payment = this.shown(({ receipts, status }) => receipts.length === 0 && status !== 'received')
        if (payment) payment.status = dice.pick(['failed', 'expired', 'declined', 'cancelled']) ?? 'failed'
        return payment !== undefined
      }
      case 'reverse': {
        const payment = this.shown(({ receipts }) => receipts.length > 0)
        if (payment) bank.reverse(payment, dice.pick([0.2, 0.5, 1]) ?? 1, scheduler.nowMs)
        return payment !== undefined
      }
      case 'share-receipt':
        return this.shareReceipt()
      case 'send-news': {
        const payment = this.shown(() => true)
        if (payment) bank.send(payment)
        return payment !== undefined
      }
      case 'webhook':
        return this.webhook()
      case 'sweep':
        return this.sweep()
      case 'project': {
        const running = dice.pick(this.running.filter(({ isProjecting }) => !isProjecting))
        if (running) this.watch(running.process.main, 'project', this.project(running))
        return running !== undefined
      }
      case 'follow': {
        const running = dice.pick(this.running)
        const hot = running?.process.hot
        if (running && hot)
          this.watch(running.process.main, 'follow', Promise.all([hot.inventory.refresh(), hot.settings.refresh()]))
        return true
      }
      case 'staff-approve':
        return this.withAnyOrder(action, async (shop, caller, orderId) => {
          this.givesByHand(caller)
          await approveOrder(shop, caller, { orderId, adminId: 'owner' })
        })
      case 'staff-delete': {
        const isMistaken = dice.chance(config.mistakenShare)
        const says = isMistaken ? 'not-given' : dice.pick(['what-is-so', 'what-is-so', 'nothing'])
        return this.withAnyOrder(action, async (shop, caller, orderId) => {
          const { state } = await findPlacedOrder(shop, orderId)
          const wasGiven = world.given.has(orderId)
          const isAsked = isDeliveryUnknown(state) || readinessOf(state)?.deliveryMode === 'staff'
          // Staff say it where they are asked, and some of them are mistaken.
          const coinsGiven = !isAsked || says === 'nothing' ? null : wasGiven && !isMistaken
          if (coinsGiven === false) (wasGiven ? this.mistakes : this.notGiven).add(orderId)
          return deleteOrder(shop, caller, { orderId, adminId: 'owner', coinsGiven })
        })
      }
      case 'erase':
        return this.erase()
      case 'staff-settle':
        return this.withAnyOrder(action, (shop, caller, orderId) => this.settle(shop, caller, orderId), true)
      case 'staff-refund':
        return this.refund()
      case 'staff-process':
        return this.withAnyOrder(action, async (shop, caller, orderId) => {
          this.givesByHand(caller)
          await markDelivered(shop, caller, { orderId })
        })
      case 'staff-hand-over':
        return this.handOver()
      case 'staff-stock': {
        const stockM = dice.below(7)
        const editKey = dice.chance(0.5) ? `edit-${dice.below(3)}` : null
        const isSeen = dice.chance(0.7)
        return this.request('staff', action, async (shop, caller) => {
          const seenM = isSeen ? shop.hot.inventory.state.freeM : undefined
          await setStock(shop, caller, { stockM, seenM, editKey, adminId: 'owner' })
        })
      }
      case 'staff-pre-orders':
      case 'staff-price': {
        const price = UNIT_CENTS + 100 * dice.below(3)
        const nearlyNothing = dice.chance(0.05) && { basePriceCents: 1, bulkDiscountPercent: 90 }
        const changes =
          action === 'staff-price'
            ? nearlyNothing || { basePriceCents: price, bulkDiscountPercent: 0 }
            : { preOrdersEnabled: dice.chance(0.6), upiEnabled: dice.chance(0.7) }
        return this.request('staff', action, async (shop, caller) => {
          const seenRevision = shop.hot.settings.revision
          await changeSettings(shop, caller, { changes, adminId: 'owner', seenRevision })
        })
      }
      case 'seconds-pass':
        return this.pass(dice.between(1, 30_000))
      case 'a-deadline-comes':
        return this.passToDeadline()
      case 'minutes-pass':
        return this.pass(60_000 * config.policy.orderTtlMinutes * (0.5 + 2 * dice.fraction()))
      case 'hours-pass':
        return this.pass(60_000 * (dice.pick([10.2, 11, 55, 61, 80, 23 * 60, 25 * 60]) ?? 60))
      case 'days-pass':
        return this.pass(86_400_000 * (6 + dice.fraction() * 3))
      case 'crash':
        if (world.rate('crash') === 0) return false
        await this.crash()
        return true
      case 'change-delivery': {
        const running = dice.pick(this.running)
        if (!running || config.modeChangeShare === 0) return false
        const { process } = running
        process.configure(dice.pick(deliveryModes) ?? 'staff')
        running.policies = this.policies(running, process.main)
        scheduler.note(() => `  ${process.name} hands over by ${process.deliveryMode}`)
        return true
      }
      case 'stop-thread': {
        const thread = dice.pick([...this.threads])
        if (!thread || world.rate('stopped-thread') === 0) return false
        this.threads.delete(thread)
        scheduler.stop(thread)
        return true
      }
      case 'coin-transfer':
      case 'coin-at-lost-address':
      case 'coin-without-order':
      case 'coin-changes':
      case 'coin-settled':
      case 'coin-webhook':
        return this.coins.begin(action)
      case 'dispute-opens':
      case 'dispute-ends':
      case 'dispute-webhook':
        return this.disputes.begin(action)
      case 'seen-arrives':
      case 'seen-ends':
      case 'seen-webhook':
      case 'reversal-undone':
        return this.seenMoney.begin(action)
    }
  }

  /** What most of this shop is configured with, or a mode of its own. */
  private deliveryMode(): DeliveryMode {
    const { config, dice } = this.parts
    const own = dice.chance(config.modeChangeShare) ? dice.pick(deliveryModes) : undefined
    return own ?? config.deliveryMode
  }

  /** Staff give the coins of an order that waits for them, and mark it later: once, twice or never. */
  private handOver(): boolean {
    const { dice, ledger, world } = this.parts
    const waiting = [...ledger.orders.values()].filter(
      (row) => isInList(row) && !world.given.has(row.placed.orderId) && !this.notGiven.has(row.placed.orderId),
    )
    const orderId = dice.pick(waiting)?.placed.orderId
    if (orderId === undefined) return false
    this.give(orderId, 'hand')
    const marks = dice.pick([0, 1, 1, 1, 2]) ?? 1
    for (let mark = 0; mark < marks; mark += 1)
      world.scheduler.later(outside, `staff come to mark ${orderId.slice(0, 6)}`, async () => {
        this.request('staff', `mark-delivered ${orderId.slice(0, 6)}`, (shop, caller) =>
          markDelivered(shop, caller, { orderId }),
        )
      })
    return true
  }

  private givesByHand({ correlationId }: Caller): void {
    const thread = this.parts.world.callers.get(correlationId)
    if (thread) thread.givesByHand = true
  }

  private pass(ms: number): boolean {
    const { scheduler } = this.parts.world
    scheduler.nowMs += Math.ceil(ms)
    return true
  }

  /** To about the moment at which something ends by the clock. */
  private passToDeadline(): boolean {
    const { config, dice, ledger, world } = this.parts
    const { nowMs } = world.scheduler
    const rows = [...ledger.orders.values()]
    const open = rows.flatMap(({ capture, delivery }) => [capture, delivery].flatMap((call) => call ?? []))
    const calls = open.flatMap(({ callsUntil }) => {
      const untilMs = Date.parse(callsUntil)
      // The end of the last call is not yet in sight from afar.
      return nowMs < untilMs - CALL_MS ? [untilMs] : [untilMs, untilMs + CALL_MS]
    })
    const ends = rows.flatMap(({ endedAt, expiresAtMs }) =>
      endedAt === undefined ? [expiresAtMs] : [Date.parse(endedAt) + 7 * 86_400_000],
    )
    if (calls.length === 0 && dice.chance(config.patience)) return false
    const deadlines = calls.length > 0 && dice.chance(0.7) ? calls : [...calls, ...ends]
    const deadline = dice.pick(deadlines.filter((at) => at > nowMs))
    if (deadline === undefined) return false
    const isNear = deadline - nowMs <= CALL_MS
    this.pass(Math.max(1, deadline - nowMs + dice.between(isNear ? 1 : -20_000, 8_000)))
    // Sweeps are frequent: one comes by at about that moment.
    if (dice.chance(0.7)) this.sweep()
    return true
  }

  private place(): boolean {
    const { config, dice } = this.parts
    if (this.placed.length >= config.orders) return false
    const quantityM = config.quantityM ?? dice.between(1, 3)
    const request: OrderRequest = {
      idempotencyKey: dice.chance(config.keyShare) ? `key-${this.placed.length}` : undefined,
      customerEmail: `buyer-${dice.below(BUYERS)}@example.com`,
      discordUsername: 'buyer',
      marketId: '12345678',
      marketIds: dice.chance(0.02) ? [{ marketId: '87654321', amountM: quantityM }] : undefined,
      quantityM,
      totalCents: dice.chance(0.05) ? 1 : quantityM * UNIT_CENTS,
      paymentMethod: dice.chance(0.3) ? null : this.method(),
    }
    const placed: Placed = { request, orderId: undefined }
    this.placed.push(placed)
    return this.send(placed, request)
  }

  /** The same key again: the same order, or another body. */
  private placeAgain(): boolean {
    const { dice } = this.parts
    const placed = dice.pick(this.placed.filter(({ request }) => request.idempotencyKey !== undefined))
    if (!placed) return false
    const isOther = dice.chance(0.2)
    const quantityM = isOther ? (placed.request.quantityM % 3) + 1 : placed.request.quantityM
    const request = isOther ? { ...placed.request, quantityM, totalCents: quantityM * UNIT_CENTS } : placed.request
    return this.send(placed, request)
  }

  private send(placed: Placed, request: OrderRequest): boolean {
    const { ledger, keys } = this.parts
    return this.request('buyer', `place ${request.quantityM}M`, async (shop, caller) => {
      // The largest orders count as large holds.
      const answer = await placeOrder(shop, caller, request, { isLargeHold: request.quantityM === LARGE_M })
      const { orderId } = answer.order.placed
      const row = ledger.orders.get(orderId)
      const hash = keys.fingerprint(JSON.stringify(request))
      if (row?.placed.quantityM !== request.quantityM || row.placed.requestHash !== hash)
        ledger.wrong(`${orderId} was acknowledged, but the log has ${row ? 'another order' : 'no such order'}`)
      if (placed.orderId !== undefined && placed.orderId !== orderId && request.idempotencyKey !== undefined)
        ledger.wrong(`one key, two orders: ${orderId} and ${placed.orderId}`)
      placed.orderId = orderId
    })
  }

  private erase(): boolean {
    const { config, dice, keys, ledger, world } = this.parts
    if (!config.mayErase) return false
    const email = `buyer-${dice.below(BUYERS)}@example.com`
    return this.request('staff', `erase ${email}`, async (shop, caller, { running, thread }) => {
      thread.isErasing = true
      const meant = await world.vault.customersByEmail(keys.emailHmac(email))
      const known = this.known(running, thread)
      const { isErased } = await eraseCustomer(shop, caller, { email, adminId: 'owner', known })
      if (!isErased) return
      for (const customerId of meant)
        if (!ledger.erased.has(customerId) || !ledger.keysGone.has(customerId))
          ledger.wrong(`${customerId} is said to be erased, and is not`)
    })
  }

  /** Recorded in the log: no order may need this buyer any more. */
  onErased(customerId: string, correlationId: string): void {
    const { ledger, world } = this.parts
    const thread = world.callers.get(correlationId)
    for (const [orderId, row] of ledger.orders) {
      if (row.placed.customerId !== customerId) continue
      if (isLiving(row)) ledger.wrong(`${orderId} is open, and its buyer is erased`)
      // News that came since the order was looked at is like news that comes later still.
      const read = thread?.reads.get(orderStream(orderId))
      if (read === undefined ? needsItsBuyer(row) : row.neededItsBuyer[read - 1])
        ledger.wrong(`${orderId} still needs its buyer, who is erased`)
    }
  }

  private startPayment(): boolean {
    const { dice, ledger, world } = this.parts
    const method = this.method()
    const isWrong = dice.chance(0.03)
    const isRequoted = method === 'crypto' && dice.chance(0.3)
    return this.withOrder('buyer', `start ${method}`, async (shop, caller, orderId) => {
      const { attempt } = await startPayment(shop, caller, {
        orderId,
        method,
        isAmountRight: () => !isWrong,
        payCurrency: undefined,
        replaces: isRequoted ? [...(ledger.orders.get(orderId)?.paymentIds.values() ?? [])].at(-1) : undefined,
        phone: undefined,
      })
      const own = this.answersOwnPayment
        ? world.bank.payments.findLast(({ reference }) => reference === attempt.reference)?.paymentId
        : undefined
      const answered = own ?? attempt.started.paymentId
      const payment = world.bank.payments.find(({ paymentId }) => paymentId === answered)
      if (payment) payment.isShown = true
      if (ledger.orders.get(orderId)?.paymentIds.get(attempt.attempt) !== answered)
        ledger.wrong(`${orderId}: the buyer is to pay ${answered}, which is not recorded`)
    })
  }

  private capture(): boolean {
    const payment = this.shown(({ method }) => method === 'paypal')
    const orderId = payment && this.parts.keys.referred(payment.reference)?.orderId
    if (!payment || orderId === undefined) return false
    const paymentId = this.parts.dice.chance(0.02) ? 'pay-of-another-shop' : payment.paymentId
    return this.request('buyer', `capture ${paymentId}`, (shop, caller) =>
      capturePayment(shop, caller, { orderId, paymentId }),
    )
  }

  private pay(): boolean {
    const { dice, world } = this.parts
    const { bank, scheduler } = world
    const payment = this.shown(({ method }) => method !== 'paypal')
    if (!payment) return false
    const isFirst = payment.receipts.length === 0
    if (isFirst && dice.chance(0.25)) payment.status = dice.pick(['confirming', 'confirmed', 'sending']) ?? 'confirming'
    else {
      const share = dice.pick(isFirst ? [1, 1, 1, 0.5, 0.5, 0.996, 1.5] : [0.5, 1, 0.1]) ?? 1
      bank.pay(payment, Math.max(1, Math.round(payment.askedMinor * share)), scheduler.nowMs)
    }
    if (dice.chance(0.5)) bank.send(payment)
    return true
  }

  /** One receipt is reported for two payments, as with an id that a payer types in. */
  private shareReceipt(): boolean {
    const { dice, world } = this.parts
    if (world.rate('shared-receipt') === 0) return false
    const from = this.shown(({ receipts }) => receipts.length > 0)
    const receipt = from?.receipts[0]
    if (!from || !receipt) return false
    const to = this.shown(
      ({ method, receipts, paymentId }) =>
        method === from.method &&
        paymentId !== from.paymentId &&
        !receipts.some(({ receiptId }) => receiptId === receipt.receiptId),
    )
    if (!to) return false
    world.bank.share(receipt, to, { isOwnCopy: dice.chance(0.5), nowMs: world.scheduler.nowMs })
    if (dice.chance(0.5)) world.bank.send(to)
    return true
  }

  /** News comes late, again, or in another order; a sound world tells only what is so now. */
  private webhook(): boolean {
    const { world, dice } = this.parts
    if (world.rate('stale-news') === 0) {
      const payment = this.shown(() => true)
      if (payment) world.bank.send(payment)
    }
    const news = world.rate('stale-news') === 0 ? world.bank.news.at(-1) : dice.pick(world.bank.news)
    // A webhook is read again: what is reversed is told as it is now.
    return news !== undefined && this.deliverNews(news)
  }

  private deliverNews(news: BankNews): boolean {
    const { reference, paymentId } = news.payment
    const referred = this.parts.keys.referred(reference)
    if (!referred) return false
    return this.request('provider', `news of ${paymentId}: ${news.report.status}`, async (shop, caller) => {
      const { state: asked } = await findPlacedOrder(shop, referred.orderId)
      const report = asReversedNow(news)
      const thread = this.parts.world.callers.get(caller.correlationId)
      if (thread) {
        thread.report = report
        this.newsOf.set(thread, referred.orderId)
      }
      await recordPayment(shop, caller, { asked, attempt: referred.attempt, report })
    })
  }

  private async settle(shop: Shop, caller: Caller, orderId: string): Promise<void> {
    const { state, revision } = await findPlacedOrder(shop, orderId)
    const reasons = state.attention.map(({ reason }) => reason)
    this.parts.ledger.seenBySettler.set(caller.correlationId, { reasons, cents: cameCents(state) })
    // Staff look at it for a while.
    await shop.clock.sleep(1)
    const seen = this.settlesUnseen ? (await findPlacedOrder(shop, orderId)).revision : revision
    await settleAttention(shop, caller, { orderId, adminId: 'owner', revision: seen })
  }

  /** Staff pay money back at the provider, which reports it or not, and note it: once or twice. */
  private refund(): boolean {
    const { dice, ledger } = this.parts
    const rows = [...ledger.orders.values()]
    const isWanted = (row: OrderRow): boolean => !this.parts.config.mistakenRefunds || row.isDeliveryUnknown
    const paying = rows.filter((row) => paidCents(row) > 0 && isWanted(row))
    const orderId = dice.pick(dice.chance(0.95) ? paying : rows)?.placed.orderId
    if (orderId === undefined) return false
    const means = {
      share: dice.pick([1, 1, 1, 0.4]) ?? 1,
      isWhole: dice.chance(0.5),
      isReported: dice.chance(0.5),
      isRepeated: dice.chance(0.3),
      hasKey: dice.chance(0.5),
      whereTo: dice.chance(0.5) ? 'to the account of the buyer' : null,
      says: dice.pick(['what-is-so', 'what-is-so', 'nothing'] as const) ?? 'what-is-so',
    }
    return this.request('staff', `refund ${orderId.slice(0, 6)}`, (shop, caller) =>
      this.payBack(shop, caller, orderId, means),
    )
  }

  private async payBack(
    shop: Shop,
    caller: Caller,
    orderId: string,
    means: {
      readonly share: number
      readonly isWhole: boolean
      readonly isReported: boolean
      readonly isRepeated: boolean
      readonly hasKey: boolean
      readonly whereTo: string | null
      readonly says: 'what-is-so' | 'nothing'
    },
  ): Promise<void> {
    const { ledger, world, keys } = this.parts
    const { state, revision } = await findPlacedOrder(shop, orderId)
    const receipt = state.receipts.findLast((known) => heldOf(state, known) > 0)
    const heldCents = means.isWhole || !receipt ? paidCentsOf(state) : heldOf(state, receipt)
    const amountCents = Math.max(1, Math.floor(heldCents * means.share))
    ledger.seenByRefunder.set(caller.correlationId, paidCentsOf(state))
    if (receipt && means.isReported && !means.isWhole)
      for (const payment of world.bank.payments)
        if (keys.referred(payment.reference)?.orderId === orderId) {
          const part = { receiptId: receipt.receiptId, share: amountCents / receipt.coversCents }
          world.bank.refund(payment, part, world.scheduler.nowMs)
        }
    await shop.clock.sleep(1)
    const isAsked = isDeliveryUnknown(state) || readinessOf(state)?.deliveryMode === 'staff'
    const wasGiven = world.given.has(orderId)
    const isMistaken = this.parts.config.mistakenRefunds && wasGiven
    const coinsGiven = isAsked && means.says === 'what-is-so' ? wasGiven && !isMistaken : null
    if (coinsGiven === false) (isMistaken ? this.mistakes : this.notGiven).add(orderId)
    const receiptId = means.isWhole ? null : (receipt?.receiptId ?? null)
    const request = {
      orderId,
      adminId: 'owner',
      idempotencyKey: means.hasKey ? `refund-${caller.correlationId}` : undefined,
      revision: this.refundsUnseen ? (await findPlacedOrder(shop, orderId)).revision : revision,
      refund: { amountCents, receiptId, reason: 'other', whereTo: means.whereTo, coinsGiven },
    } as const
    await recordRefund(shop, caller, request)
    if (means.isRepeated) await recordRefund(shop, { ...caller, requestId: `${caller.requestId}/again` }, request)
  }

  /** One policy looks, or all of them do. */
  private sweep(): boolean {
    const { dice } = this.parts
    const running = dice.pick(this.running)
    if (!running) return false
    const policies = dice.chance(0.5) ? running.policies : [dice.pick(running.policies)]
    for (const policy of policies) if (policy) this.sweepOne(running, policy)
    return true
  }

  private sweepOne(running: Running, policy: Policy): void {
    const { coverage, world } = this.parts
    const { process } = running
    this.watch(
      process.main,
      policy.name,
      (async () => {
        const jobs = await policy.due(world.scheduler.nowMs)
        for (const job of jobs) {
          const thread = process.thread(job.id.slice(0, 40))
          thread.isErasing = policy.name === 'finish-erasures'
          const own = this.policies(running, thread).find(({ name }) => name === policy.name)
          coverage.reach('policies', policy.name)
          this.bringsNews(thread, policy, job)
          if (own) this.run(thread, async () => own.run(job, process.caller('system', thread)))
        }
      })(),
    )
  }

  private bringsNews(thread: Thread, { name }: Policy, job: Job): void {
    const orderId = job.data['orderId']
    if (name.startsWith('check-payments') && typeof orderId === 'string') this.newsOf.set(thread, orderId)
    else this.newsOf.delete(thread)
  }

  /** Looks at everything and does it, one after another: for a world at peace. */
  async sweepAll(): Promise<void> {
    for (const { process, policies } of this.running)
      for (const policy of policies)
        for (const job of await policy.due(this.parts.world.scheduler.nowMs)) {
          this.bringsNews(process.main, policy, job)
          process.main.isErasing = policy.name === 'finish-erasures'
          await this.outcome(policy.name, policy.run(job, process.caller('system', process.main)))
        }
  }

  /** All webhooks that were not answered, for a world at peace. */
  async webhooksAll(): Promise<void> {
    const [running] = this.running
    if (!running) return
    const { process } = running
    process.main.isErasing = false
    const { shop } = process.assembled(process.main)
    await this.webhooks.sendAll(async (work) =>
      this.outcome('webhook', work(shop, process.caller('provider', process.main))),
    )
  }

  /** Of orders that their keys name and nobody has placed yet. */
  private idsToCome(): string[] {
    const { config, keys } = this.parts
    const serials = Array.from({ length: config.orders - this.placed.length }, (_, index) => this.placed.length + index)
    return serials.map((serial) => keys.orderIdFor(`key-${serial}`))
  }

  private async project(running: Running): Promise<void> {
    running.isProjecting = true
    await running.runner.runOnce()
    running.isProjecting = false
  }

  async projectAll(): Promise<void> {
    // Long enough for a runner that met trouble to try again.
    this.pass(15_000)
    for (const { runner, process } of this.running) {
      while (await runner.runOnce());
      await process.hot.inventory.refresh()
    }
  }

  private async crash(): Promise<void> {
    const { dice, world } = this.parts
    const running = dice.pick(this.running)
    if (!running) return
    running.process.isAlive = false
    world.scheduler.note(`  ${running.process.name} crashes`)
    this.running = this.running.filter((other) => other !== running)
    for (const thread of this.threads) if (!runs(thread)) this.threads.delete(thread)
    world.scheduler.dropStopped()
    await this.startProcess()
  }

  private withOrder(
    actor: Actor,
    what: string,
    work: (shop: Shop, caller: Caller, orderId: string) => Promise<unknown>,
  ): boolean {
    const { dice, ledger } = this.parts
    const known = this.placed.flatMap(({ orderId }) => (orderId === undefined ? [] : [orderId]))
    const living = known.filter((orderId) => ledger.orders.get(orderId)?.status === 'pending')
    const orderId = dice.pick(dice.chance(0.15) ? known : living)
    if (orderId === undefined) return false
    return this.request(actor, `${what} ${orderId.slice(0, 6)}`, (shop, caller) => work(shop, caller, orderId))
  }

  /** Staff see every order. */
  private withAnyOrder(
    what: string,
    work: (shop: Shop, caller: Caller, orderId: string) => Promise<unknown>,
    isInList = false,
  ): boolean {
    const { config, dice, ledger } = this.parts
    const waits = isInList || config.attentionShare >= 1
    const listed = dice.chance(isInList ? 0.95 : config.attentionShare)
    const rows = [...ledger.orders.values()]
    const inNeed = rows.filter(({ attention }) => attention.size > 0)
    const orderId = dice.pick(listed && (waits || inNeed.length > 0) ? inNeed : rows)?.placed.orderId
    if (orderId === undefined) return false
    return this.request('staff', `${what} ${orderId.slice(0, 6)}`, (shop, caller) => work(shop, caller, orderId))
  }

  private request(
    actor: Actor,
    what: string,
    work: (shop: Shop, caller: Caller, from: { running: Running; thread: Thread }) => Promise<unknown>,
  ): boolean {
    const running = this.parts.dice.pick(this.running)
    if (!running) return false
    const { process } = running
    const thread = process.thread(what)
    const { shop } = process.assembled(thread)
    this.run(thread, async () => work(shop, process.caller(actor, thread), { running, thread }))
    return true
  }

  private run(thread: Thread, work: () => Promise<unknown>): void {
    this.threads.add(thread)
    this.watch(thread, thread.name, work())
  }

  private watch(thread: Thread, what: string, work: Promise<unknown>): void {
    void this.outcome(what, work).then(() => this.threads.delete(thread))
  }

  private async outcome(what: string, work: Promise<unknown>): Promise<void> {
    const { coverage, ledger, world } = this.parts
    try {
      await work
      coverage.reach('outcomes', 'done')
    } catch (error) {
      const name = error instanceof Error ? error.name : 'not an error'
      if (error instanceof Refusal) coverage.reach('refusals', error.code)
      else coverage.reach('outcomes', name)
      world.scheduler.note(() => `  ${what}: ${error instanceof Error ? error.message : String(error)}`)
      if (!(error instanceof Refusal) && !retryableErrors.has(name))
        ledger.breach(`${what} threw ${error instanceof Error ? (error.stack ?? name) : String(error)}`)
    }
  }

  /** The money is taken in this very moment. */
  private onCapture({ reference, paymentId }: BankPayment): void {
    const { ledger, keys } = this.parts
    const row = ledger.orders.get(keys.referred(reference)?.orderId ?? '')
    if (!row || !isLiving(row))
      ledger.wrong(
        `${paymentId} was captured when its order was ${row?.isDeleted ? 'deleted' : (row?.status ?? 'nowhere')}`,
      )
    else if (!row.capture) ledger.breach(`${paymentId} was captured when nobody waited for it any more`)
  }

  rowOf(reference: string): { row: OrderRow; attempt: number } | undefined {
    const { keys, ledger } = this.parts
    const referred = keys.referred(reference)
    const row = referred && ledger.orders.get(referred.orderId)
    return row && { row, attempt: referred.attempt }
  }

  /** The order that a thread brings news of. */
  orderOf(thread: Thread): string | undefined {
    return this.newsOf.get(thread)
  }

  onCompleted(orderId: string, correlationId: string): void {
    const { ledger, world } = this.parts
    const report = world.callers.get(correlationId)?.report
    const row = ledger.orders.get(orderId)
    if (row && !row.isApproved && report?.receipts.some((receipt) => isTakenBack(receipt, row)))
      ledger.wrong(`${orderId} was delivered by whoever knew that its money had been taken back`)
    const disputed = report?.disputes?.filter(({ outcome }) => outcome !== 'won') ?? []
    if (row && !row.isApproved && disputed.some(({ receiptId }) => row.receipts.has(receiptId)))
      ledger.wrong(`${orderId} was delivered by whoever knew that its payer disputes it`)
    if (row) this.saidToBeGiven(row, world.callers.get(correlationId))
  }

  /** The order is called delivered: its coins were given before, or change hands with this very append. */
  private saidToBeGiven({ placed, before }: OrderRow, thread: Thread | undefined): void {
    const { ledger, world } = this.parts
    const { orderId } = placed
    const { ready, delivery, isDeliveryUnknown } = before
    const isInstant =
      thread?.deliveryMode === 'instant' && !thread.givesByHand && !ready && !delivery && !isDeliveryUnknown
    if (isInstant) {
      this.give(orderId, 'instant')
      return
    }
    if (world.given.has(orderId)) return
    const isForStaff = isDeliveryUnknown || (ready?.deliveryMode ?? thread?.deliveryMode) !== 'webhook'
    if (thread?.givesByHand && isForStaff && !delivery) this.give(orderId, 'hand')
    else ledger.wrong(`${orderId} is called delivered, and its coins were not given`)
  }

  /** Coins change hands. */
  private give(orderId: string, by: Giving['by']): void {
    const { ledger, world } = this.parts
    const earlier = world.given.get(orderId)
    // Staff who were mistaken may have them given again, until the shop has heard that they were given.
    const isToldLate = ledger.orders.get(orderId)?.everRaised.has('delivered-after-end') === true
    if (earlier && (isToldLate || !this.mistakes.has(orderId) || !this.parts.config.mistakenRefunds))
      ledger.wrong(`the coins of ${orderId} were given twice: by ${earlier.by} and by ${by}`)
    world.given.set(orderId, { by, serial: ledger.orders.get(orderId)?.held })
    world.scheduler.note(() => `  the coins of ${orderId.slice(0, 6)} are given by ${by}`)
  }

  onReady({ orderId, deliveryMode }: { orderId: string; deliveryMode: DeliveryMode }, correlationId: string): void {
    const configured = this.parts.world.callers.get(correlationId)?.deliveryMode
    if (configured !== deliveryMode)
      this.parts.ledger.breach(`${orderId} is to be handed over by ${deliveryMode}, configured is ${configured}`)
  }

  onReleased({ orderId, serial }: { orderId: string; serial: number }): void {
    const { ledger, world } = this.parts
    if (world.given.get(orderId)?.serial === serial && !this.mistakes.has(orderId))
      ledger.wrong(`serial ${serial} was released, but the coins of ${orderId} were given: sold twice`)
  }

  onCaptureRequested({ orderId, attempt }: { orderId: string; attempt: number }): void {
    const { ledger, world } = this.parts
    const paymentId = ledger.orders.get(orderId)?.paymentIds.get(attempt)
    const payment = world.bank.payments.find((other) => other.paymentId === paymentId)
    if (payment?.wasApproved) return
    ledger.breach(`${orderId}: a capture was asked for before the payer agreed`)
    this.unapproved.add(orderId)
  }

  onAttention(orderId: string, reason: AttentionReason): void {
    this.parts.coverage.reach('attention', reason)
    if (reason === 'delivery-unknown') this.assertCallsOver(orderId)
    if (reason === 'capture-unknown' && this.unapproved.has(orderId))
      this.parts.ledger.wrong(`${orderId} was busy, and staff look for its money, which nobody ever agreed to pay`)
  }

  /** The latest call begins by a clock that is behind, and takes its time. */
  private assertCallsOver(orderId: string): void {
    const { ledger, world } = this.parts
    const callsUntilMs = Date.parse(ledger.orders.get(orderId)?.lastDelivery?.callsUntil ?? '')
    if (world.scheduler.nowMs <= callsUntilMs + CALL_TIMEOUT_MINUTES * 60_000 + CLOCK_ERROR_MS_MAX)
      ledger.breach(`the delivery of ${orderId} was given up while a call may be under way`)
  }

  /** The call begins in this very moment. */
  onDeliveryCall(orderId: string, thread: Thread): void {
    const { ledger, world } = this.parts
    const row = ledger.orders.get(orderId)
    const read = thread.reads.get(orderStream(orderId)) ?? 0
    if (!row?.mayBeCalledFor[read - 1])
      ledger.breach(`a call to deliver ${orderId} began, and its order had not been read as one to be delivered`)
    const reversedAt = this.reversedAtStep.get(orderId)
    if (reversedAt !== undefined && reversedAt < thread.begunStep && !row?.isApproved)
      ledger.wrong(`${orderId} is delivered long after its money was taken back`)
    const disputedAt = this.disputedAtStep.get(orderId)
    if (
      row &&
      disputedAt !== undefined &&
      disputedAt < thread.begunStep &&
      row.openDisputes.size > 0 &&
      !row.isApproved
    )
      ledger.wrong(`${orderId} is delivered while its payer disputes it`)
    const callsUntilMs = Date.parse(row?.lastDelivery?.callsUntil ?? '')
    if (!(world.scheduler.nowMs <= callsUntilMs + CLOCK_ERROR_MS_MAX))
      ledger.breach(`a call to deliver ${orderId} began after the time for calls had passed`)
  }

  /** The coins change hands in this very moment. */
  onGiven(orderId: string): void {
    const { ledger } = this.parts
    const row = ledger.orders.get(orderId)
    if (!row || !isLiving(row) || !row.delivery)
      ledger.wrong(`the coins of ${orderId} were given when it was ${row?.status ?? 'nowhere'}`)
    this.give(orderId, 'bot')
  }

  private shown(fits: (payment: BankPayment) => boolean): BankPayment | undefined {
    return this.parts.dice.pick(this.parts.world.bank.payments.filter((payment) => payment.isShown && fits(payment)))
  }

  private method(): PaymentMethod {
    const { dice, config } = this.parts
    return dice.chance(config.favouriteShare) ? config.favourite : (dice.pick(paymentMethods) ?? 'upi')
  }
}

function asReversedNow({ payment, report }: BankNews): PaymentReport {
  return {
    ...report,
    receipts: report.receipts.map((receipt) => {
      const { reversedMinor = 0 } = payment.receipts.find(({ receiptId }) => receiptId === receipt.receiptId) ?? {}
      return { ...receipt, reversedAmount: minorText(reversedMinor) }
    }),
  }
}

/** Beyond what staff have noted as refunded, which the provider reports, too. */
function isTakenBack({ receiptId, askedAmount, reversedAmount }: ReceiptReport, row: OrderRow): boolean {
  const receipt = row.receipts.get(receiptId)
  const asked = receipt && row.attempts[receipt.attempt - 1]
  if (!asked) return false
  return coversCents({ coversCents: asked.coversCents, askedAmount }, reversedAmount ?? '0') > receipt.refundedCents
}
