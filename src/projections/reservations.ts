import { isStockStream, orderIdOf } from '../domain/stream-names.ts'
import { plusMinutes } from '../domain/plus-minutes.ts'
import { orderTypesFor } from './order-events.ts'
import type { Query } from '../engines/view-store/view-store.ts'
import { type EventOf, isOf, type Projection, markerId } from './projection.ts'
import { allBodies, type Views } from './shop-views.ts'

export interface OpenReservation {
  readonly serial: number
  readonly claimAt: number
  readonly quantityM: number
  readonly reservedAt: string
}

/** An order's open reservations, and the one that it holds according to its stream. */
interface ReservationsDocument {
  readonly orderId: string
  readonly open: readonly OpenReservation[]
  readonly heldSerial: number | null
  /** The serials of all the order's claims. */
  readonly claimed: readonly number[]
  /** When the order last stopped holding a reservation. */
  readonly releasedAt: string | null
  /** When it is due for a check; null while the order holds all its open reservations. */
  readonly dueAt: string | null
}

/** How long a reservation may lack its order, which is still being placed. */
export const UNCLAIMED_MINUTES = 1
const NAME = 'reservations'
const reservationTypes = ['StockReserved', 'StockReleased', 'StockCommitted', ...orderTypesFor(NAME)] as const

const dueBefore = (now: string): Query => ({
  where: [{ field: 'dueAt', below: now }],
  sort: { field: 'dueAt', direction: 'asc' },
})

export const reservationsProjection: Projection<ReservationsDocument> = {
  name: NAME,
  fields: { dueAt: 'text' },
  indexes: [['dueAt']],
  queries: { dueBefore },

  keys(event) {
    if (isOf(reservationTypes, event)) return [event.data.orderId]
    if (event.type !== 'unreadable') return []
    const orderId = orderIdOf(event.stream)
    if (orderId !== undefined) return [orderId]
    return isStockStream(event.stream) ? [markerId(event)] : []
  },

  evolve({ id, body }, event) {
    if (!isOf(reservationTypes, event)) return body
    const before = body ?? { ...nothing, orderId: id }
    const after = evolveReservations(before, event)
    // Nothing is open or held. The document is emptied, not deleted, since stores wipe deleted ones.
    if (after.open.length === 0 && after.heldSerial === null) return { ...nothing, orderId: id }
    return { ...after, dueAt: dueAt(after) }
  },
}

const nothing = { open: [], heldSerial: null, claimed: [], releasedAt: null, dueAt: null }

function evolveReservations(
  document: ReservationsDocument,
  event: EventOf<(typeof reservationTypes)[number]>,
): ReservationsDocument {
  switch (event.type) {
    case 'StockReserved': {
      const { serial, claimAt, quantityM, at: reservedAt } = event.data
      return { ...document, open: [...document.open, { serial, claimAt, quantityM, reservedAt }] }
    }
    case 'StockReleased':
    case 'StockCommitted': {
      const open = document.open.filter(({ serial }) => serial !== event.data.serial)
      return { ...document, open }
    }
    case 'OrderPlaced':
    case 'PreOrderReserved':
    case 'OrderReinstated':
      return claim(document, event.data.serial, event.data.at)
    case 'OrderApproved':
      return event.data.serial === null ? document : claim(document, event.data.serial, event.data.at)
    case 'RefundRecorded':
      return event.data.endsOrder ? { ...document, heldSerial: null, releasedAt: event.data.at } : document
    case 'OrderCompleted':
    case 'OrderExpired':
    case 'OrderCancelled':
    case 'OrderDeleted':
      return { ...document, heldSerial: null, releasedAt: event.data.at }
  }
}

/** A new claim replaces the reservation held before: a pre-order's, of quantity 0. */
function claim(document: ReservationsDocument, serial: number, at: string): ReservationsDocument {
  const releasedAt = document.heldSerial === null ? document.releasedAt : at
  return { ...document, heldSerial: serial, claimed: [...document.claimed, serial], releasedAt }
}

function dueAt({ open, heldSerial, claimed, releasedAt }: ReservationsDocument): string | null {
  const due = open
    .filter(({ serial }) => serial !== heldSerial)
    .map(({ serial, reservedAt }) =>
      claimed.includes(serial) && releasedAt !== null ? releasedAt : plusMinutes(reservedAt, UNCLAIMED_MINUTES),
    )
  return due.toSorted()[0] ?? null
}

/**
 * Open reservations that no order holds according to the view: the order has ended, or was not placed within 60 s. The order's stream decides. Throws
 * `ViewBehind`.
 */
export async function* reservationsToEnd(
  views: Views,
  now: string,
): AsyncGenerator<OpenReservation & { readonly orderId: string }> {
  for await (const { orderId, open, heldSerial } of allBodies<ReservationsDocument>(views, NAME, dueBefore(now)))
    for (const reservation of open) if (reservation.serial !== heldSerial) yield { orderId, ...reservation }
}
