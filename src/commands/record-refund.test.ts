import { describe, expect, it } from 'vitest'
import { paidCents } from '../domain/order/order-money.ts'
import { outcomeOf } from '../domain/order/order-state.ts'
import { openedOrders } from '../shop/read-history.ts'
import { markDelivered } from './order-verbs.ts'
import { recordRefund, type RefundRequest } from './record-refund.ts'
import { STOCK, testShop, type TestShop } from '../testing/test-shop.ts'

async function paidOrder(mode: 'staff' | 'webhook' = 'webhook') {
  const test = await testShop({ env: { DELIVERY: mode } })
  const { orderId } = await test.started('crypto')
  await test.received(orderId)
  return { test, orderId }
}

async function seen(
  test: TestShop,
  orderId: string,
  changes: Partial<RefundRequest['refund']> = {},
  idempotencyKey?: string,
): Promise<RefundRequest> {
  const order = await test.order(orderId)
  const refund = { amountCents: paidCents(order), receiptId: null, reason: 'other', whereTo: null, coinsGiven: null }
  return {
    orderId,
    adminId: 'owner',
    idempotencyKey,
    revision: order.next - 1,
    refund: { ...refund, ...changes } as RefundRequest['refund'],
  }
}

const record = (test: TestShop, request: RefundRequest) => test.ask(recordRefund, request)

it('a refund ends an undelivered order and releases its coins', async () => {
  const { test, orderId } = await paidOrder()
  await record(test, await seen(test, orderId))
  expect((await test.typesOf(orderId)).at(-1)).toBe('RefundRecorded')
  expect(outcomeOf(await test.order(orderId))).toBe('refunded')
  expect((await test.typesOf(STOCK)).at(-1)).toBe('StockReleased')
})

it('a refund is recorded once per key or revision, however often it is sent', async () => {
  const { test, orderId } = await paidOrder('staff')
  await test.ask(markDelivered, { orderId })
  for (const key of [undefined, 'key-1']) {
    const request = await seen(test, orderId, { amountCents: 100 }, key)
    await Promise.all([record(test, request), record(test, request), record(test, request)])
    await record(test, request)
  }
  await record(test, await seen(test, orderId, { amountCents: 100 }, 'key-1'))
  expect((await test.typesOf(orderId)).filter((type) => type === 'RefundRecorded')).toHaveLength(2)
})

it('a refund is rejected when its key has another refund or the order has changed', async () => {
  const { test, orderId } = await paidOrder('staff')
  await test.ask(markDelivered, { orderId })
  const request = await seen(test, orderId, { amountCents: 100 }, 'key-1')
  await record(test, request)
  const refused = { code: 'order/changed' }
  const other = { ...request, refund: { ...request.refund, amountCents: 200 } }
  await expect(record(test, other)).rejects.toMatchObject(refused)
  await expect(record(test, { ...other, idempotencyKey: undefined })).rejects.toMatchObject(refused)
  const stale = await seen(test, orderId)
  await test.received(orderId, {}, 'money-2')
  await expect(record(test, stale)).rejects.toMatchObject(refused)
})

describe('where the money of a refund went', () => {
  const whereTo = 'ltc1qbuyer of Ash'

  it('the destination of a refund is sealed in the log, readable for staff and erased with the buyer', async () => {
    const { test, orderId } = await paidOrder()
    await record(test, await seen(test, orderId, { whereTo }))
    expect(JSON.stringify(await test.eventsOf(orderId))).not.toContain('ltc1qbuyer')
    const order = await test.order(orderId)
    const opened = async () => (await openedOrders(test.context, [order])).map((read) => read.opened.refundsTo)
    expect(await opened()).toEqual([[whereTo]])
    await test.context.vault.deleteCustomers([order.placed.customerId])
    expect(await opened()).toEqual([['erased']])
  })

  it('the destination of a refund is rejected when the buyer was erased', async () => {
    const { test, orderId } = await paidOrder()
    const request = await seen(test, orderId, { whereTo })
    await test.context.vault.deleteCustomers([(await test.order(orderId)).placed.customerId])
    await expect(record(test, request)).rejects.toMatchObject({ code: 'order/buyer-unreadable' })
    await record(test, { ...request, refund: { ...request.refund, whereTo: null } })
    expect(outcomeOf(await test.order(orderId))).toBe('refunded')
  })
})
