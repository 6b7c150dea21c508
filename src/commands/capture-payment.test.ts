import { expect, it } from 'vitest'
import { hasAttemptFailed, hasReceipt, openCapture } from '../domain/order/order-state.ts'
import { CAPTURE_CALLS_MINUTES, capturePayment } from './capture-payment.ts'
import { checkPayment } from './check-payment.ts'
import { ProviderAway } from '../payments/payment-provider.ts'
import type { CommandContext } from '../shop/command-context.ts'
import { receiptOf, reportOf, testShop, throws, type TestShop, recordReport } from '../testing/test-shop.ts'

async function approvedPayment(quantityM = 100) {
  const test = await testShop()
  const { orderId, paymentId } = await test.started('paypal', { quantityM })
  test.providers.paypal.reports.set(paymentId, reportOf('approved'))
  return { test, orderId, paymentId }
}

/** A capture whose provider does not answer. */
async function beginCapture() {
  const opened = await approvedPayment()
  const { test, orderId, paymentId } = opened
  test.providers.paypal.before.capture = throws(new ProviderAway('played'))
  await expect(test.ask(capturePayment, { orderId, paymentId })).rejects.toBeInstanceOf(ProviderAway)
  return opened
}

async function check(test: TestShop, orderId: string, context: CommandContext = test.context): Promise<void> {
  await checkPayment(context, test.caller(), { orderId, attempt: 1 })
}

it('a capture is recorded before the provider is called, and only after the payer approved', async () => {
  const { test, orderId, paymentId } = await approvedPayment()
  test.providers.paypal.before.capture = async () => {
    expect((await test.typesOf(orderId)).at(-1)).toBe('CaptureRequested')
    test.providers.paypal.reports.set(paymentId, reportOf('received', [receiptOf('capture-1')]))
  }
  const { attempt } = await test.ask(capturePayment, { orderId, paymentId })
  expect(hasReceipt(attempt)).toBe(true)
  expect(test.providers.paypal.calls).toEqual(['create', 'check', 'capture'])
  expect((await test.typesOf(orderId)).slice(3)).toEqual(['CaptureRequested', 'PaymentReceived', 'OrderCompleted'])
})

it('a capture returns a failure that a webhook recorded in the meantime', async () => {
  const { test, orderId, paymentId } = await approvedPayment()
  test.providers.paypal.before.check = async () => {
    test.providers.paypal.before = {}
    const report = reportOf('declined')
    await recordReport(test.context, test.caller(), { orderId, attempt: 1, report })
  }
  const { attempt } = await capturePayment(test.context, test.caller(), { orderId, paymentId })
  expect(hasAttemptFailed(attempt)).toBe(true)
  expect(await test.typesOf(orderId)).not.toContain('CaptureRequested')
})

it('a capture without a result is given up, without another call, after its time and the time of a call', async () => {
  const { test, orderId } = await beginCapture()
  test.pass(CAPTURE_CALLS_MINUTES + 0.1)
  await check(test, orderId)
  expect(openCapture(await test.order(orderId))).toBeDefined()
  test.pass(0.5)
  await check(test, orderId)
  expect((await test.typesOf(orderId)).at(-1)).toBe('PaymentFailed')
  expect(await test.reasons(orderId)).toEqual(['capture-unknown'])
  expect(test.providers.paypal.calls.filter((call) => call === 'capture')).toHaveLength(1)
})

it('a capture is given up in time when its provider was removed', async () => {
  const { test, orderId } = await beginCapture()
  const without: CommandContext = { ...test.context, providers: { ...test.context.providers, paypal: [] } }
  await check(test, orderId, without)
  expect(openCapture(await test.order(orderId))).toBeDefined()
  test.pass(CAPTURE_CALLS_MINUTES + 1)
  await check(test, orderId, without)
  expect(await test.order(orderId)).toMatchObject({
    life: { stage: { kind: 'waiting' } },
    attention: [{ reason: 'capture-unknown' }],
  })
})
