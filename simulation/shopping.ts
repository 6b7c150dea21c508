import type { Actor } from '../src/domain/words.ts'
import { CALL_TIMEOUT_MINUTES } from '../src/domain/order/deadline.ts'
import { orderStream } from '../src/domain/stream-names.ts'
import type { KnownOrders } from '../src/commands/erase-customer.ts'
import { type NamedPayment, takePaymentNews } from '../src/commands/take-payment-news.ts'
import type { ShopKeys } from '../src/shop/keys.ts'
import { anyPlace, type OrderRequest, placeOrder } from '../src/commands/place-order.ts'
import type { Random } from '../src/ports/clock-and-random.ts'
import type { Caller, CommandContext } from '../src/shop/command-context.ts'
import { type AttentionReason, type DeliveryMode, deliveryModes } from '../src/domain/words.ts'
import { Refusal } from '../src/domain/refusal.ts'
import { type PaymentMethod, paymentMethods } from '../src/domain/payment-methods.ts'
import type { RecordedEvent } from '../src/log/event-log.ts'
import type { ReceiptReport } from '../src/payments/payment-provider.ts'
import { knownOrders } from '../src/projections/known-orders.ts'
import { ordersProjection } from '../src/projections/orders.ts'
import type { Projection } from '../src/projections/projection.ts'
import { paymentsProjection } from '../src/projections/payments.ts'
import { shopProjections } from '../src/projections/shop-projections.ts'
import type { Position } from '../src/engines/event-store/event-store.ts'
import type { Views } from '../src/projections/shop-views.ts'
import type { Policy } from '../src/workers/policy.ts'
import type { BankPayment } from './bank.ts'
import type { Coverage } from './coverage.ts'
import type { Dice } from './dice.ts'
import { type Giving, simulatedSleep, type World } from './engines.ts'
import { isDisputed, isLiving } from '../src/words/testing/facts.ts'
import { attemptOf, type Ledger, needsItsBuyer } from './ledger.ts'
import type { OrderRow } from './order-row.ts'
import { simulatedSender } from './sender.ts'
import { runs, type Thread } from './scheduler.ts'
import { ShopProcess } from './shop-process.ts'
import type { Config } from './config.ts'
import { CLOCK_ERROR_MS_MAX } from './machines.ts'
import { Exact } from '../src/words/testing/exact.ts'
import { worthOf } from '../src/words/testing/money-facts.ts'

type OrderWork = (shop: CommandContext, caller: Caller, orderId: string) => Promise<unknown>

export interface Placed {
  readonly request: OrderRequest
  orderId: string | undefined
}

export const CALL_MS = 30_000
export const BUYERS = 2
/** Orders of this size count as large holds. */
const LARGE_M = 3
const VIEW_LOOK_MS = 500
/** Longer than a lease, and than a way rests after failures. */
const TELLING_TURNS = 8
const TELLING_MS = 20_000
const TIME_ZONE = 'Asia/Kolkata'

/** Errors that callers of a command may get besides refusals; a retry may help. */
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

/** Buyers, staff, providers and the shop's processes. Each does one thing at a time. */
export class Shopping {
  running: ShopProcess[] = []
  readonly projections: readonly Projection[]
  readonly placed: Placed[] = []
  readonly threads = new Set<Thread>()
  /** Orders whose coins were given, though staff say they were not. */
  readonly mistakes = new Set<string>()
  /** Orders whose coins were not given, as staff say; staff do not give them later. */
  readonly notGiven = new Set<string>()
  readonly reversedAtStep = new Map<string, number>()
  readonly disputedAtStep = new Map<string, number>()
  /** Payments whose capture was requested before the payer approved. */
  private readonly unapproved = new Set<string>()
  /** Replaces parts of the product when a rule is switched off. */
  wrapShop: (shop: CommandContext, thread: Thread) => CommandContext = (shop) => shop
  wrapPolicies: (policies: Policy[], shop: CommandContext, thread: Thread) => Policy[] = (policies) => policies
  answersOwnPayment = false
  /** An old report meets the order as it is, not as it was when the report was made. */
  asksNow = false
  settlesUnseen = false
  refundsUnseen = false
  dawdlesBeforeCalls = false
  trustsOldViews = false
  wrapKnown: (known: KnownOrders) => KnownOrders = (known) => known
  readonly parts: {
    readonly world: World
    readonly ledger: Ledger
    readonly coverage: Coverage
    readonly config: Config
    readonly keys: ShopKeys
    readonly random: Random
    readonly dice: Dice
  }
  private processes = 0
  /** Webhooks that are repeated until they are answered; each reads its payment again. */
  private readonly webhooks = new Set<NamedPayment>()
  /** Number of orders that are not in the log, but for which coins arrived. */
  strangers = 0

  constructor(parts: Shopping['parts']) {
    this.parts = parts
    const { world, dice, config } = parts
    const work = [ordersProjection, paymentsProjection]
    this.projections = config.allViews ? shopProjections({ timeZone: TIME_ZONE }) : work
    const repeated = dice.pick(['same', 'refused', 'another'] as const) ?? 'same'
    world.bank.repeated = config.coins ? 'another' : repeated
    if (config.amounts) {
      world.bank.isOneTransfer = dice.chance(0.5)
      world.bank.upiMinMinor = 1
    }
    world.bank.onCapture = (payment) => this.onCapture(payment)
  }

  async start(): Promise<void> {
    for (let index = 0; index < this.parts.config.processes; index += 1) await this.startProcess()
    // The views of the shop already exist.
    await this.running[0]?.runner.runOnce()
    // A way begins at the head when it is set.
    await this.running[0]?.tell()
  }

  private async startProcess(): Promise<void> {
    this.processes += 1
    const process = new ShopProcess(this, `P${this.processes}`, this.deliveryMode())
    process.policies = this.policies(process, process.main)
    const { main } = process
    if (this.parts.config.messages)
      process.sender = simulatedSender(this.parts, main, {
        ...process.assembled(main),
        views: this.views(process, main),
      })
    this.running.push(process)
    const load = process.hot.load()
    if (this.parts.world.scheduler.isInstant) await load
    else this.watch(process.main, 'load', load)
  }

  /** No process sends while another one still does. */
  get isAlone(): boolean {
    return this.parts.config.processes === 1
  }

  get crashes(): number {
    return this.processes - this.parts.config.processes
  }

  private views(process: ShopProcess, thread: Thread): Views {
    const waitFor = async (position: Position, timeoutMs: number) => this.waitFor(process, thread, position, timeoutMs)
    const views = process.assembled(thread).reader({ waitFor })
    return { ...views, waitFor: async (...given) => this.trustsOldViews || views.waitFor(...given) }
  }

  /** Waits as a process does whose runner follows the log. */
  private async waitFor(process: ShopProcess, thread: Thread, position: Position, timeoutMs: number): Promise<boolean> {
    const { scheduler } = this.parts.world
    const deadlineMs = scheduler.nowMs + timeoutMs
    while (process.runner.position() < position) {
      if (scheduler.nowMs >= deadlineMs) return false
      const projecting = process.isProjecting ? undefined : process.project()
      if (scheduler.isInstant) await projecting
      else if (projecting) this.watch(process.main, 'project', projecting)
      await simulatedSleep(scheduler, thread, VIEW_LOOK_MS)
    }
    return true
  }

  known(process: ShopProcess, thread: Thread): KnownOrders {
    return this.wrapKnown(knownOrders(this.views(process, thread)))
  }

  policies(process: ShopProcess, thread: Thread): Policy[] {
    const assembled = process.assembled(thread)
    const all = assembled.policies(this.views(process, thread), this.known(process, thread))
    const { mayErase } = this.parts.config
    // The simulated staff have no sessions.
    const never = new Set(['tidy-sessions', ...(mayErase ? [] : ['finish-erasures'])])
    const wanted = all.filter(({ name }) => !never.has(name))
    return this.wrapPolicies(wanted, assembled.context, thread)
  }

  /** Mostly the shop's delivery mode, sometimes another one. */
  private deliveryMode(): DeliveryMode {
    const { config, dice } = this.parts
    const own = dice.chance(config.modeChangeShare) ? dice.pick(deliveryModes) : undefined
    return own ?? config.deliveryMode
  }

  givesByHand({ correlationId }: Caller): void {
    const thread = this.parts.world.callers.get(correlationId)
    if (thread) thread.givesByHand = true
  }

  pass(ms: number): true {
    this.parts.world.scheduler.nowMs += Math.ceil(ms)
    return true
  }

  send(placed: Placed, request: OrderRequest): boolean {
    const { ledger, keys } = this.parts
    return this.request('buyer', `place ${request.quantityM}M`, async (shop, caller) => {
      const answer = await placeOrder(shop, caller, request, async ({ quantityM }) => ({
        ...anyPlace,
        isLargeHold: quantityM === LARGE_M,
      }))
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

  /** Runs the sweep of one policy, or of all of them. */
  sweep(): boolean {
    const { dice } = this.parts
    const running = dice.pick(this.running)
    if (!running) return false
    const policies = dice.chance(0.5) ? running.policies : [dice.pick(running.policies)]
    for (const policy of policies) if (policy) this.sweepOne(running, policy)
    return true
  }

  private sweepOne(process: ShopProcess, policy: Policy): void {
    const { coverage, world } = this.parts
    this.watch(
      process.main,
      policy.name,
      (async () => {
        const jobs = await policy.due(world.scheduler.nowMs)
        for (const job of jobs) {
          const thread = process.thread(job.id.slice(0, 40))
          thread.isErasing = policy.name === 'finish-erasures'
          const own = this.policies(process, thread).find(({ name }) => name === policy.name)
          coverage.reach('policies', policy.name)
          if (own) this.run(thread, async () => own.run(job, process.caller('system', thread)))
        }
      })(),
    )
  }

  /** Does all due jobs one after another, at rest. */
  async sweepAll(): Promise<void> {
    for (const process of this.running)
      for (const policy of process.policies)
        for (const job of await policy.due(this.parts.world.scheduler.nowMs)) {
          process.main.isErasing = policy.name === 'finish-erasures'
          await this.outcome(policy.name, policy.run(job, process.caller('system', process.main)))
        }
  }

  /** Delivers all unanswered webhooks, at rest. */
  async webhooksAll(): Promise<void> {
    const [process] = this.running
    if (!process) return
    process.main.isErasing = false
    const { context } = process.assembled(process.main)
    for (const named of this.webhooks)
      await this.outcome('webhook', this.answered(context, process.caller('provider', process.main), named))
  }

  /** Queues a webhook about this payment, or about anything else with this id. */
  tell({ method, paymentId, reference }: Pick<BankPayment, 'method' | 'paymentId' | 'reference'>): true {
    this.webhooks.add({ provider: method, paymentId, reference })
    return true
  }

  private async answered(shop: CommandContext, caller: Caller, named: NamedPayment): Promise<void> {
    await takePaymentNews(shop, caller, named)
    this.webhooks.delete(named)
  }

  /** Sends a webhook of this payment or of any unanswered one; false if there is none. */
  sendWebhook(payment?: BankPayment): boolean {
    const own = payment && { provider: payment.method, paymentId: payment.paymentId, reference: payment.reference }
    const named = own ?? this.parts.dice.pick([...this.webhooks])
    if (!named) return false
    return this.request('provider', `webhook of ${named.paymentId}`, async (shop, caller) =>
      this.answered(shop, caller, named),
    )
  }

  async projectAll(): Promise<void> {
    // A runner has retried by then.
    this.pass(15_000)
    for (const { runner, hot } of this.running) {
      while (await runner.runOnce());
      await hot.inventory.refresh()
    }
  }

  /** Sends all messages, at rest. */
  async tellAll(): Promise<void> {
    if (!this.parts.config.messages) return
    for (let turn = 0; turn < TELLING_TURNS; turn += 1) {
      this.pass(TELLING_MS)
      for (const process of this.running) await process.tell()
    }
  }

  async crash(): Promise<void> {
    const { dice, world } = this.parts
    const running = dice.pick(this.running)
    if (!running) return
    running.isAlive = false
    world.scheduler.note(`  ${running.name} crashes`)
    this.running = this.running.filter((other) => other !== running)
    for (const thread of this.threads) if (!runs(thread)) this.threads.delete(thread)
    world.scheduler.dropStopped()
    await this.startProcess()
  }

  /** Buyers see only their own orders. */
  withOrder(what: string, work: OrderWork): boolean {
    const { dice, ledger } = this.parts
    const known = this.placed.flatMap(({ orderId }) => (orderId === undefined ? [] : [orderId]))
    const living = known.filter((orderId) => ledger.orders.get(orderId)?.status === 'pending')
    const orderId = dice.pick(dice.chance(0.15) ? known : living)
    if (orderId === undefined) return false
    return this.request('buyer', `${what} ${orderId.slice(0, 6)}`, (shop, caller) => work(shop, caller, orderId))
  }

  /** Staff see every order. */
  withAnyOrder(what: string, work: OrderWork, isInList = false): boolean {
    const { config, dice, ledger } = this.parts
    const waits = isInList || config.attentionShare >= 1
    const listed = dice.chance(isInList ? 0.95 : config.attentionShare)
    const rows = [...ledger.orders.values()]
    const inNeed = rows.filter(({ attention }) => attention.size > 0)
    const orderId = dice.pick(listed && (waits || inNeed.length > 0) ? inNeed : rows)?.placed.orderId
    if (orderId === undefined) return false
    return this.request('staff', `${what} ${orderId.slice(0, 6)}`, (shop, caller) => work(shop, caller, orderId))
  }

  request(
    actor: Actor,
    what: string,
    work: (shop: CommandContext, caller: Caller, from: { process: ShopProcess; thread: Thread }) => Promise<unknown>,
  ): boolean {
    const process = this.parts.dice.pick(this.running)
    if (!process) return false
    const thread = process.thread(what)
    const { context } = process.assembled(thread)
    this.run(thread, async () => work(context, process.caller(actor, thread), { process, thread }))
    return true
  }

  private run(thread: Thread, work: () => Promise<unknown>): void {
    this.threads.add(thread)
    this.watch(thread, thread.name, work())
  }

  watch(thread: Thread, what: string, work: Promise<unknown>): void {
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

  /** The provider takes the money now. */
  private onCapture({ reference, paymentId }: BankPayment): void {
    const { ledger, keys } = this.parts
    const row = ledger.orders.get(keys.referred(reference)?.orderId ?? '')
    if (!row || !isLiving(row))
      ledger.wrong(
        `${paymentId} was captured when its order was ${row?.isDeleted ? 'deleted' : (row?.status ?? 'nowhere')}`,
      )
    else if (!row.capture) ledger.breach(`${paymentId} was captured after its capture was closed`)
  }

  rowOf(reference: string): { row: OrderRow; attempt: number } | undefined {
    const { keys, ledger } = this.parts
    const referred = keys.referred(reference)
    const row = referred && ledger.orders.get(referred.orderId)
    return row && { row, attempt: referred.attempt }
  }

  /** Queues a report of the current state. */
  report(payment: BankPayment): void {
    const order = this.rowOf(payment.reference)?.row.shown
    this.parts.world.bank.send(payment, order?.kind === 'placed' ? order : undefined)
  }

  /** Checks what must hold when an event is appended. */
  onEvent({ type, data, metadata: { correlationId } }: RecordedEvent): void {
    const { ledger, world } = this.parts
    const thread = world.callers.get(correlationId)
    if (type === 'OrderCompleted') this.onCompleted(data.orderId, thread)
    if (type === 'OrderReady' && thread?.deliveryMode !== data.deliveryMode)
      ledger.breach(
        `${data.orderId} is to be handed over by ${data.deliveryMode}, configured is ${thread?.deliveryMode}`,
      )
    if (type === 'StockReleased' && world.given.get(data.orderId)?.serial === data.serial)
      if (!this.mistakes.has(data.orderId))
        ledger.wrong(`serial ${data.serial} was released, but the coins of ${data.orderId} were given: sold twice`)
    if (type === 'PaymentReversed') this.reversedAtStep.set(data.orderId, world.scheduler.step)
    if (type === 'PaymentDisputed') this.disputedAtStep.set(data.orderId, world.scheduler.step)
    if (type === 'ReceiptUnplaced') this.onUnplaced(data, thread)
    if (type === 'CaptureRequested') this.onCaptureRequested(data.orderId, data.attempt)
    if (type === 'CustomerErased') this.onErased(data.customerId, thread)
    else if (thread?.isErasing) ledger.breach(`${type} was brought about by erasing somebody`)
  }

  /** Checks that the order was missing when the thread read it. */
  private onUnplaced({ reference, receiptId }: { reference: string; receiptId: string }, thread: Thread | undefined) {
    const { keys, ledger, world } = this.parts
    const { orderId = '' } = keys.referred(reference) ?? {}
    const read = thread?.reads.get(orderStream(orderId)) ?? 0
    const payment = world.bank.payments.find(({ paymentId }) => paymentId === receiptId)
    const asked = payment && attemptOf(payment, this.parts)?.asked
    const wasThere = ledger.orders.get(orderId)?.history.slice(0, read).includes('PaymentRequested')
    if (wasThere && asked && asked.askedMinor === payment.askedMinor)
      ledger.wrong(`receipt ${receiptId} is noted without its order, which was there`)
  }

  /** Checks that no order needs this buyer. */
  private onErased(customerId: string, thread: Thread | undefined): void {
    const { ledger } = this.parts
    for (const [orderId, row] of ledger.orders) {
      if (row.placed.customerId !== customerId) continue
      if (isLiving(row)) ledger.wrong(`${orderId} is open, and its buyer is erased`)
      // Changes since the thread read the order count as later ones.
      const read = thread?.reads.get(orderStream(orderId))
      if (read === undefined ? needsItsBuyer(row) : row.neededItsBuyer[read - 1])
        ledger.wrong(`${orderId} still needs its buyer, who is erased`)
    }
  }

  private onCompleted(orderId: string, thread: Thread | undefined): void {
    const { ledger } = this.parts
    const row = ledger.orders.get(orderId)
    if (!row) return
    const { receipts = [], disputes = [] } = thread?.report ?? {}
    if (!row.isApproved && receipts.some((receipt) => isTakenBack(receipt, row)))
      ledger.wrong(`${orderId} was delivered by whoever knew that its money had been taken back`)
    const isDisputed = disputes.some(({ outcome, receiptId }) => outcome !== 'won' && row.receipts.has(receiptId))
    if (!row.isApproved && isDisputed)
      ledger.wrong(`${orderId} was delivered by whoever knew that its payer disputes it`)
    this.saidToBeGiven(row, thread)
  }

  private onCaptureRequested(orderId: string, attempt: number): void {
    const { ledger, world } = this.parts
    const paymentId = ledger.orders.get(orderId)?.started.get(attempt)?.paymentId
    if (world.bank.payments.find((other) => other.paymentId === paymentId)?.wasApproved) return
    ledger.breach(`${orderId}: a capture was asked for before the payer agreed`)
    this.unapproved.add(orderId)
  }

  /** A completed order's coins were given before, or are given by this append. */
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

  /** Records that the coins are given. */
  give(orderId: string, by: Giving['by']): void {
    const { ledger, world } = this.parts
    const earlier = world.given.get(orderId)
    if (earlier) ledger.wrong(`the coins of ${orderId} were given twice: by ${earlier.by} and by ${by}`)
    world.given.set(orderId, { by, serial: ledger.orders.get(orderId)?.held })
    world.scheduler.note(() => `  the coins of ${orderId.slice(0, 6)} are given by ${by}`)
  }

  onAttention(orderId: string, reason: AttentionReason): void {
    this.parts.coverage.reach('attention', reason)
    if (reason === 'delivery-unknown') this.assertCallsOver(orderId)
    if (reason === 'capture-unknown' && this.unapproved.has(orderId))
      this.parts.ledger.wrong(`${orderId} was busy, and staff look for money that the payer never approved`)
  }

  /** The latest call may start by a slow clock and last until its timeout. */
  private assertCallsOver(orderId: string): void {
    const { ledger, world } = this.parts
    const callsUntilMs = Date.parse(ledger.orders.get(orderId)?.lastDelivery?.callsUntil ?? '')
    if (world.scheduler.nowMs <= callsUntilMs + CALL_TIMEOUT_MINUTES * 60_000 + CLOCK_ERROR_MS_MAX)
      ledger.breach(`the delivery of ${orderId} was given up while a call may be under way`)
  }

  /** Checks that a delivery call may start now. */
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
    const isLate = disputedAt !== undefined && disputedAt < thread.begunStep
    if (isLate && row && isDisputed(row) && !row.isApproved)
      ledger.wrong(`${orderId} is delivered while its payer disputes it`)
    const callsUntilMs = Date.parse(row?.lastDelivery?.callsUntil ?? '')
    if (!(world.scheduler.nowMs <= callsUntilMs + CLOCK_ERROR_MS_MAX))
      ledger.breach(`a call to deliver ${orderId} began after the time for calls had passed`)
  }

  /** The bot gives the coins now. */
  onGiven(orderId: string): void {
    const { ledger } = this.parts
    const row = ledger.orders.get(orderId)
    if (!row || !isLiving(row) || !row.delivery)
      ledger.wrong(`the coins of ${orderId} were given when it was ${row?.status ?? 'nowhere'}`)
    this.give(orderId, 'bot')
  }

  shown(fits: (payment: BankPayment) => boolean): BankPayment | undefined {
    return this.parts.dice.pick(this.parts.world.bank.payments.filter((payment) => payment.isShown && fits(payment)))
  }

  method(): PaymentMethod {
    const { dice, config } = this.parts
    return dice.chance(config.favouriteShare) ? config.favourite : (dice.pick(paymentMethods) ?? 'upi')
  }
}

/** Whether the provider reports more as gone than staff have recorded as refunded. */
function isTakenBack({ receiptId, reversedAmount, pendingAmount = '0' }: ReceiptReport, row: OrderRow): boolean {
  const receipt = row.receipts.get(receiptId)
  if (!receipt) return false
  const { refundedCents } = receipt
  const worth = worthOf(row, receipt, reversedAmount ?? '0').plus(worthOf(row, receipt, pendingAmount))
  return refundedCents === 0 ? Exact.of(0).isBelow(worth) : worth.floor() > refundedCents
}
