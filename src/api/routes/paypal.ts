import { capturePayment } from '../../commands/capture-payment.ts'
import { assertMethodOn, currentProvider } from '../../shop/providers.ts'
import { startPayment } from '../../commands/start-payment.ts'
import { centsFrom } from '../../domain/money.ts'
import type { Attempt } from '../../domain/order/order-state.ts'
import type { Api } from '../api.ts'
import {
  paypalCapture,
  type PaypalCaptured,
  paypalCaptured,
  paypalOrder,
  paypalOrderCreate,
  paypalSetup,
} from '../contract/payment.ts'
import { visibleOrder } from '../mappers/order-answers.ts'
import { type Route, route } from '../http/route.ts'

export function paypalRoutes(api: Api): Route[] {
  const { context, payments } = api
  const sandbox = payments.kind === 'sandbox'
  return [
    route({
      id: 'openPaypalOrder',
      method: 'post',
      path: '/api/paypal/order',
      summary: 'Open a wallet payment for an order, or return the open one.',
      body: paypalOrderCreate,
      answers: paypalOrder,
      async handle({ body, caller, networks }) {
        const { attempt, position } = await api.callProvider(networks, async () =>
          startPayment(context, caller, {
            orderId: body.orderId,
            method: 'paypal',
            isAmountRight: ({ askedMinor }) => centsFrom(body.amount) === askedMinor,
          }),
        )
        return { body: { id: attempt.started.paymentId, sandbox }, position }
      },
    }),

    route({
      id: 'capturePaypalOrder',
      method: 'post',
      path: '/api/paypal/order/:id/capture',
      summary: 'Capture the money that the payer has approved.',
      body: paypalCapture,
      answers: paypalCaptured,
      async handle(call) {
        const { orderId } = call.body
        const paymentId = call.param('id')
        const { attempt, position } = await api.callProvider(call.networks, async () => {
          await visibleOrder(api, orderId)
          return capturePayment(context, call.caller, { orderId, paymentId })
        })
        return { body: { id: paymentId, status: captureStatus(attempt) }, position }
      },
    }),

    route({
      id: 'getPaypalSetup',
      method: 'get',
      path: '/api/paypal/setup',
      summary: "What the wallet's script in the browser needs.",
      answers: paypalSetup,
      async handle({ networks }) {
        assertMethodOn(context, 'paypal')
        const provider = currentProvider(context, 'paypal')
        const clientToken = (await api.callProvider(networks, async () => provider?.clientToken?.())) ?? ''
        const scriptUrl = provider?.scriptUrl
        return { body: { clientToken, sandbox, ...(scriptUrl !== undefined && { scriptUrl }) } }
      },
    }),
  ]
}

function captureStatus({ money }: Attempt): PaypalCaptured['status'] {
  if (money.kind === 'received') return 'COMPLETED'
  return money.kind === 'failed' ? 'DECLINED' : 'PENDING'
}
