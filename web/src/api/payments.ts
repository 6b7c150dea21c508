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
import { get, post } from './client.ts'

export const createPaypalOrder = async (body: PaypalOrderCreate) => post<PaypalOrder>('/api/paypal/order', body)

export const capturePaypalOrder = async (paypalId: string, orderId: string) =>
  post<PaypalCaptured>(`/api/paypal/order/${encodeURIComponent(paypalId)}/capture`, { orderId })

export const fetchPaypalSetup = async () => get<PaypalSetup>('/api/paypal/setup')

export const createCryptoPayment = async (body: CryptoPaymentCreate) =>
  post<CryptoPayment>('/api/crypto/create-payment', body)

export const cryptoStatusKey = (paymentId: string) => `/api/crypto/status/${encodeURIComponent(paymentId)}`

export const cryptoCurrenciesKey = '/api/crypto/currencies'

export const createUpiOrder = async (body: UpiOrderCreate) => post<UpiOrder>('/api/upigateway/create-order', body)
