import { expect, it } from 'vitest'
import {
  moneyIn,
  type PaymentProvider,
  type PaymentReport,
  ProviderAway,
  unlessAway,
} from '../payments/payment-provider.ts'
import { receiptStream } from '../shop/keys.ts'
import type { CommandContext } from '../shop/command-context.ts'
import { checkPaymentsOf } from './check-payment.ts'
import { cancelOrder } from './order-verbs.ts'
import { startPayment } from './start-payment.ts'
import { takePaymentNews } from './take-payment-news.ts'
import { paymentRequest, reportOf, testShop, type TestShop, throws } from '../testing/test-shop.ts'

/** A gateway that knows payments by our reference, as both UPI gateways do. */
function byReference(test: TestShop, report: PaymentReport): CommandContext {
  const upi: PaymentProvider = {
    ...test.providers.upi,
    isKnownByReference: true,
    check: async () => report,
    find: async (paymentId) => ({ reference: paymentId, money: moneyIn(report, { paymentId, payCurrency: 'INR' }) }),
  }
  return { ...test.context, providers: { ...test.context.providers, upi: [upi] } }
}

const seen = { ...reportOf('confirmed'), amountPaid: '10.00' }
const stray = { ...reportOf('waiting'), strays: [{ receiptId: 'utr-1', amount: '10.00', currency: 'USD' }] }

it.for([
  ['seen', seen, 'PaymentSeen'],
  ['in another coin', stray, 'ReceiptUnusable'],
] as const)(
  'a payment whose creation was not answered is recorded when its money is %s',
  async ([, report, recorded]) => {
    const test = await testShop()
    const { orderId } = (await test.placed()).placed
    test.providers.upi.before.create = throws(new ProviderAway('played'))
    const request = { ...paymentRequest(orderId, 'upi'), phone: '9876543210' }
    await test.ask(startPayment, request).catch(unlessAway)
    const reference = test.context.keys.reference(orderId, 1)
    const named = { provider: 'upi', paymentId: reference, reference }
    expect(await takePaymentNews(byReference(test, report), test.caller(), named)).toBe('taken')
    expect((await test.typesOf(orderId)).slice(-2)).toStrictEqual(['PaymentStarted', recorded])
  },
)

it('an unknown word after the end of the watch calls staff', async () => {
  const test = await testShop()
  const { orderId, paymentId } = await test.started('crypto')
  await test.ask(cancelOrder, { orderId })
  test.pass(9 * 24 * 60)
  await test.ask(checkPaymentsOf, { orderId })
  expect(await test.reasons(orderId)).toEqual([])
  test.providers.crypto.reports.set(paymentId, { ...reportOf('unknown'), isUnclear: true })
  const reference = test.context.keys.reference(orderId, 1)
  await takePaymentNews(test.context, test.caller(), { provider: 'crypto', paymentId, reference })
  expect(await test.reasons(orderId)).toEqual(['payment-unclear'])
})

it.for([
  ['only seen', seen, undefined],
  ['in another coin', stray, 'utr-1'],
] as const)('money without an order is recorded when it is %s', async ([, report, receiptId]) => {
  const test = await testShop()
  const reference = test.context.keys.reference('00000000-0000-4000-8000-000000000001', 1)
  const named = { provider: 'upi', paymentId: reference, reference }
  expect(await takePaymentNews(byReference(test, report), test.caller(), named)).toBe('unplaced')
  expect(await test.eventsOf(receiptStream('upi', receiptId ?? reference))).toMatchObject([
    { type: 'ReceiptUnplaced', data: { amount: '10.00', reference } },
  ])
})
