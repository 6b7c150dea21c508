import { expect, it, onTestFinished } from 'vitest'
import { orderOfJob } from './job-order.ts'
import { during, newFolder, numberOf, order, removeFolder } from './testing/shop-folder.ts'

it('names the order of a job by its number', async () => {
  const folder = newFolder()
  onTestFinished(() => removeFolder(folder))
  await during(folder, async (shop) => {
    const { log } = shop.engines
    const id = await order(shop, 'anna@example.test')
    expect(await orderOfJob(log, `deliver-paid-orders:${id}:1`)).toBe(await numberOf(shop, id))
    expect(await orderOfJob(log, 'finish-erasures:0198c0de-0000-7000-8000-000000000000')).toBeUndefined()
    expect(await orderOfJob(log, 'sweep')).toBeUndefined()
  })
})
