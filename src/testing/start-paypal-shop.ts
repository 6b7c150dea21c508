import { paypalWebhook } from '../api/payments/paypal-webhook.ts'
import { PAYPAL, paypal, paypalScriptHost } from '../payments/paypal.ts'
import { type PaypalDouble, paypalDouble } from '../payments/testing/paypal-double.ts'
import { type ProviderShop, type ProviderShopOptions, startProviderShop } from './start-provider-shop.ts'
import type { TestShop } from './start-shop.ts'

const keys = { clientId: 'id-of-the-double', clientSecret: 'secret-of-the-double', webhookId: 'WEBHOOK-1' }
const AMOUNT = '2.65'

/** A whole shop that takes payments at a double of PayPal. */
export interface PaypalShop extends ProviderShop<PaypalDouble> {
  /** A new order with an open payment. */
  opened(changes?: Record<string, unknown>): Promise<{ orderId: string; paymentId: string }>
  create(orderId: string, amount?: string): ReturnType<TestShop['post']>
  /** What the payer's browser does after the approval. */
  capture(orderId: string, paymentId: string): ReturnType<TestShop['post']>
}

export async function startPaypalShop(options: ProviderShopOptions = {}): Promise<PaypalShop> {
  const shop = await startProviderShop(options, {
    name: PAYPAL,
    openDouble: async (now) => paypalDouble({ ...keys, now }),
    connect: ({ url }, given) => ({
      providers: { paypal: [paypal({ url, ...keys, shopName: 'Coin Shop', ...given })] },
      config: { scriptHosts: [paypalScriptHost(url)] },
    }),
    webhook: paypalWebhook,
  })
  const create = async (orderId: string, amount = AMOUNT) => shop.post('/api/paypal/order', { amount, orderId })
  return {
    ...shop,
    create,
    async opened(changes = {}) {
      const orderId = await shop.placed(changes)
      return { orderId, paymentId: String((await create(orderId)).body['id']) }
    },
    capture: async (orderId, paymentId) => shop.post(`/api/paypal/order/${paymentId}/capture`, { orderId }),
  }
}
