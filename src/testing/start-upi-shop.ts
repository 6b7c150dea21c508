import { upiGatewayWebhook } from '../api/payments/upigateway-webhook.ts'
import { UPIGATEWAY, upiGateway } from '../payments/upigateway.ts'
import { type UpiGatewayDouble, upiGatewayDouble } from '../payments/testing/upigateway-double.ts'
import { type ProviderShop, type ProviderShopOptions, startProviderShop } from './start-provider-shop.ts'
import type { TestShop } from './start-shop.ts'

const key = 'key-of-the-double'
export const PHONE = '9876543210'

/** A whole shop that takes UPI at a double of EKQR. */
export interface UpiShop extends Omit<ProviderShop<UpiGatewayDouble>, 'hook'> {
  create(orderId: string): ReturnType<TestShop['post']>
  /** A new order with an open payment. */
  opened(): Promise<{ orderId: string; paymentId: string }>
  hook(body: string): Promise<number>
}

export async function startUpiShop(options: ProviderShopOptions = {}): Promise<UpiShop> {
  const shop = await startProviderShop(options, {
    name: UPIGATEWAY,
    openDouble: async (now) => upiGatewayDouble({ key, now }),
    connect: ({ url }, given) => ({ providers: { upi: [upiGateway({ url, key, ...given })] } }),
    webhook: upiGatewayWebhook,
  })
  // Where the gateway sends the browser back to.
  Object.assign(shop.shop.policy, { publicUrl: shop.url })
  const create = async (orderId: string) => {
    const body = { amount: '2.25', orderId, customerInfo: { customerPhone: PHONE } }
    return shop.post('/api/upigateway/create-order', body)
  }
  return {
    ...shop,
    create,
    async opened() {
      const orderId = await shop.placed()
      const { body } = await create(orderId)
      return { orderId, paymentId: String(body['order_id']) }
    },
    hook: async (body) => shop.hook({ body, headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
  }
}
