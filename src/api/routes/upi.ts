import { startPayment, type StartedAttempt } from '../../commands/start-payment.ts'
import { centsFrom } from '../../domain/money.ts'
import type { Api } from '../api.ts'
import {
  cashfreeOrder,
  type CashfreeOrder,
  type CryptoPaymentStatus,
  type UpiOrderCreate,
  upiOrder,
  type UpiOrder,
  upiOrderCreate,
} from '../contract/payment.ts'
import { paymentStatusOf } from '../mappers/order-view.ts'
import { findPayment } from './find-payment.ts'
import { type Call, type Route, route } from '../http/route.ts'

/** Both paths use the shop's current UPI gateway. */
export function upiRoutes(api: Api): Route[] {
  return [
    createRoute(api, { id: 'openUpiPayment', path: '/api/upigateway/create-order' }),
    createRoute(api, { id: 'openCashfreeOrder', path: '/api/cashfree/create-order' }),
    route({
      id: 'getCashfreeOrder',
      method: 'get',
      path: '/api/cashfree/order/:id',
      summary: 'The status of a UPI payment, as the shop knows it.',
      answers: cashfreeOrder,
      handle: async (call) => ({ body: statusView(await findPayment(api, call, 'upi')) }),
    }),
  ]
}

function createRoute(api: Api, called: Pick<Route, 'id' | 'path'>): Route {
  return route({
    ...called,
    method: 'post',
    summary: 'Open a UPI payment for an order, or return the open one.',
    body: upiOrderCreate,
    answers: upiOrder,
    async handle({ body, caller, networks }: Call<UpiOrderCreate>) {
      const cents = centsFrom(body.amount)
      const started = await api.callProvider(networks, async () =>
        startPayment(api.context, caller, {
          orderId: body.orderId,
          method: 'upi',
          // Accepts the amount in rupees or dollars.
          isAmountRight: ({ askedMinor, coversCents }) => cents === askedMinor || cents === coversCents,
          phone: body.customerInfo.customerPhone,
        }),
      )
      return { body: upiView(started), position: started.position }
    },
  })
}

function upiView({ attempt: { reference, started } }: StartedAttempt): UpiOrder {
  const { url, intents, payAmount } = started
  return { order_id: reference, payment_url: url ?? '', upi_intent: intents, amount: payAmount }
}

function statusView({ order, attempt }: Pick<StartedAttempt, 'order' | 'attempt'>): CashfreeOrder {
  return {
    order_id: attempt.reference,
    order_status: cashfreeStatusOf[paymentStatusOf(order, attempt)],
    order_amount: attempt.started.payAmount,
  }
}

/** Cashfree's statuses. */
const cashfreeStatusOf: Record<CryptoPaymentStatus, CashfreeOrder['order_status']> = {
  waiting: 'ACTIVE',
  confirming: 'ACTIVE',
  confirmed: 'ACTIVE',
  sending: 'ACTIVE',
  partially_paid: 'ACTIVE',
  finished: 'PAID',
  failed: 'TERMINATED',
  refunded: 'TERMINATED',
  expired: 'EXPIRED',
}
