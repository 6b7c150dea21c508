import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { records } from '../testing/records.ts'
import { printed } from './print.ts'
import { recordsIn, writeRecords } from './write.ts'

const docs = mkdtempSync(join(tmpdir(), 'coinshop-bench-page-'))
afterAll(() => rmSync(docs, { recursive: true, force: true }))

describe('the page of the benchmarks', () => {
  let page = ''
  beforeAll(async () => {
    await writeRecords(docs, records())
    page = readFileSync(join(docs, 'benchmarks.md'), 'utf8')
  })

  it('shows charts that are there, and all of them', () => {
    const shown = [...page.matchAll(/!\[[^\]]+\]\((benchmarks\/[\w-]+\.svg)\)/g)].map(([, file]) => file ?? '')
    expect(shown.length).toBeGreaterThan(8)
    for (const file of shown) expect(existsSync(join(docs, file))).toBe(true)
    const drawn = readdirSync(join(docs, 'benchmarks')).filter((name) => name.endsWith('.svg'))
    expect(shown.map((file) => file.replace('benchmarks/', '')).toSorted()).toStrictEqual(drawn.toSorted())
  })

  it('tells machine, versions, event size, durability and command', () => {
    for (const fact of ['A processor', 'Node 26.0.0', '600 bytes', 'synchronous=FULL', '`npm run bench`', '2026-01-02'])
      expect(page).toContain(fact)
  })

  it('says of every goal whether it was reached', () => {
    expect(page).toContain(
      '| orders/s placed at 64 connections : hello-world | at least 0.08 | at least 0.15 | 0.100 | must |',
    )
    expect(page).toContain('| append to visible, unloaded, p95 | at most 50 ms | at most 20 ms | - | not measured |')
  })

  it('has no number that is none', () => expect(page).not.toMatch(/NaN|undefined|Infinity/))

  it('is made of figures that the next run finds again', () => expect(recordsIn(docs)).toStrictEqual(records()))

  it('loses the charts of what was not measured any more', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'coinshop-bench-page-'))
    await writeRecords(folder, records())
    await writeRecords(folder, { ...records(), large: undefined })
    expect(readdirSync(join(folder, 'benchmarks'))).not.toContain('soak-memory.svg')
    rmSync(folder, { recursive: true, force: true })
  })
})

describe('what is printed', () => {
  it('tells the goals that were measured, and no others', () => {
    const text = printed(records())
    expect(text).toContain('orders/s placed at 64 connections')
    expect(text).not.toContain('not measured')
    expect(text).not.toMatch(/NaN|undefined|Infinity/)
  })
})
