import { expect, it } from 'vitest'
import { ProviderAway, ReferenceUsed } from '../payments/payment-provider.ts'
import type { PaymentMethod } from '../domain/payment-methods.ts'
import { startPayment, type StartPaymentRequest } from './start-payment.ts'
import { after } from '../engines/testing/interposed.ts'
import { paymentRequest, testShop, type TestShopOptions, throws, losingVault } from '../testing/test-shop.ts'

async function placedOrder(options: TestShopOptions = {}) {
  const test = await testShop(options)
  const { orderId } = (await test.placed()).placed
  const start = async (method: PaymentMethod, changes: Partial<StartPaymentRequest> = {}) =>
    test.ask(startPayment, { ...paymentRequest(orderId, method), ...changes })
  return { test, orderId, start }
}

it('a payment is recorded before the provider is called', async () => {
  const { test, orderId, start } = await placedOrder()
  test.providers.crypto.before.create = async () => {
    expect(await test.typesOf(orderId)).toEqual(['OrderPlaced', 'PaymentRequested'])
  }
  await start('crypto')
  expect(await test.typesOf(orderId)).toEqual(['OrderPlaced', 'PaymentRequested', 'PaymentStarted'])
})

it('an open payment is returned instead of a second one', async () => {
  const test = await testShop()
  const { orderId, paymentId } = await test.started('crypto')
  const head = await test.context.log.head()
  const again = await test.ask(startPayment, paymentRequest(orderId, 'crypto'))
  expect(again.attempt.started.paymentId).toBe(paymentId)
  expect(await test.context.log.head()).toBe(head)
  expect(test.providers.crypto.calls).toEqual(['create'])
})

it('a call whose reference is rejected returns the payment that another call opened', async () => {
  const { test, orderId, start } = await placedOrder()
  test.providers.crypto.before.create = async () => {
    test.providers.crypto.before = {}
    await start('crypto')
    throw new ReferenceUsed('played')
  }
  const { attempt } = await start('crypto')
  expect(attempt).toMatchObject({ attempt: 1, money: { kind: 'awaited' } })
  expect(await test.typesOf(orderId)).toEqual(['OrderPlaced', 'PaymentRequested', 'PaymentStarted'])
})

it('a payment is rejected while the buyer is unreadable, and opened afterwards', async () => {
  const { lost, fates } = losingVault()
  const { test, start } = await placedOrder({ fates })
  lost.isLost = true
  for (let turn = 0; turn < 2; turn += 1)
    await expect(start('crypto')).rejects.toMatchObject({ code: 'order/buyer-unreadable' })
  expect(test.providers.crypto.calls).toEqual([])
  lost.isLost = false
  const { attempt } = await start('crypto')
  expect(attempt).toMatchObject({ attempt: 1 })
})

it('an attempt whose reference the provider rejects is replaced by a new one', async () => {
  const { test, orderId, start } = await placedOrder()
  test.providers.crypto.before.create = () => {
    test.providers.crypto.before = {}
    throw new ReferenceUsed('played')
  }
  const { attempt } = await start('crypto')
  expect(attempt.attempt).toBe(2)
  expect(await test.typesOf(orderId)).toEqual([
    'OrderPlaced',
    'PaymentRequested',
    'PaymentFailed',
    'PaymentRequested',
    'PaymentStarted',
  ])
})

it('opening a payment stops after two rejected references', async () => {
  const { test, start } = await placedOrder()
  test.providers.crypto.before.create = throws(new ReferenceUsed('played'))
  await expect(start('crypto')).rejects.toMatchObject({ code: 'order/busy' })
  expect(test.providers.crypto.calls).toEqual(['create', 'create'])
})

it('two concurrent calls return the payment that was recorded first', async () => {
  const { test, orderId, start } = await placedOrder()
  const [one, two] = await Promise.all([start('crypto'), start('crypto')])
  expect(two.attempt.started.paymentId).toBe(one.attempt.started.paymentId)
  expect(test.providers.crypto.calls).toEqual(['create', 'create'])
  expect(await test.typesOf(orderId)).toEqual(['OrderPlaced', 'PaymentRequested', 'PaymentStarted'])
})

it('a payment is recorded although the buyer chose another method in the meantime', async () => {
  const { test, orderId, start } = await placedOrder()
  test.providers.crypto.before.create = async () => {
    await start('upi')
  }
  await start('crypto')
  const { attempts } = await test.order(orderId)
  expect(attempts.map(({ method, started, isWatched }) => [method, started !== undefined, isWatched])).toEqual([
    ['crypto', true, true],
    ['upi', true, true],
  ])
})

it('an amount that the order does not owe is rejected', async () => {
  const { test, orderId } = await placedOrder()
  const request = {
    ...paymentRequest(orderId, 'paypal'),
    isAmountRight: ({ askedMinor }: { askedMinor: number }) => askedMinor === 425,
  }
  await expect(test.ask(startPayment, request)).rejects.toMatchObject({
    code: 'payment/wrong-amount',
    details: { amount: '4.65', currency: 'USD' },
  })
})

it('a payment of a paid order is rejected as already paid', async () => {
  const test = await testShop({ env: { DELIVERY: 'webhook' } })
  const { orderId } = await test.started('crypto')
  await test.received(orderId)
  const request = { ...paymentRequest(orderId, 'paypal'), isAmountRight: () => false }
  await expect(test.ask(startPayment, request)).rejects.toMatchObject({ code: 'order/already-paid' })
})

it('after a short payment only the rest is requested', async () => {
  const test = await testShop()
  const { orderId } = await test.started('crypto')
  await test.received(orderId, { amount: '4.00' })
  const { attempt } = await test.ask(startPayment, paymentRequest(orderId, 'paypal'))
  expect(attempt).toMatchObject({ coversCents: 255, askedMinor: 295 })
})

it('an attempt is given up when its method has another provider', async () => {
  const { test, orderId } = await placedOrder()
  test.providers.crypto.before.create = throws(new ProviderAway('away'))
  const request = paymentRequest(orderId, 'crypto')
  await expect(test.ask(startPayment, request)).rejects.toThrow(ProviderAway)
  test.providers.crypto.before = {}
  const providers = { ...test.context.providers, crypto: [{ ...test.providers.crypto, name: 'another' }] }
  const { attempt } = await startPayment({ ...test.context, providers }, test.caller(), request)
  expect(attempt).toMatchObject({ attempt: 2, provider: 'another' })
})

it('a payment is opened at the gateway that the owner has chosen', async () => {
  const test = await testShop()
  const upi = ['upigateway', 'cashfree'].map((name) => ({ ...test.providers.upi, name }))
  const context = { ...test.context, providers: { ...test.context.providers, upi } }
  const { orderId } = (await test.placed()).placed
  const request = paymentRequest(orderId, 'upi')
  const first = await startPayment(context, test.caller(), request)
  await test.change({ upiGateway: 'cashfree' })
  const second = await startPayment(context, test.caller(), request)
  expect([first, second].map(({ attempt }) => attempt.provider)).toEqual(['upigateway', 'cashfree'])
  expect((await startPayment(context, test.caller(), request)).attempt.attempt).toBe(2)
})

it('a payment is opened at the other gateway when the chosen one has no keys', async () => {
  const test = await testShop()
  await test.change({ upiGateway: 'cashfree' })
  const { orderId } = (await test.placed()).placed
  const { attempt } = await test.ask(startPayment, paymentRequest(orderId, 'upi'))
  expect(attempt.provider).toBe('upi')
})

it('an amount outside the limits of the provider is rejected and writes nothing', async () => {
  const { test, orderId, start } = await placedOrder()
  test.providers.upi.limits = async () => ({ minMinor: 50_000, maxMinor: 1_000_000 })
  await expect(start('upi')).rejects.toMatchObject({ code: 'payment/amount-out-of-range' })
  expect(await test.typesOf(orderId)).toEqual(['OrderPlaced'])
})

it('opening a payment is decided again after a concurrent change of the order', async () => {
  const { test, orderId, start } = await placedOrder()
  test.store.failNext(
    'order-',
    after(async () => start('upi')),
  )
  await expect(start('crypto')).rejects.toMatchObject({ code: 'order/busy' })
  expect((await test.order(orderId)).attempts).toHaveLength(1)
})
