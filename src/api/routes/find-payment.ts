import { readOrder } from '../../shop/handle-order.ts'
import type { StartedAttempt } from '../../commands/start-payment.ts'
import { isDeleted, type PlacedOrder } from '../../domain/order/order-state.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { PaymentMethod } from '../../domain/payment-methods.ts'
import type { Api } from '../api.ts'
import type { Call } from '../http/route.ts'

type Started = Pick<StartedAttempt, 'order' | 'attempt'>

/** Finds a started payment by our reference, in its order's own stream. */
export async function findPayment(
  { context }: Pick<Api, 'context'>,
  call: Pick<Call, 'param'>,
  method: PaymentMethod,
): Promise<Started> {
  const id = call.param('id')
  const referred = context.keys.referred(id)
  const order = referred && (await readOrder(context, referred.orderId)).state
  const found = order?.kind === 'placed' && !isDeleted(order) ? startedIn(order, id, method) : undefined
  if (!found) throw new Refusal('payment/unknown', 'There is no such payment.')
  return found
}

function startedIn(order: PlacedOrder, id: string, method: PaymentMethod): Started | undefined {
  for (const attempt of order.attempts) {
    const { started, reference } = attempt
    if (attempt.method === method && started && reference === id) return { order, attempt: { ...attempt, started } }
  }
  return undefined
}
