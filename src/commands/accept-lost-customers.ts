import { START } from '../event-store/event-store.ts'
import { sealedFor } from '../event-store/sealing.ts'
import type { Shop } from '../shop/shop.ts'

const PAGE = 1_000

/**
 * An older copy of the vault had to be put back, and the newer one is lost for good. Whoever it does not know counts as erased from now on, so that the
 * shop goes on with what is left. Reads the whole log; answers how many there were.
 */
export async function acceptLostCustomers({ log, vault }: Pick<Shop, 'log' | 'vault'>): Promise<number> {
  let after = START
  let lost = 0
  for (;;) {
    const events = await log.readAll({ after, limit: PAGE })
    const buyers = events.flatMap((event) => (event.type === 'OrderPlaced' ? [sealedFor(event.data.personal)] : []))
    const known = await vault.keysOf(buyers)
    const unknown = [...new Set(buyers)].filter((customerId) => !known.has(customerId))
    if (unknown.length > 0) await vault.deleteCustomers(unknown)
    lost += unknown.length
    const last = events.at(-1)
    if (!last || events.length < PAGE) return lost
    after = last.position
  }
}
