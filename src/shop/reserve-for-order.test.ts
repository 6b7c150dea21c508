import { expect, it } from 'vitest'
import { outcomeOf } from '../domain/order/order-state.ts'
import { approveOrder } from '../commands/approve-order.ts'
import { cancelOrder, expireOrder } from '../commands/order-verbs.ts'
import { endReservation } from '../commands/end-reservation.ts'
import { reinstateOrder, reservePreOrders } from '../commands/claim-coins.ts'
import { ShopBusy } from './shop-busy.ts'
import { after, away, beaten } from '../engines/testing/interposed.ts'
import { STOCK, testShop, type TestShop } from '../testing/test-shop.ts'

async function expiredOrder(quantityM = 100, env = {}): Promise<{ test: TestShop; orderId: string }> {
  const test = await testShop({ env })
  const { orderId } = await test.started('crypto', { quantityM })
  test.pass(121)
  await test.ask(expireOrder, { orderId })
  return { test, orderId }
}

async function paidLate(): Promise<{ test: TestShop; orderId: string; customerId: string }> {
  const { test, orderId } = await expiredOrder()
  await test.received(orderId)
  return { test, orderId, customerId: (await test.order(orderId)).placed.customerId }
}

function openSerials({ context }: TestShop): number[] {
  return [...context.hot.inventory.state.open.values()].map(({ serial }) => serial)
}

it('late money without coins left comes before staff, and only approval delivers', async () => {
  const { test, orderId } = await expiredOrder()
  await test.setStock(99)
  await test.received(orderId)
  await test.ask(reinstateOrder, { orderId })
  expect(await test.reasons(orderId)).toEqual(['unearned'])
  await test.setStock(500)
  await test.ask(reinstateOrder, { orderId })
  expect(outcomeOf(await test.order(orderId))).toBe('expired')
  await test.ask(approveOrder, { orderId, adminId: 'owner' })
  expect(outcomeOf(await test.order(orderId))).toBe('completed')
  expect(test.context.hot.inventory.state.freeM).toBe(400)
})

it('late money reinstates its order although no further order may be placed', async () => {
  const { test, orderId } = await expiredOrder(100, { OPEN_ORDERS_MAX: '1' })
  await test.started('crypto', { quantityM: 1 })
  await expect(test.started('crypto', { quantityM: 1 })).rejects.toMatchObject({ code: 'inventory/too-many-open' })
  await test.received(orderId)
  await test.ask(reinstateOrder, { orderId })
  expect(outcomeOf(await test.order(orderId))).toBe('completed')
})

it('late money of an erased buyer reinstates no order, and staff cannot approve it', async () => {
  const { test, orderId, customerId } = await paidLate()
  await test.context.vault.deleteCustomers([customerId])
  await test.ask(reinstateOrder, { orderId })
  expect(await test.order(orderId)).toMatchObject({
    life: { as: 'expired' },
    attention: [{ reason: 'unearned' }],
  })
  await expect(test.ask(approveOrder, { orderId, adminId: 'owner' })).rejects.toMatchObject({
    code: 'order/not-approvable',
  })
  expect(outcomeOf(await test.order(orderId))).toBe('expired')
})

it('an order whose buyer is being erased is reinstated only after the erasure is cancelled', async () => {
  const { test, orderId, customerId } = await paidLate()
  await test.context.vault.detachEmail(customerId, { erasureId: 'one', at: test.context.clock.now() })
  await test.ask(reinstateOrder, { orderId })
  expect(await test.order(orderId)).toMatchObject({
    life: { as: 'expired' },
    attention: [{ reason: 'unearned' }],
  })
  await test.context.vault.attachEmail(customerId, 'one')
  await test.ask(approveOrder, { orderId, adminId: 'owner' })
  expect(outcomeOf(await test.order(orderId))).toBe('completed')
})

it('an order reserves again the coins that it still holds', async () => {
  const test = await testShop()
  const { orderId } = await test.started('crypto', { quantityM: 1000 })
  for (const command of [async () => test.ask(cancelOrder, { orderId }), async () => test.received(orderId)]) {
    test.store.failNext(STOCK, away)
    await command()
  }
  expect(test.context.hot.inventory.state.freeM).toBe(0)
  await test.ask(reinstateOrder, { orderId })
  expect(outcomeOf(await test.order(orderId))).toBe('completed')
  expect((await test.typesOf(STOCK)).slice(1)).toEqual([
    'StockReserved',
    'StockReleased',
    'StockReserved',
    'StockCommitted',
  ])
})

it('a reservation that lost its claim is left to the sweep, and the order reserves again', async () => {
  const { test, orderId } = await expiredOrder()
  await test.received(orderId)
  // Something else is written where the claim was to stand.
  test.store.failNext(
    'order-',
    after(async () => test.received(orderId, { amount: '1.00' }, 'money-2')),
  )
  await test.ask(reinstateOrder, { orderId })
  expect(outcomeOf(await test.order(orderId))).toBe('completed')
  expect(openSerials(test)).toEqual([2])
  await test.ask(endReservation, { orderId, claimAt: 5, serial: 2 })
  expect(test.context.hot.inventory.state).toMatchObject({ freeM: 900, open: { size: 0 } })
})

it('reserving again asks for a retry after three lost races', async () => {
  const { test, orderId } = await expiredOrder()
  await test.received(orderId)
  for (let race = 0; race < 3; race += 1) test.store.failNext('order-', beaten)
  await expect(test.ask(reinstateOrder, { orderId })).rejects.toBeInstanceOf(ShopBusy)
  await test.ask(reinstateOrder, { orderId })
  expect(outcomeOf(await test.order(orderId))).toBe('completed')
})

it('approving an order reserves for an ended order, and refuses where there is nothing left', async () => {
  const { test, orderId } = await expiredOrder()
  await test.received(orderId, { amount: '4.00' })
  await test.setStock(50)
  const approve = async () => test.ask(approveOrder, { orderId, adminId: 'owner' })
  await expect(approve()).rejects.toMatchObject({ code: 'inventory/insufficient-stock' })
  await test.setStock(100)
  await approve()
  expect((await test.typesOf(orderId)).slice(-2)).toEqual(['OrderApproved', 'OrderCompleted'])
  const head = await test.context.log.head()
  await approve()
  expect(await test.context.log.head()).toBe(head)
})

async function preOrder() {
  const test = await testShop()
  await test.change({ preOrdersEnabled: true })
  const { orderId } = await test.started('crypto', { quantityM: 2000 })
  await test.received(orderId)
  return { test, orderId }
}

it('an unreadable pre-order is reported, and the next one is served', async () => {
  const { test, orderId } = await preOrder()
  const unreadable = { id: test.context.random.uuid(), type: 'Nonsense', version: 1, data: '{}', metadata: '{}' }
  await test.store.append('order-damaged', -1, [unreadable])
  await test.setStock(2500)
  const asked = test.ask(reservePreOrders, ['damaged', orderId])
  await expect(asked).rejects.toThrow('order-damaged:0 cannot be read')
  expect(outcomeOf(await test.order(orderId))).toBe('completed')
})
