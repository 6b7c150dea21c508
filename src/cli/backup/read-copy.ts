import type { Engines } from '../../engines.ts'
import { keysOf, openSealed } from '../../event-store/event-log.ts'
import { EventStoreDamaged, START } from '../../event-store/event-store.ts'
import { sealedFor } from '../../event-store/sealing.ts'

const PAGE = 2_000

export interface CopyRead {
  readonly events: number
  readonly orders: number
  /** Whose orders the log has, and of whom the vault has never heard. */
  readonly unknownCustomers: number
}

/** Reads every event of the log and opens what it seals with the vault's keys. Throws at the first that cannot be read. */
export async function readCopy(
  { log, vault }: Pick<Engines, 'log' | 'vault'>,
  onProgress: (events: number) => void,
): Promise<CopyRead> {
  const unknown = new Set<string>()
  let after = START
  let events = 0
  let orders = 0
  for (;;) {
    const page = await log.readAll({ after, limit: PAGE })
    const placed = page.flatMap((event) => (event.type === 'OrderPlaced' ? [event.data] : []))
    const keys = await keysOf(
      vault,
      placed.map(({ personal }) => sealedFor(personal)),
    )
    for (const order of placed) {
      const customerId = sealedFor(order.personal)
      if (keys.has(customerId)) openSealed(order, keys)
      else unknown.add(customerId)
    }
    for (const event of page) {
      if (event.type === 'unreadable')
        throw new EventStoreDamaged(`${event.storedType} at ${event.stream}:${event.revision}: ${event.reason}`)
      after = event.position
    }
    events += page.length
    orders += placed.length
    onProgress(events)
    if (page.length < PAGE) return { events, orders, unknownCustomers: unknown.size }
  }
}
