import { expect, it, onTestFinished } from 'vitest'
import { completed, placed } from '../domain/testing/order-samples.ts'
import { databaseOfTest } from '../engines/mongodb/testing/databases.ts'
import { wireProxy } from '../engines/mongodb/testing/wire-proxy.ts'
import { shopProjections } from '../projections/shop-projections.ts'
import { shopLog } from '../projections/testing/shop-log.ts'
import { describeUnless } from '../testing/describe-unless.ts'
import { notSet } from '../ports/testing/missing.ts'
import { mongodbViewStore } from '../engines/view-store/mongodb-view-store.ts'
import { projectionRunner } from './runner.ts'

const projections = shopProjections({ timeZone: 'UTC' })

describeUnless(notSet('MONGODB_URL'), 'a page that is folded into MongoDB', () => {
  it.for([10, 200])('a page in MongoDB is one read and one write of each view, also for %s orders', async (orders) => {
    const sent: { name: string; collection: string }[] = []
    const proxy = await wireProxy(databaseOfTest(process.env['MONGODB_URL']), ({ name, document }) => {
      sent.push({ name, collection: String(document[name]) })
      return 'answered'
    })
    const store = mongodbViewStore({ url: proxy.url })
    onTestFinished(() => proxy.close())
    onTestFinished(() => store.close())
    const shop = shopLog()
    const clock = { now: () => 0, sleep: async () => undefined }
    const pageSize = 2 * orders
    const shaped = { logId: 'log', shape: 'shape', projections }
    const runner = projectionRunner({ ...shaped, log: shop.log, store, clock, pageSize })
    await runner.runOnce()
    // It looks up what serves now.
    await runner.runOnce()
    const names = Array.from({ length: orders }, (_, at) => ({ orderId: `order-${at}`, customerId: `customer-${at}` }))
    await shop.record(...names.flatMap((name) => [placed(name), completed(name)]))
    sent.length = 0
    expect(await runner.runOnce()).toBe(true)
    const trips = sent.map(({ name, collection }) => `${collection.split('_')[1] ?? collection} ${name}`).toSorted()
    const views = ['analytics', 'customers', 'orders']
    expect(trips).toEqual([...views.flatMap((view) => [`${view} find`, `${view} update`]), 'sets update'].toSorted())
  })
})
