import { START } from '../event-store/event-store.ts'
import { lastPosition } from '../event-store/event-log.ts'
import { sealedFor } from '../event-store/sealing.ts'
import { acceptBuyers } from '../shop/known-buyers.ts'
import type { Shop } from '../shop/shop.ts'

const PAGE = 1_000

/**
 * For a vault that was restored from an older copy: customers that it lacks count as erased from now on, so that the shop can continue.
 * Reads the whole log; returns their number.
 */
export async function acceptLostCustomers({ log, vault }: Pick<Shop, 'log' | 'vault'>): Promise<number> {
  let after = START
  let lost = 0
  for (;;) {
    const events = await log.readAll({ after, limit: PAGE })
    const buyers = events.flatMap((event) => (event.type === 'OrderPlaced' ? [sealedFor(event.data.personal)] : []))
    const known = await vault.keysOf([...new Set(buyers)])
    const unknown = [...new Set(buyers)].filter((customerId) => !known.has(customerId))
    if (unknown.length > 0) await vault.deleteCustomers(unknown)
    lost += unknown.length
    if (events.length > 0) after = lastPosition(events)
    if (events.length === PAGE) continue
    await acceptBuyers(vault, after)
    return lost
  }
}
