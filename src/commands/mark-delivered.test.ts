import { describe, expect, it } from 'vitest'
import { outcomeOf, readinessOf } from '../domain/order/order-state.ts'
import { approveOrder } from './approve-order.ts'
import { changeSettings } from './change-settings.ts'
import { deleteOrder } from './delete-order.ts'
import { endReservation } from './end-reservation.ts'
import { expireOrder } from './expire-order.ts'
import { markDelivered } from './mark-delivered.ts'
import { recordPayment } from './record-payment.ts'
import { reinstateOrder } from './reinstate-order.ts'
import { reservePreOrders } from './reserve-pre-order.ts'
import { setStock } from './set-stock.ts'
import { away } from './testing/faulty-store.ts'
import { receiptOf, reportOf, STOCK, testShop, type TestShop } from './testing/test-shop.ts'

const staff = { policy: { deliveryMode: 'staff' } } as const

async function pay(test: TestShop, orderId: string, reversedAmount = '0'): Promise<void> {
  const report = reportOf('received', [receiptOf('money-1', { reversedAmount })])
  await recordPayment(test.shop, test.caller(), { orderId, attempt: 1, report })
}

async function paidOrder() {
  const test = await testShop(staff)
  const { orderId } = await test.started('crypto')
  await pay(test, orderId)
  return { test, orderId }
}

describe('an order that staff hand over', () => {
  it('is paid and pending, its coins held, until staff mark it as delivered', async () => {
    const { test, orderId } = await paidOrder()
    expect(await test.order(orderId)).toMatchObject({
      life: { stage: { kind: 'ready', ready: { deliveryMode: 'staff' } } },
    })
    expect((await test.typesOf(STOCK)).at(-1)).toBe('StockReserved')
    await markDelivered(test.shop, test.caller(), { orderId })
    await markDelivered(test.shop, test.caller(), { orderId })
    expect((await test.typesOf(orderId)).slice(-3)).toEqual(['PaymentReceived', 'OrderReady', 'OrderCompleted'])
    expect((await test.typesOf(STOCK)).at(-1)).toBe('StockCommitted')
  })

  it('neither expires nor is marked by staff while it is not paid', async () => {
    const test = await testShop(staff)
    const { orderId } = await test.started('crypto')
    await expect(markDelivered(test.shop, test.caller(), { orderId })).rejects.toMatchObject({ code: 'order/not-paid' })
    await pay(test, orderId)
    test.pass(100 * 24 * 60)
    await expireOrder(test.shop, test.caller(), { orderId })
    expect(outcomeOf(await test.order(orderId))).toBeUndefined()
  })

  it('leaves it to the sweep to commit what could not be appended to stock-main', async () => {
    const { test, orderId } = await paidOrder()
    test.store.failNext(STOCK, away)
    await markDelivered(test.shop, test.caller(), { orderId })
    expect((await test.typesOf(STOCK)).at(-1)).toBe('StockReserved')
    await endReservation(test.shop, test.caller(), { orderId, claimAt: 0, serial: 1 })
    expect((await test.typesOf(STOCK)).at(-1)).toBe('StockCommitted')
  })

  it('is completed by approval, which is their word that the coins are given', async () => {
    const { test, orderId } = await paidOrder()
    await approveOrder(test.shop, test.caller(), { orderId, adminId: 'owner' })
    expect((await test.typesOf(orderId)).slice(-2)).toEqual(['OrderApproved', 'OrderCompleted'])
  })

  it('is a late one where late money brings it back', async () => {
    const test = await testShop(staff)
    const { orderId } = await test.started('crypto')
    test.pass(200)
    await expireOrder(test.shop, test.caller(), { orderId })
    await pay(test, orderId)
    await reinstateOrder(test.shop, test.caller(), { orderId })
    expect((await test.typesOf(orderId)).slice(-2)).toEqual(['OrderReinstated', 'OrderReady'])
  })

  it('is a pre-order once it holds its coins', async () => {
    const test = await testShop(staff)
    const { shop } = test
    await changeSettings(shop, test.caller(), {
      changes: { preOrdersEnabled: true },
      adminId: 'owner',
      seenRevision: undefined,
    })
    const edit = { seenM: undefined, editKey: null, adminId: 'owner' }
    await setStock(shop, test.caller(), { ...edit, stockM: 0 })
    const { orderId } = await test.started('crypto')
    await pay(test, orderId)
    expect(readinessOf(await test.order(orderId))).toBeUndefined()
    await expect(markDelivered(shop, test.caller(), { orderId })).rejects.toMatchObject({
      code: 'inventory/insufficient-stock',
    })
    await setStock(shop, test.caller(), { ...edit, stockM: 500 })
    await reservePreOrders(shop, test.caller(), [orderId])
    expect((await test.typesOf(orderId)).slice(-2)).toEqual(['PreOrderReserved', 'OrderReady'])
  })
})

describe('an order that leaves the list of staff without being marked', () => {
  it('keeps its coins when its money is taken back, until staff say whether they were given', async () => {
    const { test, orderId } = await paidOrder()
    await pay(test, orderId, '10.00')
    const asked = await test.order(orderId)
    expect(asked.attention.map(({ reason }) => reason)).toEqual(['reversed', 'delivery-unknown'])
    test.pass(100 * 24 * 60)
    await expireOrder(test.shop, test.caller(), { orderId })
    expect((await test.typesOf(STOCK)).at(-1)).toBe('StockReserved')
    await approveOrder(test.shop, test.caller(), { orderId, adminId: 'owner' })
    expect(outcomeOf(await test.order(orderId))).toBe('completed')
    expect((await test.typesOf(STOCK)).at(-1)).toBe('StockCommitted')
  })

  it.for([
    [true, 'StockCommitted'],
    [false, 'StockReleased'],
  ] as const)('is deleted only with an answer: coins given %s', async ([coinsGiven, ending]) => {
    const { test, orderId } = await paidOrder()
    const request = { orderId, adminId: 'owner' }
    await expect(deleteOrder(test.shop, test.caller(), { ...request, coinsGiven: null })).rejects.toMatchObject({
      code: 'order/coins-given-unknown',
    })
    expect((await test.typesOf(STOCK)).at(-1)).toBe('StockReserved')
    await deleteOrder(test.shop, test.caller(), { ...request, coinsGiven })
    expect((await test.typesOf(STOCK)).at(-1)).toBe(ending)
  })
})
