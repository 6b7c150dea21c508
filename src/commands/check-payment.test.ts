import { expect, it } from 'vitest'
import { watchUntil } from '../domain/order/deadline.ts'
import { PaymentRejected, ProviderAway } from '../payments/payment-provider.ts'
import { cancelOrder } from './order-verbs.ts'
import { checkPayment, checkPaymentsOf } from './check-payment.ts'
import type { CommandContext } from '../shop/command-context.ts'
import { paymentRequest, receiptOf, reportOf, testShop, type TestShop, throws } from '../testing/test-shop.ts'
import { startPayment } from './start-payment.ts'

const WATCH_MINUTES = Date.parse(watchUntil(new Date(0).toISOString())) / 60_000

async function cancelledOrder() {
  const test = await testShop()
  const { orderId, paymentId } = await test.started('crypto')
  await test.ask(cancelOrder, { orderId })
  return { test, orderId, paymentId }
}

async function check({ context, caller }: TestShop, orderId: string, by: CommandContext = context): Promise<void> {
  await checkPayment(by, caller(), { orderId, attempt: 1 })
}

it('the watch of a payment ends with a check that began after the deadline', async () => {
  const { test, orderId } = await cancelledOrder()
  test.pass(WATCH_MINUTES - 1)
  await check(test, orderId)
  expect(await test.typesOf(orderId)).not.toContain('PaymentWatchEnded')
  test.pass(1)
  await check(test, orderId)
  expect((await test.typesOf(orderId)).at(-1)).toBe('PaymentWatchEnded')
  const asked = test.providers.crypto.calls.length
  await check(test, orderId)
  expect(test.providers.crypto.calls).toHaveLength(asked)
})

it('a check that began before the deadline does not end the watch', async () => {
  const { test, orderId } = await cancelledOrder()
  test.pass(WATCH_MINUTES - 0.1)
  test.providers.crypto.before.check = () => test.pass(1)
  await check(test, orderId)
  expect(await test.typesOf(orderId)).not.toContain('PaymentWatchEnded')
})

it('the last check records its money before the watch ends', async () => {
  const { test, orderId, paymentId } = await cancelledOrder()
  test.pass(WATCH_MINUTES)
  test.providers.crypto.reports.set(paymentId, reportOf('received', [receiptOf('money-1')]))
  await check(test, orderId)
  expect((await test.typesOf(orderId)).slice(-2)).toEqual(['PaymentReceived', 'PaymentWatchEnded'])
})

it('a provider is not asked about the payment of another one', async () => {
  const { test, orderId, paymentId } = await cancelledOrder()
  test.providers.crypto.reports.set(paymentId, reportOf('received', [receiptOf('money-1')]))
  const providers = { ...test.context.providers, crypto: [{ ...test.providers.crypto, name: 'another' }] }
  await check(test, orderId, { ...test.context, providers })
  expect(await test.typesOf(orderId)).not.toContain('PaymentReceived')
})

it('the watch does not end while the provider cannot be asked', async () => {
  const { test, orderId } = await cancelledOrder()
  test.pass(WATCH_MINUTES)
  test.providers.crypto.before.check = throws(new ProviderAway('played'))
  await expect(check(test, orderId)).rejects.toBeInstanceOf(ProviderAway)
  const without: CommandContext = { ...test.context, providers: { ...test.context.providers, crypto: [] } }
  await check(test, orderId, without)
  expect(await test.typesOf(orderId)).not.toContain('PaymentWatchEnded')
})

it('the watch ends in time when the provider does not know the payment', async () => {
  const { test, orderId } = await cancelledOrder()
  test.providers.crypto.before.check = throws(new PaymentRejected('played'))
  await check(test, orderId)
  expect(await test.typesOf(orderId)).not.toContain('PaymentWatchEnded')
  test.pass(WATCH_MINUTES)
  await check(test, orderId)
  expect((await test.typesOf(orderId)).at(-1)).toBe('PaymentWatchEnded')
})

it('a watch that errors hold up for a day calls staff and goes on', async () => {
  const { test, orderId } = await cancelledOrder()
  test.providers.crypto.before.check = throws(new ProviderAway('cannot be read'))
  test.pass(WATCH_MINUTES)
  await expect(check(test, orderId)).rejects.toBeInstanceOf(ProviderAway)
  expect((await test.typesOf(orderId)).at(-1)).toBe('OrderCancelled')
  test.pass(24 * 60 + 1)
  for (let turn = 0; turn < 2; turn += 1) await expect(check(test, orderId)).rejects.toBeInstanceOf(ProviderAway)
  expect((await test.typesOf(orderId)).slice(-2)).toStrictEqual(['OrderCancelled', 'PaymentWatchHeldUp'])
  delete test.providers.crypto.before.check
  await check(test, orderId)
  expect((await test.order(orderId)).attention).toStrictEqual([])
})

it('the watch of a payment that never began ends without a check', async () => {
  const test = await testShop()
  const { orderId } = (await test.placed()).placed
  test.providers.crypto.before.create = throws(new ProviderAway('played'))
  await test.ask(startPayment, paymentRequest(orderId, 'crypto')).catch(() => undefined)
  await test.ask(cancelOrder, { orderId })
  test.pass(WATCH_MINUTES)
  await check(test, orderId)
  expect((await test.typesOf(orderId)).at(-1)).toBe('PaymentWatchEnded')
})

it('checking an order checks all its payments, even when one of them fails', async () => {
  const test = await testShop()
  const { orderId } = await test.started('upi')
  const { attempt } = await test.ask(startPayment, paymentRequest(orderId, 'crypto'))
  test.providers.upi.before.check = throws(new ProviderAway('played'))
  test.providers.crypto.reports.set(attempt.started.paymentId, reportOf('received', [receiptOf('money-1')]))
  await expect(test.ask(checkPaymentsOf, { orderId })).rejects.toBeInstanceOf(ProviderAway)
  expect(await test.typesOf(orderId)).toContain('PaymentReceived')
})
