import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { aroundEachStatement, crashPoints } from '../testing/crash-points.ts'
import { sqliteViewStore } from './sqlite-view-store.ts'
import { writeOver } from './testing/write-over.ts'
import { type Collection, type ViewDocument, type ViewStore, ViewStoreAway } from './view-store.ts'

const people: Collection = {
  name: 'people@1',
  fields: { age: 'number', names: 'terms' },
  indexes: [['age']],
}
const former: Collection = { ...people, name: 'people@0' }

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'view-crashes-'))
  file = join(folder, 'views.db')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

function person(id: string, position: number, names: readonly string[] | undefined): ViewDocument {
  return { id, position: String(position), body: names && { age: position, names } }
}

describe('a view file whose process died between any two statements', () => {
  it('has everything that was answered, each batch whole, and takes it all again', { timeout: 60_000 }, async () => {
    const batches = [1, 2, 3].map((round) =>
      ['anna', 'bert', 'carl'].map((id) =>
        person(id, round, id === 'bert' && round === 3 ? undefined : [`${id} ${round}`]),
      ),
    )
    const fold = async (store: ViewStore, round: number): Promise<void> =>
      writeOver(store, people, batches[round - 1] ?? [], { name: 'checkpoint', value: String(round) })
    let answered = 0
    let isDropped = false
    const crashes = await crashPoints(
      file,
      () => ({ answered, isDropped }),
      async () => {
        const store = sqliteViewStore({ views: file, people: `${file}-people` })
        await store.open(former)
        await store.write([{ collection: former, documents: [person('old', 1, ['old one'])] }])
        await store.open({ ...people, indexes: [] })
        for (const round of [1, 2]) {
          await fold(store, round)
          answered = round
        }
        await store.open(people)
        await store.drop(former)
        isDropped = true
        await fold(store, 3)
        answered = 3
        await store.close()
      },
    )
    onTestFinished(() => crashes.remove())
    expect(crashes.points.length).toBeGreaterThan(30)
    for (const { file: copy, noted } of crashes.points) {
      const store = sqliteViewStore({ views: copy, people: `${copy}-people` })
      await store.open(people)
      const checkpoint = Number((await store.marks().read('checkpoint')) ?? 0)
      expect(checkpoint).toBeGreaterThanOrEqual(noted.answered)
      const documents = await store.load(people, ['anna', 'bert', 'carl'])
      expect(documents).toEqual(new Map((batches[checkpoint - 1] ?? []).map((document) => [document.id, document])))
      if (noted.isDropped) expect(await store.collections()).toEqual([{ name: people.name }])

      await store.drop(former)
      for (const round of [1, 2, 3]) await fold(store, round)
      const { rows } = await store.find(people, { where: [{ field: 'names', beginsWith: 'carl' }] }, { limit: 10 })
      expect(rows.map(({ id }) => id)).toEqual(['carl'])
      expect(await store.count(people, { where: [] }, 10)).toBe(2)
      expect(await store.collections()).toEqual([{ name: people.name }])
      await store.close()
    }
  })
})

describe('a view file on a full disk', () => {
  it('takes nothing of a batch that does not fit, and the same batch when there is room', async () => {
    const store = sqliteViewStore({ views: file, people: `${file}-people` })
    const connections = new Set<DatabaseSync>()
    const stop = aroundEachStatement((database) => database && connections.add(database))
    await store.open(people)
    await store.write([{ collection: people, documents: [person('anna', 1, ['anna'])] }])
    stop()
    const crowd = Array.from({ length: 300 }, (_, index) => person(`person ${index}`, 2, ['x'.repeat(500) + index]))
    const fold = async (): Promise<void> => writeOver(store, people, crowd, { name: 'checkpoint', value: '2' })
    for (const database of connections) database.exec('PRAGMA max_page_count = 30')
    await expect(fold()).rejects.toThrow(ViewStoreAway)
    expect(await store.marks().read('checkpoint')).toBeUndefined()
    expect(await store.count(people, { where: [] }, 1_000)).toBe(1)
    for (const database of connections) database.exec('PRAGMA max_page_count = 1000000')
    await fold()
    expect(await store.count(people, { where: [] }, 1_000)).toBe(301)
    await store.close()
  })
})
