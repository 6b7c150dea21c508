import { sendRefund } from '../src/commands/send-refund.ts'
import { CALL_TIMEOUT_MINUTES } from '../src/domain/order/deadline.ts'
import { leftMinor, minorFor } from '../src/domain/order/order-money.ts'
import type { PlacedOrder } from '../src/domain/order/order-state.ts'
import { coinsMayBeGiven } from '../src/domain/order/readiness.ts'
import { toPayBackCents } from '../src/domain/order/standing.ts'
import { centsToText } from '../src/domain/money.ts'
import { orderStream } from '../src/domain/stream-names.ts'
import { findPlacedOrder } from '../src/shop/handle-order.ts'
import { paidCents } from '../src/words/testing/money-facts.ts'
import { action } from './action.ts'
import type { BankReceipt } from './bank.ts'
import type { World } from './engines.ts'
import type { Ledger } from './ledger.ts'
import { CLOCK_ERROR_MS_MAX } from './machines.ts'
import type { Thread } from './scheduler.ts'
import type { Shopping } from './shopping.ts'

/** The shop sends refunds through providers that refuse some, and pay others late or never. */
export const sendingActions = {
  'staff-send-refund': action(10, staffSendRefund),
  'provider-refuses-refunds': action(1, ({ parts: { world, dice } }) => {
    world.bank.refusesRefunds = dice.chance(0.5)
    world.bank.refundsEnd = dice.pick(['reversed', 'reversed', 'pending'] as const) ?? 'reversed'
    return true
  }),
  'sent-refund-ends': action(4, (shopping) => {
    const { world, dice } = shopping.parts
    const { bank, scheduler } = world
    const payment = shopping.shown(({ receipts }) => receipts.some(({ pending }) => pending > 0))
    const receipt = payment?.receipts.find(({ pending }) => pending > 0)
    if (!payment || !receipt) return false
    bank.refundEnds(
      receipt,
      'pending',
      dice.pick(['reversed', 'reversed', 'failed'] as const) ?? 'reversed',
      scheduler.nowMs,
    )
    // There is no webhook of a refund that fails.
    return dice.chance(0.5) ? shopping.tell(payment) : true
  }),
}

/** Staff ask for a refund through the provider, once or twice, and some by mistake at the same time. */
function staffSendRefund(shopping: Shopping): boolean {
  const { dice, ledger, world } = shopping.parts
  const paying = [...ledger.orders.values()].filter((row) => paidCents(row) > 0)
  const orderId = dice.pick(paying)?.placed.orderId
  if (orderId === undefined) return false
  const share = dice.pick(['whole', 'whole', 'due', 'half'] as const) ?? 'whole'
  const isRepeated = dice.chance(0.3)
  const pressed = dice.chance(0.2) ? 2 : 1
  let isBegun = false
  for (let owner = 0; owner < pressed; owner += 1)
    isBegun = shopping.request('staff', `send refund ${orderId.slice(0, 6)}`, async (shop, caller) => {
      const { state, revision } = await findPlacedOrder(shop, orderId)
      const receipt = state.receipts.findLast((one) => leftMinor(state, one) > 0)
      if (!receipt) return
      const left = leftMinor(state, receipt)
      const due = minorFor(state, receipt, toPayBackCents(state))
      const minor = share === 'whole' ? left : share === 'due' ? due : Math.ceil(left / 2)
      const coinsGiven = coinsMayBeGiven(state) ? world.given.has(orderId) : null
      if (coinsGiven === false) shopping.notGiven.add(orderId)
      const refund = { receiptId: receipt.receiptId, amount: centsToText(minor), reason: 'other', coinsGiven } as const
      const request = { orderId, adminId: 'owner', idempotencyKey: `send-${caller.correlationId}`, revision, refund }
      await sendRefund(shop, caller, request)
      if (isRepeated) await sendRefund(shop, { ...caller, requestId: `${caller.requestId}/again` }, request)
    })
  return isBegun
}

/** Digits of a refund's id that tell whose it is, also where a rule about ids is switched off. */
export const ID_COMPARED = 24

/** Checks that a refund may be made now: its wish was read as open, in time, and no known dispute stands against it. */
export function onRefundMade({ parts: { ledger, world } }: Shopping, madeId: string, thread: Thread): void {
  const isOf = (wished: string): boolean => wished.slice(0, ID_COMPARED) === madeId.slice(0, ID_COMPARED)
  const row = ledger.orders.values().find(({ everWished }) => everWished.keys().some(isOf))
  const refundId = row?.everWished.keys().find(isOf) ?? madeId
  const wish = row?.everWished.get(refundId)
  if (!row || !wish) {
    ledger.wrong(`refund ${refundId.slice(0, 6)} was made, and nobody asked for it`)
    return
  }
  const { orderId } = row.placed
  if (row.madeRefunds.has(refundId)) ledger.wrong(`a refund of ${orderId} was sent twice`)
  row.madeRefunds.add(refundId)
  const latestMs = Date.parse(wish.callsUntil) + CALL_TIMEOUT_MINUTES * 60_000 + CLOCK_ERROR_MS_MAX
  if (world.scheduler.nowMs > latestMs)
    ledger.breach(`a refund of ${orderId} was sent after the time for calls had passed`)
  if (row.wishes.get(refundId) === 'unknown') ledger.wrong(`a refund of ${orderId} was sent after it was given up`)
  const read = thread.reads.get(orderStream(orderId)) ?? 0
  if (row.openRefundAt[read - 1] !== refundId) ledger.breach(`a refund of ${orderId} was sent, and not read as open`)
}

/** Each refund that a provider made is recorded once, or calls a person; each recorded one was made. */
export function auditSentRefunds({ world, ledger }: { world: World; ledger: Ledger }): string[] {
  const made = new Map<string, { receipt: BankReceipt; as: BankReceipt['sends'][number]['as'] }>()
  for (const { receipts } of world.bank.payments)
    for (const receipt of receipts) for (const { refundId, as } of receipt.sends) made.set(refundId, { receipt, as })
  return [...ledger.orders.values()].flatMap((row) => {
    const { orderId } = row.placed
    const order = row.shown.kind === 'placed' ? row.shown : undefined
    const recorded = (order?.refunds ?? []).flatMap(({ refundId, sent }) => (sent ? [refundId] : []))
    const unmade = recorded.filter((refundId) => !made.has(refundId))
    return [
      ...unmade.map(() => `${orderId} has recorded a refund that its provider never made`),
      ...[...row.wishes].flatMap(([refundId, state]) =>
        lost(row.placed.orderId, row.everRaised, state, made.get(refundId)?.as),
      ),
      ...(order ? forgotten(order, made) : []),
    ]
  })
}

function lost(
  orderId: string,
  raised: ReadonlySet<string>,
  state: string,
  made: BankReceipt['sends'][number]['as'] | undefined,
): string[] {
  if (state === 'open') return [`a refund of ${orderId} is to be sent forever`]
  if (!raised.has(state === 'unknown' ? 'refund-unknown' : 'refund-refused'))
    return [`a refund of ${orderId} is ${state}, but nobody is notified`]
  const isMade = made === 'reversed' || made === 'pending'
  return isMade && !raised.has('reversed') ? [`a refund of ${orderId} was made, and the shop does not know it`] : []
}

/** A refund that failed after it was under way has called a person, and none that ended is still under way. */
function forgotten(order: PlacedOrder, made: ReadonlyMap<string, { as: string }>): string[] {
  const stale = order.refundsUnderWay.filter((refundId) => made.get(refundId)?.as !== 'pending')
  return stale.map(() => `${order.placed.orderId} waits for a refund that has ended`)
}
