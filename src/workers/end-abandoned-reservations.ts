import { endReservation } from '../commands/end-reservation.ts'
import { plusMinutes } from '../domain/plus-minutes.ts'
import { UNCLAIMED_MINUTES } from '../projections/reservations.ts'
import type { Shop } from '../shop/shop.ts'
import type { OpenWork } from './open-work.ts'
import { CANDIDATES_MAX, jobFor, numberOf, type Policy, textOf } from './policy.ts'

export function endAbandonedReservations(
  shop: Shop,
  work: OpenWork,
  { reservationTtlMinutes }: { reservationTtlMinutes: number },
): Policy {
  const name = 'end-abandoned-reservations'
  // The view stores the time at which a reservation of the longest life is due.
  const earlierMinutes = UNCLAIMED_MINUTES - reservationTtlMinutes
  return {
    name,
    concurrency: 8,
    timeoutMs: 30_000,
    async due(nowMs) {
      const dueBefore = plusMinutes(new Date(nowMs).toISOString(), earlierMinutes)
      const reservations = await work.reservationsToEnd(dueBefore, CANDIDATES_MAX)
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
