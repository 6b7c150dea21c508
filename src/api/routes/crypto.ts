import { paidCents } from '../../domain/order/order-money.ts'
import { sightingOf } from '../../domain/order/order-state.ts'
import { amountDue } from '../../domain/decimal.ts'
import type { CryptoRates } from '../../payments/payment-provider.ts'
import { startPayment, type StartedAttempt } from '../../commands/start-payment.ts'
import { assertMethodOn, currentProvider } from '../../shop/providers.ts'
import type { CommandContext } from '../../shop/command-context.ts'
import { centsFrom } from '../../domain/money.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Api } from '../api.ts'
import {
  cryptoCurrencies,
  cryptoEstimate,
  cryptoMinimum,
  cryptoPairQuery,
  type CryptoPayment,
  cryptoPayment,
  cryptoPaymentCreate,
} from '../contract/payment.ts'
import { paymentStatusOf } from '../mappers/order-view.ts'
import { findPayment } from './find-payment.ts'
import { type Route, route } from '../http/route.ts'

export function cryptoRoutes(api: Api): Route[] {
  const { context } = api
  const rates = ratesOf(context)
  return [
    route({
      id: 'openCryptoPayment',
      method: 'post',
      path: '/api/crypto/create-payment',
      summary: 'Open a crypto payment for an order, or return the open one.',
      body: cryptoPaymentCreate,
      answers: cryptoPayment,
      async handle({ body, caller, networks }) {
        const { orderId, payCurrency, replaces } = body
        const started = await api.callProvider(networks, async () =>
          startPayment(context, caller, {
            orderId,
            method: 'crypto',
            isAmountRight: ({ askedMinor }) => centsFrom(body.amount) === askedMinor,
            payCurrency,
            replaces,
          }),
        )
        return { body: cryptoView(started), position: started.position }
      },
    }),

    route({
      id: 'getCryptoPayment',
      method: 'get',
      path: '/api/crypto/status/:id',
      summary: 'The status of a crypto payment, as the shop knows it.',
      answers: cryptoPayment,
      handle: async (call) => ({ body: cryptoView(await findPayment(api, call, 'crypto')) }),
    }),

    route({
      id: 'listCoins',
      method: 'get',
      path: '/api/crypto/currencies',
      summary: 'Coins that the shop accepts.',
      answers: cryptoCurrencies,
      async handle({ networks }) {
        const currencies = await api.callProvider(networks, async () => rates().currencies())
        return { body: { currencies } }
      },
    }),

    route({
      id: 'estimateCrypto',
      method: 'get',
      path: '/api/crypto/estimate',
      summary: 'What an amount is worth in another currency.',
      query: cryptoPairQuery,
      answers: cryptoEstimate,
      async handle({ query, networks }) {
        const { amount, currency_from, currency_to } = query
        const from = { amount, currency: currency_from }
        const estimated_amount = await api.callProvider(networks, async () => rates().estimate(from, currency_to))
        return { body: { currency_from, amount_from: Number(amount), currency_to, estimated_amount } }
      },
    }),

    route({
      id: 'getCryptoMinimum',
      method: 'get',
      path: '/api/crypto/min-amount',
      summary: 'The smallest amount that can be paid.',
      query: cryptoPairQuery,
      answers: cryptoMinimum,
      async handle({ query: { currency_from, currency_to }, networks }) {
        const min_amount = await api.callProvider(networks, async () => rates().minAmount(currency_from, currency_to))
        return { body: { currency_from, currency_to, min_amount } }
      },
    }),
  ]
}

function ratesOf(context: CommandContext): () => CryptoRates {
  return () => {
    assertMethodOn(context, 'crypto')
    const rates = currentProvider(context, 'crypto')?.rates
    if (!rates) throw new Refusal('payment/method-off', 'This payment method is currently unavailable.')
    return rates
  }
}

function cryptoView({ order, attempt }: Pick<StartedAttempt, 'order' | 'attempt'>): CryptoPayment {
  const { address, memo, payAmount, payCurrency, network, quoteExpiresAt, paymentExpiresAt } = attempt.started
  const { coversCents } = attempt
  const dueCents = Math.max(0, Math.min(coversCents, order.placed.totalCents - paidCents(order)))
  return {
    payment_id: attempt.reference,
    pay_address: address ?? '',
    pay_amount: payAmount,
    pay_currency: payCurrency,
    payment_status: paymentStatusOf(order, attempt),
    network,
    memo: memo ?? null,
    amount_due: amountDue({ coversCents, askedAmount: payAmount }, dueCents),
    actually_paid: sightingOf(attempt)?.amountPaid ?? null,
    quote_expires_at: quoteExpiresAt ?? null,
    expires_at: paymentExpiresAt,
  }
}
