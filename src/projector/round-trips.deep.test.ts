import { expect, it, onTestFinished } from 'vitest'
import { completed, placed } from '../domain/testing/order-samples.ts'
import { testDatabase } from '../mongodb/testing/databases.ts'
import { mongodbViewStore } from '../view-store/mongodb-view-store.ts'
import { describeUnless } from '../testing/describe-unless.ts'
import { notSet } from '../testing/missing.ts'
import { projectionRunner } from './runner.ts'
import { shopProjections } from '../projections/shop-projections.ts'
import { shopLog } from '../projections/testing/shop-log.ts'

const address = process.env['MONGODB_URL']
const projections = shopProjections({ timeZone: 'UTC' })

describeUnless(notSet('MONGODB_URL'), 'a page that is folded into MongoDB', () => {
  it.for([10, 400])('is two reads and two writes of each view at most, also of %s orders', async (orders) => {
    const database = testDatabase(address ?? '')
    const sent: { name: string; collection: string }[] = []
    const store = mongodbViewStore({ url: database.url, onCommand: (command) => sent.push(command) })
    onTestFinished(() => database.drop())
    onTestFinished(() => store.close())
    const shop = shopLog()
    const clock = { now: () => 0, sleep: async () => undefined }
    const runner = projectionRunner({ log: shop.log, store, projections, clock, pageSize: 2 * orders })
    await runner.runOnce()
    const names = Array.from({ length: orders }, (_, at) => ({ orderId: `order-${at}`, customerId: `customer-${at}` }))
    const pages = [names.flatMap((name) => [placed(name), completed(name)]), names.map((name) => completed(name))]
    for (const page of pages) {
      await shop.record(...page)
      sent.length = 0
      expect(await runner.runOnce()).toBe(true)
      const counts = new Map<string, number>()
      for (const { name, collection } of sent) {
        if (!collection.includes('@')) continue
        const trip = `${collection.split('@')[0]} ${name}`
        counts.set(trip, (counts.get(trip) ?? 0) + 1)
      }
      expect([...counts.keys()]).toEqual(expect.arrayContaining(['orders find', 'analytics find']))
      expect([...counts].filter(([, count]) => count > 2)).toEqual([])
      expect([...counts.keys()].filter((trip) => !/ (find|insert|update)$/.test(trip))).toEqual([])
    }
  })
})
