import { checkPayment } from '../commands/check-payment.ts'
import type { Shop } from '../shop/shop.ts'
import type { PolledPayment, WatchPlace } from '../projections/due-orders.ts'
import type { OpenWork } from './open-work.ts'
import { CANDIDATES_MAX, jobFor, numberOf, type Policy, textOf } from './policy.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** How many of all watched payments one sweep looks at: with 20,000 open orders each comes up every 50 s, and needs to every minute. */
const WALKED_MAX = 400
/** A provider takes a while to answer, and what they said is written together. */
const CHECKS_AT_ONCE = 32
/** Payments that are remembered as asked about; forgetting one only asks once more. */
const REMEMBERED_MAX = 100_000

/**
 * Every payment ever requested is asked about until its watch ends: often while its order waits for it, rarely afterwards. `pollMs` is what the provider
 * allows for a payment that somebody is looking at. The newest are asked about first; all others come up as the sweeps walk through them.
 */
export function checkPayments(shop: Shop, work: OpenWork, { pollMs }: { pollMs: number }): Policy {
  const name = 'check-payments'
  const askedAt = new Map<string, number>()
  let walked: Walked = { open: undefined, ended: undefined, overdue: undefined }
  let walkedBefore = walked

  function remember(key: string, nowMs: number): void {
    // Taken out first, so that the map stays in the order of asking.
    askedAt.delete(key)
    askedAt.set(key, nowMs)
    const [oldest] = askedAt.keys()
    if (askedAt.size > REMEMBERED_MAX && oldest !== undefined) askedAt.delete(oldest)
  }

  return {
    name,
    concurrency: CHECKS_AT_ONCE,
    timeoutMs: MINUTE_MS,
    async due(nowMs) {
      const captures = await work.openCaptures(CANDIDATES_MAX)
      // Walked too: one whose provider is gone stays there, and others are behind it.
      const overdue = await work.watchesToEnd(textOfMs(nowMs), { after: walked.overdue, limit: CANDIDATES_MAX })
      const newest = await work.newestPayments(textOfMs(nowMs - HOUR_MS), CANDIDATES_MAX)
      const open = await work.watchedPayments('open', { afterOrderId: walked.open, limit: WALKED_MAX })
      const ended = await work.watchedPayments('ended', { afterOrderId: walked.ended, limit: WALKED_MAX })
      const candidates = [
        ...captures.map((payment) => ({ ...payment, pauseMs: pollMs })),
        ...overdue.payments.map((payment) => ({ ...payment, pauseMs: Math.max(pollMs, MINUTE_MS) })),
        ...[...newest, ...open.payments, ...ended.payments].map((payment) => ({
          ...payment,
          pauseMs: pauseFor(payment, nowMs, pollMs),
        })),
      ]
      const due = new Map<string, { orderId: string; attempt: number }>()
      for (const { orderId, attempt, pauseMs } of candidates) {
        const key = keyOf(orderId, attempt)
        const last = askedAt.get(key)
        if (last !== undefined && nowMs - last < pauseMs) continue
        due.set(key, { orderId, attempt })
      }
      // Not before all was found: an error loses no place.
      walkedBefore = walked
      walked = { open: open.lastOrderId, ended: ended.lastOrderId, overdue: overdue.last }
      for (const key of due.keys()) remember(key, nowMs)
      return [...due.values()].map(({ orderId, attempt }) => jobFor(name, { orderId, attempt }, orderId, attempt))
    },
    notQueued(jobs) {
      if (jobs.length > 0) walked = walkedBefore
      for (const job of jobs) askedAt.delete(keyOf(textOf(job, 'orderId'), numberOf(job, 'attempt')))
    },
    async run(job, caller) {
      await checkPayment(shop, caller, { orderId: textOf(job, 'orderId'), attempt: numberOf(job, 'attempt') })
    },
  }
}

/** Behind which order the walks go on. */
interface Walked {
  readonly open: string | undefined
  readonly ended: string | undefined
  readonly overdue: WatchPlace | undefined
}

function keyOf(orderId: string, attempt: number): string {
  return `${orderId}/${attempt}`
}

/** How long not to ask about this payment again. */
export function pauseFor(
  payment: Pick<PolledPayment, 'isAwaited' | 'startedAt'>,
  nowMs: number,
  pollMs: number,
): number {
  const ageMs = nowMs - Date.parse(payment.startedAt)
  if (payment.isAwaited && ageMs < HOUR_MS) return pollMs
  return payment.isAwaited || ageMs < 24 * HOUR_MS ? Math.max(pollMs, MINUTE_MS) : HOUR_MS
}

function textOfMs(ms: number): string {
  return new Date(ms).toISOString()
}
