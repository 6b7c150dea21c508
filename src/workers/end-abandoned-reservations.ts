import { endReservation } from '../commands/end-reservation.ts'
import type { Shop } from '../shop/shop.ts'
import type { OpenWork } from './open-work.ts'
import { CANDIDATES_MAX, jobFor, numberOf, type Policy, textOf } from './policy.ts'

export function endAbandonedReservations(shop: Shop, work: OpenWork): Policy {
  const name = 'end-abandoned-reservations'
  return {
    name,
    concurrency: 8,
    timeoutMs: 30_000,
    async due(nowMs) {
      const reservations = await work.reservationsToEnd(new Date(nowMs).toISOString(), CANDIDATES_MAX)
      return reservations.map(({ orderId, claimAt, serial }) => jobFor(name, { orderId, claimAt, serial }, serial))
    },
    async run(job, caller) {
      await endReservation(shop, caller, {
        orderId: textOf(job, 'orderId'),
        claimAt: numberOf(job, 'claimAt'),
        serial: numberOf(job, 'serial'),
      })
    },
  }
}
