import { createHmac } from 'node:crypto'
import { CALL_TIMEOUT_MINUTES } from '../domain/order/deadline.ts'
import type { DeliveryCall } from '../commands/deliver-order.ts'
import type { Clock } from '../ports/clock-and-random.ts'

/** The bot did not confirm that it gave the coins; it may have given them. */
export class DeliveryUnanswered extends Error {
  override readonly name = 'DeliveryUnanswered'
}

/**
 * Asks the owner's bot to give the coins: a POST signed as Standard Webhooks has it (`webhook-id`, `webhook-timestamp`, `webhook-signature: v1,...`;
 * standardwebhooks.com), with the order's id as `Idempotency-Key`. Any 2xx means that they were given.
 */
export function deliveryCall(target: { url: string; secret: string; clock: Clock; timeoutMs?: number }): DeliveryCall {
  const { timeoutMs = CALL_TIMEOUT_MINUTES * 60_000 } = target
  return async (delivery) => {
    const { orderId, orderNumber, quantityM, discordUsername } = delivery
    const marketIds = delivery.marketIds.map(({ marketId, amountM }) => ({ marketId, amount: amountM }))
    const body = JSON.stringify({ type: 'order.deliver', orderId, orderNumber, quantityM, marketIds, discordUsername })
    const timestamp = String(Math.floor(target.clock.now() / 1000))
    const answer = await send(target.url, {
      method: 'POST',
      redirect: 'error',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': orderId,
        'webhook-id': orderId,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature(target.secret, `${orderId}.${timestamp}.${body}`)}`,
      },
      body,
      signal: AbortSignal.timeout(timeoutMs),
    })
    await answer.body?.cancel()
    if (!answer.ok) throw new DeliveryUnanswered(`the delivery webhook answered ${answer.status}`)
  }
}

async function send(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request)
  } catch (error) {
    throw new DeliveryUnanswered(
      `the delivery webhook cannot be reached: ${error instanceof Error ? error.message : 'no reason given'}`,
    )
  }
}

/** `whsec_<base64>` is decoded to bytes; any other secret is used as text. */
function signature(secret: string, text: string): string {
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret
  return createHmac('sha256', key).update(text).digest('base64')
}
