import type { Order, OrderCreate, OrderCreated, PaymentMethod } from '#contract/order.ts'
import { feeCentsOf } from '#pricing'
import { mutate } from 'swr'
import { centsOf } from '../lib/format.ts'
import { get, patch, post } from './client.ts'
import { usePolled } from './swr.tsx'
import type {
  CryptoPayment,
  CryptoPaymentCreate,
  PaypalCaptured,
  PaypalOrder,
  PaypalOrderCreate,
  PaypalSetup,
  UpiOrder,
  UpiOrderCreate,
} from '#contract/payment.ts'

export const ORDER_STATUS_EVERY_MS = 5_000
export const ORDER_PAYMENT_EVERY_MS = 3_000

export const orderKey = (orderId: string) => `/api/orders/${encodeURIComponent(orderId)}`

export const useOrder = (orderId: string | undefined, everyMs = ORDER_STATUS_EVERY_MS) =>
  usePolled<Order>(orderId === undefined || orderId === '' ? null : orderKey(orderId), everyMs)

/** If it fails, the next poll shows the order. */
export const refreshOrder = async (orderId: string) =>
  mutate<Order>(orderKey(orderId), get<Order>(orderKey(orderId)), { revalidate: false }).catch(() => undefined)

export const placeOrder = async (body: OrderCreate, idempotencyKey: string) =>
  post<OrderCreated>('/api/orders', body, { headers: { 'Idempotency-Key': idempotencyKey } })

export async function choosePaymentMethod(orderId: string, paymentMethod: PaymentMethod): Promise<void> {
  try {
    await patch(orderKey(orderId), { paymentMethod })
  } finally {
    // After a refusal, the order may have ended.
    await refreshOrder(orderId)
  }
}

export async function cancelOrder(orderId: string): Promise<void> {
  await post(`${orderKey(orderId)}/cancel`, {})
}

/** Shows an order unmasked in this browser, by the token of a mailed link. */
export async function openOrder(orderId: string, token: string): Promise<void> {
  await mutate<Order>(orderKey(orderId), post<Order>(`${orderKey(orderId)}/open`, { token }), { revalidate: false })
}

/** Asks for a mail with the links of the orders of an address. */
export async function findOrder(customerEmail: string): Promise<void> {
  await post('/api/find-order', { customerEmail })
}

/** Staff approved it for less than its total. */
export function isByStaff({ situation }: Pick<Order, 'situation'>): boolean {
  return situation === 'approved' || situation === 'delivered'
}

/** What the buyer paid on top of the price, else what the chosen method adds. */
export function feeCentsIn({ paid, paymentMethod }: Pick<Order, 'paid' | 'paymentMethod'>): number {
  if (paid !== null) return centsOf(paid.fee)
  return paymentMethod === null ? 0 : feeCentsOf(paymentMethod)
}

export const createPaypalOrder = async (body: PaypalOrderCreate) => post<PaypalOrder>('/api/paypal/order', body)

export const capturePaypalOrder = async (paypalId: string, orderId: string) =>
  post<PaypalCaptured>(`/api/paypal/order/${encodeURIComponent(paypalId)}/capture`, { orderId })

export const fetchPaypalSetup = async () => get<PaypalSetup>('/api/paypal/setup')

export const createCryptoPayment = async (body: CryptoPaymentCreate) =>
  post<CryptoPayment>('/api/crypto/create-payment', body)

export const cryptoStatusKey = (paymentId: string) => `/api/crypto/status/${encodeURIComponent(paymentId)}`

export const cryptoCurrenciesKey = '/api/crypto/currencies'

export const createUpiOrder = async (body: UpiOrderCreate) => post<UpiOrder>('/api/upigateway/create-order', body)
