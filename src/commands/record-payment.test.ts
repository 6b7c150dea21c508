import { describe, expect, it } from 'vitest'
import { receiptStream } from '../shop/keys.ts'
import { startPayment } from './start-payment.ts'
import {
  paymentRequest,
  receiptOf,
  reportOf,
  STOCK,
  testShop,
  type TestShop,
  recordReport,
} from '../testing/test-shop.ts'

const PAID = ['OrderPlaced', 'PaymentRequested', 'PaymentStarted', 'PaymentReceived', 'OrderCompleted']

async function news(test: TestShop, orderId: string, ...receipts: Parameters<typeof receiptOf>[]) {
  const report = reportOf(
    'received',
    receipts.map((receipt) => receiptOf(...receipt)),
  )
  return test.ask(recordReport, { orderId, attempt: 1, report })
}

describe('money that arrives', () => {
  it('does not complete the order when the same report says that other money of it was taken back', async () => {
    const test = await testShop()
    const { orderId } = await test.started('crypto')
    await news(test, orderId, ['money-1', { amount: '4.00' }])
    await news(test, orderId, ['money-2'], ['money-1', { amount: '4.00', reversedAmount: '4.00' }])
    expect(await test.reasons(orderId)).toContain('reversed')
    expect(await test.typesOf(orderId)).not.toContain('OrderCompleted')
  })

  it('does not complete the order when the same report says that a dispute is won and that the money was taken back', async () => {
    const test = await testShop()
    const { orderId } = await test.started('paypal')
    const dispute = { disputeId: 'dispute-1', receiptId: 'money-1' }
    const tell = async (outcome: 'open' | 'won', changes = {}) => {
      const report = { ...reportOf('received', [receiptOf('money-1', changes)]), disputes: [{ ...dispute, outcome }] }
      await test.ask(recordReport, { orderId, attempt: 1, report })
    }
    await tell('open')
    await tell('won', { reversedAmount: '10.00' })
    expect(await test.reasons(orderId)).toEqual(['reversed'])
    expect(await test.typesOf(orderId)).not.toContain('OrderCompleted')
  })

  it('is claimed by its receipt before the order records it', async () => {
    const test = await testShop()
    const { orderId } = await test.started('crypto')
    await news(test, orderId, ['money-1'])
    expect(await test.typesOf(orderId)).toEqual(PAID)
    const stream = receiptStream('crypto', 'money-1')
    const [claim] = await test.eventsOf(stream)
    const received = (await test.eventsOf(orderId)).find(({ type }) => type === 'PaymentReceived')
    expect(claim).toMatchObject({ type: 'ReceiptClaimed', data: { orderId, coversCents: 425 } })
    expect((claim?.position ?? '') < (received?.position ?? '')).toBe(true)
    expect(await test.typesOf(STOCK)).toEqual(['StockSet', 'StockReserved', 'StockCommitted'])
  })

  it('closes nothing and adds nothing for an attempt that the order never made', async () => {
    const test = await testShop()
    const { orderId } = (await test.placed()).placed
    await news(test, orderId, ['money-1'])
    expect(await test.typesOf(orderId)).toEqual(['OrderPlaced'])
  })
})

async function twoOrders() {
  const test = await testShop()
  const first = await test.started('crypto', { quantityM: 100 })
  const second = await test.started('crypto', { quantityM: 50 })
  await news(test, first.orderId, ['money-1', { amount: '4.00' }])
  return { test, first: first.orderId, second: second.orderId }
}

describe('a receipt that is reported for two orders', () => {
  it('pays the first, and the second is shown to staff', async () => {
    const { test, first, second } = await twoOrders()
    await news(test, second, ['money-1', { amount: '4.00' }])
    expect(await test.typesOf(receiptStream('crypto', 'money-1'))).toEqual(['ReceiptClaimed', 'ReceiptRefused'])
    expect(await test.reasons(second)).toEqual(['receipt-refused'])
    expect((await test.order(second)).receipts).toEqual([])
    expect((await test.order(first)).receipts).toMatchObject([{ coversCents: 170 }])
  })

  it('brings a larger amount to the order that has it, in its own measure', async () => {
    const { test, first, second } = await twoOrders()
    await news(test, second, ['money-1', { amount: '10.00' }])
    expect(await test.order(first)).toMatchObject({ life: { kind: 'completed' }, receipts: [{ coversCents: 425 }] })
  })

  it('brings a reversal to the order that has it', async () => {
    const { test, first, second } = await twoOrders()
    await news(test, second, ['money-1', { amount: '4.00', reversedAmount: '4.00' }])
    expect(await test.order(first)).toMatchObject({ receipts: [{ reversedCents: 170 }] })
    expect(await test.reasons(second)).toEqual(['receipt-refused'])
  })
})

it('counts a receipt that two payments of an order report by the one that claimed it', async () => {
  const test = await testShop()
  const { orderId, paymentId } = await test.started('upi')
  await news(test, orderId, ['money-1', { amount: '4.00' }])
  await test.ask(startPayment, { ...paymentRequest(orderId, 'upi'), replaces: paymentId })
  const report = reportOf('received', [receiptOf('money-1', { amount: '10.00', reversedAmount: '10.00' })])
  await test.ask(recordReport, { orderId, attempt: 2, report })
  expect((await test.order(orderId)).receipts).toMatchObject([{ coversCents: 425, reversedCents: 425 }])
})
