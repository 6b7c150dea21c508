import { setTimeout as pause } from 'node:timers/promises'
import pLimit from 'p-limit'
import { priceOf } from '../src/testing/buyers.ts'

/** Buyers at the same time. */
const BUYERS = 16
/** The sweep, once a second, asks the sandbox, which pays at once. */
const CHECKED_MS = 1_500
const LOOKS_MAX = 40

/** Opens a payment of each order and waits until all are delivered: on every shop with the same requests, unless the machine is very busy. */
export async function payAll(url: string, orderIds: readonly string[]): Promise<void> {
  const inTurn = pLimit(BUYERS)
  await inTurn.map(orderIds, async (orderId) => {
    const asked = { orderId, amount: priceOf(1), currency: 'usd', payCurrency: 'ltc' }
    const headers = { 'content-type': 'application/json' }
    await answerOf(`${url}/api/crypto/create-payment`, { method: 'POST', headers, body: JSON.stringify(asked) })
  })
  let unpaid = orderIds
  for (let look = 0; look < LOOKS_MAX && unpaid.length > 0; look += 1) {
    await pause(CHECKED_MS)
    const answers = await inTurn.map(unpaid, async (orderId) => answerOf(`${url}/api/orders/${orderId}`))
    unpaid = unpaid.filter((_, at) => answers[at]?.includes('"status":"completed"') !== true)
  }
  if (unpaid.length > 0) throw new Error(`${unpaid.length} of ${orderIds.length} orders are not delivered`)
}

async function answerOf(address: string, request?: RequestInit): Promise<string> {
  const answer = await fetch(address, request)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${address} answers ${answer.status}: ${text}`)
  return text
}
