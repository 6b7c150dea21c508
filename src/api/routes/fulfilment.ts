import { approveOrder } from '../../commands/approve-order.ts'
import { completeOrder } from '../../commands/complete-order.ts'
import type { Api } from '../api.ts'
import { done, orderReference } from '../contract/order.ts'
import { type Route, route, staffRoute } from '../route.ts'

export function fulfilmentRoutes({ shop }: Api): Route[] {
  return [
    route({
      method: 'post',
      path: '/api/process-order',
      summary: 'Deliver what is paid and not reversed. May be repeated.',
      body: orderReference,
      answers: done,
      async handle({ body: { orderId }, caller }) {
        const { position } = await completeOrder(shop, caller, { orderId })
        return { body: { success: true, message: 'Your Pokécoins have been delivered successfully!' }, position }
      },
    }),

    staffRoute({
      method: 'post',
      path: '/api/complete-payment',
      summary: 'Approve an order: it is to be delivered, paid or not.',
      body: orderReference,
      answers: done,
      async handle({ body: { orderId }, caller, session: { adminId } }) {
        const { position, state } = await approveOrder(shop, caller, { orderId, adminId })
        const outcome = state.status === 'completed' ? 'and marked as completed' : 'and is being delivered'
        const message = `Order ${state.placed.orderNumber} has been manually approved ${outcome}.`
        return { body: { success: true, message }, position }
      },
    }),
  ]
}
