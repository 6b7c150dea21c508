import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import type { Records } from '../results.ts'
import { chartsOf } from './charts.ts'
import { pageOf } from './page.ts'

const PAGE = 'benchmarks.md'
const FOLDER = 'benchmarks'
const FIGURES = 'figures.json'

/** What an earlier run has left, or nothing. */
export function recordsIn(docs: string): Records | undefined {
  const file = join(docs, FOLDER, FIGURES)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Records) : undefined
}

/** The page, its charts, and the figures that they were made from. */
export async function writeRecords(docs: string, records: Records): Promise<void> {
  const folder = join(docs, FOLDER)
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder)) if (name.endsWith('.svg')) rmSync(join(folder, name))
  const charts = chartsOf(records)
  for (const { file, svg } of charts) writeFileSync(join(folder, file), svg)
  const style = await resolveConfig(new URL('../run.ts', import.meta.url))
  writeFileSync(join(folder, FIGURES), await format(JSON.stringify(records), { ...style, parser: 'json' }))
  writeFileSync(join(docs, PAGE), pageOf(records, charts, FOLDER))
}
