import { describe, expect, it } from 'vitest'
import { may } from '../domain/order/may.ts'
import { isDeliveryUnknown, openDelivery, outcomeOf } from '../domain/order/order-state.ts'
import { approveOrder } from './approve-order.ts'
import { cancelOrder } from './cancel-order.ts'
import { deleteOrder } from './delete-order.ts'
import { type Delivery, DELIVERY_CALLS_MINUTES, deliverOrder } from './deliver-order.ts'
import { recordPayment } from './record-payment.ts'
import { away } from './testing/faulty-store.ts'
import { losingVault } from './testing/losing-vault.ts'
import { receiptOf, reportOf, STOCK, testShop, type TestShop } from './testing/test-shop.ts'
import type { Vault } from '../vault/vault.ts'

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

/** Somebody may hold up the vault's next answer. */
function slowVault() {
  const hold = { before: async (): Promise<void> => undefined }
  const wrapVault = (vault: Vault): Vault => ({
    ...vault,
    async keysOf(ids) {
      const keys = await vault.keysOf(ids)
      await hold.before()
      return keys
    },
  })
  return { hold, wrapVault }
}

async function paidOrder(options: Parameters<typeof testShop>[0] = {}) {
  const test = await testShop({ policy: { deliveryMode: 'webhook' }, ...options })
  const { orderId } = await test.started('crypto')
  const report = reportOf('received', [receiptOf('money-1')])
  await recordPayment(test.shop, test.caller(), { orderId, attempt: 1, report })
  return { test, orderId }
}

async function reverse(test: TestShop, orderId: string): Promise<void> {
  const report = reportOf('received', [receiptOf('money-1', { reversedAmount: '10.00' })])
  await recordPayment(test.shop, test.caller(), { orderId, attempt: 1, report })
}

describe('delivering by the webhook', () => {
  it('is asked for in the log first, and completed by the answer', async () => {
    const { test, orderId } = await paidOrder()
    const { call, calls, played } = bot()
    played.before = async () => {
      expect((await test.typesOf(orderId)).at(-1)).toBe('DeliveryRequested')
    }
    await deliverOrder(test.shop, test.caller(), { orderId, call })
    expect(calls).toMatchObject([{ orderId, quantityM: 100, discordUsername: 'ash' }])
    expect((await test.typesOf(orderId)).slice(-2)).toEqual(['DeliveryRequested', 'OrderCompleted'])
    expect((await test.typesOf(STOCK)).at(-1)).toBe('StockCommitted')
  })

  it('makes no call while the request cannot be appended', async () => {
    const { test, orderId } = await paidOrder()
    const { call, calls } = bot()
    test.store.failNext('order-', away)
    await expect(deliverOrder(test.shop, test.caller(), { orderId, call })).rejects.toMatchObject({
      name: 'EventStoreAway',
    })
    expect(calls).toEqual([])
  })

  it('does not happen again once it is completed', async () => {
    const { test, orderId } = await paidOrder()
    const { call, calls } = bot()
    await deliverOrder(test.shop, test.caller(), { orderId, call })
    await deliverOrder(test.shop, test.caller(), { orderId, call })
    expect(calls).toHaveLength(1)
  })

  it('calls again when the answer did not come', async () => {
    const { test, orderId } = await paidOrder()
    const { call, calls, played } = bot()
    played.isAway = true
    await expect(deliverOrder(test.shop, test.caller(), { orderId, call })).rejects.toThrow('played')
    played.isAway = false
    await deliverOrder(test.shop, test.caller(), { orderId, call })
    expect(calls.map((delivery) => delivery.orderId)).toEqual([orderId, orderId])
    expect(outcomeOf(await test.order(orderId))).toBe('completed')
  })

  it('needs a person who cannot be named to the bot, and asks it once he can be and staff approve', async () => {
    const { lost, wrapVault } = losingVault()
    const { test, orderId } = await paidOrder({ policy: { deliveryMode: 'webhook' }, wrapVault })
    const { call, calls } = bot()
    lost.isLost = true
    for (let turn = 0; turn < 2; turn += 1) await deliverOrder(test.shop, test.caller(), { orderId, call })
    const held = await test.order(orderId)
    expect(held.attention.map(({ reason }) => reason)).toEqual(['buyer-unreadable'])
    expect(may(held)).toMatchObject({ approve: true, settle: false })
    lost.isLost = false
    for (let turn = 0; turn < 2; turn += 1) await approveOrder(test.shop, test.caller(), { orderId, adminId: 'owner' })
    await deliverOrder(test.shop, test.caller(), { orderId, call })
    expect(calls).toHaveLength(1)
    expect(await test.order(orderId)).toMatchObject({ attention: [], life: { kind: 'completed' } })
  })

  it('can be approved again and again while its buyer cannot be named', async () => {
    const { lost, wrapVault } = losingVault()
    const { test, orderId } = await paidOrder({ policy: { deliveryMode: 'webhook' }, wrapVault })
    lost.isLost = true
    for (let turn = 0; turn < 3; turn += 1) {
      await deliverOrder(test.shop, test.caller(), { orderId, call: bot().call })
      expect((await test.order(orderId)).attention).toHaveLength(1)
      await approveOrder(test.shop, test.caller(), { orderId, adminId: 'owner' })
      expect((await test.order(orderId)).attention).toHaveLength(0)
    }
  })

  it('goes on once a key is back that was lost during the call', async () => {
    const { lost, wrapVault } = losingVault()
    const { test, orderId } = await paidOrder({ policy: { deliveryMode: 'webhook' }, wrapVault })
    const { call, calls, played } = bot()
    played.isAway = true
    await expect(deliverOrder(test.shop, test.caller(), { orderId, call })).rejects.toThrow('played')
    lost.isLost = true
    await deliverOrder(test.shop, test.caller(), { orderId, call })
    expect(calls).toHaveLength(1)
    Object.assign(lost, { isLost: false })
    played.isAway = false
    await deliverOrder(test.shop, test.caller(), { orderId, call })
    expect(outcomeOf(await test.order(orderId))).toBe('completed')
  })

  it('begins no call for money that was taken back since', async () => {
    const { test, orderId } = await paidOrder()
    const { call, calls, played } = bot()
    played.isAway = true
    await deliverOrder(test.shop, test.caller(), { orderId, call }).catch(() => undefined)
    await reverse(test, orderId)
    await deliverOrder(test.shop, test.caller(), { orderId, call })
    expect(calls).toHaveLength(1)
  })

  it('begins no call for money that is taken back while the vault is slow', async () => {
    const { hold, wrapVault } = slowVault()
    const { test, orderId } = await paidOrder({ policy: { deliveryMode: 'webhook' }, wrapVault })
    const { call, calls } = bot()
    hold.before = async () => reverse(test, orderId)
    await deliverOrder(test.shop, test.caller(), { orderId, call })
    expect(calls).toEqual([])
  })

  it('begins no call once its time has passed while the vault was slow', async () => {
    const { hold, wrapVault } = slowVault()
    const { test, orderId } = await paidOrder({ policy: { deliveryMode: 'webhook' }, wrapVault })
    const { call, calls } = bot()
    hold.before = async () => test.pass(DELIVERY_CALLS_MINUTES + 1)
    await deliverOrder(test.shop, test.caller(), { orderId, call })
    expect(calls).toEqual([])
  })

  it('closes with a cause for staff once its time and that of a call have passed, and is never tried unasked', async () => {
    const { test, orderId } = await paidOrder()
    const { call, calls, played } = bot()
    played.isAway = true
    await deliverOrder(test.shop, test.caller(), { orderId, call }).catch(() => undefined)
    await expect(cancelOrder(test.shop, test.caller(), { orderId })).rejects.toMatchObject({ code: 'order/busy' })
    test.pass(DELIVERY_CALLS_MINUTES + 0.1)
    await deliverOrder(test.shop, test.caller(), { orderId, call })
    expect(openDelivery(await test.order(orderId))).toBeDefined()
    test.pass(0.5)
    await deliverOrder(test.shop, test.caller(), { orderId, call })
    await deliverOrder(test.shop, test.caller(), { orderId, call })
    expect(await test.order(orderId)).toMatchObject({
      life: { stage: { kind: 'delivery-unknown' } },
      attention: [{ reason: 'delivery-unknown' }],
    })
    expect(calls).toHaveLength(1)
  })

  it.for([
    [true, 'StockCommitted'],
    [false, 'StockReleased'],
  ] as const)('lets staff delete an order of unknown end: coins given %s', async ([coinsGiven, ending]) => {
    const { test, orderId } = await paidOrder()
    const { call, played } = bot()
    played.isAway = true
    await deliverOrder(test.shop, test.caller(), { orderId, call }).catch(() => undefined)
    test.pass(DELIVERY_CALLS_MINUTES + 1)
    await deliverOrder(test.shop, test.caller(), { orderId, call })
    const request = { orderId, adminId: 'owner' }
    await expect(deleteOrder(test.shop, test.caller(), { ...request, coinsGiven: null })).rejects.toMatchObject({
      code: 'order/coins-given-unknown',
    })
    await deleteOrder(test.shop, test.caller(), { ...request, coinsGiven })
    expect((await test.typesOf(STOCK)).at(-1)).toBe(ending)
  })

  it('is completed without a call when staff approve an order of unknown end', async () => {
    const { test, orderId } = await paidOrder()
    const { call, calls, played } = bot()
    played.isAway = true
    await deliverOrder(test.shop, test.caller(), { orderId, call }).catch(() => undefined)
    test.pass(DELIVERY_CALLS_MINUTES + 1)
    await deliverOrder(test.shop, test.caller(), { orderId, call })
    await approveOrder(test.shop, test.caller(), { orderId, adminId: 'owner' })
    await deliverOrder(test.shop, test.caller(), { orderId, call })
    expect(outcomeOf(await test.order(orderId))).toBe('completed')
    expect(calls).toHaveLength(1)
  })

  it('shows staff a yes that comes after the order was deleted', async () => {
    const { test, orderId } = await paidOrder()
    const { call, played } = bot()
    played.before = async () => {
      test.pass(DELIVERY_CALLS_MINUTES + 1)
      await deliverOrder(test.shop, test.caller(), { orderId, call: undefined })
      await deleteOrder(test.shop, test.caller(), { orderId, adminId: 'owner', coinsGiven: false })
    }
    await deliverOrder(test.shop, test.caller(), { orderId, call })
    expect((await test.order(orderId)).attention.map(({ reason }) => reason)).toContain('delivered-after-end')
  })

  it('is settled in time where the bot was taken away', async () => {
    const { test, orderId } = await paidOrder()
    const { call, played } = bot()
    played.isAway = true
    await deliverOrder(test.shop, test.caller(), { orderId, call }).catch(() => undefined)
    test.pass(DELIVERY_CALLS_MINUTES + 1)
    await deliverOrder(test.shop, test.caller(), { orderId, call: undefined })
    expect(isDeliveryUnknown(await test.order(orderId))).toBe(true)
  })
})

describe('an order that staff hand over', () => {
  it('is not called for, whatever is configured by now', async () => {
    const policy = { deliveryMode: 'staff' as const }
    const { test, orderId } = await paidOrder({ policy })
    const { call, calls } = bot()
    await deliverOrder(test.shop, test.caller(), { orderId, call })
    const now = { ...test.shop, policy: { ...test.shop.policy, deliveryMode: 'webhook' as const } }
    await deliverOrder(now, test.caller(), { orderId, call })
    expect(calls).toEqual([])
    expect((await test.typesOf(orderId)).at(-1)).toBe('OrderReady')
  })

  it('is called for where it became ready for the webhook, whatever is configured by now', async () => {
    const { test, orderId } = await paidOrder()
    const { call, calls } = bot()
    const now = { ...test.shop, policy: { ...test.shop.policy, deliveryMode: 'staff' as const } }
    await deliverOrder(now, test.caller(), { orderId, call })
    expect(calls).toHaveLength(1)
    expect(outcomeOf(await test.order(orderId))).toBe('completed')
  })

  it('leaves alone what is not paid', async () => {
    const test = await testShop({ policy: { deliveryMode: 'webhook' } })
    const { orderId } = (await test.placed()).placed
    await deliverOrder(test.shop, test.caller(), { orderId, call: bot().call })
    expect(await test.typesOf(orderId)).toEqual(['OrderPlaced'])
  })
})
