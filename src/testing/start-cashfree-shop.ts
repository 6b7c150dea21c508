import type { WebhookHandler } from '../api/api.ts'
import { cashfreeWebhook } from '../api/payments/cashfree-webhook.ts'
import type { NamedPayment } from '../commands/take-payment-news.ts'
import { CASHFREE, cashfree, cashfreeCheckout } from '../payments/cashfree.ts'
import { type CashfreeDouble, cashfreeDouble } from '../payments/testing/cashfree-double.ts'
import { orderBody } from './orders.ts'
import { workersAt } from './start-live-shop.ts'
import { type ShopOptions, startShop, type TestShop } from './start-shop.ts'

const keys = { clientId: 'id-of-the-double', clientSecret: 'secret-of-the-double' }
export const PHONE = '9876543210'

/** A whole shop that takes UPI at a double of Cashfree, both in this process. */
export interface CashfreeShop extends TestShop {
  readonly double: CashfreeDouble
  /** Looks that were put off because a webhook was not answered in time. */
  readonly lookedLater: NamedPayment[]
  placed(): Promise<string>
  create(orderId: string, phone?: string): ReturnType<TestShop['post']>
  /** A new order with an open payment. */
  opened(): Promise<{ orderId: string; paymentId: string }>
  /** Sends a webhook as it stands. */
  hook(webhook: { body: string; headers: Readonly<Record<string, string>> }): Promise<number>
  work(orderId: string): Promise<void>
}

export async function startCashfreeShop(options: ShopOptions = {}): Promise<CashfreeShop> {
  let now: () => number = Date.now
  let handler: WebhookHandler | undefined
  const lookedLater: NamedPayment[] = []
  const double = await cashfreeDouble({ ...keys, now: () => now() })
  const upi = [cashfree({ url: double.url, ...keys, now: () => now(), timeoutMs: 1_000 })]
  const shop = await startShop({
    ...options,
    providers: { upi, ...options.providers },
    config: { payments: 'test', scriptHosts: cashfreeCheckout(double.url).hosts, ...options.config },
    webhooks: { [CASHFREE]: async (webhook) => handler?.(webhook) ?? Promise.reject(new Error('not open yet')) },
  })
  now = () => shop.now()
  // Where the gateway sends the browser back to.
  Object.assign(shop.shop.policy, { publicUrl: shop.url })
  double.webhookUrl = `${shop.url}/api/webhooks/${CASHFREE}`
  handler = cashfreeWebhook({
    shop: shop.shop,
    secret: keys.clientSecret,
    lookLater: async (named) => void lookedLater.push(named),
  })
  const placed = async (): Promise<string> => String((await shop.post('/api/orders', orderBody())).body['id'])
  const create = async (orderId: string, customerPhone = PHONE) =>
    shop.post('/api/cashfree/create-order', { amount: '2.25', orderId, customerInfo: { customerPhone } })
  return {
    ...shop,
    double,
    lookedLater,
    placed,
    create,
    async opened() {
      const orderId = await placed()
      const { body } = await create(orderId)
      return { orderId, paymentId: String(body['order_id']) }
    },
    async hook({ body, headers }) {
      const sent = { 'content-type': 'application/json', ...headers }
      return (await fetch(double.webhookUrl ?? '', { method: 'POST', headers: sent, body })).status
    },
    work: async (orderId) => workersAt(shop.shop, orderId, lookedLater),
    async stop() {
      await double.stop()
      await shop.stop()
    },
  }
}
