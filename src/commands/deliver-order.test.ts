import { expect, it } from 'vitest'
import { may } from '../domain/order/may.ts'
import { isDeliveryUnknown, openDelivery, outcomeOf } from '../domain/order/order-state.ts'
import { approveOrder } from './approve-order.ts'
import { cancelOrder } from './order-verbs.ts'
import { type Delivery, DELIVERY_CALLS_MINUTES, deliverOrder } from './deliver-order.ts'
import type { Fate } from '../engines/testing/interposed.ts'
import { STOCK, testShop, type TestShop, losingVault } from '../testing/test-shop.ts'

/** The bot that gives the coins. */
function bot() {
  const calls: Delivery[] = []
  const played = { isAway: false, before: async (): Promise<void> => undefined }
  const call = async (delivery: Delivery): Promise<void> => {
    await played.before()
    calls.push(delivery)
    if (played.isAway) throw new Error('played')
  }
  return { calls, played, call }
}

/** `hold.before` runs before the vault returns keys. */
function slowVault() {
  const hold = { before: async (): Promise<void> => undefined }
  const vault: Fate = async (make, { name }) => {
    const answer = await make()
    if (name === 'keysOf') await hold.before()
    return answer
  }
  return { hold, fates: { vault } }
}

async function paidOrder(options: Parameters<typeof testShop>[0] = {}) {
  const test = await testShop({ env: { DELIVERY: 'webhook' }, ...options })
  const { orderId } = await test.started('crypto')
  await test.received(orderId)
  return { test, orderId }
}

it('a delivery is recorded before the bot is called, and completed by its answer', async () => {
  const { test, orderId } = await paidOrder()
  const { call, calls, played } = bot()
  played.before = async () => {
    expect((await test.typesOf(orderId)).at(-1)).toBe('DeliveryRequested')
  }
  await test.ask(deliverOrder, { orderId, call })
  expect(calls).toMatchObject([{ orderId, quantityM: 100, discordUsername: 'ash' }])
  expect((await test.typesOf(orderId)).slice(-2)).toEqual(['DeliveryRequested', 'OrderCompleted'])
  expect((await test.typesOf(STOCK)).at(-1)).toBe('StockCommitted')
})

it('an order whose buyer is unreadable is held, and delivered once he is readable and staff approve', async () => {
  const { lost, fates } = losingVault()
  const { test, orderId } = await paidOrder({ fates })
  const { call, calls } = bot()
  lost.isLost = true
  for (let turn = 0; turn < 2; turn += 1) await test.ask(deliverOrder, { orderId, call })
  const held = await test.order(orderId)
  expect(held.attention.map(({ reason }) => reason)).toEqual(['buyer-unreadable'])
  expect(may(held)).toMatchObject({ approve: true, settle: false })
  lost.isLost = false
  for (let turn = 0; turn < 2; turn += 1) await test.ask(approveOrder, { orderId, adminId: 'owner' })
  await test.ask(deliverOrder, { orderId, call })
  expect(calls).toHaveLength(1)
  expect(await test.order(orderId)).toMatchObject({ attention: [], life: { kind: 'completed' } })
})

it('a delivery goes on once a lost key of its buyer is back', async () => {
  const { lost, fates } = losingVault()
  const { test, orderId } = await paidOrder({ fates })
  const { call, calls, played } = bot()
  played.isAway = true
  await expect(test.ask(deliverOrder, { orderId, call })).rejects.toThrow('played')
  lost.isLost = true
  await test.ask(deliverOrder, { orderId, call })
  expect(calls).toHaveLength(1)
  Object.assign(lost, { isLost: false })
  played.isAway = false
  await test.ask(deliverOrder, { orderId, call })
  expect(outcomeOf(await test.order(orderId))).toBe('completed')
})

it.for<[what: string, happens: (test: TestShop, orderId: string) => unknown]>([
  ['for money that is taken back', (test, orderId) => test.received(orderId, { reversedAmount: '10.00' })],
  ['once its time has passed', (test) => test.pass(DELIVERY_CALLS_MINUTES + 1)],
])('the bot is not called %s while the vault is slow', async ([, happens]) => {
  const { hold, fates } = slowVault()
  const { test, orderId } = await paidOrder({ fates })
  const { call, calls } = bot()
  hold.before = async () => void (await happens(test, orderId))
  await test.ask(deliverOrder, { orderId, call })
  expect(calls).toEqual([])
})

it('a delivery without an answer is given up with a cause for staff, and never tried again', async () => {
  const { test, orderId } = await paidOrder()
  const { call, calls, played } = bot()
  played.isAway = true
  await test.ask(deliverOrder, { orderId, call }).catch(() => undefined)
  await expect(test.ask(cancelOrder, { orderId })).rejects.toMatchObject({ code: 'order/busy' })
  test.pass(DELIVERY_CALLS_MINUTES + 0.1)
  await test.ask(deliverOrder, { orderId, call })
  expect(openDelivery(await test.order(orderId))).toBeDefined()
  test.pass(0.5)
  await test.ask(deliverOrder, { orderId, call })
  await test.ask(deliverOrder, { orderId, call })
  expect(await test.order(orderId)).toMatchObject({
    life: { stage: { kind: 'delivery-unknown' } },
    attention: [{ reason: 'delivery-unknown' }],
  })
  expect(calls).toHaveLength(1)
})

it('a delivery is given up in time when the bot was removed', async () => {
  const { test, orderId } = await paidOrder()
  const { call, played } = bot()
  played.isAway = true
  await test.ask(deliverOrder, { orderId, call }).catch(() => undefined)
  test.pass(DELIVERY_CALLS_MINUTES + 1)
  await test.ask(deliverOrder, { orderId, call: undefined })
  expect(isDeliveryUnknown(await test.order(orderId))).toBe(true)
})

it.for<[paid: 'staff' | 'webhook', by: 'staff' | 'webhook', calls: number]>([
  ['staff', 'staff', 0],
  ['staff', 'webhook', 0],
  ['webhook', 'staff', 1],
])('an order that became ready for %s delivery keeps that mode under %s', async ([deliveryMode, by, count]) => {
  const { test, orderId } = await paidOrder({ env: { DELIVERY: deliveryMode } })
  const { call, calls } = bot()
  const now = { ...test.context, config: { ...test.context.config, DELIVERY: by } }
  await deliverOrder(now, test.caller(), { orderId, call })
  expect(calls).toHaveLength(count)
  expect((await test.typesOf(orderId)).at(-1)).toBe(count === 0 ? 'OrderReady' : 'OrderCompleted')
})
