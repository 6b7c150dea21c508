import { describe, expect, it } from 'vitest'
import { receiptStream } from '../shop/keys.ts'
import { startPayment } from './start-payment.ts'
import { paymentRequest, receiptOf, reportOf, STOCK, testShop, recordReport } from '../testing/test-shop.ts'

const PAID = ['OrderPlaced', 'PaymentRequested', 'PaymentStarted', 'PaymentReceived', 'OrderCompleted']

describe('money that arrives', () => {
  it('does not complete the order when the same report says that other money of it was taken back', async () => {
    const test = await testShop()
    const { orderId } = await test.started('crypto')
    await test.received(orderId, { amount: '4.00' })
    const receipts = [receiptOf('money-2'), receiptOf('money-1', { amount: '4.00', reversedAmount: '4.00' })]
    await test.ask(recordReport, { orderId, attempt: 1, report: reportOf('received', receipts) })
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
    await test.received(orderId)
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
    await test.received(orderId)
    expect(await test.typesOf(orderId)).toEqual(['OrderPlaced'])
  })
})

async function twoOrders() {
  const test = await testShop()
  const first = await test.started('crypto', { quantityM: 100 })
  const second = await test.started('crypto', { quantityM: 50 })
  await test.received(first.orderId, { amount: '4.00' })
  return { test, first: first.orderId, second: second.orderId }
}

describe('a receipt that is reported for two orders', () => {
  it('pays the first, and the second is shown to staff', async () => {
    const { test, first, second } = await twoOrders()
    await test.received(second, { amount: '4.00' })
    expect(await test.typesOf(receiptStream('crypto', 'money-1'))).toEqual(['ReceiptClaimed', 'ReceiptRefused'])
    expect(await test.reasons(second)).toEqual(['receipt-refused'])
    expect((await test.order(second)).receipts).toEqual([])
    expect((await test.order(first)).receipts).toMatchObject([{ coversCents: 170 }])
  })

  it('brings a larger amount to the order that has it, in its own measure', async () => {
    const { test, first, second } = await twoOrders()
    await test.received(second)
    expect(await test.order(first)).toMatchObject({ life: { kind: 'completed' }, receipts: [{ coversCents: 425 }] })
  })

  it('brings a reversal to the order that has it', async () => {
    const { test, first, second } = await twoOrders()
    await test.received(second, { amount: '4.00', reversedAmount: '4.00' })
    expect(await test.order(first)).toMatchObject({ receipts: [{ reversedCents: 170 }] })
    expect(await test.reasons(second)).toEqual(['receipt-refused'])
  })
})

it('counts a receipt that two payments of an order report by the one that claimed it', async () => {
  const test = await testShop()
  const { orderId, paymentId } = await test.started('upi')
  await test.received(orderId, { amount: '4.00' })
  await test.ask(startPayment, { ...paymentRequest(orderId, 'upi'), replaces: paymentId })
  await test.received(orderId, { reversedAmount: '10.00' }, 'money-1', 2)
  expect((await test.order(orderId)).receipts).toMatchObject([{ coversCents: 425, reversedCents: 425 }])
})
