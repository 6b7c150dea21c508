import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Percentiles } from '../statistics.ts'

const SCRIPT = fileURLToPath(new URL('./audit-process.ts', import.meta.url))
/** What has become of a million orders takes some gigabytes. */
const HEAP_SHARE = 0.6

export interface Audit {
  readonly events: number
  readonly orders: number
  /** The first few. */
  readonly problems: readonly string[]
  readonly problemCount: number
  /** From placed to completed, where something was. */
  readonly deliveryMs?: Percentiles
  readonly confirmationsPerSecond?: number
}

/** What must never be, is. */
export class BooksDoNotBalance extends Error {
  override readonly name = 'BooksDoNotBalance'
}

/**
 * Audits every event of a shop, and that each acknowledged order is in it. `atRest`: nothing is under way any more. Throws `BooksDoNotBalance`.
 */
export async function balanceBooks(
  dataDir: string,
  { acknowledged = [], atRest }: { acknowledged?: readonly string[]; atRest: boolean },
): Promise<Audit> {
  const heapMegabytes = Math.floor((totalmem() / 1_048_576) * HEAP_SHARE)
  const child = spawn(process.execPath, [`--max-old-space-size=${heapMegabytes}`, SCRIPT, dataDir, String(atRest)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(acknowledged.join('\n'))
  const [output, [code]] = (await Promise.all([text(child.stdout), once(child, 'exit')])) as [string, [number | null]]
  if (code !== 0) throw new Error(`the audit of ${dataDir} ended with exit code ${code}`)
  const audit = JSON.parse(output) as Audit
  if (audit.problemCount > 0)
    throw new BooksDoNotBalance(`the books do not balance, ${audit.problemCount} times:\n${audit.problems.join('\n')}`)
  return audit
}
