import { quoteBy } from '../commands/quote-order.ts'
import { centsToText } from '../domain/money.ts'
import { DEFAULT_SETTINGS } from '../domain/settings/settings.ts'

export const ADMIN_PASSWORD = 'a long password for the test'
const ANSWER_MS = 30_000

export interface Answer<Body = Record<string, unknown>> {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Body
}

interface BuyerCall {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a request over its own connection, so that a crashed server breaks only this one. If it rejects, the server may have done the work. */
export async function ask(
  url: string,
  method: string,
  path: string,
  { body, headers }: BuyerCall = {},
): Promise<Answer> {
  const response = await fetch(new URL(path, url), {
    method,
    headers: { connection: 'close', ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_MS),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: (isJson ? JSON.parse(text) : {}) as Record<string, unknown>,
  }
}

/** Orders this many millions at the opening prices, with a new Idempotency-Key. */
export async function placeOrder(url: string, buyer: string, quantity = 1): Promise<Answer> {
  return ask(url, 'POST', '/api/orders', {
    body: {
      customerEmail: `${buyer}@example.test`,
      discordUsername: buyer,
      marketId: '12345678',
      pokecoinAmount: quantity,
      totalAmount: priceOf(quantity),
      paymentMethod: 'crypto',
    },
    headers: { 'idempotency-key': `order-${buyer}` },
  })
}

/** Starts a payment, which the sandbox then pays. */
export async function startPayment(url: string, orderId: string, quantity = 1): Promise<Answer> {
  return ask(url, 'POST', '/api/crypto/create-payment', {
    body: { amount: priceOf(quantity), currency: 'usd', orderId, payCurrency: 'ltc' },
  })
}

export function priceOf(quantity: number): string {
  return centsToText(quoteBy(DEFAULT_SETTINGS, quantity).totalCents)
}

/** Headers of the owner's session. */
export async function asOwner(url: string): Promise<Record<string, string>> {
  const login = await ask(url, 'POST', '/api/admin/login', {
    body: { email: 'owner@localhost', password: ADMIN_PASSWORD },
  })
  if (login.status !== 200) throw new Error(`the owner cannot log in: ${login.status}`)
  return { authorization: `Bearer ${String(login.body['token'])}` }
}

export async function setStock(url: string, stock: number): Promise<void> {
  const headers = await asOwner(url)
  const changed = await ask(url, 'PATCH', '/api/payment-settings', { body: { currentStock: stock }, headers })
  if (changed.status !== 200) throw new Error(`the stock cannot be set: ${changed.status}`)
}
