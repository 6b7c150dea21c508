import { checkPayment } from '../commands/check-payment.ts'
import type { Shop } from '../commands/shop.ts'
import type { OpenWork, WatchedPayment } from './open-work.ts'
import { CANDIDATES_MAX, jobFor, numberOf, type Policy, textOf } from './policy.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Payments that are remembered as asked about; forgetting one only asks once more. */
const REMEMBERED_MAX = 50_000

/**
 * Every payment ever requested is asked about until its watch ends: often while its order waits for it, rarely afterwards. `pollMs` is what the provider
 * allows for a payment that somebody is looking at.
 */
export function checkPayments(shop: Shop, work: OpenWork, { pollMs }: { pollMs: number }): Policy {
  const name = 'check-payments'
  const askedAt = new Map<string, number>()
  let cursor: string | undefined

  function isDue(payment: WatchedPayment, nowMs: number): boolean {
    const last = askedAt.get(keyOf(payment))
    return last === undefined || nowMs - last >= pauseFor(payment, nowMs, pollMs)
  }

  return {
    name,
    concurrency: 8,
    timeoutMs: MINUTE_MS,
    async due(nowMs) {
      const page = await work.watchedPayments({ after: cursor, limit: CANDIDATES_MAX })
      cursor = page.next
      const due = page.payments.filter((payment) => isDue(payment, nowMs))
      for (const payment of due) {
        // Taken out first, so that the map stays in the order of asking.
        askedAt.delete(keyOf(payment))
        askedAt.set(keyOf(payment), nowMs)
      }
      for (const key of askedAt.keys()) {
        if (askedAt.size <= REMEMBERED_MAX) break
        askedAt.delete(key)
      }
      return due.map(({ orderId, attempt }) => jobFor(name, { orderId, attempt }, orderId, attempt))
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
