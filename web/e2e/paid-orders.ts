import { placedBy } from '../../src/testing/orders.ts'
import type { TestShop } from '../../src/testing/start-shop.ts'

/** Places an order, pays it by crypto and returns its id. */
export async function paidBy(shop: TestShop, changes: Record<string, unknown> = {}): Promise<string> {
  const orderId = await placedBy(shop, { paymentMethod: 'crypto', ...changes })
  const { totalAmount: amount } = (await shop.get(`/api/orders/${orderId}`)).body
  const { status, text } = await shop.post('/api/crypto/create-payment', { amount, orderId })
  if (status !== 200) throw new Error(`no payment was opened: ${status} ${text}`)
  await shop.pay(orderId)
  return orderId
}
