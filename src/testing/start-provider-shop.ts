import type { WebhookHandler } from '../api/api.ts'
import type { WebhookOptions } from '../api/payments/provider-webhook.ts'
import { checkPayment } from '../commands/check-payment.ts'
import { expireOrder } from '../commands/expire-order.ts'
import { reinstateOrder } from '../commands/reinstate-order.ts'
import { type NamedPayment, takePaymentNews } from '../commands/take-payment-news.ts'
import { mayBeReinstated } from '../domain/order/order-state.ts'
import type { DoubleServer } from '../payments/testing/double-server.ts'
import { findPlacedOrder } from '../shop/handle-order.ts'
import { type Shop, systemCaller } from '../shop/shop.ts'
import { placedBy } from './orders.ts'
import { type ShopOptions, startShop, type TestShop } from './start-shop.ts'

/** Both answer sooner, also on a busy machine. */
const ANSWER_MS = 10_000

export interface ProviderShopOptions extends ShopOptions {
  readonly webhookMs?: number
  /** Time-out of a call to the provider. */
  readonly timeoutMs?: number
}

/** A whole shop at a double of one provider, both in this process. */
export interface ProviderShop<Double> extends TestShop {
  readonly double: Double
  /** Looks that were put off because a webhook was not answered in time. */
  readonly lookedLater: NamedPayment[]
  /** A new order; answers its id. */
  placed(changes?: Record<string, unknown>): Promise<string>
  /** Sends a webhook as it stands. */
  hook(webhook: { body: string; headers: Readonly<Record<string, string>> }): Promise<number>
  /** What the workers do with this order. */
  work(orderId: string): Promise<void>
  typesOf(orderId: string): Promise<string[]>
  /** As staff see it. */
  order(orderId: string): Promise<Record<string, unknown>>
}

interface Gateway<Double> {
  readonly name: string
  readonly openDouble: (now: () => number) => Promise<Double>
  /** How the shop is started for it. */
  readonly connect: (
    double: Double,
    by: { readonly now: () => number; readonly timeoutMs: number },
  ) => Pick<ShopOptions, 'providers' | 'providerWatch' | 'config'>
  readonly webhook: (options: WebhookOptions) => WebhookHandler
}

export async function startProviderShop<Double extends DoubleServer<string>>(
  { timeoutMs = ANSWER_MS, webhookMs = ANSWER_MS, ...options }: ProviderShopOptions,
  { name, openDouble, connect, webhook }: Gateway<Double>,
): Promise<ProviderShop<Double>> {
  // Double and provider are there before the shop, and go by its clock.
  let shopNow: () => number = Date.now
  const now = (): number => shopNow()
  let handler: WebhookHandler | undefined
  const lookedLater: NamedPayment[] = []
  const double = await openDouble(now)
  const { providers, config, ...others } = connect(double, { now, timeoutMs })
  const shop = await startShop({
    ...options,
    ...others,
    providers: { ...providers, ...options.providers },
    config: { payments: 'test', ...config, ...options.config },
    webhooks: { [name]: async (sent) => handler?.(sent) ?? Promise.reject(new Error('not open yet')) },
  })
  shopNow = () => shop.now()
  const url = `${shop.url}/api/webhooks/${name}`
  double.webhookUrl = url
  handler = webhook({
    shop: shop.shop,
    answerMs: webhookMs,
    lookLater: async (named) => void lookedLater.push(named),
  })
  return {
    ...shop,
    double,
    lookedLater,
    placed: async (changes = {}) => await placedBy(shop, changes),
    async hook({ body, headers }) {
      const sent = { 'content-type': 'application/json', ...headers }
      return (await fetch(url, { method: 'POST', headers: sent, body })).status
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
async function workersAt(shop: Shop, orderId: string, lookedLater: NamedPayment[]): Promise<void> {
  const caller = systemCaller(shop.random)
  for (const named of lookedLater.splice(0)) await takePaymentNews(shop, caller, named).catch(() => undefined)
  const { state } = await findPlacedOrder(shop, orderId)
  for (const { attempt } of state.attempts)
    await checkPayment(shop, caller, { orderId, attempt }).catch(() => undefined)
  const checked = (await findPlacedOrder(shop, orderId)).state
  if (mayBeReinstated(checked)) await reinstateOrder(shop, caller, { orderId })
  await expireOrder(shop, caller, { orderId })
}
