import type { OrderAttempt, PolledPayment } from '../../projections/due-orders.ts'
import type { OpenWork } from '../open-work.ts'

/** Due work as a test gives it; every list is empty unless given. */
interface PlayedWork {
  open: PolledPayment[]
  ended: PolledPayment[]
  newest: PolledPayment[]
  captures: OrderAttempt[]
  overdue: OrderAttempt[]
  toExpire: string[]
  toEnd: { orderId: string; claimAt: number; serial: number }[]
  placedAhead: string[]
  toCallFor: string[]
  toReinstate: string[]
  preOrders: string[]
  receipts: { provider: string; receiptId: string }[]
}

export function playedWork(
  known: Partial<PlayedWork> = {},
): OpenWork & { readonly known: PlayedWork; asked: string[] } {
  const all: PlayedWork = {
    open: [],
    ended: [],
    newest: [],
    captures: [],
    overdue: [],
    toExpire: [],
    toEnd: [],
    placedAhead: [],
    toCallFor: [],
    toReinstate: [],
    preOrders: [],
    receipts: [],
    ...known,
  }
  const asked: string[] = []
  return {
    known: all,
    asked,
    async newestPayments(since, limit) {
      return all.newest.filter(({ startedAt }) => startedAt >= since).slice(0, limit)
    },
    async watchedPayments(of, { afterOrderId = '', limit }) {
      const left = all[of].filter(({ orderId }) => orderId > afterOrderId)
      const payments = left.slice(0, limit)
      return { payments, lastOrderId: left.length > limit ? payments.at(-1)?.orderId : undefined }
    },
    openCaptures: async (limit) => all.captures.slice(0, limit),
    async watchesToEnd(now, { after, limit }) {
      asked.push(now)
      const left = all.overdue.filter(({ orderId }) => after === undefined || orderId > after.id)
      const payments = left.slice(0, limit)
      const last = left.length > limit ? payments.at(-1) : undefined
      return { payments, last: last && { value: now, id: last.orderId } }
    },
    async ordersToExpire(now, limit) {
      asked.push(now)
      return all.toExpire.slice(0, limit)
    },
    async reservationsToEnd(now, limit) {
      asked.push(now)
      return all.toEnd.slice(0, limit)
    },
    ordersPlacedAhead: async ({ limit }) => all.placedAhead.slice(0, limit),
    ordersToCallFor: async (limit) => all.toCallFor.slice(0, limit),
    ordersToReinstate: async (limit) => all.toReinstate.slice(0, limit),
    preOrdersToReserve: async (limit) => all.preOrders.slice(0, limit),
    async receiptsToFinish(before, limit) {
      asked.push(before)
      return all.receipts.slice(0, limit)
    },
    knownOrders: { orderIdsOf: async () => [], unclaimedReservations: async () => [] },
  }
}
