import type autocannon from 'autocannon'

/** Every order of a load: one million at the settings of a new shop. */
const QUANTITY_M = 1
const TOTAL = '0.05'

export const JSON_HEADERS = { 'content-type': 'application/json' }

let buyers = 0

/** An order by a new buyer. */
export function orderBody(): string {
  buyers += 1
  const buyer = `${process.pid.toString(36)}-${buyers}`
  return JSON.stringify({
    customerEmail: `${buyer}@example.test`,
    discordUsername: `buyer-${buyer}`,
    marketId: '12345678',
    pokecoinAmount: QUANTITY_M,
    totalAmount: TOTAL,
    paymentMethod: 'crypto',
  })
}

/** What one connection keeps from one request to the next. */
interface Walk {
  orderId?: string
}

/** POST /api/orders, each by a new buyer; the ids of acknowledged orders are added to `acknowledged`. */
export function placing(acknowledged: string[]): autocannon.Request {
  return {
    method: 'POST',
    path: '/api/orders',
    headers: JSON_HEADERS,
    setupRequest: (request) => ({ ...request, body: orderBody() }),
    onResponse(status, body, context: Walk) {
      if (status !== 201) return
      const orderId = orderIdIn(body)
      context.orderId = orderId
      acknowledged.push(orderId)
    },
  }
}

/** Starts the crypto payment of the order that this connection has just placed. */
export const payingByCrypto: autocannon.Request = {
  method: 'POST',
  path: '/api/crypto/create-payment',
  headers: JSON_HEADERS,
  setupRequest: (request, { orderId }: Walk) => ({
    ...request,
    body: JSON.stringify({ orderId: orderId ?? '', amount: TOTAL, currency: 'usd', payCurrency: 'ltc' }),
  }),
}

/** By a regular expression: parsing every answer would take processor time from the server under load. */
export function orderIdIn(body: string): string {
  const found = /"id":"([^"]+)"/.exec(body)?.[1]
  if (found === undefined) throw new Error(`an answer without an order's id: ${body.slice(0, 200)}`)
  return found
}
