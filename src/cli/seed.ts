import { parseArgs } from 'node:util'
import { ConfigError, parseConfig } from '../config.ts'
import { systemRandom } from '../system.ts'
import { newShop } from './seeding/new-shop.ts'
import { firstPlacingMs, seedOrders } from './seeding/seed-orders.ts'

const HELP = `npm run seed -- --orders N [--data-dir FOLDER]   fills a new shop with orders, to see it and to measure it at any size

  --orders N           how many, 1 to 10,000,000
  --data-dir FOLDER    a new or empty folder (DATA_DIR, or ./data)

The orders were placed over the last two years by made-up people who come back, paid in the sandbox by every method, and have ended in every way
that an order can end; the newest are still open. All of it is done by the shop's own commands. The views are built, and the owner's account is made,
when the shop is started.

Exit codes: 0 done, 1 it could not be done, 2 wrong usage.`

const USAGE = 'usage: npm run seed -- --orders N [--data-dir FOLDER] (see --help)'
const ORDERS_MAX = 10_000_000
const PROGRESS_MS = 5_000

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  const text = error instanceof Error ? error.message : String(error)
  process.stderr.write(`${error instanceof ConfigError ? 'configuration: ' : ''}${text.replaceAll(/\s+/g, ' ')}\n`)
  process.exitCode = 1
}

async function run(words: readonly string[]): Promise<number> {
  const asked = parsed(words)
  if (asked?.help === true) {
    process.stdout.write(`${HELP}\n`)
    return 0
  }
  const count = Number(asked?.orders)
  if (!asked || !Number.isSafeInteger(count) || count < 1 || count > ORDERS_MAX) {
    process.stderr.write(
      `${asked?.orders === undefined ? USAGE : `--orders takes a whole number from 1 to ${ORDERS_MAX}`}\n`,
    )
    return 2
  }
  const config = parseConfig({
    ...process.env,
    ...(asked['data-dir'] !== undefined && { DATA_DIR: asked['data-dir'] }),
  })
  const beganAt = performance.now()
  const nowMs = Date.now()
  const seeded = await newShop(config, { random: systemRandom, startMs: firstPlacingMs(nowMs) })
  try {
    await seedOrders(seeded, { count, nowMs, onProgress: progressLines(count) })
  } finally {
    await seeded.close()
  }
  const seconds = (performance.now() - beganAt) / 1_000
  process.stdout.write(`${count} orders in ${config.DATA_DIR}, in ${seconds.toFixed(1)} s\n`)
  return 0
}

function progressLines(count: number): (placed: number) => void {
  const beganAt = performance.now()
  let writtenAt = beganAt
  return (placed) => {
    const now = performance.now()
    if (now - writtenAt < PROGRESS_MS) return
    writtenAt = now
    const perSecond = Math.round((1_000 * placed) / (now - beganAt))
    process.stderr.write(`${placed} of ${count} orders, ${perSecond} per second\n`)
  }
}

function parsed(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: { help: { type: 'boolean' }, orders: { type: 'string' }, 'data-dir': { type: 'string' } },
    }).values
  } catch {
    return undefined
  }
}
