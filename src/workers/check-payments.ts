import { checkPayment } from '../commands/check-payment.ts'
import type { Shop } from '../commands/shop.ts'
import type { OpenWork, WatchedPayment } from './open-work.ts'
import { CANDIDATES_MAX, jobFor, numberOf, type Policy, textOf } from './policy.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** As many orders as may be open. */
const OPEN_MAX = 20_000
/** Payments that are remembered as asked about; forgetting one only asks once more. */
const REMEMBERED_MAX = 50_000

/**
 * Every payment ever requested is asked about until its watch ends: often while its order waits for it, rarely afterwards. `pollMs` is what the provider
 * allows for a payment that somebody is looking at.
 */
export function checkPayments(shop: Shop, work: OpenWork, { pollMs }: { pollMs: number }): Policy {
  const name = 'check-payments'
  const askedAt = new Map<string, number>()

  function isDue(payment: WatchedPayment, nowMs: number): boolean {
    const last = askedAt.get(keyOf(payment))
    return last === undefined || nowMs - last >= pauseFor(payment, nowMs, pollMs)
  }

  function remember(payments: readonly WatchedPayment[], nowMs: number): void {
    for (const payment of payments) {
      // Taken out first, so that the map stays in the order of asking.
      askedAt.delete(keyOf(payment))
      askedAt.set(keyOf(payment), nowMs)
    }
    for (const key of askedAt.keys()) {
      if (askedAt.size <= REMEMBERED_MAX) break
      askedAt.delete(key)
    }
  }

  return {
    name,
    concurrency: 8,
    timeoutMs: MINUTE_MS,
    async due(nowMs) {
      const open = await work.watchedPayments('open', OPEN_MAX)
      const ended = await work.watchedPayments('ended', CANDIDATES_MAX)
      const due = [...open, ...ended].filter((payment) => isDue(payment, nowMs))
      remember(due, nowMs)
      const pressing = [
        ...(await work.openCaptures(CANDIDATES_MAX)),
        ...(await work.watchesToEnd(new Date(nowMs).toISOString(), CANDIDATES_MAX)),
      ]
      return [...pressing, ...due].map(({ orderId, attempt }) => jobFor(name, { orderId, attempt }, orderId, attempt))
    },
    async run(job, caller) {
      await checkPayment(shop, caller, { orderId: textOf(job, 'orderId'), attempt: numberOf(job, 'attempt') })
    },
  }
}

/** How long not to ask about this payment again. */
export function pauseFor(payment: WatchedPayment, nowMs: number, pollMs: number): number {
  const ageMs = nowMs - Date.parse(payment.startedAt)
  if (payment.isAwaited && ageMs < HOUR_MS) return pollMs
  return payment.isAwaited || ageMs < 24 * HOUR_MS ? Math.max(pollMs, MINUTE_MS) : HOUR_MS
}

function keyOf({ orderId, attempt }: WatchedPayment): string {
  return `${orderId}/${attempt}`
}
