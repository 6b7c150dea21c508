import { beforeEach, describe, expect, it } from 'vitest'
import { openSealed } from '../engines/event-store/event-log.ts'
import { customersOf } from './erase-customer.ts'
import { endReservation } from './end-reservation.ts'
import { placeOrder, prepareOrder } from './place-order.ts'
import { ShopBusy } from '../shop/shop-busy.ts'
import { after, away, beaten, crashed } from '../engines/testing/interposed.ts'
import { orderRequest, STOCK, testShop, type TestShop } from '../testing/test-shop.ts'

const ORDER = 'order-'

let test: TestShop
beforeEach(async () => {
  test = await testShop()
})

/** The process has reserved, and crashes before its claim. */
async function dies(key: string): Promise<void> {
  const hasCrashed = crashed(test.store, ORDER)
  void test.ask(placeOrder, orderRequest({ idempotencyKey: key }))
  await hasCrashed
}

describe('an order at another process', () => {
  it('is not refused for stock that was raised here a moment ago', async () => {
    const other = await test.anotherProcess()
    await test.setStock(2_000)
    expect(other.hot.inventory.state.freeM).toBe(1_000)
    const { order } = await placeOrder(other, test.caller(), orderRequest({ quantityM: 1_500 }))
    expect(order.placed).toMatchObject({ quantityM: 1_500, preOrder: false })
  })

  it('is not refused for a price, a method or a switch that was changed here a moment ago', async () => {
    await test.change({ cryptoEnabled: false })
    const other = await test.anotherProcess()
    await test.change({ cryptoEnabled: true, basePriceCents: 10, preOrdersEnabled: true })
    const request = orderRequest({ quantityM: 2_000, totalCents: 14_000, paymentMethod: 'crypto' })
    expect((await placeOrder(other, test.caller(), request)).order.placed).toMatchObject({
      preOrder: true,
      totalCents: 14_000,
    })
  })
})

describe('placing an order', () => {
  it('reserves first and then claims what it reserved, at the price of the settings', async () => {
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
        orderNumber: test.shop.keys.orderNumber(1),
        quantityM: 100,
        totalCents: 425,
        discountPercent: 15,
        preOrder: false,
        paisePerUsd: 8650,
      },
    })
  })

  it('keeps who the buyer is sealed, opens it under his own key alone, and knows him again however the address is typed', async () => {
    const order = await test.placed({ customerEmail: 'Misty@Example.com ' })
    expect(JSON.stringify(await test.shop.log.readAllStored({ after: '', limit: 100 }))).not.toMatch(/misty|12345678/i)
    const keys = await test.shop.vault.keysOf([order.placed.customerId])
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
    expect(await customersOf(test.shop, 'misty@Example.com')).toEqual([customerId])
  })

  it.for([
    ['order/price-changed', { totalCents: 424 }],
    ['order/price-changed', { totalCents: undefined }],
    ['inventory/insufficient-stock', { quantityM: 2000 }],
    ['market-ids/wrong', { marketIds: undefined }],
  ] as const)('refuses with %s and writes nothing', async ([code, changes]) => {
    const head = await test.shop.log.head()
    await expect(test.ask(placeOrder, orderRequest(changes))).rejects.toMatchObject({ code })
    expect(await test.shop.log.head()).toBe(head)
  })

  it('refuses a method that the owner has switched off, and any order while all are', async () => {
    await test.change({ paypalEnabled: false })
    await expect(test.placed({ paymentMethod: 'paypal' })).rejects.toMatchObject({ code: 'payment/method-off' })
    await test.change({ cryptoEnabled: false, upiEnabled: false })
    await expect(test.placed()).rejects.toMatchObject({ code: 'payment/method-off' })
    expect(await test.typesOf(STOCK)).toEqual(['StockSet'])
  })

  it('writes nothing until it is placed', async () => {
    const head = await test.shop.log.head()
    const prepared = await prepareOrder(test.shop, orderRequest())
    expect(prepared).toMatchObject({ offer: { reservedM: 100, preOrder: false } })
    expect(await test.shop.log.head()).toBe(head)
  })
})

describe('an order placed again under its key', () => {
  it('is refused when it asks for anything else, but for an empty text more', async () => {
    await test.placed({ idempotencyKey: 'key-1' })
    const other = orderRequest({ idempotencyKey: 'key-1', quantityM: 50 })
    const again = await test.ask(placeOrder, { note: '', ...orderRequest({ idempotencyKey: 'key-1' }) })
    expect(again).toMatchObject({ isReplay: true })
    await expect(test.ask(placeOrder, other)).rejects.toMatchObject({ code: 'order/key-reused' })
  })

  it('takes the reservation that its crash has left, and does not become a pre-order for the want of those very coins', async () => {
    await test.change({ preOrdersEnabled: true })
    await test.setStock(100)
    await dies('key-1')
    const order = await test.placed({ idempotencyKey: 'key-1' })
    expect(order.placed).toMatchObject({ serial: 1, preOrder: false })
    expect(test.shop.hot.inventory.state.freeM).toBe(0)
    expect(await test.typesOf(STOCK)).toEqual(['StockSet', 'StockAdjusted', 'StockReserved'])
  })

  it('stays a pre-order when stock came in after its crash', async () => {
    await test.change({ preOrdersEnabled: true })
    await test.setStock(0)
    await dies('key-1')
    await test.setStock(500)
    const order = await test.placed({ idempotencyKey: 'key-1' })
    expect(order.placed).toMatchObject({ serial: 1, preOrder: true })
  })

  it('is placed anew when the sweep has ended what the crash left', async () => {
    await dies('key-1')
    const orderId = test.shop.keys.orderIdFor('key-1')
    await test.ask(endReservation, { orderId, claimAt: 0, serial: 1 })
    const order = await test.placed({ idempotencyKey: 'key-1' })
    expect(order.placed).toMatchObject({ orderId, serial: 2 })
    expect(await test.typesOf(orderId)).toEqual(['OrderAbandoned', 'OrderPlaced'])
    expect(await test.typesOf(STOCK)).toEqual(['StockSet', 'StockReserved', 'StockReleased', 'StockReserved'])
  })
})

describe('the claim of an order', () => {
  it('reserves once more behind a fence, and gives back what was fenced off first', async () => {
    await test.setStock(100)
    const orderId = test.shop.keys.orderIdFor('key-1')
    // The sweep has fenced the claim, and has not come to releasing yet.
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
    expect(test.shop.hot.inventory.state).toMatchObject({ freeM: 0 })
    expect([...test.shop.hot.inventory.state.open.values()].map(({ serial }) => serial)).toEqual([2])
  })

  it('asks to come again when it was fenced twice', async () => {
    test.store.failNext(ORDER, beaten)
    test.store.failNext(ORDER, beaten)
    await expect(test.placed({ idempotencyKey: 'key-1' })).rejects.toBeInstanceOf(ShopBusy)
  })
})

it('a pre-order is placed over a reservation of nothing', async () => {
  await test.change({ preOrdersEnabled: true })
  const { placed } = await test.placed({ quantityM: 2000 })
  expect(placed).toMatchObject({ preOrder: true, quantityM: 2000, serial: 1 })
  expect(await test.eventsOf(STOCK)).toMatchObject([{}, { type: 'StockReserved', data: { quantityM: 0 } }])
  expect(test.shop.hot.inventory.state.freeM).toBe(1000)
})
