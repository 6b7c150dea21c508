import { describe, expect, it } from 'vitest'
import { placed } from '../domain/testing/order-samples.ts'
import { memoryViewStore } from '../view-store/testing/memory-view-store.ts'
import { currentBuild } from './builds.ts'
import { projectionRunner } from './runner.ts'
import { recentDocuments } from './recent-documents.ts'
import { shopLog } from './testing/shop-log.ts'
import { tally } from './testing/tally.ts'

const clock = { now: () => 0, sleep: async () => undefined }
const document = (id: string, position = '1') => ({ id, position, body: { position } })

describe('documents that were folded just now', () => {
  it('are at hand as they were written last, and the others are loaded', () => {
    const recent = recentDocuments()
    recent.keep([document('a'), document('b')])
    recent.keep([document('a', '2')])
    expect(recent.split(['a', 'c'])).toEqual({ kept: new Map([['a', document('a', '2')]]), others: ['c'] })
  })

  it('are as many as there is room for, the newest', () => {
    const recent = recentDocuments({ max: 2 })
    recent.keep([document('a'), document('b')])
    recent.keep([document('a', '2'), document('c')])
    expect([...recent.split(['a', 'b', 'c']).kept.keys()]).toEqual(['a', 'c'])
    recent.keep([document('a', '3'), document('b', '3'), document('d')])
    expect([...recent.split(['a', 'b', 'c', 'd']).kept.keys()]).toEqual(['b', 'd'])
  })

  it('do not outlive their build', async () => {
    const shop = shopLog()
    const store = memoryViewStore()
    const projection = tally(1)
    const runner = projectionRunner({ log: shop.log, store, projections: [projection], clock })
    await shop.record(placed())
    while (await runner.runOnce());
    const { collection } = await currentBuild(store, projection)
    const before = await store.find(collection, { limit: 10 })
    await store.raiseMark(`build:${projection.name}@${projection.version}`, '000002:8204711600000')
    await store.drop(collection.name)
    await shop.record(placed({ orderId: 'another-order' }))
    for (let page = 0; page < 6; page += 1) await runner.runOnce()
    const after = await store.find((await currentBuild(store, projection)).collection, { limit: 10 })
    expect(before).toHaveLength(1)
    expect(after.map(({ id }) => id)).toContain(before[0]?.id)
  })
})
