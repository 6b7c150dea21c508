import { expect, it } from 'vitest'
import type { EventLog } from '../../log/event-log.ts'
import { cancelOrder, choosePaymentMethod } from '../../commands/order-verbs.ts'
import { testShop } from '../../testing/test-shop.ts'
import { orderHistories } from './order-histories.ts'

/** The log, and how many events each reading of a stream gave. */
function counted(log: EventLog) {
  const counts: number[] = []
  const readStream: EventLog['readStream'] = async (...asked) => {
    const events = await log.readStream(...asked)
    counts.push(events.length)
    return events
  }
  return { counts, readStream }
}

it('a known order is read from its last event on', async () => {
  const { context, caller, placed } = await testShop()
  const { orderId } = (await placed()).placed
  const log = counted(context.log)
  const histories = orderHistories(log)
  await histories.read(orderId)
  await choosePaymentMethod(context, caller(), { orderId, paymentMethod: 'upi' })
  const chosen = await histories.read(orderId)
  expect(await histories.read(orderId)).toEqual(chosen)
  expect(log.counts).toEqual([1, 1, 0])
  expect(chosen).toEqual(await orderHistories(context.log).read(orderId))
  expect(chosen.events.map(({ type }) => type)).toEqual(['OrderPlaced', 'PaymentMethodChosen'])
})

it('what is appended to a known order is not read from the log again', async () => {
  const test = await testShop()
  const log = counted(test.context.log)
  const orders = orderHistories(log)
  const context = { ...test.context, hot: { ...test.context.hot, orders } }
  const { orderId } = (await test.placed()).placed
  await choosePaymentMethod(context, test.caller(), { orderId, paymentMethod: 'upi' })
  await cancelOrder(context, test.caller(), { orderId })
  const { order, events } = await orders.read(orderId)
  expect(log.counts).toEqual([1, 0, 0])
  const stored = await orderHistories(test.context.log).read(orderId)
  expect(order).toEqual(stored.order)
  expect(stored.events).toMatchObject(events)
})

it('an order shows at once what another process has appended', async () => {
  const test = await testShop()
  const other = await test.anotherProcess()
  const { orderId } = (await test.placed()).placed
  await other.hot.orders.read(orderId)
  await test.ask(cancelOrder, { orderId })
  expect((await other.hot.orders.read(orderId)).order).toMatchObject({ life: { as: 'cancelled' }, next: 2 })
})

it('an order that was asked for before it was placed is found afterwards', async () => {
  const { context, placed } = await testShop()
  const orderId = context.keys.orderIdFor('a key')
  expect((await context.hot.orders.read(orderId)).order.kind).toBe('none')
  await placed({ idempotencyKey: 'a key' })
  expect((await context.hot.orders.read(orderId)).order.kind).toBe('placed')
})

it('the least recently used order is dropped', async () => {
  const { context, placed } = await testShop()
  const ids: string[] = []
  for (let count = 0; count < 3; count += 1) ids.push((await placed()).placed.orderId)
  const [first = '', second = '', third = ''] = ids
  const log = counted(context.log)
  const histories = orderHistories(log, 2)
  for (const id of [first, second, first, third, first, second]) await histories.read(id)
  expect(log.counts).toEqual([1, 1, 0, 1, 0, 1])
})

it('of two concurrent reads the longer history is kept', async () => {
  const { context, caller, placed } = await testShop()
  const { orderId } = (await placed()).placed
  const early = await context.log.readStream(`order-${orderId}`)
  await cancelOrder(context, caller(), { orderId })
  const late = Promise.withResolvers<undefined>()
  let readings = 0
  const histories = orderHistories({
    readStream: async (...asked) => {
      readings += 1
      if (readings > 1) return context.log.readStream(...asked)
      await late.promise
      return early
    },
  })
  const slow = histories.read(orderId)
  await histories.read(orderId)
  late.resolve(undefined)
  expect((await slow).order).toMatchObject({ life: { kind: 'open' } })
  expect((await histories.read(orderId)).events).toHaveLength(2)
  expect(readings).toBe(3)
})
