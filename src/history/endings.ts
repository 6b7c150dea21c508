import { hasFailed, lifeBeforeDeletion, type PlacedOrder, receivedCents } from '../domain/order/order-state.ts'
import { orderIdOf } from '../domain/stream-names.ts'
import type { Fold } from './fold-log.ts'
import { orderStates } from './order-states.ts'

/** Why an order ended without being handed over. */
export const endings = ['never-begun', 'payment-failed', 'late', 'cancelled', 'by-staff'] as const
export type Ending = (typeof endings)[number]

interface End {
  readonly ending: Ending
  readonly at: string
  readonly totalCents: number
  readonly receivedCents: number
}

export interface EndingsFold extends Fold {
  /** Of the orders that ended in this period: `from` inclusive, `before` exclusive. */
  rows(span: {
    from: string
    before: string
  }): { ending: Ending; orders: number; totalCents: number; receivedCents: number }[]
}

/** Why orders ended, by the state of their decider; a reinstated order has not ended. */
export function endingsFold(): EndingsFold {
  const states = orderStates()
  const ends = new Map<string, End>()
  const handedOver = new Set<string>()

  return {
    needs({ stream }) {
      const orderId = orderIdOf(stream)
      return orderId !== undefined && !handedOver.has(orderId)
    },

    see(event) {
      const order = states.see(event)
      if (!order) return
      const { orderId } = order.placed
      const end = endOf(order)
      if (end) ends.set(orderId, end)
      else ends.delete(orderId)
      if (lifeBeforeDeletion(order).kind !== 'completed') return
      handedOver.add(orderId)
      states.forget(orderId)
    },

    rows({ from, before }) {
      const found = [...ends.values()].filter(({ at }) => at >= from && at < before)
      return endings.map((ending) => {
        const own = found.filter((end) => end.ending === ending)
        return {
          ending,
          orders: own.length,
          totalCents: own.reduce((sum, { totalCents }) => sum + totalCents, 0),
          receivedCents: own.reduce((sum, end) => sum + end.receivedCents, 0),
        }
      })
    },
  }
}

/** Undefined while the order is open, and when it was handed over. Deleting an ended order keeps its first end. */
export function endOf(order: PlacedOrder): End | undefined {
  const { placed, life } = order
  const before = lifeBeforeDeletion(order)
  const sums = { totalCents: placed.totalCents, receivedCents: receivedCents(order) }
  if (before.kind === 'ended') return { ending: endingOf(order, before.as), at: before.at, ...sums }
  return before.kind === 'open' && life.kind === 'deleted' ? { ending: 'by-staff', at: life.at, ...sums } : undefined
}

function endingOf(order: PlacedOrder, as: 'expired' | 'cancelled' | 'refunded'): Ending {
  if (as === 'cancelled') return 'cancelled'
  if (as === 'refunded') return 'by-staff'
  if (order.attempts.length === 0) return 'never-begun'
  return hasFailed(order) ? 'payment-failed' : 'late'
}
