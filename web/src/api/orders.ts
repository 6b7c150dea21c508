import type { Order, OrderCreate, OrderCreated, PaymentMethod } from '#contract/order.ts'
import { mutate } from 'swr'
import { get, patch, post } from './client.ts'
import { usePolled } from './swr.tsx'

export const ORDER_STATUS_EVERY_MS = 5_000
export const ORDER_PAYMENT_EVERY_MS = 3_000

export const orderKey = (orderId: string) => `/api/orders/${encodeURIComponent(orderId)}`

export const useOrder = (orderId: string | undefined, everyMs = ORDER_STATUS_EVERY_MS) =>
  usePolled<Order>(orderId === undefined || orderId === '' ? null : orderKey(orderId), everyMs)

export const refreshOrder = async (orderId: string) =>
  mutate<Order>(orderKey(orderId), get<Order>(orderKey(orderId)), { revalidate: false })

export const placeOrder = async (body: OrderCreate, idempotencyKey: string) =>
  post<OrderCreated>('/api/orders', body, { headers: { 'Idempotency-Key': idempotencyKey } })

export async function choosePaymentMethod(orderId: string, paymentMethod: PaymentMethod): Promise<void> {
  try {
    await patch(orderKey(orderId), { paymentMethod })
  } catch (error) {
    // The order may have ended.
    void refreshOrder(orderId).catch(() => undefined)
    throw error
  }
  await refreshOrder(orderId)
}

export async function cancelOrder(orderId: string): Promise<void> {
  await post(`${orderKey(orderId)}/cancel`, {})
}

/** Shows an order unmasked in this browser, by the token of a mailed link. */
export async function openOrder(orderId: string, token: string): Promise<void> {
  await post(`${orderKey(orderId)}/open`, { token })
  await refreshOrder(orderId)
}

/** Asks for a mail with the links of the orders of an address. */
export async function findOrder(customerEmail: string): Promise<void> {
  await post('/api/find-order', { customerEmail })
}

/** Staff approved it for less than its total. */
export function isByStaff({ situation }: Pick<Order, 'situation'>): boolean {
  return situation === 'approved' || situation === 'delivered'
}
