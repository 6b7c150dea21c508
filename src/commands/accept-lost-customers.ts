import { START } from '../engines/event-store/event-store.ts'
import { lastPosition } from '../log/event-log.ts'
import { logPages } from '../log/log-pages.ts'
import { acceptBuyers } from '../shop/known-buyers.ts'
import type { CommandContext } from '../shop/command-context.ts'

/**
 * For a vault that was restored from an older copy: customers that it lacks count as erased from now on, so that the shop can continue.
 * Reads the whole log; returns their number. `isTrial` only counts.
 */
export async function acceptLostCustomers(
  { log, vault }: Pick<CommandContext, 'log' | 'vault'>,
  { isTrial = false }: { isTrial?: boolean } = {},
): Promise<number> {
  const lost = new Set<string>()
  let upTo = START
  for await (const events of logPages((page) => log.readAll(page))) {
    const buyers = events.flatMap((event) => (event.type === 'OrderPlaced' ? [event.data.customerId] : []))
    const known = await vault.keysOf([...new Set(buyers)])
    const unknown = [...new Set(buyers)].filter((customerId) => !known.has(customerId))
    if (unknown.length > 0 && !isTrial) await vault.deleteCustomers(unknown)
    for (const customerId of unknown) lost.add(customerId)
    upTo = lastPosition(events)
  }
  if (!isTrial) await acceptBuyers(vault, upTo)
  return lost.size
}
