import { describe, expect, it } from 'vitest'
import { may } from '../domain/order/may.ts'
import { isDeliveryUnknown, openDelivery, outcomeOf, readinessOf } from '../domain/order/order-state.ts'
import { approveOrder } from './approve-order.ts'
import { cancelOrder, deleteOrder, markDelivered } from './order-verbs.ts'
import { type Delivery, DELIVERY_CALLS_MINUTES, deliverOrder } from './deliver-order.ts'
import { recordReport } from './testing/record-report.ts'
import type { Fate } from '../testing/interposed.ts'
import { losingVault } from './testing/losing-vault.ts'
import { receiptOf, reportOf, STOCK, testShop, type TestShop } from './testing/test-shop.ts'

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

/** Something happens before the vault's next answer. */
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
  const test = await testShop({ policy: { deliveryMode: 'webhook' }, ...options })
  const { orderId } = await test.started('crypto')
  const report = reportOf('received', [receiptOf('money-1')])
  await test.ask(recordReport, { orderId, attempt: 1, report })
  return { test, orderId }
}

async function reverse(test: TestShop, orderId: string): Promise<void> {
  const report = reportOf('received', [receiptOf('money-1', { reversedAmount: '10.00' })])
  await test.ask(recordReport, { orderId, attempt: 1, report })
}

describe('delivering by the webhook', () => {
  it('is asked for in the log first, and completed by the answer', async () => {
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

  it('needs a person who cannot be named to the bot, and asks it once he can be and staff approve', async () => {
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

  it('goes on once a key is back that was lost during the call', async () => {
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

  it('begins no call for money that is taken back while the vault is slow', async () => {
    const { hold, fates } = slowVault()
    const { test, orderId } = await paidOrder({ fates })
    const { call, calls } = bot()
    hold.before = async () => reverse(test, orderId)
    await test.ask(deliverOrder, { orderId, call })
    expect(calls).toEqual([])
  })

  it('begins no call once its time has passed while the vault was slow', async () => {
    const { hold, fates } = slowVault()
    const { test, orderId } = await paidOrder({ fates })
    const { call, calls } = bot()
    hold.before = async () => test.pass(DELIVERY_CALLS_MINUTES + 1)
    await test.ask(deliverOrder, { orderId, call })
    expect(calls).toEqual([])
  })

  it('closes with a cause for staff once its time and that of a call have passed, and is never tried unasked', async () => {
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

  it('shows staff a yes that comes after the order was deleted', async () => {
    const { test, orderId } = await paidOrder()
    const { call, played } = bot()
    played.before = async () => {
      test.pass(DELIVERY_CALLS_MINUTES + 1)
      await test.ask(deliverOrder, { orderId, call: undefined })
      await test.ask(deleteOrder, { orderId, adminId: 'owner', coinsGiven: false })
    }
    await test.ask(deliverOrder, { orderId, call })
    expect(await test.reasons(orderId)).toContain('delivered-after-end')
  })

  it('is settled in time where the bot was taken away', async () => {
    const { test, orderId } = await paidOrder()
    const { call, played } = bot()
    played.isAway = true
    await test.ask(deliverOrder, { orderId, call }).catch(() => undefined)
    test.pass(DELIVERY_CALLS_MINUTES + 1)
    await test.ask(deliverOrder, { orderId, call: undefined })
    expect(isDeliveryUnknown(await test.order(orderId))).toBe(true)
  })
})

describe('an order that staff hand over', () => {
  it('is paid and pending, its coins held, until staff mark it as delivered', async () => {
    const { test, orderId } = await paidOrder({ policy: { deliveryMode: 'staff' } })
    expect(readinessOf(await test.order(orderId))).toMatchObject({ deliveryMode: 'staff' })
    expect((await test.typesOf(STOCK)).at(-1)).toBe('StockReserved')
    for (let turn = 0; turn < 2; turn += 1) await test.ask(markDelivered, { orderId })
    expect((await test.typesOf(orderId)).slice(-3)).toEqual(['PaymentReceived', 'OrderReady', 'OrderCompleted'])
    expect((await test.typesOf(STOCK)).at(-1)).toBe('StockCommitted')
  })

  it('is not called for, whatever is configured by now', async () => {
    const policy = { deliveryMode: 'staff' as const }
    const { test, orderId } = await paidOrder({ policy })
    const { call, calls } = bot()
    await test.ask(deliverOrder, { orderId, call })
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
})
