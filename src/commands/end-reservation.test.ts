import { expect, it } from 'vitest'
import { cancelOrder } from './order-verbs.ts'
import { endReservation } from './end-reservation.ts'
import { after, crashed } from '../engines/testing/interposed.ts'
import { STOCK, testShop, type TestShop } from '../testing/test-shop.ts'

async function sweep({ context, caller }: TestShop, orderId: string, serial = 1, claimAt = 0): Promise<void> {
  await endReservation(context, caller(), { orderId, claimAt, serial })
}

/** A process that reserved and died before its claim. */
async function abandoned(): Promise<{ test: TestShop; orderId: string }> {
  const test = await testShop()
  const isDead = crashed(test.store, 'order-')
  void test.placed({ idempotencyKey: 'key-1' })
  await isDead
  expect(await test.typesOf(STOCK)).toEqual(['StockSet', 'StockReserved'])
  return { test, orderId: test.context.keys.orderIdFor('key-1') }
}

it('ending an unclaimed reservation fences the claim before it releases the coins', async () => {
  const { test, orderId } = await abandoned()
  await sweep(test, orderId)
  const [fence] = await test.eventsOf(orderId)
  const released = (await test.eventsOf(STOCK)).at(-1)
  expect([fence?.type, released?.type]).toEqual(['OrderAbandoned', 'StockReleased'])
  expect((fence?.position ?? '') < (released?.position ?? '')).toBe(true)
})

it('a claim that is faster than the fence keeps its reservation', async () => {
  const { test, orderId } = await abandoned()
  test.store.failNext(
    'order-',
    after(async () => test.placed({ idempotencyKey: 'key-1' })),
  )
  await sweep(test, orderId)
  expect(await test.typesOf(orderId)).toEqual(['OrderPlaced'])
  expect(await test.typesOf(STOCK)).toEqual(['StockSet', 'StockReserved'])
})

it('cancelling an order releases its coins and returns the position of the release', async () => {
  const test = await testShop()
  const { orderId } = (await test.placed()).placed
  const { position } = await test.ask(cancelOrder, { orderId })
  expect((await test.eventsOf(STOCK)).at(-1)).toMatchObject({ type: 'StockReleased', position })
})
