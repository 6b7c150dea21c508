import { openedOrders } from '../../shop/read-history.ts'
import { requestLostOrders } from '../../shop/lost-orders.ts'
import { mailsBuyers } from '../../shop/message-notes.ts'
import { orderLinks } from '../../shop/order-links.ts'
import { Refusal } from '../../domain/refusal.ts'
import { withoutKeys } from '../../ports/one-line.ts'
import type { Api } from '../api.ts'
import { done, order as orderAnswer, orderFinding, orderOpening } from '../contract/order.ts'
import { type Route, route, sentenceBody } from '../http/route.ts'
import { orderDetail, visibleOrder } from '../mappers/order-answers.ts'
import { idOf, placedCookie } from './orders.ts'

/** Searches that run after their answers; more are dropped. */
const SEARCHES_MAX = 50

/** For buyers who come back in another browser, by a link that the shop mailed. */
export function lostOrderRoutes(api: Api): Route[] {
  const { context } = api
  const links = orderLinks(context.keys, context.config.PUBLIC_URL)
  let searches = 0

  /** After the answer, which so takes as long for a stranger as for a buyer. */
  async function search(email: string): Promise<void> {
    if (searches >= SEARCHES_MAX) return
    searches += 1
    try {
      if (await mailsBuyers(context)) await requestLostOrders(context, email)
    } catch (error) {
      api.logger.warn({ error: withoutKeys(String(error)) }, 'a search for lost orders failed')
    } finally {
      searches -= 1
    }
  }

  return [
    route({
      id: 'findOrder',
      method: 'post',
      path: '/api/find-order',
      summary:
        'Mail the links of the orders of this e-mail address, if money was seen for any. The answer never says so.',
      body: orderFinding,
      answers: done,
      async handle({ body, networks }) {
        await api.findLimit.consume(networks)
        setImmediate(() => void search(body.customerEmail))
        return { body: sentenceBody('If a payment was seen for an order of this address, its link is on the way.') }
      },
    }),

    route({
      id: 'openOrder',
      method: 'post',
      path: '/api/orders/:id/open',
      summary: 'Show an order unmasked in this browser, by the token of a link that the shop mailed.',
      body: orderOpening,
      answers: orderAnswer,
      async handle(call) {
        const orderId = idOf(call)
        if (!links.opens(orderId, call.body.token, context.clock.now())) throw linkEnded()
        const order = await visibleOrder(api, orderId)
        const [opened] = await openedOrders(context, [order])
        if (opened?.opened.buyer === 'erased') throw linkEnded()
        return {
          body: await orderDetail(api, orderId, { isStaff: false, seesBuyer: true }),
          headers: { 'Set-Cookie': placedCookie(api, orderId) },
        }
      },
    }),
  ]
}

function linkEnded(): Refusal {
  return new Refusal(
    'order/link-ended',
    'This link has ended. Ask for a new one: find your order by its e-mail address.',
  )
}
