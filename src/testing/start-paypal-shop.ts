import type { WebhookHandler } from '../api/api.ts'
import { paypalWebhook } from '../api/payments/paypal-webhook.ts'
import type { NamedPayment } from '../commands/take-payment-news.ts'
import { PAYPAL, paypal, paypalScriptHost } from '../payments/paypal.ts'
import { type PaypalDouble, paypalDouble } from '../payments/testing/paypal-double.ts'
import { orderBody } from './orders.ts'
import { workersAt } from './start-live-shop.ts'
import { type ShopOptions, startShop, type TestShop } from './start-shop.ts'

const keys = { clientId: 'id-of-the-double', clientSecret: 'secret-of-the-double', webhookId: 'WEBHOOK-1' }
const AMOUNT = '2.65'

/** A whole shop that takes payments at a double of PayPal, both in this process. */
export interface PaypalShop extends TestShop {
  readonly double: PaypalDouble
  /** A new order with an open payment. */
  opened(changes?: Record<string, unknown>): Promise<{ orderId: string; paymentId: string }>
  create(orderId: string, amount?: string): ReturnType<TestShop['post']>
  /** What the payer's browser does after the approval. */
  capture(orderId: string, paymentId: string): ReturnType<TestShop['post']>
  /** Sends a webhook as it stands. */
  hook(webhook: { body: string; headers: Readonly<Record<string, string>> }): Promise<number>
  /** Looks that were put off because a webhook was not answered in time. */
  readonly lookedLater: NamedPayment[]
  /** What the workers do with this order. */
  work(orderId: string): Promise<void>
  typesOf(orderId: string): Promise<string[]>
  /** As staff see it. */
  order(orderId: string): Promise<Record<string, unknown>>
}

export async function startPaypalShop(options: ShopOptions & { webhookMs?: number } = {}): Promise<PaypalShop> {
  let now: () => number = Date.now
  let webhookUrl = ''
  let handler: WebhookHandler | undefined
  const lookedLater: NamedPayment[] = []
  const double = await paypalDouble({
    ...keys,
    now: () => now(),
    get webhookUrl() {
      return webhookUrl
    },
  })
  const provider = paypal({ url: double.url, ...keys, shopName: 'Coin Shop', now: () => now(), timeoutMs: 1_000 })
  const shop = await startShop({
    ...options,
    providers: { paypal: [provider] },
    config: { payments: 'test', scriptHosts: [paypalScriptHost(double.url)], ...options.config },
    webhooks: {
      [PAYPAL]: async (webhook) => {
        if (!handler) throw new Error('the shop is not open yet')
        return handler(webhook)
      },
    },
  })
  now = () => shop.now()
  webhookUrl = `${shop.url}/api/webhooks/${PAYPAL}`
  handler = paypalWebhook({
    shop: shop.shop,
    answerMs: options.webhookMs ?? 2_000,
    lookLater: async (named) => void lookedLater.push(named),
  })
  const create = async (orderId: string, amount = AMOUNT) => shop.post('/api/paypal/order', { amount, orderId })

  return {
    ...shop,
    lookedLater,
    double,
    create,
    async opened(changes = {}) {
      const orderId = String((await shop.post('/api/orders', orderBody(changes))).body['id'])
      return { orderId, paymentId: String((await create(orderId)).body['id']) }
    },
    capture: async (orderId, paymentId) => shop.post(`/api/paypal/order/${paymentId}/capture`, { orderId }),
    async hook({ body, headers }) {
      const sent = { 'content-type': 'application/json', ...headers }
      return (await fetch(webhookUrl, { method: 'POST', headers: sent, body })).status
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
