import { expect, it } from 'vitest'
import { outcomeOf } from '../domain/order/order-state.ts'
import { cancelOrder } from '../commands/order-verbs.ts'
import { STOCK, testShop, type TestShop } from '../testing/test-shop.ts'
import { crashed } from '../engines/testing/interposed.ts'
import { allPolicies } from './policies.ts'
import { type Policy, textOfMs } from './policy.ts'

/** The policies over views that have caught up. */
async function policiesOf(test: TestShop) {
  const options = { pollMs: 10_000, deliveryCall: undefined }
  const policies = allPolicies(test.context, await test.views(), options)
  const policy = (name: string): Policy => {
    const found = policies.find((one) => one.name === name)
    if (!found) throw new Error(`no policy ${name}`)
    return found
  }
  const due = async (name: string) => policy(name).due(test.context.clock.now())
  const runAll = async (name: string): Promise<void> => {
    for (const job of await due(name)) await policy(name).run(job, test.caller())
  }
  return { policies, policy, due, runAll }
}

it('the policies find the orders to expire, deliver and reinstate, each time they look', async () => {
  const test = await testShop({ env: { DELIVERY: 'webhook' } })
  const unpaid = (await test.placed()).placed.orderId
  const [paid, late] = [await test.started('crypto'), await test.started('crypto')]
  await test.ask(cancelOrder, late)
  for (const { orderId, paymentId } of [paid, late]) await test.received(orderId, {}, paymentId)
  test.pass(61)
  const { due } = await policiesOf(test)
  for (let turn = 0; turn < 2; turn += 1)
    for (const [type, orderId] of [
      ['expire-unpaid-orders', unpaid],
      ['deliver-paid-orders', paid.orderId],
      ['reinstate-late-orders', late.orderId],
    ] as const)
      expect(await due(type)).toEqual([{ id: `${type}:${orderId}`, type, data: { orderId } }])
})

it('the policies find nothing in empty views', async () => {
  const { policies } = await policiesOf(await testShop())
  for (const policy of policies) expect([policy.name, await policy.due(0)]).toEqual([policy.name, []])
})

it('the policies finish a receipt only ten seconds after its claim', async () => {
  const test = await testShop()
  const { orderId } = await test.started('crypto')
  const isDead = crashed(test.store, 'order-')
  void test.received(orderId)
  await isDead
  expect(await (await policiesOf(test)).due('finish-receipts')).toEqual([])
  test.pass(0.2)
  expect(await (await policiesOf(test)).due('finish-receipts')).toMatchObject([
    { id: 'finish-receipts:crypto:money-1', data: { provider: 'crypto', receiptId: 'money-1' } },
  ])
})

it('the policies do not look for paid pre-orders while nothing is in stock', async () => {
  const test = await testShop()
  await test.change({ preOrdersEnabled: true })
  await test.setStock(0)
  const { orderId } = await test.started('crypto', { quantityM: 100 })
  await test.received(orderId)
  expect(await (await policiesOf(test)).due('reserve-paid-pre-orders')).toEqual([])
  await test.setStock(100)
  expect(await (await policiesOf(test)).due('reserve-paid-pre-orders')).toMatchObject([{ data: {} }])
})

it('a job expires a due order, but not one that was paid since', async () => {
  const test = await testShop()
  const due = (await test.placed()).placed.orderId
  const paid = await test.started('crypto')
  test.pass(121)
  const { runAll } = await policiesOf(test)
  await test.received(paid.orderId)
  await runAll('expire-unpaid-orders')
  expect([outcomeOf(await test.order(due)), outcomeOf(await test.order(paid.orderId))]).toEqual([
    'expired',
    'completed',
  ])
})

it('a job expires an order that was placed by a clock far ahead', async () => {
  const test = await testShop()
  test.pass(30 * 24 * 60)
  const { orderId } = (await test.placed()).placed
  test.pass(-30 * 24 * 60)
  await (await policiesOf(test)).runAll('expire-unpaid-orders')
  expect(outcomeOf(await test.order(orderId))).toBe('expired')
})

it('a job ends a reservation that stays without an order', async () => {
  const test = await testShop({ env: { RESERVATION_TTL_MINUTES: '0.25' } })
  const isDead = crashed(test.store, 'order-')
  void test.placed({ idempotencyKey: 'key-1' })
  await isDead
  expect(await test.typesOf(STOCK)).toHaveLength(2)
  expect(await (await policiesOf(test)).due('end-abandoned-reservations')).toEqual([])
  test.pass(0.3)
  await (await policiesOf(test)).runAll('end-abandoned-reservations')
  expect((await test.typesOf(STOCK)).at(-1)).toBe('StockReleased')
})

it('open reservations are looked at again and again, page by page, and those that orders hold stay', async () => {
  const test = await testShop({ env: { RESERVATION_TTL_MINUTES: '0.25' } })
  await test.placed()
  const at = textOfMs(test.context.clock.now())
  const reserve = {
    type: 'ReserveStock',
    claimAt: 0,
    quantityM: 0,
    outdatedSerials: [],
    openMax: Infinity,
    coins: 'Pokecoins',
    at,
  } as const
  for (let index = 0; index < 501; index += 1)
    await test.context.hot.changeStock({ ...reserve, orderId: `order-${index}` }, test.caller())
  const { due } = await policiesOf(test)
  const found = async () => (await due('end-abandoned-reservations')).map(({ id }) => id)
  expect(await found()).toEqual([])
  test.pass(0.3)
  const [first, second, third] = [await found(), await found(), await found()]
  expect(new Set([...first, ...second]).size).toBe(501)
  expect(Math.max(first.length, second.length)).toBeLessThanOrEqual(500)
  expect(third).toEqual([])
  test.pass(0.3)
  expect(await found()).toEqual(first)
})

it('paid pre-orders get stock in the order of payment, even when a later one is smaller', async () => {
  const test = await testShop()
  await test.change({ preOrdersEnabled: true })
  await test.setStock(0)
  const orders: string[] = []
  for (const quantityM of [100, 600, 50]) {
    const { orderId } = await test.started('crypto', { quantityM })
    await test.received(orderId, {}, `money-${quantityM}`)
    orders.push(orderId)
  }
  await test.setStock(200)
  const runAll = async () => (await policiesOf(test)).runAll('reserve-paid-pre-orders')
  await runAll()
  const statuses = async () => Promise.all(orders.map(async (orderId) => outcomeOf(await test.order(orderId))))
  expect(await statuses()).toEqual(['completed', undefined, undefined])
  await test.setStock(700)
  await runAll()
  expect(await statuses()).toEqual(['completed', 'completed', 'completed'])
})
