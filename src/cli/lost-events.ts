import { acceptLostEvents } from '../commands/accept-lost-events.ts'
import type { Engines, Heads } from '../process/shop-engines.ts'
import { dropAll } from '../projector/housekeeping.ts'
import { hotStates } from '../shop/hot/hot-states.ts'
import { raiseKnownHead } from '../shop/log-head.ts'
import { systemCaller } from '../shop/command-context.ts'
import { systemClock, systemRandom } from '../process/system.ts'

export function staff() {
  return { ...systemCaller(systemRandom), actor: 'staff' as const }
}

/** Positions count events in a file; on a server they are byte offsets in its log. */
export function whatIsLost({ knownHead, head }: Heads, { isFile }: { isFile: boolean }): string {
  const count = Number(knownHead) - Number(head)
  return isFile && count > 0 ? `up to ${count} events are lost` : 'what came after it is lost'
}

/** Lets the shop continue with the log as it ends now. No other process may run. */
export async function goOnWithout(engines: Engines, heads: Heads): Promise<void> {
  const { log, vault } = engines
  // The vault first: only the views may know the newest head, and they are dropped next.
  await raiseKnownHead(vault, heads.knownHead)
  // After a loss, a document may hold more of the lost events than its set's checkpoint says.
  await dropAll(engines.views)
  const hot = hotStates({ log, clock: systemClock, random: systemRandom })
  await acceptLostEvents({ log, vault, hot, clock: systemClock }, staff(), heads)
}
