import { beforeEach, expect, it } from 'vitest'
import { openSealed } from '../log/event-log.ts'
import { customersOf } from './erase-customer.ts'
import { endReservation } from './end-reservation.ts'
import { Refusal } from '../domain/refusal.ts'
import { placeOrder, type QuotedOrder } from './place-order.ts'
import { CLAIMS_MAX } from '../shop/reserve-for-order.ts'
import { ShopBusy } from '../shop/shop-busy.ts'
import { after, away, beaten, crashed } from '../engines/testing/interposed.ts'
import { orderRequest, STOCK, testShop, type TestShop } from '../testing/test-shop.ts'

const ORDER = 'order-'

let test: TestShop
beforeEach(async () => {
  test = await testShop()
})

/** Reserves and crashes before the claim. */
async function crashWhilePlacing(key: string): Promise<void> {
  const hasCrashed = crashed(test.store, ORDER)
  void test.ask(placeOrder, orderRequest({ idempotencyKey: key }))
  await hasCrashed
}

it('another process sells stock that was just added here', async () => {
  const other = await test.anotherProcess()
  await test.setStock(2_000)
  expect(other.hot.inventory.state.freeM).toBe(1_000)
  const { order } = await placeOrder(other, test.caller(), orderRequest({ quantityM: 1_500 }))
  expect(order.placed).toMatchObject({ quantityM: 1_500, preOrder: false })
})

it('another process knows a price, a method and a switch that were just changed here', async () => {
  await test.change({ cryptoEnabled: false })
  const other = await test.anotherProcess()
  await test.change({ cryptoEnabled: true, basePriceCents: 10, preOrdersEnabled: true })
  const request = orderRequest({ quantityM: 2_000, totalCents: 14_000, paymentMethod: 'crypto' })
  expect((await placeOrder(other, test.caller(), request)).order.placed).toMatchObject({
    preOrder: true,
    totalCents: 14_000,
  })
})

it('placing an order reserves stock first, then claims it at the price of the settings', async () => {
  const { order, isReplay } = await test.ask(placeOrder, orderRequest())
  expect(isReplay).toBe(false)
  const [, reserved] = await test.eventsOf(STOCK)
  expect(reserved).toMatchObject({
    type: 'StockReserved',
    data: { orderId: order.placed.orderId, serial: 1, claimAt: 0 },
  })
  const [event] = await test.eventsOf(order.placed.orderId)
  expect(event).toMatchObject({
    type: 'OrderPlaced',
    revision: 0,
    data: {
      serial: 1,
      orderNumber: test.context.keys.orderNumber(1),
      quantityM: 100,
      totalCents: 425,
      discountPercent: 15,
      preOrder: false,
      paisePerUsd: 8650,
    },
  })
})

it('a buyer is sealed under his own key and recognized by his e-mail in any spelling', async () => {
  const order = await test.placed({ customerEmail: 'Misty@Example.com ' })
  expect(JSON.stringify(await test.context.log.readAllStored({ after: '', limit: 100 }))).not.toMatch(/misty|12345678/i)
  const keys = await test.context.vault.keysOf([order.placed.customerId])
  expect(openSealed(order.placed, keys)).toMatchObject({
    customerEmail: 'Misty@Example.com ',
    discordUsername: 'ash',
    marketIds: [
      { marketId: '12345678', amountM: 50 },
      { marketId: '12345679', amountM: 50 },
    ],
  })
  const { customerId } = order.placed
  expect((await test.placed({ customerEmail: ' MISTY@example.com' })).placed.customerId).toBe(customerId)
  expect((await test.placed()).placed.customerId).not.toBe(customerId)
  expect(await customersOf(test.context, 'misty@Example.com')).toEqual([customerId])
})

it.for([
  ['order/price-changed', { totalCents: 424 }],
  ['order/price-changed', { totalCents: undefined }],
  ['inventory/insufficient-stock', { quantityM: 2000 }],
  ['market-ids/wrong', { marketIds: undefined }],
] as const)('placing an order is rejected with %s and writes nothing', async ([code, changes]) => {
  const head = await test.context.log.head()
  await expect(test.ask(placeOrder, orderRequest(changes))).rejects.toMatchObject({ code })
  expect(await test.context.log.head()).toBe(head)
})

it('an order with a method that is switched off is rejected, and any order while all are off', async () => {
  await test.change({ paypalEnabled: false })
  await expect(test.placed({ paymentMethod: 'paypal' })).rejects.toMatchObject({ code: 'payment/method-off' })
  await test.change({ cryptoEnabled: false, upiEnabled: false })
  await expect(test.placed()).rejects.toMatchObject({ code: 'payment/method-off' })
  expect(await test.typesOf(STOCK)).toEqual(['StockSet'])
})

it('a new order reads nothing of its stream', async () => {
  await test.placed({ idempotencyKey: 'key-1' })
  expect(test.store.countOf('readStream', ORDER)).toBe(0)
})

it('an order that is not admitted has written nothing', async () => {
  const head = await test.context.log.head()
  const asked: QuotedOrder[] = []
  const refuse = async (order: QuotedOrder) => {
    asked.push(order)
    throw new Refusal('order/too-many-open', 'Too many.')
  }
  await expect(placeOrder(test.context, test.caller(), orderRequest(), refuse)).rejects.toThrow('Too many.')
  expect(asked).toMatchObject([{ quantityM: 100, freeM: 1_000 }])
  expect(await test.context.log.head()).toBe(head)
})

it('a repeat under the same key is rejected when it differs in more than an empty text', async () => {
  await test.placed({ idempotencyKey: 'key-1' })
  const other = orderRequest({ idempotencyKey: 'key-1', quantityM: 50 })
  const again = await test.ask(placeOrder, { note: '', ...orderRequest({ idempotencyKey: 'key-1' }) })
  expect(again).toMatchObject({ isReplay: true })
  await expect(test.ask(placeOrder, other)).rejects.toMatchObject({ code: 'order/key-reused' })
})

it('a repeat after a crash uses the reservation of the crash and does not become a pre-order', async () => {
  await test.change({ preOrdersEnabled: true })
  await test.setStock(100)
  await crashWhilePlacing('key-1')
  const order = await test.placed({ idempotencyKey: 'key-1' })
  expect(order.placed).toMatchObject({ serial: 1, preOrder: false })
  expect(test.context.hot.inventory.state.freeM).toBe(0)
  expect(await test.typesOf(STOCK)).toEqual(['StockSet', 'StockAdjusted', 'StockReserved'])
})

it('a pre-order that is repeated after a crash stays a pre-order, even with new stock', async () => {
  await test.change({ preOrdersEnabled: true })
  await test.setStock(0)
  await crashWhilePlacing('key-1')
  await test.setStock(500)
  const order = await test.placed({ idempotencyKey: 'key-1' })
  expect(order.placed).toMatchObject({ serial: 1, preOrder: true })
})

it('a repeat after a crash and a sweep reserves again', async () => {
  await crashWhilePlacing('key-1')
  const orderId = test.context.keys.orderIdFor('key-1')
  await test.ask(endReservation, { orderId, claimAt: 0, serial: 1 })
  const order = await test.placed({ idempotencyKey: 'key-1' })
  // The fence is met by the claim of serial 2.
  expect(order.placed).toMatchObject({ orderId, serial: 3 })
  expect(await test.typesOf(orderId)).toEqual(['OrderAbandoned', 'OrderPlaced'])
  const [ended, again] = [['StockReserved', 'StockReleased'], ['StockReserved']]
  expect(await test.typesOf(STOCK)).toEqual(['StockSet', ...ended, ...ended, ...again])
})

it('a fenced claim reserves again and releases the fenced reservation', async () => {
  await test.setStock(100)
  const orderId = test.context.keys.orderIdFor('key-1')
  // The sweep has fenced the claim and not yet released its coins.
  test.store.failNext(
    ORDER,
    after(async () => {
      test.store.failNext(STOCK, away)
      await test.ask(endReservation, { orderId, claimAt: 0, serial: 1 }).catch(() => undefined)
    }),
  )
  const order = await test.placed({ idempotencyKey: 'key-1' })
  expect(order.placed.serial).toBe(2)
  expect(await test.typesOf(orderId)).toEqual(['OrderAbandoned', 'OrderPlaced'])
  expect(test.context.hot.inventory.state).toMatchObject({ freeM: 0 })
  expect([...test.context.hot.inventory.state.open.values()].map(({ serial }) => serial)).toEqual([2])
})

it('a claim that is fenced each time reports that the shop is busy', async () => {
  for (let turn = 1; turn < CLAIMS_MAX; turn += 1) test.store.failNext(ORDER, beaten)
  test.store.failNext(ORDER, beaten)
  await expect(test.placed({ idempotencyKey: 'key-1' })).rejects.toBeInstanceOf(ShopBusy)
})

it('a pre-order reserves no coins', async () => {
  await test.change({ preOrdersEnabled: true })
  const { placed } = await test.placed({ quantityM: 2000 })
  expect(placed).toMatchObject({ preOrder: true, quantityM: 2000, serial: 1 })
  expect(await test.eventsOf(STOCK)).toMatchObject([{}, { type: 'StockReserved', data: { quantityM: 0 } }])
  expect(test.context.hot.inventory.state.freeM).toBe(1000)
})
