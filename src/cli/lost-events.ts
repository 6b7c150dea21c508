import { acceptLostEvents } from '../commands/accept-lost-events.ts'
import { dropAllViews, type Engines } from '../engines.ts'
import type { Position } from '../event-store/event-store.ts'
import { hotStates } from '../shop/hot/hot-states.ts'
import { raiseKnownHead } from '../shop/log-head.ts'
import { systemCaller } from '../shop/shop.ts'
import { systemClock, systemRandom } from '../system.ts'

export function staff() {
  return { ...systemCaller(systemRandom), actor: 'staff' as const }
}

/** The shop goes on with the log up to where it ends. No other process may run. */
export async function goOnWithout(engines: Engines, heads: { knownHead: Position; head: Position }): Promise<void> {
  const { log, vault } = engines
  // The vault first: if only the views had the newest head, they are dropped next.
  await raiseKnownHead(vault, heads.knownHead)
  await dropAllViews(engines)
  const hot = hotStates({ log, clock: systemClock, random: systemRandom })
  await acceptLostEvents({ log, vault, hot, clock: systemClock }, staff(), heads)
}
