import { cashfreeWebhook } from '../api/payments/cashfree-webhook.ts'
import { CASHFREE, cashfree, cashfreeCheckout } from '../payments/cashfree.ts'
import { type CashfreeDouble, cashfreeDouble } from '../payments/testing/cashfree-double.ts'
import { type ProviderShop, type ProviderShopOptions, startProviderShop } from './start-provider-shop.ts'
import type { TestShop } from './start-shop.ts'

const keys = { clientId: 'id-of-the-double', clientSecret: 'secret-of-the-double' }
export const PHONE = '9876543210'

/** A whole shop that takes UPI at a double of Cashfree. */
export interface CashfreeShop extends ProviderShop<CashfreeDouble> {
  create(orderId: string, phone?: string): ReturnType<TestShop['post']>
  /** A new order with an open payment. */
  opened(): Promise<{ orderId: string; paymentId: string }>
}

export async function startCashfreeShop(options: ProviderShopOptions = {}): Promise<CashfreeShop> {
  const shop = await startProviderShop(options, {
    name: CASHFREE,
    openDouble: async (now) => cashfreeDouble({ ...keys, now }),
    connect: ({ url }, given) => ({
      providers: { upi: [cashfree({ url, ...keys, ...given })] },
      config: { scriptHosts: cashfreeCheckout(url).hosts },
    }),
    webhook: (given) => cashfreeWebhook({ ...given, secret: keys.clientSecret }),
  })
  // Where the gateway sends the browser back to.
  Object.assign(shop.shop.policy, { publicUrl: shop.url })
  const create = async (orderId: string, customerPhone = PHONE) =>
    shop.post('/api/cashfree/create-order', { amount: '2.25', orderId, customerInfo: { customerPhone } })
  return {
    ...shop,
    create,
    async opened() {
      const orderId = await shop.placed()
      const { body } = await create(orderId)
      return { orderId, paymentId: String(body['order_id']) }
    },
  }
}
