import { decimalSum } from '../domain/decimal.ts'
import type { ReportedRefund } from '../domain/order/commands.ts'
import type { PlacedOrder } from '../domain/order/order-state.ts'
import { marketIdAmounts } from '../domain/pricing.ts'
import { DEFAULT_SETTINGS, type Settings } from '../domain/settings/settings.ts'
import { byMethod, type PaymentMethod } from '../domain/payment-methods.ts'
import { STOCK_STREAM, orderStream } from '../domain/stream-names.ts'
import type { RecordedEvent } from '../log/event-log.ts'
import { memoryEventStore } from '../engines/event-store/testing/memory-event-store.ts'
import {
  type KnownPayment,
  nowhere,
  type PaymentProvider,
  type PaymentReport,
  type ReceiptReport,
  type RefundOrder,
} from '../payments/payment-provider.ts'
import { type Shop, assembleShop } from '../process/assemble-shop.ts'
import { seededRandom } from '../ports/testing/clock.ts'
import { testWorld } from './test-world.ts'
import { ordersProjection } from '../projections/orders.ts'
import { paymentsProjection } from '../projections/payments.ts'
import type { Views } from '../projections/shop-views.ts'
import { projectionRunner } from '../projector/runner.ts'
import { Refusal } from '../domain/refusal.ts'
import { temporaryViewStore } from '../engines/view-store/sqlite-view-store.ts'
import { memoryVault } from '../engines/vault/testing/memory-vault.ts'
import { findPlacedOrder } from '../shop/handle-order.ts'
import { logAndKeys } from '../shop/log-and-keys.ts'
import { changeSettings } from '../commands/change-settings.ts'
import { quoteBy } from '../commands/quote-order.ts'
import { setStock } from '../commands/set-stock.ts'
import { type OrderRequest, placeOrder } from '../commands/place-order.ts'
import { type Caller, type CommandContext, systemCaller } from '../shop/command-context.ts'
import { recordPayment } from '../commands/record-payment.ts'
import { startPayment } from '../commands/start-payment.ts'
import { type Fate, faultyStore, interposed } from '../engines/testing/interposed.ts'

export const STOCK = STOCK_STREAM
const MARKET_ID = 12_345_678
const START_MS = Date.parse('2026-01-01T00:00:00.000Z')

/** A provider with scripted answers. */
interface PlayedProvider extends PaymentProvider {
  /** Reports by payment; `waiting` by default. */
  readonly reports: Map<string, PaymentReport>
  readonly calls: string[]
  /** Runs before each call of this kind; may throw. */
  before: Partial<Record<'create' | 'check' | 'capture' | 'refund', () => Promise<void> | void>>
  /** How its refunds end. */
  refundsEnd: ReportedRefund['status']
}

export interface TestShopOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Intercept the calls of a port. */
  readonly fates?: Partial<Record<'log' | 'vault' | 'provider', Fate>>
}

const made: Fate = async (make) => make()

/** A newly opened shop with 1,000M in stock, on engines in memory, with a manual clock. */
export async function testShop(options: TestShopOptions = {}) {
  let nowMs = START_MS
  const random = seededRandom(1)
  const clock = { now: () => nowMs, sleep: async () => undefined }
  const { log: logFate = made, vault: vaultFate = made, provider: providerFate = made } = options.fates ?? {}
  const store = faultyStore(interposed(memoryEventStore({ now: clock.now }), logFate))
  const vault = interposed(memoryVault(), vaultFate)
  const { log, keys } = await logAndKeys({ store, vault }, { clock, random })
  const providers = byMethod((method) => playedProvider(method, method === 'paypal'))
  const opened = byMethod((method) => [interposed(providers[method], providerFate)])
  const world = {
    ...testWorld({ clock, random, providers: opened, env: options.env }),
    // Only the views that policies read.
    projections: [ordersProjection, paymentsProjection],
  }
  const views = temporaryViewStore()
  const process = () => assembleShop({ log, vault, keys, views }, world)
  const assembled = process()
  const { context } = assembled
  const runner = projectionRunner({ ...world, log, logId: 'test', store: views })
  const caller = (): Caller => systemCaller(random)
  const caughtUp = async (): Promise<true> => {
    while (await runner.runOnce());
    return true
  }
  const reader = (): Views => assembled.reader({ waitFor: caughtUp })
  await assembled.load()
  const eventsOf = async (stream: string): Promise<RecordedEvent[]> =>
    log.readStream(stream.includes('-') && /^[a-z]+-/.test(stream) ? stream : orderStream(stream))

  const order = async (orderId: string): Promise<PlacedOrder> => (await findPlacedOrder(context, orderId)).state
  const placed = async (changes: Partial<OrderRequest> = {}, by = context): Promise<PlacedOrder> =>
    (await placeOrder(by, caller(), orderRequest(changes))).order

  return {
    context,
    assembled,
    store,
    providers,
    /** The caller of a new request or job. */
    caller,
    pass: (minutes: number) => void (nowMs += minutes * 60_000),
    /** Another process on the same engines, with hot states as of its start. */
    async anotherProcess() {
      const other = process().context
      await other.hot.load()
      return other
    },
    /** Returns views that have caught up. */
    views: async () => caughtUp().then(() => assembled.reader()),
    /** Views that catch up whenever a reader waits for them. */
    reader,
    /** Runs all due jobs in a new process. */
    sweep: async () => swept(process(), reader(), caller),
    placed,
    received: async (...money: Money) => recordReport(context, caller(), moneyReport(...money)),
    /** Places an order and opens a payment. */
    async started(method: PaymentMethod, changes?: Partial<OrderRequest>) {
      const { orderId } = (await placed(changes)).placed
      const { attempt } = await startPayment(context, caller(), paymentRequest(orderId, method))
      return { orderId, paymentId: attempt.started.paymentId }
    },
    /** Event types of an order, or of any stream. */
    typesOf: async (stream: string): Promise<string[]> => (await eventsOf(stream)).map(({ type }) => type),
    eventsOf,
    order,
    /** The reasons why an order needs attention. */
    reasons: async (orderId: string): Promise<string[]> => (await order(orderId)).attention.map(({ reason }) => reason),
    ask: async <Request, Answer>(
      command: (context: CommandContext, caller: Caller, request: Request) => Promise<Answer>,
      request: Request,
    ): Promise<Answer> => command(context, caller(), request),
    setStock: async (stockM: number) =>
      setStock(context, caller(), { stockM, seenM: undefined, editKey: null, adminId: 'owner' }),
    change: async (changes: Partial<Settings>) =>
      changeSettings(context, caller(), { changes, adminId: 'owner', seenRevision: undefined }),
  }
}

export type TestShop = Awaited<ReturnType<typeof testShop>>

/** Runs the due jobs of all policies until none is due. */
async function swept(process: Shop, views: Views, caller: () => Caller): Promise<void> {
  const { context } = process
  await context.hot.load()
  for (let jobs = 1, rounds = 0; jobs > 0 && rounds < 4; rounds += 1) {
    jobs = 0
    for (const policy of process.policies(views)) {
      await views.waitFor(await context.log.head(), Infinity)
      for (const job of await policy.due(context.clock.now())) {
        jobs += 1
        await policy.run(job, caller()).catch((error: unknown) => {
          if (!(error instanceof Refusal)) throw error
        })
      }
    }
  }
}

/** A buyer's request at the opening prices; 100M by default. */
export function orderRequest(changes: Partial<OrderRequest> = {}): OrderRequest {
  return {
    idempotencyKey: undefined,
    customerEmail: 'ash@example.com',
    discordUsername: 'ash',
    marketId: String(MARKET_ID),
    marketIds: marketIdsOf(changes.quantityM ?? 100),
    quantityM: 100,
    totalCents: quoteBy(DEFAULT_SETTINGS, changes.quantityM ?? 100).totalCents,
    paymentMethod: null,
    ...changes,
  }
}

function marketIdsOf(quantityM: number): OrderRequest['marketIds'] {
  const amounts = marketIdAmounts(quantityM)
  if (amounts.length === 1) return undefined
  return amounts.map((amountM, index) => ({ marketId: String(MARKET_ID + index), amountM }))
}

export function paymentRequest(orderId: string, method: PaymentMethod) {
  return { orderId, method, isAmountRight: () => true }
}

export function reportOf(status: PaymentReport['status'], receipts: readonly ReceiptReport[] = []): PaymentReport {
  return { status, amountPaid: null, receipts }
}

/** A receipt; by default of the whole amount, with nothing reversed. */
export function receiptOf(receiptId: string, changes: Partial<ReceiptReport> = {}): ReceiptReport {
  return { receiptId, amount: '10.00', currency: 'usd', askedAmount: '10.00', reversedAmount: '0', ...changes }
}

type Money = [orderId: string, changes?: Partial<ReceiptReport>, receiptId?: string, attempt?: number]

/** Reports money for an order's attempt; by default the whole amount. */
function moneyReport(...[orderId, changes = {}, receiptId = 'money-1', attempt = 1]: Money) {
  return { orderId, attempt, report: reportOf('received', [receiptOf(receiptId, changes)]) }
}

/** Makes a call of a provider fail. */
export const throws = (error: Error) => () => {
  throw error
}

/** Records the provider's current report. */
export async function recordReport(
  context: CommandContext,
  caller: Caller,
  { orderId, ...news }: { readonly orderId: string; readonly attempt: number; readonly report: PaymentReport },
) {
  const { state: asked } = await findPlacedOrder(context, orderId)
  return recordPayment(context, caller, { asked, ...news })
}

/** A vault that returns no keys while `isLost`, like an older copy without later buyers. */
export function losingVault() {
  const lost = { isLost: false }
  const vault: Fate = async (make, { name }) => (lost.isLost && name === 'keysOf' ? new Map() : make())
  return { lost, fates: { vault } }
}

/** The provider's report once it has made a refund, with our id or without. */
export function withRefund(report: PaymentReport, receiptId: string, refund: ReportedRefund): PaymentReport {
  const field = ({ done: 'reversedAmount', pending: 'pendingAmount', failed: 'failedAmount' } as const)[refund.status]
  const receipts = report.receipts.map((receipt) =>
    receipt.receiptId === receiptId
      ? {
          ...receipt,
          [field]: decimalSum([receipt[field] ?? '0', refund.amount]),
          refunds: [...(receipt.refunds ?? []), ...(refund.refundId === '' ? [] : [refund])],
        }
      : receipt,
  )
  return { ...report, receipts }
}

function playedProvider(name: string, takesApproval: boolean): PlayedProvider {
  const reports = new Map<string, PaymentReport>()
  const calls: string[] = []
  const answer = async (call: 'check' | 'capture', { paymentId }: KnownPayment): Promise<PaymentReport> => {
    calls.push(call)
    await provider.before[call]?.()
    return reports.get(paymentId) ?? reportOf('waiting')
  }
  const provider: PlayedProvider = {
    name,
    reports,
    calls,
    before: {},
    refundsEnd: 'done',
    async create({ reference }) {
      calls.push('create')
      await provider.before.create?.()
      return { ...nowhere, paymentId: `${name}-${reference}-${calls.length}`, payAmount: '10.00', payCurrency: 'usd' }
    },
    check: async (payment) => answer('check', payment),
    ...(takesApproval ? { capture: async (payment: KnownPayment) => answer('capture', payment) } : {}),
    ...(name === 'crypto'
      ? {}
      : {
          async refund({ paymentId }: KnownPayment, wish: RefundOrder) {
            calls.push('refund')
            await provider.before.refund?.()
            const report = reports.get(paymentId) ?? reportOf('waiting')
            const receipt = report.receipts.find(({ receiptId }) => receiptId === wish.receiptId)
            const { refunds = [] } = receipt ?? {}
            const known = refunds.find(({ refundId }) => refundId === wish.refundId)
            const { refundId, amount } = wish
            const made = known ?? {
              refundId,
              amount,
              providerRefundId: `sent-${calls.length}`,
              status: provider.refundsEnd,
            }
            if (!known) reports.set(paymentId, withRefund(report, wish.receiptId, made))
            return made
          },
        }),
    limits: async () => ({ minMinor: 1, maxMinor: 10_000_000 }),
  }
  return provider
}
