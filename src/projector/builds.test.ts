import { describe, expect, it, onTestFinished } from 'vitest'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { customersProjection } from '../projections/customers.ts'
import { ordersProjection } from '../projections/orders.ts'
import { newFolder, removeFolder } from '../testing/shop-folder.ts'
import { sqliteViewStore } from '../view-store/sqlite-view-store.ts'
import { memoryViewStore } from '../view-store/testing/memory-view-store.ts'
import { is, type ViewStore } from '../view-store/view-store.ts'
import {
  checkpointMark,
  checkpointOf,
  claimViews,
  dropForeignViews,
  dropViews,
  finishBuild,
  isReady,
  openBuild,
} from './builds.ts'

const HEAD = '00000000000000000450'
const log = { head: async () => HEAD, now: () => 1_000 }

async function served(store: ViewStore): Promise<void> {
  const { build } = await openBuild(store, customersProjection, log)
  await store.write([
    { collection: build.collection, documents: [], mark: checkpointMark(build, { from: '', to: HEAD }) },
  ])
  await finishBuild(store, build, log.now())
}

describe('views of another log', () => {
  const ours = { ...log, id: 'ours' }

  it('are dropped, and begun anew', async () => {
    const store = memoryViewStore()
    await served(store)
    expect(await dropForeignViews(store, ours)).toBe(true)
    expect(await store.collections()).toEqual([])
    expect(await dropForeignViews(store, ours)).toBe(false)
    const anew = await openBuild(store, customersProjection, ours)
    expect(await checkpointOf(store, anew.build.collection)).toBe('')
  })

  it('are those of this one too, where it reaches less far than they do', async () => {
    const store = memoryViewStore()
    await dropForeignViews(store, ours)
    await served(store)
    expect(await dropForeignViews(store, ours)).toBe(false)
    expect(await dropForeignViews(store, { ...ours, head: async () => '00000000000000000449' })).toBe(true)
  })

  it('are those of this one as well, where all are to be dropped', async () => {
    const store = memoryViewStore()
    await dropForeignViews(store, ours)
    await served(store)
    expect(await dropViews(store, ours)).toBe(1)
    expect(await store.collections()).toEqual([])
    const anew = await openBuild(store, customersProjection, ours)
    expect(await checkpointOf(store, anew.build.collection)).toBe('')
  })
})

it('keeps views that were wiped while the shop was running', async () => {
  const store = memoryViewStore()
  await claimViews(store, 'ours')
  await served(store)
  expect(await dropForeignViews(store, { ...log, id: 'ours' })).toBe(false)
  await claimViews(store, 'another')
  expect(await dropForeignViews(store, { ...log, id: 'another' })).toBe(true)
})

function newFiles(): { views: string; people: string } {
  const folder = newFolder()
  onTestFinished(() => removeFolder(folder))
  return { views: join(folder, 'views.sqlite'), people: join(folder, 'customers.sqlite') }
}

describe('in SQLite', () => {
  it('a view gets its indexes last', async () => {
    const files = newFiles()
    const store = sqliteViewStore(files)
    const { build } = await openBuild(store, ordersProjection, log)
    const question = { where: [is('customerId', 'anna')], sort: { field: 'createdAt', direction: 'asc' } } as const
    expect((await store.explain(build.collection, question)).join()).not.toContain('INDEX')
    await finishBuild(store, build, log.now())
    expect((await store.explain(build.collection, question)).join()).toContain('by customerId createdAt')
    await store.close()
  })

  it('a view whose file was removed is built again, and does not serve before', async () => {
    const files = newFiles()
    const first = sqliteViewStore(files)
    await served(first)
    await first.close()
    for (const end of ['', '-wal', '-shm']) rmSync(files.people + end, { force: true })
    const store = sqliteViewStore(files)
    const { build, target } = await openBuild(store, customersProjection, log)
    expect([target, await isReady(store, build.collection)]).toEqual([HEAD, false])
    expect(await checkpointOf(store, build.collection)).toBe('')
    await store.close()
  })
})
