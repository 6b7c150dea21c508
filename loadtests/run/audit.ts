import { execFile } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { booksAudit } from '../../src/cli/verify/audit-books.ts'
import { parseConfig } from '../../src/config.ts'
import { centsToText } from '../../src/domain/money.ts'
import { openEngines } from '../../src/engines.ts'
import { eventsOf } from '../../src/testing/audit-books.ts'
import { ask, asOwner } from '../../src/testing/buyers.ts'

type Env = Readonly<Record<string, string>>

const SHOP = fileURLToPath(new URL('../../src/cli/shop.ts', import.meta.url))
const TRIES_MAX = 60
/** The shop counts as at rest after so many equal results in a row. */
const SAME_MAX = 5
const TRY_MS = 1_000
const SHOWN_MAX = 10

/**
 * Whether a shop that has been loaded, and still runs, comes to rest as it must: each acknowledged order is in the log, the books balance, and its
 * dashboard shows the revenue that they have. One sentence for each thing that is not so.
 */
export async function auditAtRest(url: string, env: Env, acknowledged: readonly string[]): Promise<string[]> {
  const headers = await asOwner(url)
  let before = ''
  let same = 0
  for (let tries = 1; ; tries += 1) {
    const { orders, revenueCents, problems } = await booksOf(env)
    const lost = acknowledged.filter((orderId) => !orders.has(orderId))
    const shown = (await ask(url, 'GET', '/api/admin/analytics', { headers })).body['totalRevenue']
    const found = [
      ...shortened(lost.map((orderId) => `order ${orderId} was acknowledged and is not in the log`)),
      ...shortened(problems),
      ...(Math.round(Number(shown) * 100) === revenueCents
        ? []
        : [`the dashboard shows ${String(shown)} USD of revenue, the books have ${centsToText(revenueCents)}`]),
    ]
    same = found.join() === before ? same + 1 : 0
    if (found.length === 0 || same === SAME_MAX || tries === TRIES_MAX) return found
    before = found.join()
    // Payments may still be on their way.
    await pause(TRY_MS)
  }
}

async function booksOf(env: Env) {
  const engines = await openEngines(parseConfig(env))
  try {
    const audit = booksAudit({ atRest: true })
    for await (const event of eventsOf(engines.log)) audit.see(event)
    return audit.books()
  } finally {
    await engines.close()
  }
}

/** What `npm run shop -- verify --books` says of a shop that was stopped; its lines on what is wrong. */
export async function verifyBooks(env: Env): Promise<{ said: string; problems: string[] }> {
  return new Promise((resolve) => {
    const all = { PATH: process.env['PATH'] ?? '', ...env }
    execFile(process.execPath, [SHOP, 'verify', '--books'], { env: all }, (error, stdout, stderr) => {
      const wrong = stdout.split('\n').filter((line) => line.startsWith('must'))
      const isWrong = error !== null && wrong.length === 0
      resolve({ said: stdout, problems: isWrong ? [`verify: ${stderr.trim()}`] : wrong })
    })
  })
}

function shortened(problems: readonly string[]): string[] {
  const more = problems.length - SHOWN_MAX
  return [...problems.slice(0, SHOWN_MAX), ...(more > 0 ? [`and ${more} more of this kind`] : [])]
}
