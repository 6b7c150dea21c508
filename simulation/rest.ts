import type { World } from './engines.ts'
import type { Ledger } from './ledger.ts'
import type { Shopping } from './shopping.ts'
import { settled } from './scheduler.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** Each leap passes one more deadline: expiry, captures, deliveries, unconfirmed money, watches. */
const LEAPS_MS = [3 * MINUTE_MS, 12 * MINUTE_MS, 65 * MINUTE_MS, DAY_MS + MINUTE_MS, 8 * DAY_MS, 8 * DAY_MS]
const SWEEPS_MAX = 30
const TURNS_MAX = 20_000

/** Ends all open work and does all due jobs, without new actions or faults. */
export async function comeToRest(world: World, shopping: Shopping, ledger: Ledger): Promise<void> {
  const { scheduler } = world
  for (let turn = 0; scheduler.waiting > 0; turn += 1) {
    if (turn > TURNS_MAX) {
      ledger.wrong('what was under way does not come to an end')
      return
    }
    await scheduler.turn()
    await settled()
  }
  scheduler.isInstant = true
  await quieten(world, shopping, ledger)
  for (const leap of LEAPS_MS) {
    scheduler.nowMs += leap
    await quieten(world, shopping, ledger)
  }
}

async function quieten(world: World, shopping: Shopping, ledger: Ledger): Promise<void> {
  for (let sweep = 0; sweep < SWEEPS_MAX; sweep += 1) {
    await shopping.tellAll()
    const before = await world.store.head()
    await shopping.projectAll()
    await shopping.sweepAll()
    await shopping.webhooksAll()
    if ((await world.store.head()) === before) {
      ledger.sweptAt(world.scheduler.nowMs)
      return
    }
    // Recently checked payments become due again.
    world.scheduler.nowMs += MINUTE_MS
  }
  ledger.wrong('the shop does not come to rest')
}
