import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { unreadableText } from '../../shop/known-buyers.ts'
import type { Finding } from './finding.ts'
import { asked, CHECK_MS } from './sqlite.ts'

const COUNT = fileURLToPath(new URL('count-unreadable.ts', import.meta.url))

/** Whether the vault knows the buyers of the log. Both are SQLite files. */
export async function lookAtBuyers(files: { events: string; vault: string }): Promise<Omit<Finding, 'part'>> {
  const isNew = [files.events, files.vault].some((file) => !statSync(file, { throwIfNoEntry: false })?.size)
  if (isNew) return { facts: 'no orders yet' }
  const { lines, error, isLate } = await asked(COUNT, [files.events, files.vault], CHECK_MS)
  if (isLate) return { facts: 'not counted in time', note: 'start the shop: its /readyz says it' }
  if (error !== undefined) return { facts: `not counted (${error})` }
  const orders = Number(lines[0]?.split(' ')[1])
  if (orders === 0) return { facts: 'the vault knows them all' }
  return { facts: `${orders} not known to the vault`, must: unreadableText(orders) }
}
