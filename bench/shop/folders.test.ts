import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { balanceBooks, BooksDoNotBalance } from './books.ts'
import { logSize, newFolder, removeFolder, seed, withoutSnapshots } from './folders.ts'

const ORDERS = 40
let folder: string

beforeAll(async () => {
  folder = await newFolder()
  await seed(folder, ORDERS)
})
afterAll(async () => {
  await removeFolder(folder)
})

function rows(sql: string): Record<string, unknown>[] {
  const database = new DatabaseSync(join(folder, 'events.sqlite'))
  const found = database.prepare(sql).all()
  database.close()
  return found
}

describe('a folder for the bench', () => {
  it('is seeded by the command, and its log has a size', () => {
    const { events, bytes } = logSize(folder)
    expect(events).toBe(rows('SELECT * FROM events').length)
    expect(bytes / events).toBeGreaterThan(200)
  })

  it('lacks its snapshots for as long as is asked for', async () => {
    const before = rows('SELECT * FROM snapshots')
    expect(before).toHaveLength(1)
    expect(await withoutSnapshots(folder, async () => rows('SELECT * FROM snapshots'))).toStrictEqual([])
    expect(rows('SELECT * FROM snapshots')).toStrictEqual(before)
  })
})

describe('the books after a load', () => {
  it('balance', async () => {
    const audit = await balanceBooks(folder, { atRest: true })
    expect(audit.orders).toBe(ORDERS)
    expect(audit.events).toBe(logSize(folder).events)
    expect(audit.deliveryMs?.p50).toBeGreaterThanOrEqual(0)
  })

  it('do not when an order that was acknowledged is not there', async () => {
    const balancing = balanceBooks(folder, { acknowledged: ['11111111-1111-4111-8111-111111111111'], atRest: true })
    await expect(balancing).rejects.toThrow(BooksDoNotBalance)
    await expect(balancing).rejects.toThrow(/11111111.* was acknowledged and is not there/)
  })
})
