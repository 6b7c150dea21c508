import { cancelOrder, choosePaymentMethod, deleteOrder, settleAttention } from '../../commands/order-verbs.ts'
import { placeOrder } from '../../commands/place-order.ts'
import { recordRefund } from '../../commands/record-refund.ts'
import { sendRefund } from '../../commands/send-refund.ts'
import { nowText } from '../../shop/command-context.ts'
import { byBuyerText } from '../../domain/order/buyer-texts.ts'
import { centsFrom, centsToText } from '../../domain/money.ts'
import { statusesOf } from '../../domain/order/standing.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Api } from '../api.ts'
import { viewsAt } from '../as-of/views-at.ts'
import { assertStaff } from '../auth/require-admin.ts'
import {
  orderExport,
  orderExportQuery,
  orderList,
  orderListQuery,
  type ParsedOrderExportQuery,
  type ParsedOrderListQuery,
} from '../contract/order-list-query.ts'
import {
  attentionSettlement,
  order,
  orderChange,
  type OrderCreate,
  orderCreate,
  orderCreated,
  orderDeleteQuery,
  orderId as orderIdSchema,
  orderQuery,
  refundCreate,
  refundSend,
} from '../contract/order.ts'
import { cookieText, COOKIE_LIFETIME_S, PLACED_COOKIE } from '../http/cookies.ts'
import { idempotencyKeyOf } from '../http/idempotency-key.ts'
import { orderDetail, orderDetailAt, orderViews, visibleOrder } from '../mappers/order-answers.ts'
import { readOrderList, readOrderPage } from '../mappers/order-list-page.ts'
import { csvOf } from '../mappers/order-export.ts'
import { placingQueue } from './placing-queue.ts'
import { type Call, type Route, route, type StaffCall, staffRoute } from '../http/route.ts'

export function orderRoutes(api: Api): Route[] {
  return [placingRoute(api), ...buyerRoutes(api), ...listRoutes(api), ...staffRoutes(api)]
}

function placingRoute(api: Api): Route {
  const { context, orderLimit } = api
  const inTurn = placingQueue()
  return route({
    id: 'placeOrder',
    method: 'post',
    path: '/api/orders',
    summary: 'Place an order. A repeat with the same Idempotency-Key returns the existing order.',
    body: orderCreate,
    answers: orderCreated,
    status: 201,
    headers: ['Idempotency-Key'],
    async handle(call) {
      const { body: given, caller, networks } = call
      const request = requestOf(given, idempotencyKeyOf(call))
      const {
        order: placed,
        position,
        isReplay,
      } = await inTurn(request.idempotencyKey, async () =>
        placeOrder(context, caller, request, async (quoted) => orderLimit.take(networks, quoted)),
      )
      const { orderId: id, orderNumber } = placed.placed
      const body = { id, orderNumber, ...statusesOf(placed) }
      const own = { 'Set-Cookie': placedCookie(api, id) }
      return isReplay
        ? { status: 200, body, position, headers: { ...own, 'Idempotent-Replayed': 'true' } }
        : { status: 201, body, position, headers: own }
    },
  })
}

function buyerRoutes(api: Api): Route[] {
  const { context } = api
  return [
    route({
      id: 'getOrder',
      method: 'get',
      path: '/api/orders/:id',
      summary: 'One order; its id grants access. Staff may read it as of a past day.',
      query: orderQuery,
      answers: order,
      async handle(call) {
        const orderId = idOf(call)
        if (call.query.asOf !== undefined) {
          assertStaff(call.sessionCheck)
          const { past } = await viewsAt(api, call, call.query.asOf)
          if (past) return { body: await orderDetailAt(api, orderId, past.reached.position) }
        }
        return { body: await orderDetail(api, orderId, viewerOf(call, orderId)) }
      },
    }),

    route({
      id: 'choosePaymentMethod',
      method: 'patch',
      path: '/api/orders/:id',
      summary: 'Choose the payment method of a pending order.',
      body: orderChange,
      answers: order,
      async handle(call) {
        const orderId = idOf(call)
        const { paymentMethod } = call.body
        const { position } = await choosePaymentMethod(context, call.caller, { orderId, paymentMethod })
        return { body: await orderDetail(api, orderId, { ...viewerOf(call, orderId), isStaff: false }), position }
      },
    }),

    route({
      id: 'cancelOrder',
      method: 'post',
      path: '/api/orders/:id/cancel',
      summary: 'Cancel a pending order, unless money was seen. For staff and the browser that placed it.',
      answers: order,
      async handle(call) {
        const orderId = idOf(call)
        await assertOwn(api, call, orderId)
        const { position } = await cancelOrder(context, call.caller, { orderId })
        return { body: await orderDetail(api, orderId, { ...viewerOf(call, orderId), isStaff: false }), position }
      },
    }),
  ]
}

function listRoutes(api: Api): Route[] {
  const { context } = api
  const sources = { people: api.views, timeZone: api.context.config.SHOP_TIME_ZONE }
  const list = async (call: StaffCall, { asOf, ...query }: ParsedOrderListQuery) => {
    const { views, past } = await viewsAt(api, call, asOf)
    const { orders, ...rest } = await readOrderList({ ...sources, views }, query)
    return { body: { orders: await orderViews(api, orders, { isPast: past !== undefined }), ...rest } }
  }
  const file = async (call: StaffCall, { asOf, ...query }: ParsedOrderExportQuery) => {
    const { views, past } = await viewsAt(api, call, asOf)
    const name = asOf === undefined ? nowText(context).slice(0, 10) : `as-of-${asOf}`
    return csvOf(async (cursor) => {
      const { orders, next } = await readOrderPage(
        { ...sources, views },
        { ...query, limit: 100, ...(cursor !== undefined && { cursor }) },
      )
      return { orders: await orderViews(api, orders, { isPast: past !== undefined }), next }
    }, name)
  }
  const csv = { answers: orderExport, answersType: 'text/csv' } as const
  // A search may hold a buyer's e-mail. A URL would leave it in logs and in the browser's history.
  return [
    staffRoute({
      id: 'listOrders',
      method: 'get',
      path: '/api/orders',
      summary: 'Orders by page, newest first.',
      query: orderListQuery,
      answers: orderList,
      handle: async (call) => list(call, call.query),
    }),

    staffRoute({
      id: 'searchOrders',
      method: 'post',
      path: '/api/admin/order-search',
      summary: 'The same list, with its query in the body, so that no address names a buyer.',
      body: orderListQuery,
      answers: orderList,
      handle: async (call) => list(call, call.body),
    }),

    staffRoute({
      id: 'exportOrders',
      method: 'get',
      path: '/api/orders.csv',
      needs: 'fresh-session',
      summary: 'All orders that a list would show, as CSV.',
      query: orderExportQuery,
      ...csv,
      handle: async (call) => file(call, call.query),
    }),

    staffRoute({
      id: 'exportFoundOrders',
      method: 'post',
      path: '/api/orders.csv',
      needs: 'fresh-session',
      summary: 'The same file, with its query in the body.',
      body: orderExportQuery,
      ...csv,
      handle: async (call) => file(call, call.body),
    }),
  ]
}

function staffRoutes(api: Api): Route[] {
  const { context } = api
  return [
    staffRoute({
      id: 'deleteOrder',
      method: 'delete',
      path: '/api/orders/:id',
      summary: 'Delete an order.',
      query: orderDeleteQuery,
      answers: null,
      async handle(call) {
        const { coinsGiven = null, revision } = call.query
        const { adminId } = call.session
        return deleteOrder(context, call.caller, { orderId: idOf(call), adminId, coinsGiven, revision })
      },
    }),

    staffRoute({
      id: 'settleAttention',
      method: 'post',
      path: '/api/orders/:id/settle-attention',
      summary: 'Mark the causes for attention up to this revision as dealt with, and say what becomes of the money.',
      body: attentionSettlement,
      answers: order,
      async handle(call) {
        const orderId = idOf(call)
        const { adminId } = call.session
        const { position } = await settleAttention(context, call.caller, { orderId, adminId, ...call.body })
        return { body: await orderDetail(api, orderId, { isStaff: true, seesBuyer: true }), position }
      },
    }),

    staffRoute({
      id: 'recordRefund',
      method: 'post',
      path: '/api/orders/:id/refunds',
      summary: 'Record money that staff paid back themselves, as of this revision; nothing is sent.',
      body: refundCreate,
      answers: order,
      headers: ['Idempotency-Key'],
      async handle(call) {
        const orderId = idOf(call)
        const { revision, coinsGiven = null, receiptId = null, whereTo, ...noted } = call.body
        const refund = { ...noted, receiptId, coinsGiven, whereTo: whereTo || null }
        const by = { adminId: call.session.adminId, idempotencyKey: idempotencyKeyOf(call), revision }
        const { position } = await recordRefund(context, call.caller, { orderId, ...by, refund })
        return { body: await orderDetail(api, orderId, { isStaff: true, seesBuyer: true }), position }
      },
    }),

    staffRoute({
      id: 'sendRefund',
      method: 'post',
      path: '/api/orders/:id/send-refund',
      needs: 'fresh-session',
      summary: 'Pay money back through the provider, as of this revision. Without its answer, the refund is under way.',
      body: refundSend,
      answers: order,
      headers: ['Idempotency-Key'],
      async handle(call) {
        const orderId = idOf(call)
        const { revision, coinsGiven = null, amount, ...wish } = call.body
        const refund = { ...wish, amount: centsToText(centsFrom(amount) ?? 0), coinsGiven }
        const by = { adminId: call.session.adminId, idempotencyKey: idempotencyKeyOf(call), revision }
        const { position } = await sendRefund(context, call.caller, { orderId, ...by, refund })
        return { body: await orderDetail(api, orderId, { isStaff: true, seesBuyer: true }), position }
      },
    }),
  ]
}

export function placedCookie({ placedHere, isSecure }: Api, orderId: string): string {
  const path = `/api/orders/${orderId}`
  return cookieText(PLACED_COOKIE, placedHere.sign(orderId), {
    path,
    maxAgeS: COOKIE_LIFETIME_S,
    sameSite: 'Strict',
    isSecure,
  })
}

function requestOf(body: OrderCreate, idempotencyKey: string | undefined) {
  const { marketId, marketIds, pokecoinAmount, totalAmount, paymentMethod } = body
  return {
    idempotencyKey,
    ...byBuyerText((name) => body[name]),
    marketId,
    marketIds: marketIds?.map((given) => ({ marketId: given.marketId, amountM: given.amount })),
    quantityM: pokecoinAmount,
    totalCents: centsFrom(totalAmount),
    paymentMethod: paymentMethod ?? null,
  }
}

/** Only staff and the browser that placed an order see its buyer unmasked. */
function viewerOf(call: Pick<Call, 'session' | 'isPlacedHere'>, orderId: string) {
  const isStaff = call.session !== undefined
  return { isStaff, seesBuyer: isStaff || call.isPlacedHere(orderId) }
}

/** The link of an order is enough to pay it, but not to cancel it. */
async function assertOwn(api: Api, call: Pick<Call, 'session' | 'isPlacedHere'>, orderId: string): Promise<void> {
  if (viewerOf(call, orderId).seesBuyer) return
  await visibleOrder(api, orderId)
  const message = 'Only the browser that placed this order can cancel it. Cancel it there, or contact support.'
  throw new Refusal('order/not-yours', message)
}

/** A malformed id counts as unknown. */
export function idOf(call: Pick<Call, 'param'>): string {
  const id = orderIdSchema.safeParse(call.param('id'))
  if (!id.success) throw new Refusal('order/not-found', 'There is no such order.')
  return id.data
}
