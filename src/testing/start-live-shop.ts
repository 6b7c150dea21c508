import type { WebhookHandler } from '../api/api.ts'
import { nowPaymentsWebhook } from '../api/payments/nowpayments-webhook.ts'
import { checkPayment } from '../commands/check-payment.ts'
import { expireOrder } from '../commands/expire-order.ts'
import { reinstateOrder } from '../commands/reinstate-order.ts'
import { type NamedPayment, takePaymentNews } from '../commands/take-payment-news.ts'
import { mayBeReinstated } from '../domain/order/order-state.ts'
import { NOWPAYMENTS, nowPayments } from '../payments/nowpayments.ts'
import { type NowPaymentsDouble, nowPaymentsDouble } from '../payments/testing/nowpayments-double.ts'
import { ProviderWatch } from '../payments/provider-watch.ts'
import type { Pace } from '../payments/provider-pace.ts'
import { findPlacedOrder } from '../shop/handle-order.ts'
import { type Caller, type Shop, systemCaller } from '../shop/shop.ts'
import { systemRandom } from '../system.ts'
import { memoryViewStore } from '../view-store/testing/memory-view-store.ts'
import { orderBody } from './orders.ts'
import { type ShopOptions, startShop, type TestShop } from './start-shop.ts'

const apiKey = 'key-of-the-double'
const ipnSecret = 'np-ipn-secret-for-tests'

/** A whole shop that takes coins at a double of NOWPayments, both in this process. */
export interface LiveShop extends TestShop {
  readonly double: NowPaymentsDouble
  /** How another process of this shop sees its providers. */
  watchBy(id: string): ProviderWatch
  /** Looks that were put off because a webhook was not answered in time. */
  readonly lookedLater: NamedPayment[]
  /** A new order with an open crypto payment. */
  opened(changes?: Record<string, unknown>): Promise<{ orderId: string; paymentId: string; payAmount: string }>
  create(orderId: string, amount?: string, changes?: Record<string, unknown>): ReturnType<TestShop['post']>
  /** Sends a webhook as it stands. */
  hook(body: string, signature: string | undefined): Promise<number>
  /** What the workers do with this order. */
  work(orderId: string): Promise<void>
  typesOf(orderId: string): Promise<string[]>
  /** As staff see it. */
  order(orderId: string): Promise<Record<string, unknown>>
}

interface LiveShopOptions extends ShopOptions {
  readonly webhookMs?: number
  readonly timeoutMs?: number
  /** Calls are not held back by default. */
  readonly pace?: Pace
}

export async function startLiveShop(options: LiveShopOptions = {}): Promise<LiveShop> {
  let now: () => number = Date.now
  let webhookUrl = ''
  let handler: WebhookHandler | undefined
  const lookedLater: NamedPayment[] = []
  const double = await nowPaymentsDouble({ apiKey, ipnSecret, now: () => now() })
  const crypto = nowPayments({
    url: double.url,
    apiKey,
    payoutCoin: 'ltc',
    get webhookUrl() {
      return webhookUrl
    },
    now: () => now(),
    timeoutMs: options.timeoutMs ?? 1_000,
    ...(options.pace && { pace: options.pace }),
  })
  const texts = memoryViewStore().marks()
  const watchBy = (id: string): ProviderWatch => new ProviderWatch({ texts, now: () => now(), id })
  const watch = watchBy('this process')
  const shop = await startShop({
    ...options,
    providers: { crypto: [watch.watched(crypto)] },
    providerWatch: watch,
    config: { payments: 'test', ...options.config },
    webhooks: { [NOWPAYMENTS]: async (webhook) => handlerOf(handler)(webhook) },
  })
  now = () => shop.now()
  webhookUrl = `${shop.url}/api/webhooks/${NOWPAYMENTS}`
  handler = nowPaymentsWebhook({
    shop: shop.shop,
    secret: ipnSecret,
    answerMs: options.webhookMs ?? 2_000,
    lookLater: async (named) => void lookedLater.push(named),
  })
  const create = async (orderId: string, amount = '2.25', changes = {}) =>
    shop.post('/api/crypto/create-payment', { amount, orderId, payCurrency: 'ltc', ...changes })

  return {
    ...shop,
    double,
    watchBy,
    lookedLater,
    create,
    async opened(changes = {}) {
      const placed = await shop.post('/api/orders', orderBody(changes))
      const orderId = String(placed.body['id'])
      const { body } = await create(orderId)
      return { orderId, paymentId: String(body['payment_id']), payAmount: String(body['pay_amount']) }
    },
    async hook(body, signature) {
      const headers = { 'content-type': 'application/json', ...(signature && { 'x-nowpayments-sig': signature }) }
      return (await fetch(webhookUrl, { method: 'POST', headers, body })).status
    },
    work: async (orderId) => workersAt(shop.shop, orderId, lookedLater),
    typesOf: async (orderId) => (await shop.eventsOf(`order-${orderId}`)).map(({ type }) => type),
    order: async (orderId) => (await shop.get(`/api/orders/${orderId}`, { token: await shop.logIn() })).body,
    async stop() {
      await double.stop()
      await shop.stop()
    },
  }
}

/** What the workers do with one order, with the looks that were put off. */
export async function workersAt(shop: Shop, orderId: string, lookedLater: NamedPayment[]): Promise<void> {
  for (const named of lookedLater.splice(0)) await takePaymentNews(shop, caller(), named).catch(() => undefined)
  const { state } = await findPlacedOrder(shop, orderId)
  for (const { attempt } of state.attempts)
    await checkPayment(shop, caller(), { orderId, attempt }).catch(() => undefined)
  const checked = (await findPlacedOrder(shop, orderId)).state
  if (mayBeReinstated(checked)) await reinstateOrder(shop, caller(), { orderId })
  await expireOrder(shop, caller(), { orderId })
}

function caller(): Caller {
  return systemCaller(systemRandom)
}

function handlerOf(handler: WebhookHandler | undefined): WebhookHandler {
  if (!handler) throw new Error('the shop is not open yet')
  return handler
}
