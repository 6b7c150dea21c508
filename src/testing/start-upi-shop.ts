import type { WebhookHandler } from '../api/api.ts'
import { upiGatewayWebhook } from '../api/payments/upigateway-webhook.ts'
import type { NamedPayment } from '../commands/take-payment-news.ts'
import { UPIGATEWAY, upiGateway } from '../payments/upigateway.ts'
import { type UpiGatewayDouble, upiGatewayDouble } from '../payments/testing/upigateway-double.ts'
import { orderBody } from './orders.ts'
import { workersAt } from './start-live-shop.ts'
import { type ShopOptions, startShop, type TestShop } from './start-shop.ts'

const key = 'key-of-the-double'
export const PHONE = '9876543210'

/** A whole shop that takes UPI at a double of EKQR, both in this process. */
export interface UpiShop extends TestShop {
  readonly double: UpiGatewayDouble
  /** Looks that were put off because a webhook was not answered in time. */
  readonly lookedLater: NamedPayment[]
  placed(): Promise<string>
  create(orderId: string): ReturnType<TestShop['post']>
  /** A new order with an open payment. */
  opened(): Promise<{ orderId: string; paymentId: string }>
  /** Sends a webhook as it stands. */
  hook(body: string): Promise<number>
  work(orderId: string): Promise<void>
  typesOf(orderId: string): Promise<string[]>
}

export async function startUpiShop(options: ShopOptions & { webhookMs?: number } = {}): Promise<UpiShop> {
  let now: () => number = Date.now
  let handler: WebhookHandler | undefined
  const lookedLater: NamedPayment[] = []
  const double = await upiGatewayDouble({ key, now: () => now() })
  const upi = [upiGateway({ url: double.url, key, now: () => now(), timeoutMs: 1_000 })]
  const shop = await startShop({
    ...options,
    providers: { upi, ...options.providers },
    config: { payments: 'test', ...options.config },
    webhooks: { [UPIGATEWAY]: async (webhook) => handler?.(webhook) ?? Promise.reject(new Error('not open yet')) },
  })
  now = () => shop.now()
  // Where the gateway sends the browser back to.
  Object.assign(shop.shop.policy, { publicUrl: shop.url })
  double.webhookUrl = `${shop.url}/api/webhooks/${UPIGATEWAY}`
  handler = upiGatewayWebhook({
    shop: shop.shop,
    answerMs: options.webhookMs ?? 2_000,
    lookLater: async (named) => void lookedLater.push(named),
  })
  const placed = async (): Promise<string> => String((await shop.post('/api/orders', orderBody())).body['id'])
  const create = async (orderId: string) => {
    const body = { amount: '2.25', orderId, customerInfo: { customerPhone: PHONE } }
    return shop.post('/api/upigateway/create-order', body)
  }
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
    async hook(body) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      return (await fetch(double.webhookUrl ?? '', { method: 'POST', headers, body })).status
    },
    work: async (orderId) => workersAt(shop.shop, orderId, lookedLater),
    typesOf: async (orderId) => (await shop.eventsOf(`order-${orderId}`)).map(({ type }) => type),
    async stop() {
      await double.stop()
      await shop.stop()
    },
  }
}
