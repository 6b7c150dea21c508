import { reinstateOrder, reservePreOrders } from '../commands/claim-coins.ts'
import { type DeliveryCall, deliverOrder } from '../commands/deliver-order.ts'
import { endReservation } from '../commands/end-reservation.ts'
import { eraseById, type KnownOrders } from '../commands/erase-customer.ts'
import { finishReceipt } from '../commands/finish-receipt.ts'
import { expireOrder } from '../commands/order-verbs.ts'
import { finishRefund } from '../commands/send-refund.ts'
import type { Reservation } from '../domain/inventory/inventory.ts'
import { LIFETIMES_MAX } from '../domain/order/deadline.ts'
import { plusMinutes } from '../domain/plus-minutes.ts'
import { dueOrders, placedAhead } from '../projections/due-orders.ts'
import { knownOrders, reservationFates } from '../projections/known-orders.ts'
import type { WorkField } from '../projections/order-work.ts'
import { receiptsUnfinished } from '../projections/payments.ts'
import type { Views } from '../projections/shop-views.ts'
import { ADMIN_ID } from '../shop/hot/hot-states.ts'
import type { Caller, CommandContext } from '../shop/command-context.ts'
import { checkPayments } from './check-payments.ts'
import { endBlocks } from './end-blocks.ts'
import { tidySessions } from './tidy-sessions.ts'
import { CANDIDATES_MAX, jobFor, jobNumber, type Policy, jobText, textOfMs } from './policy.ts'

/** A receipt not recorded on its order this long after its claim was interrupted. */
const UNRECORDED_AFTER_MS = 10_000
/** An erasure unfinished after this time was interrupted. */
const UNERASED_AFTER_MS = 120_000
/** A refund open for so long was interrupted: its first call has ended. */
const UNSENT_AFTER_MS = 45_000
const SECOND_MS = 1_000
const MINUTE_MS = 60_000

interface Options {
  readonly pollMs: number
  readonly deliveryCall: DeliveryCall | undefined
}

interface OrderPolicy {
  readonly find: (now: string) => Promise<readonly string[]>
  readonly concurrency: number
  readonly seconds: number
  readonly run: (
    context: CommandContext,
    caller: Caller,
    what: { orderId: string; call: DeliveryCall | undefined },
  ) => Promise<unknown>
}

/** All background work over these views, in the order of a sweep. */
export function allPolicies(
  context: CommandContext,
  views: Views,
  { known = knownOrders(views), ...options }: Options & { readonly known?: KnownOrders | undefined },
): Policy[] {
  /** Work that concerns one order each. */
  function byOrder(name: string, { find, concurrency, seconds, run }: OrderPolicy): Policy {
    return {
      name,
      concurrency,
      timeoutMs: seconds * SECOND_MS,
      async due(nowMs) {
        const orderIds = await find(textOfMs(nowMs))
        return orderIds.map((orderId) => jobFor(name, { orderId }, orderId))
      },
      async run(job, caller) {
        await run(context, caller, { orderId: jobText(job, 'orderId'), call: options.deliveryCall })
      },
    }
  }
  const dueBy = async (field: WorkField, before?: string) => dueOrders(views, field, { before, limit: CANDIDATES_MAX })
  const toDeliver = async () => [...(await dueBy('deliveryUntil')), ...(await dueBy('callSince'))]
  const toSend = async (now: string) => dueBy('refundSince', textOfMs(Date.parse(now) - UNSENT_AFTER_MS))
  const toReinstate = async () => dueBy('reinstateSince')
  const toExpire = async (now: string) => [
    ...(await dueBy('expiresAt', now)),
    ...(await ordersPlacedAhead(context, views, now)),
  ]
  return [
    ...checkPayments(context, views, options),
    finishReceipts(context, views),
    byOrder('send-refunds', { find: toSend, concurrency: 2, seconds: 60, run: finishRefund }),
    byOrder('deliver-paid-orders', { find: toDeliver, concurrency: 4, seconds: 60, run: deliverOrder }),
    byOrder('reinstate-late-orders', { find: toReinstate, concurrency: 2, seconds: 30, run: reinstateOrder }),
    reservePaidPreOrders(context, views),
    byOrder('expire-unpaid-orders', { find: toExpire, concurrency: 8, seconds: 30, run: expireOrder }),
    endAbandonedReservations(context, views),
    finishErasures(context, known),
    tidySessions(context),
    endBlocks(context),
  ]
}

/** Records claimed receipts on their orders, if a crash prevented that. */
function finishReceipts(context: CommandContext, views: Views): Policy {
  const name = 'finish-receipts'
  return {
    name,
    concurrency: 4,
    timeoutMs: 30 * SECOND_MS,
    async due(nowMs) {
      const receipts = await takeCandidates(receiptsUnfinished(views, textOfMs(nowMs - UNRECORDED_AFTER_MS)))
      return receipts.map(({ provider, receiptId }) => jobFor(name, { provider, receiptId }, provider, receiptId))
    },
    run: async (job, caller) =>
      finishReceipt(context, caller, { provider: jobText(job, 'provider'), receiptId: jobText(job, 'receiptId') }),
  }
}

/** New stock goes to paid pre-orders in the order of payment: a later small one never overtakes an earlier large one. */
function reservePaidPreOrders(context: CommandContext, views: Views): Policy {
  const name = 'reserve-paid-pre-orders'
  const waiting = async (limit: number) => dueOrders(views, 'waitsForStock', { limit })
  return {
    name,
    concurrency: 1,
    timeoutMs: 60 * SECOND_MS,
    due: async () => ((await waiting(1)).length > 0 && context.hot.inventory.state.freeM > 0 ? [jobFor(name, {})] : []),
    run: async (_job, caller) => reservePreOrders(context, caller, await waiting(CANDIDATES_MAX)),
  }
}

/** A crash leaves reservations that no order holds: each `RESERVATION_TTL_MINUTES`, all open ones of that age are looked at, page by page. */
function endAbandonedReservations(context: CommandContext, views: Views): Policy {
  const name = 'end-abandoned-reservations'
  const ttlMs = context.config.RESERVATION_TTL_MINUTES * MINUTE_MS
  let begunMs = -Infinity
  let left: readonly Reservation[] = []
  return {
    name,
    concurrency: 8,
    timeoutMs: 30 * SECOND_MS,
    async due(nowMs) {
      // A clock that was set back must not prolong the pause.
      if (left.length === 0 && Math.abs(nowMs - begunMs) >= ttlMs) {
        const reservedBy = textOfMs(nowMs - ttlMs)
        left = [...context.hot.inventory.state.open.values()].filter(({ at }) => at <= reservedBy)
        begunMs = nowMs
      }
      const fates = await reservationFates(views, left.slice(0, CANDIDATES_MAX))
      left = left.slice(CANDIDATES_MAX)
      return fates.flatMap(({ reservation: { orderId, claimAt, serial }, fate }) =>
        fate === 'stay' ? [] : [jobFor(name, { orderId, claimAt, serial }, serial)],
      )
    },
    async run(job, caller) {
      const reservation = { claimAt: jobNumber(job, 'claimAt'), serial: jobNumber(job, 'serial') }
      await endReservation(context, caller, { orderId: jobText(job, 'orderId'), ...reservation })
    },
  }
}

/** Completes interrupted erasures, or cancels one whose customer has an order that needs its buyer. */
function finishErasures(context: CommandContext, known: KnownOrders): Policy {
  const name = 'finish-erasures'
  return {
    name,
    concurrency: 1,
    timeoutMs: 60 * SECOND_MS,
    async due(nowMs) {
      const customerIds = await context.vault.detached({ before: nowMs - UNERASED_AFTER_MS, limit: CANDIDATES_MAX })
      return customerIds.map((customerId) => jobFor(name, { customerId }, customerId))
    },
    async run(job, caller) {
      await eraseById(context, caller, { customerId: jobText(job, 'customerId'), adminId: ADMIN_ID, known })
    },
  }
}

/** Orders placed while a clock was ahead, and so with too late a deadline. */
async function ordersPlacedAhead({ config }: CommandContext, views: Views, now: string): Promise<readonly string[]> {
  const endsAfter = plusMinutes(now, LIFETIMES_MAX * config.ORDER_TTL_MINUTES)
  return placedAhead(views, { now, endsAfter, limit: CANDIDATES_MAX })
}

async function takeCandidates<Item>(items: AsyncGenerator<Item>): Promise<Item[]> {
  const some: Item[] = []
  for await (const item of items) {
    some.push(item)
    if (some.length >= CANDIDATES_MAX) break
  }
  return some
}
