import type autocannon from 'autocannon'

/** What every order of a load is: one million by the settings of a new shop. */
const QUANTITY_M = 1
export const TOTAL = '0.05'
/** The same by wallet, with its fee. */
const WALLET_TOTAL = '0.45'

let buyers = 0

/** The next buyer's order; no two loads have a buyer in common. */
export function orderBody(paymentMethod: 'crypto' | 'paypal' = 'crypto'): string {
  buyers += 1
  const buyer = `${process.pid.toString(36)}-${buyers}`
  return JSON.stringify({
    customerEmail: `${buyer}@example.test`,
    discordUsername: `buyer-${buyer}`,
    marketId: '12345678',
    pokecoinAmount: QUANTITY_M,
    totalAmount: TOTAL,
    paymentMethod,
  })
}

const JSON_HEADERS = { 'content-type': 'application/json' }

interface Walk {
  orderId?: string
}

/** POST /api/orders, each by another buyer. The id of every order that was acknowledged goes to `onPlaced`. */
export function placing(onPlaced: (orderId: string) => void, paymentMethod?: 'crypto' | 'paypal'): autocannon.Request {
  return {
    method: 'POST',
    path: '/api/orders',
    headers: JSON_HEADERS,
    setupRequest: (request) => ({ ...request, body: orderBody(paymentMethod) }),
    onResponse(status, body, context: Walk) {
      if (status !== 201) return
      const orderId = idIn(body, 'id')
      context.orderId = orderId
      onPlaced(orderId)
    },
  }
}

/** Opens the crypto payment of the order that this connection has just placed. */
export const payingByCrypto: autocannon.Request = {
  method: 'POST',
  path: '/api/crypto/create-payment',
  headers: JSON_HEADERS,
  setupRequest: (request, { orderId }: Walk) => ({ ...request, body: cryptoPaymentBody(orderId ?? '') }),
}

export function cryptoPaymentBody(orderId: string): string {
  return JSON.stringify({ orderId, amount: TOTAL, currency: 'usd', payCurrency: 'ltc' })
}

export interface WalletPayment {
  readonly orderId: string
  readonly paymentId: string
}

/** Opens the wallet payment of the order that this connection has just placed. */
export function payingByWallet(onOpened: (payment: WalletPayment) => void): autocannon.Request {
  return {
    method: 'POST',
    path: '/api/paypal/order',
    headers: JSON_HEADERS,
    setupRequest: (request, { orderId }: Walk) => ({
      ...request,
      body: JSON.stringify({ orderId, amount: WALLET_TOTAL }),
    }),
    onResponse(status, body, { orderId }: Walk) {
      if (status === 200 && orderId !== undefined) onOpened({ orderId, paymentId: idIn(body, 'id') })
    },
  }
}

/** Takes the money of one wallet payment after another. */
export function capturing(payments: readonly WalletPayment[]): autocannon.Request {
  let taken = 0
  return {
    method: 'POST',
    headers: JSON_HEADERS,
    setupRequest(request) {
      const payment = payments[taken % payments.length]
      taken += 1
      if (!payment) throw new Error('there are payments to capture')
      const { orderId, paymentId } = payment
      return { ...request, path: `/api/paypal/order/${paymentId}/capture`, body: JSON.stringify({ orderId }) }
    },
  }
}

/** Gives back what one open order after another holds. */
export function cancelling(orderIds: readonly string[]): autocannon.Request {
  let cancelled = 0
  return {
    method: 'POST',
    setupRequest(request) {
      const orderId = orderIds[cancelled % orderIds.length]
      cancelled += 1
      return { ...request, path: `/api/orders/${orderId}/cancel` }
    },
  }
}

/** Cheaper than to parse every answer beside the server that is measured. */
export function idIn(body: string, name: string): string {
  const found = new RegExp(`"${name}":"([^"]+)"`).exec(body)?.[1]
  if (found === undefined) throw new Error(`an answer without ${name}: ${body.slice(0, 200)}`)
  return found
}
