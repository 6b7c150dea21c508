import { eraseById, unfinishedErasures } from '../commands/erase-customer.ts'
import { ADMIN_ID } from '../shop/hot/hot-states.ts'
import type { Shop } from '../shop/shop.ts'
import type { OpenWork } from './open-work.ts'
import { CANDIDATES_MAX, jobFor, type Policy, textOf } from './policy.ts'

/** An erasure that is unfinished after this was interrupted. */
const UNFINISHED_AFTER_MS = 120_000

/** Completes interrupted erasures, or cancels one whose customer has an order that needs its buyer. */
export function finishErasures(shop: Shop, work: OpenWork): Policy {
  const name = 'finish-erasures'
  return {
    name,
    concurrency: 1,
    timeoutMs: 60_000,
    async due(nowMs) {
      const before = nowMs - UNFINISHED_AFTER_MS
      const customerIds = await unfinishedErasures(shop, { before, limit: CANDIDATES_MAX })
      return customerIds.map((customerId) => jobFor(name, { customerId }, customerId))
    },
    async run(job, caller) {
      const customerId = textOf(job, 'customerId')
      await eraseById(shop, caller, { customerId, adminId: ADMIN_ID, known: work.knownOrders })
    },
  }
}
