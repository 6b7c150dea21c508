import { LRUCache } from 'lru-cache'
import { checkPayment } from '../commands/check-payment.ts'
import type { Shop } from '../shop/shop.ts'
import type { WatchCursor } from '../projections/due-orders.ts'
import type { OpenWork } from './open-work.ts'
import { CANDIDATES_MAX, jobFor, numberOf, type Policy, textOf } from './policy.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** While a buyer mostly pays. */
const NEW_MS = 15 * MINUTE_MS
/** Of the first day; also of orders that have ended. */
const RARE_MS = 10 * MINUTE_MS
/** Watched payments per sweep: with 20,000 open orders each comes up every 50 s, and must every minute. */
const PAGE_MAX = 400
/** Checks mostly wait for the provider, and their events are appended together. */
const CHECKS_AT_ONCE = 32
/** Payments whose last check is remembered; forgetting one only checks it once more. */
const REMEMBERED_MAX = 100_000

/**
 * Checks every requested payment until its watch ends: every `pollMs` at first, then more rarely the older it is, since webhooks tell of most money. The
 * newest come first; the others come page by page, sweep after sweep.
 */
export function checkPayments(shop: Shop, work: OpenWork, { pollMs }: { pollMs: number }): Policy {
  const name = 'check-payments'
  const checkedAt = new LRUCache<string, number>({ max: REMEMBERED_MAX })
  let cursors: Cursors = { open: undefined, ended: undefined, overdue: undefined }
  let previousCursors = cursors

  return {
    name,
    concurrency: CHECKS_AT_ONCE,
    timeoutMs: MINUTE_MS,
    async due(nowMs) {
      const captures = await work.openCaptures(CANDIDATES_MAX)
      // Paged too: a watch without a provider never ends, and must not hide those after it.
      const overdue = await work.watchesToEnd(textOfMs(nowMs), { after: cursors.overdue, limit: CANDIDATES_MAX })
      const newest = await work.newestPayments(textOfMs(nowMs - NEW_MS), CANDIDATES_MAX)
      const open = await work.watchedPayments('open', { afterOrderId: cursors.open, limit: PAGE_MAX })
      const ended = await work.watchedPayments('ended', { afterOrderId: cursors.ended, limit: PAGE_MAX })
      const polled = [
        ...[...newest, ...open.payments].map((payment) => ({
          ...payment,
          leastMs: payment.isAwaited ? pollMs : Math.max(pollMs, MINUTE_MS),
        })),
        ...ended.payments.map((payment) => ({ ...payment, leastMs: RARE_MS })),
      ]
      // An order goes by its newest payment: its buyer may be paying.
      const paces = new Map<string, (typeof polled)[number]>()
      for (const payment of polled) {
        const { startedAt } = paces.get(payment.orderId) ?? {}
        if (startedAt === undefined || payment.startedAt > startedAt) paces.set(payment.orderId, payment)
      }
      const candidates = [
        ...captures.map((payment) => ({ ...payment, pauseMs: pollMs })),
        ...overdue.payments.map((payment) => ({ ...payment, pauseMs: Math.max(pollMs, MINUTE_MS) })),
        ...polled.map((payment) => {
          const { startedAt, leastMs } = paces.get(payment.orderId) ?? payment
          return { ...payment, pauseMs: pauseFor(nowMs - Date.parse(startedAt), leastMs) }
        }),
      ]
      const due = new Map<string, { orderId: string; attempt: number }>()
      for (const { orderId, attempt, pauseMs } of candidates) {
        const key = keyOf(orderId, attempt)
        const last = checkedAt.get(key)
        if (last !== undefined && nowMs - last < pauseMs) continue
        due.set(key, { orderId, attempt })
      }
      // Only after the last query, so that an error skips no page.
      previousCursors = cursors
      cursors = { open: open.lastOrderId, ended: ended.lastOrderId, overdue: overdue.last }
      for (const key of due.keys()) checkedAt.set(key, nowMs)
      return [...due.values()].map(({ orderId, attempt }) => jobFor(name, { orderId, attempt }, orderId, attempt))
    },
    notQueued(jobs) {
      if (jobs.length > 0) cursors = previousCursors
      for (const job of jobs) checkedAt.delete(keyOf(textOf(job, 'orderId'), numberOf(job, 'attempt')))
    },
    async run(job, caller) {
      await checkPayment(shop, caller, { orderId: textOf(job, 'orderId'), attempt: numberOf(job, 'attempt') })
    },
  }
}

/** Where the next pages start. */
interface Cursors {
  readonly open: string | undefined
  readonly ended: string | undefined
  readonly overdue: WatchCursor | undefined
}

function keyOf(orderId: string, attempt: number): string {
  return `${orderId}/${attempt}`
}

/** How long to wait before the next check of an order whose newest payment is so old. A webhook can be lost, so that it is never long. */
export function pauseFor(ageMs: number, leastMs: number): number {
  if (ageMs < NEW_MS) return leastMs
  return ageMs < 24 * HOUR_MS ? Math.max(leastMs, Math.min(ageMs / 6, RARE_MS)) : HOUR_MS
}

function textOfMs(ms: number): string {
  return new Date(ms).toISOString()
}
