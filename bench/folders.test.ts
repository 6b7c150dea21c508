import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  balanceBooks,
  BooksDoNotBalance,
  copyOf,
  eventCount,
  newFolder,
  removeFolder,
  seed,
  wipeViews,
} from './folders.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
let folder: string

beforeAll(async () => {
  folder = await newFolder()
  await seed(ROOT, folder, 40)
})
afterAll(async () => {
  await removeFolder(folder)
})

describe('a folder of the bench', () => {
  it('keeps log and vault when its views are removed', async () => {
    const copy = await copyOf(folder)
    writeFileSync(join(copy, 'views.sqlite-wal'), '')
    wipeViews(copy)
    expect(existsSync(join(copy, 'views.sqlite-wal'))).toBe(false)
    expect(existsSync(join(copy, 'vault.sqlite'))).toBe(true)
    expect(eventCount(copy)).toBe(eventCount(folder))
    expect(eventCount(copy)).toBeGreaterThan(40)
    await removeFolder(copy)
  })
})

describe('the books after a load', () => {
  it('balance', async () => balanceBooks(folder, []))

  it('do not when an order that was acknowledged is not in the log', async () => {
    const balancing = balanceBooks(folder, ['11111111-1111-4111-8111-111111111111'])
    await expect(balancing).rejects.toThrow(BooksDoNotBalance)
    await expect(balancing).rejects.toThrow(/11111111.* was acknowledged and is not in the log/)
  })
})
