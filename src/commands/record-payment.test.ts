import { describe, expect, it } from 'vitest'
import { paidCents } from '../domain/order/order-money.ts'
import type { PaymentReport } from '../payments/payment-provider.ts'
import { findPlacedOrder } from '../shop/handle-order.ts'
import { receiptStream } from '../shop/keys.ts'
import { recordPayment } from './record-payment.ts'
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
  expect(claim).toMatchObject({ type: 'ReceiptClaimed', data: { orderId, amount: '10.00', askedAmount: '10.00' } })
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
  expect(paidCents(await test.order(first))).toBe(170)
})

it('a receipt that grows adds its amount to the order that has it', async () => {
  const { test, first, second } = await twoOrders()
  await test.received(second)
  const order = await test.order(first)
  expect([order.life.kind, paidCents(order)]).toEqual(['completed', 425])
})

it('a reversal counts at the order that has the receipt', async () => {
  const { test, first, second } = await twoOrders()
  await test.received(second, { amount: '4.00', reversedAmount: '4.00' })
  expect(paidCents(await test.order(first))).toBe(0)
  expect(await test.reasons(second)).toEqual(['receipt-refused'])
})

async function paid() {
  const test = await testShop()
  const { orderId } = await test.started('crypto')
  await test.received(orderId)
  const news = async (report: Partial<PaymentReport>, attempt = 1) =>
    test.ask(recordReport, { orderId, attempt, report: { ...reportOf('failed'), ...report } })
  return { test, orderId, news }
}

describe('a receipt that its provider takes back', () => {
  it('a receipt that is withdrawn without a reversal counts no more, until it is there again', async () => {
    const { test, orderId, news } = await paid()
    await news({ ended: ['money-1'] })
    expect(paidCents(await test.order(orderId))).toBe(0)
    expect(await test.reasons(orderId)).toContain('reversed')
    await test.received(orderId)
    expect(paidCents(await test.order(orderId))).toBe(425)
  })

  it('an amount that is corrected downwards counts as corrected', async () => {
    const { test, orderId } = await paid()
    await test.received(orderId, { amount: '6.00' })
    expect(paidCents(await test.order(orderId))).toBe(255)
    await test.received(orderId)
    expect(paidCents(await test.order(orderId))).toBe(425)
  })

  it('a failure that was read before the money came takes nothing back', async () => {
    const test = await testShop()
    const { orderId } = await test.started('crypto')
    const { state: asked } = await findPlacedOrder(test.context, orderId)
    await test.received(orderId)
    const report = { ...reportOf('failed'), ended: ['money-1'] }
    await recordPayment(test.context, test.caller(), { asked, attempt: 1, report })
    expect(paidCents(await test.order(orderId))).toBe(425)
  })

  it('a withdrawal that was read before more money came leaves what went back as it was', async () => {
    const { test, orderId } = await paid()
    const pending = { reversedAmount: '0', pendingAmount: '20.00' }
    await test.received(orderId, pending)
    const { state: asked } = await findPlacedOrder(test.context, orderId)
    await test.received(orderId, { amount: '20.00', ...pending })
    const report = { ...reportOf('failed'), ended: ['money-1'] }
    await recordPayment(test.context, test.caller(), { asked, attempt: 1, report })
    expect(paidCents(await test.order(orderId))).toBe(0)
  })

  it('another attempt of the order takes nothing back', async () => {
    const { test, orderId, news } = await paid()
    await news({ ended: ['money-1'] }, 2)
    expect(paidCents(await test.order(orderId))).toBe(425)
  })

  it('money that was seen beside a receipt is not seen any more once it is the receipt', async () => {
    const { test, orderId, news } = await paid()
    const seen = { parts: [{ id: 'money-1', amount: '12.00', currency: 'usd' }] }
    await news({ ...reportOf('confirming'), ...seen })
    expect((await test.order(orderId)).attempts).toMatchObject([{ parts: [{ amount: '2.00' }] }])
    await test.received(orderId)
    expect((await test.order(orderId)).attempts).toMatchObject([{ parts: [] }])
  })

  it('what went back under a status that is unknown is a reversal', async () => {
    const { test, orderId, news } = await paid()
    await news({ ...reportOf('unknown'), back: [{ receiptId: 'money-1', amount: '10.00', currency: 'usd' }] })
    expect(paidCents(await test.order(orderId))).toBe(0)
  })
})

it('money in another coin that went back calls no person, and does again when it is held again', async () => {
  const test = await testShop()
  const { orderId } = await test.started('crypto')
  const tell = async (isGone: boolean) => {
    const strays = [{ receiptId: 'stray-1', amount: '5', currency: 'btc', isGone }]
    await test.ask(recordReport, { orderId, attempt: 1, report: { ...reportOf('waiting'), strays } })
    return test.reasons(orderId)
  }
  expect([await tell(true), await tell(false), await tell(true), await tell(false)]).toEqual([
    [],
    ['wrong-coin'],
    [],
    ['wrong-coin'],
  ])
  expect((await test.order(orderId)).attempts).toMatchObject([{ money: { kind: 'awaited' } }])
})

it('a short receipt of another order is not seen on this one', async () => {
  const { test, second } = await twoOrders()
  await test.ask(recordReport, {
    orderId: second,
    attempt: 1,
    report: { ...reportOf('partially_paid', [receiptOf('money-1')]) },
  })
  expect((await test.order(second)).attempts).toMatchObject([{ money: { kind: 'awaited' } }])
})

it('success without a number is no longer seen once its number is another order’s', async () => {
  const { test, second } = await twoOrders()
  Object.assign(test.providers.crypto, { isOneTransfer: true })
  await test.ask(recordReport, { orderId: second, attempt: 1, report: reportOf('confirmed') })
  expect((await test.order(second)).attempts).toMatchObject([{ money: { kind: 'seen' } }])
  await test.received(second, { amount: '4.00' })
  expect((await test.order(second)).attempts).toMatchObject([{ money: { kind: 'awaited' } }])
  expect(await test.reasons(second)).toEqual(['receipt-refused'])
})

it('a receipt that two payments of one order report counts by the one that claimed it', async () => {
  const test = await testShop()
  const { orderId } = await test.started('upi')
  const replaces = test.context.keys.reference(orderId, 1)
  await test.received(orderId, { amount: '4.00' })
  await test.ask(startPayment, { ...paymentRequest(orderId, 'upi'), replaces })
  await test.received(orderId, { reversedAmount: '10.00' }, 'money-1', 2)
  const order = await test.order(orderId)
  expect([order.receipts.length, order.receivedCents, paidCents(order)]).toEqual([1, 425, 0])
})
