import { approveOrder } from '../../commands/approve-order.ts'
import { markDelivered } from '../../commands/order-verbs.ts'
import { wordsOf } from '../../shop/shop-facts.ts'
import { Refusal } from '../../domain/refusal.ts'
import { listToDeliver, listWaitingForStock } from '../../projections/to-deliver.ts'
import type { Api } from '../api.ts'
import { viewsAt } from '../as-of/views-at.ts'
import { assertStaff } from '../auth/require-admin.ts'
import { done, handOver, orderReference, pageAsOfQuery, toDeliverList, waitingList } from '../contract/order.ts'
import { orderViews, visibleOrder } from '../mappers/order-answers.ts'
import { type Route, route, sentenceBody, staffRoute } from '../http/route.ts'

export function fulfilmentRoutes(api: Api): Route[] {
  const { context } = api
  const delivered = () => sentenceBody(`Your ${wordsOf(context).deliveredCoins} have been delivered successfully!`)
  return [
    route({
      id: 'handOverOrder',
      method: 'post',
      path: '/api/process-order',
      summary: 'Staff: mark an order that is paid and not reversed as delivered. Others: check whether it is.',
      body: handOver,
      answers: done,
      async handle({ body, caller, sessionCheck }) {
        if (sessionCheck.hasToken) {
          assertStaff(sessionCheck)
          const { position } = await markDelivered(context, { ...caller, actor: 'staff' }, body)
          return { body: delivered(), position }
        }
        const { life } = await visibleOrder(api, body.orderId)
        if (life.kind !== 'completed') throw new Refusal('order/not-delivered', 'This order is not delivered yet.')
        return { body: delivered() }
      },
    }),

    staffRoute({
      id: 'listOrdersToDeliver',
      method: 'get',
      path: '/api/admin/to-deliver',
      summary: 'Orders that staff must deliver, longest ready first.',
      query: pageAsOfQuery,
      answers: toDeliverList,
      async handle(call) {
        const { views, past } = await viewsAt(api, call, call.query.asOf)
        const { orders, ...rest } = await listToDeliver(views, call.query)
        return { body: { orders: await orderViews(api, orders, { isPast: past !== undefined }), ...rest } }
      },
    }),

    staffRoute({
      id: 'listOrdersWaitingForStock',
      method: 'get',
      path: '/api/admin/waiting-for-stock',
      summary: 'Paid orders whose coins are not in stock, in the order of payment.',
      query: pageAsOfQuery,
      answers: waitingList,
      async handle(call) {
        const { views, past } = await viewsAt(api, call, call.query.asOf)
        const { orders, quantityM, ...rest } = await listWaitingForStock(views, call.query)
        const shown = await orderViews(api, orders, { isPast: past !== undefined })
        return { body: { orders: shown, pokecoins: quantityM, ...rest } }
      },
    }),

    staffRoute({
      id: 'approveOrder',
      method: 'post',
      path: '/api/complete-payment',
      summary: 'Approve an order, paid or not: its coins were given, or by webhook the bot will give them.',
      body: orderReference,
      answers: done,
      async handle({ body: { orderId }, caller, session: { adminId } }) {
        const { position, state } = await approveOrder(context, caller, { orderId, adminId })
        const outcome = state.life.kind === 'completed' ? 'and marked as completed' : 'and is being delivered'
        const message = `Order ${state.placed.orderNumber} has been manually approved ${outcome}.`
        return { body: sentenceBody(message), position }
      },
    }),
  ]
}
