import { expect, it } from 'vitest'
import { receiptStream } from '../shop/keys.ts'
import { startPayment } from './start-payment.ts'
import { paymentRequest, receiptOf, reportOf, STOCK, testShop, recordReport } from '../testing/test-shop.ts'

const PAID = ['OrderPlaced', 'PaymentRequested', 'PaymentStarted', 'PaymentReceived', 'OrderCompleted']

it('a report that also says that other money was reversed does not complete the order', async () => {
  const test = await testShop()
  const { orderId } = await test.started('crypto')
  await test.received(orderId, { amount: '4.00' })
  const receipts = [receiptOf('money-2'), receiptOf('money-1', { amount: '4.00', reversedAmount: '4.00' })]
  await test.ask(recordReport, { orderId, attempt: 1, report: reportOf('received', receipts) })
  expect(await test.reasons(orderId)).toContain('reversed')
  expect(await test.typesOf(orderId)).not.toContain('OrderCompleted')
})

it('a report of a won dispute and a reversal does not complete the order', async () => {
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

it('a receipt is claimed before its order records the money', async () => {
  const test = await testShop()
  const { orderId } = await test.started('crypto')
  await test.received(orderId)
  expect(await test.typesOf(orderId)).toEqual(PAID)
  const stream = receiptStream('crypto', 'money-1')
  const [claim] = await test.eventsOf(stream)
  const received = (await test.eventsOf(orderId)).find(({ type }) => type === 'PaymentReceived')
  expect(claim).toMatchObject({ type: 'ReceiptClaimed', data: { orderId, coversCents: 425 } })
  expect((claim?.position ?? '') < (received?.position ?? '')).toBe(true)
  expect(await test.typesOf(STOCK)).toEqual(['StockSet', 'StockReserved', 'StockCommitted'])
})

it('money of an attempt that the order never made adds nothing', async () => {
  const test = await testShop()
  const { orderId } = (await test.placed()).placed
  await test.received(orderId)
  expect(await test.typesOf(orderId)).toEqual(['OrderPlaced'])
})

async function twoOrders() {
  const test = await testShop()
  const first = await test.started('crypto', { quantityM: 100 })
  const second = await test.started('crypto', { quantityM: 50 })
  await test.received(first.orderId, { amount: '4.00' })
  return { test, first: first.orderId, second: second.orderId }
}

it('a receipt that is reported for two orders pays the first and calls staff to the second', async () => {
  const { test, first, second } = await twoOrders()
  await test.received(second, { amount: '4.00' })
  expect(await test.typesOf(receiptStream('crypto', 'money-1'))).toEqual(['ReceiptClaimed', 'ReceiptRefused'])
  expect(await test.reasons(second)).toEqual(['receipt-refused'])
  expect((await test.order(second)).receipts).toEqual([])
  expect((await test.order(first)).receipts).toMatchObject([{ coversCents: 170 }])
})

it('a receipt that grows adds its amount to the order that has it', async () => {
  const { test, first, second } = await twoOrders()
  await test.received(second)
  expect(await test.order(first)).toMatchObject({ life: { kind: 'completed' }, receipts: [{ coversCents: 425 }] })
})

it('a reversal counts at the order that has the receipt', async () => {
  const { test, first, second } = await twoOrders()
  await test.received(second, { amount: '4.00', reversedAmount: '4.00' })
  expect(await test.order(first)).toMatchObject({ receipts: [{ reversedCents: 170 }] })
  expect(await test.reasons(second)).toEqual(['receipt-refused'])
})

it('a receipt that two payments of one order report counts by the one that claimed it', async () => {
  const test = await testShop()
  const { orderId } = await test.started('upi')
  const replaces = test.shop.keys.reference(orderId, 1)
  await test.received(orderId, { amount: '4.00' })
  await test.ask(startPayment, { ...paymentRequest(orderId, 'upi'), replaces })
  await test.received(orderId, { reversedAmount: '10.00' }, 'money-1', 2)
  expect((await test.order(orderId)).receipts).toMatchObject([{ coversCents: 425, reversedCents: 425 }])
})
