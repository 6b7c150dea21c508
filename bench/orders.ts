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

/** POST /api/orders, each by a new buyer; the ids of acknowledged orders are added to `acknowledged`. */
export function placing(acknowledged: string[]): autocannon.Request {
  return {
    method: 'POST',
    path: '/api/orders',
    headers: JSON_HEADERS,
    setupRequest: (request) => ({ ...request, body: orderBody() }),
    onResponse(status, body) {
      if (status === 201) acknowledged.push(orderIdIn(body))
    },
  }
}

/** By a regular expression: parsing every answer would take processor time from the server under load. */
export function orderIdIn(body: string): string {
  const found = /"id":"([^"]+)"/.exec(body)?.[1]
  if (found === undefined) throw new Error(`an answer without an order's id: ${body.slice(0, 200)}`)
  return found
}
