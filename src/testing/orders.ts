import { PLACED_COOKIE } from '../api/http/cookies.ts'
import type { HttpClient } from './http-client.ts'

/** A buyer's request for this many millions, at the default prices. */
export function orderBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    customerEmail: 'ash@example.com',
    discordUsername: 'ash',
    marketId: '12345678',
    pokecoinAmount: 50,
    totalAmount: '2.25',
    ...changes,
  }
}

/** Places an order; returns its id. */
export async function placedBy(client: Pick<HttpClient, 'post'>, changes?: Record<string, unknown>): Promise<string> {
  const { status, body, text } = await client.post('/api/orders', orderBody(changes))
  if (status !== 201) throw new Error(`the order was not placed: ${status} ${text}`)
  return String(body['id'])
}

/** The cookie of the browser that placed an order, from the answer. */
export function placedHere({ headers }: { headers: Headers }) {
  const cookie = headers.getSetCookie().find((one) => one.startsWith(`${PLACED_COOKIE}=`))
  return { headers: { Cookie: cookie?.split(';')[0] ?? '' } }
}

/** An order id that is not in the log. */
export const MISSING = '00000000-0000-4000-8000-000000000000'
