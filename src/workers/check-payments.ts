import { LRUCache } from 'lru-cache'
import { checkPaymentsOf } from '../commands/check-payment.ts'
import { type PolledOrder, toPoll, toPollFirst } from '../projections/due-orders.ts'
import type { Views } from '../projections/shop-views.ts'
import type { Shop } from '../shop/shop.ts'
import { CANDIDATES_MAX, jobFor, type Policy, jobText, textOfMs } from './policy.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** When most buyers pay. */
const NEW_MS = 15 * MINUTE_MS
/** Longest pause on the first day. */
const RARE_MS = 10 * MINUTE_MS
/** Orders per sweep: each of 20,000 open ones is checked every 50 s; a minute is the limit. */
const PAGE_MAX = 400
/** Checks mostly wait for the provider, and their events are appended together. If more are due than providers allow, these are the shares. */
const NEW_AT_ONCE = 24
const OLDER_AT_ONCE = 8
/** Orders whose last check is remembered; forgetting one only checks it once more. */
const REMEMBERED_MAX = 100_000

/**
 * Checks the payments of every order until their watch ends: every `pollMs` at first, then more rarely as the newest ages, since webhooks report most
 * money. New ones have a queue of their own, so that they do not wait behind the others, of which each sweep checks one page.
 */
export function checkPayments(shop: Shop, views: Views, { pollMs }: { pollMs: number }): Policy[] {
  // `max` would allocate the whole cache at once.
  const checkedAt = new LRUCache<string, number>({ maxSize: REMEMBERED_MAX, sizeCalculation: () => 1 })
  let cursors: Cursors = { open: undefined, ended: undefined }
  let previousCursors = cursors

  function isDue(order: PolledOrder, nowMs: number): boolean {
    const last = checkedAt.get(order.orderId)
    return last === undefined || nowMs - last >= pauseOf(order, nowMs, pollMs)
  }

  function policy(
    name: string,
    concurrency: number,
    find: (nowMs: number) => Promise<readonly PolledOrder[]>,
    goBack: () => void = () => undefined,
  ): Policy {
    return {
      name,
      concurrency,
      timeoutMs: 5 * MINUTE_MS,
      async due(nowMs) {
        const due = (await find(nowMs)).filter((order) => isDue(order, nowMs))
        const orderIds = new Set(due.map(({ orderId }) => orderId))
        for (const orderId of orderIds) checkedAt.set(orderId, nowMs)
        return [...orderIds].map((orderId) => jobFor(name, { orderId }, orderId))
      },
      onNotQueued(jobs) {
        if (jobs.length > 0) goBack()
        for (const job of jobs) checkedAt.delete(jobText(job, 'orderId'))
      },
      run: async (job, caller) => checkPaymentsOf(shop, caller, { orderId: jobText(job, 'orderId') }),
    }
  }

  const newest = policy('check-payments-newest', NEW_AT_ONCE, async (nowMs) =>
    toPollFirst(views, textOfMs(nowMs - NEW_MS), CANDIDATES_MAX),
  )
  const findPage = async (): Promise<readonly PolledOrder[]> => {
    const open = await toPoll(views, 'open', { afterOrderId: cursors.open, limit: PAGE_MAX })
    const ended = await toPoll(views, 'ended', { afterOrderId: cursors.ended, limit: PAGE_MAX })
    // Only after the last query, so that an error skips no page.
    previousCursors = cursors
    cursors = { open: open.lastOrderId, ended: ended.lastOrderId }
    return [...open.orders, ...ended.orders]
  }
  return [newest, policy('check-payments', OLDER_AT_ONCE, findPage, () => (cursors = previousCursors))]
}

/** Where the next pages start. */
interface Cursors {
  readonly open: string | undefined
  readonly ended: string | undefined
}

function pauseOf({ isOpen, since, watchUntil }: PolledOrder, nowMs: number, pollMs: number): number {
  // An order that has just ended may still be paid.
  const leastMs = isOpen ? pollMs : Math.max(pollMs, MINUTE_MS)
  // Once its watch is over, the next check ends it.
  const isWatchOver = watchUntil !== undefined && watchUntil <= textOfMs(nowMs)
  return isWatchOver ? leastMs : pauseFor(nowMs - Date.parse(since), leastMs)
}

/** How long to wait before the next check, by the age of the newest payment. Never long, since a webhook can be lost. */
export function pauseFor(ageMs: number, leastMs: number): number {
  if (ageMs < NEW_MS) return leastMs
  return ageMs < 24 * HOUR_MS ? Math.max(leastMs, Math.min(ageMs / 6, RARE_MS)) : HOUR_MS
}
