import { describe, expect, it } from 'vitest'
import { outcomeOf } from '../domain/order/order-state.ts'
import { recordReport } from '../commands/testing/record-report.ts'
import { receiptOf, reportOf, STOCK, testShop, type TestShop } from '../commands/testing/test-shop.ts'
import { crashed } from '../testing/interposed.ts'
import { allPolicies } from './policies.ts'
import type { Policy } from './policy.ts'
import { playedWork } from './testing/played-work.ts'

const NOW = Date.parse('2026-01-01T12:00:00.000Z')

async function policiesOver(known: Parameters<typeof playedWork>[0] = {}, on?: TestShop) {
  const test = on ?? (await testShop())
  const work = playedWork(known)
  const policies = allPolicies(test.shop, work, {
    pollMs: 10_000,
    reservationTtlMinutes: 0.25,
    deliveryCall: undefined,
  })
  const policy = (name: string): Policy => {
    const found = policies.find((one) => one.name === name)
    if (!found) throw new Error(`no policy ${name}`)
    return found
  }
  const runAll = async (name: string): Promise<void> => {
    for (const job of await policy(name).due(NOW)) await policy(name).run(job, test.caller())
  }
  return { test, work, policies, policy, runAll }
}

describe('the policies', () => {
  it.for<[string, Parameters<typeof playedWork>[0], { id: string; data: object }[]]>([
    [
      'expire-unpaid-orders',
      { toExpire: ['a', 'b'] },
      [
        { id: 'expire-unpaid-orders:a', data: { orderId: 'a' } },
        { id: 'expire-unpaid-orders:b', data: { orderId: 'b' } },
      ],
    ],
    [
      'end-abandoned-reservations',
      { toEnd: [{ orderId: 'a', claimAt: 3, serial: 7 }] },
      [{ id: 'end-abandoned-reservations:7', data: { orderId: 'a', claimAt: 3, serial: 7 } }],
    ],
    ['deliver-paid-orders', { toCallFor: ['a'] }, [{ id: 'deliver-paid-orders:a', data: { orderId: 'a' } }]],
    ['reinstate-late-orders', { toReinstate: ['a'] }, [{ id: 'reinstate-late-orders:a', data: { orderId: 'a' } }]],
    [
      'finish-receipts',
      { receipts: [{ provider: 'upi', receiptId: 'utr-1' }] },
      [{ id: 'finish-receipts:upi:utr-1', data: { provider: 'upi', receiptId: 'utr-1' } }],
    ],
    ['reserve-paid-pre-orders', { preOrders: ['a', 'b'] }, [{ id: 'reserve-paid-pre-orders', data: {} }]],
  ])('%s finds exactly its jobs, and the same ones again when the queue was wiped', async ([name, known, jobs]) => {
    const { policy } = await policiesOver(known)
    expect(await policy(name).due(NOW)).toMatchObject(jobs)
    expect(await policy(name).due(NOW + 1_000)).toMatchObject(jobs)
  })

  it('find nothing to do in empty views', async () => {
    const { policies } = await policiesOver()
    for (const policy of policies) expect([policy.name, await policy.due(NOW)]).toEqual([policy.name, []])
  })

  it('finish a receipt only ten seconds after its claim', async () => {
    const { policy, work } = await policiesOver()
    await policy('finish-receipts').due(NOW)
    expect(work.asked).toEqual([new Date(NOW - 10_000).toISOString()])
  })

  it('end a reservation that is without its order for longer than is configured; the view says a minute', async () => {
    const { policy, work } = await policiesOver()
    await policy('end-abandoned-reservations').due(NOW)
    expect(work.asked).toEqual([new Date(NOW + 45_000).toISOString()])
  })

  it('do not look for paid pre-orders while nothing is in stock', async () => {
    const test = await testShop()
    await test.placed({ quantityM: 1000 })
    const { policy } = await policiesOver({ preOrders: ['a'] }, test)
    expect(await policy('reserve-paid-pre-orders').due(NOW)).toEqual([])
  })
})

describe('a job', () => {
  it('expires what is due, and leaves what the view was wrong about', async () => {
    const test = await testShop()
    const due = (await test.placed()).placed.orderId
    test.pass(61)
    const fresh = (await test.placed()).placed.orderId
    const { runAll } = await policiesOver({ toExpire: [due, fresh] }, test)
    await runAll('expire-unpaid-orders')
    expect([outcomeOf(await test.order(due)), outcomeOf(await test.order(fresh))]).toEqual(['expired', undefined])
  })

  it('expires what was placed by a clock that was ahead and has come back', async () => {
    const test = await testShop()
    test.pass(30 * 24 * 60)
    const { orderId } = (await test.placed()).placed
    test.pass(-30 * 24 * 60)
    const { runAll } = await policiesOver({ placedAhead: [orderId] }, test)
    await runAll('expire-unpaid-orders')
    expect(outcomeOf(await test.order(orderId))).toBe('expired')
  })

  it('ends a reservation whose process has died', async () => {
    const test = await testShop()
    const isDead = crashed(test.store, 'order-')
    void test.placed({ idempotencyKey: 'key-1' })
    await isDead
    expect(await test.typesOf(STOCK)).toHaveLength(2)
    const orderId = test.shop.keys.orderIdFor('key-1')
    const { runAll } = await policiesOver({ toEnd: [{ orderId, claimAt: 0, serial: 1 }] }, test)
    await runAll('end-abandoned-reservations')
    expect((await test.typesOf(STOCK)).at(-1)).toBe('StockReleased')
  })

  it('asks the provider, and delivers what was paid', async () => {
    const test = await testShop()
    const { orderId, paymentId } = await test.started('crypto')
    test.providers.crypto.reports.set(paymentId, reportOf('received', [receiptOf('money-1')]))
    const { runAll } = await policiesOver({ captures: [{ orderId, attempt: 1 }] }, test)
    await runAll('check-payments')
    expect(outcomeOf(await test.order(orderId))).toBe('completed')
  })

  it('serves paid pre-orders in the order of payment: a smaller one never overtakes', async () => {
    const test = await testShop()
    await test.change({ preOrdersEnabled: true })
    await test.setStock(0)
    const orders: string[] = []
    for (const quantityM of [100, 600, 50]) {
      const { orderId } = await test.started('crypto', { quantityM })
      const report = reportOf('received', [receiptOf(`money-${quantityM}`)])
      await test.ask(recordReport, { orderId, attempt: 1, report })
      orders.push(orderId)
    }
    await test.setStock(200)
    const { runAll } = await policiesOver({ preOrders: orders }, test)
    await runAll('reserve-paid-pre-orders')
    const statuses = async () => Promise.all(orders.map(async (orderId) => outcomeOf(await test.order(orderId))))
    expect(await statuses()).toEqual(['completed', undefined, undefined])
    await test.setStock(700)
    await runAll('reserve-paid-pre-orders')
    expect(await statuses()).toEqual(['completed', 'completed', 'completed'])
  })

  it('serves the pre-orders after one that cannot be read, and reports that one', async () => {
    const test = await testShop()
    await test.change({ preOrdersEnabled: true })
    await test.setStock(0)
    const { orderId } = await test.started('crypto', { quantityM: 100 })
    const report = reportOf('received', [receiptOf('money')])
    await test.ask(recordReport, { orderId, attempt: 1, report })
    const unreadable = { id: test.shop.random.uuid(), type: 'Nonsense', version: 1, data: '{}', metadata: '{}' }
    await test.store.append('order-damaged', -1, [unreadable])
    await test.setStock(200)
    const { runAll } = await policiesOver({ preOrders: ['damaged', orderId] }, test)
    await expect(runAll('reserve-paid-pre-orders')).rejects.toThrow('order-damaged:0 cannot be read')
    expect(outcomeOf(await test.order(orderId))).toBe('completed')
  })
})
