import { LRUCache } from 'lru-cache'
import { checkPaymentsOf } from '../commands/check-payment.ts'
import { type PolledOrder, toPoll, toPollFirst } from '../projections/due-orders.ts'
import type { Views } from '../projections/shop-views.ts'
import type { CommandContext } from '../shop/command-context.ts'
import { CANDIDATES_MAX, jobFor, type Policy, jobText, textOfMs } from './policy.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** When most buyers pay. */
const NEW_MS = 15 * MINUTE_MS
/** Longest pause on the first day. */
const RARE_MS = 10 * MINUTE_MS
/** Orders per sweep, one sweep a second: a round through 20,000 open orders takes 50 s, and may take a minute. */
const PAGE_MAX = 400
/** Checks mostly wait for the provider, so many run at once. New and older orders share a provider's rate limit in this ratio. */
const NEW_AT_ONCE = 24
const OLDER_AT_ONCE = 8
/** Orders whose last check is remembered; forgetting one only checks it once more. */
const REMEMBERED_MAX = 100_000

/**
 * Checks the watched payments of every order: every `pollMs` at first, less often as the newest payment ages, since
 * webhooks report most money. New payments have their own queue; of all others, each sweep checks one page.
 */
export function checkPayments(context: CommandContext, views: Views, { pollMs }: { pollMs: number }): Policy[] {
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
    repeatPage: () => void = () => undefined,
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
        if (jobs.length > 0) repeatPage()
        for (const job of jobs) checkedAt.delete(jobText(job, 'orderId'))
      },
      run: async (job, caller) => checkPaymentsOf(context, caller, { orderId: jobText(job, 'orderId') }),
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
  // The next check ends a watch that is over.
  const isWatchOver = watchUntil !== undefined && watchUntil <= textOfMs(nowMs)
  return isWatchOver ? leastMs : pauseFor(nowMs - Date.parse(since), leastMs)
}

/** The pause before the next check, by the age of the newest payment. At most an hour, since a webhook can be lost. */
export function pauseFor(ageMs: number, leastMs: number): number {
  if (ageMs < NEW_MS) return leastMs
  return ageMs < 24 * HOUR_MS ? Math.max(leastMs, Math.min(ageMs / 6, RARE_MS)) : HOUR_MS
}
