import { receipt as receiptDecider, SETTLED } from '../domain/receipt/receipt.ts'
import type { ReceiptFacts } from '../domain/receipt/events.ts'
import type { DeliveryMode } from '../domain/order/events.ts'
import type { Attempt, PlacedOrder } from '../domain/order/order-state.ts'
import type { Caller } from '../event-store/event-log.ts'
import { type Position, START } from '../event-store/event-store.ts'
import { coversCents, isPositiveDecimal } from '../payments/payment-amounts.ts'
import type { DisputeReport, PaymentReport, ReceiptReport } from '../payments/payment-provider.ts'
import { handleCommand } from '../shop/handle-command.ts'
import { findPlacedOrder, handleOrder } from '../shop/handle-order.ts'
import { receiptStream } from '../shop/keys.ts'
import { callerFor, nowText, type Shop } from '../shop/shop.ts'

export interface PaymentUpdate {
  readonly orderId: string
  readonly attempt: number
  readonly report: PaymentReport
}

interface Recorded {
  readonly order: PlacedOrder
  readonly position: Position
}

/**
 * Records what a provider reports of a payment, by polling, webhook or capture. Money is claimed by its receipt first and then recorded, in every state of
 * the order. A repeated report adds nothing.
 */
export async function recordPayment(
  shop: Shop,
  caller: Caller,
  { orderId, attempt: number, report }: PaymentUpdate,
): Promise<Recorded> {
  let { state: order, position } = await findPlacedOrder(shop, orderId)
  const attempt = order.attempts[number - 1]
  if (!attempt) return { order, position }
  function reach(recorded: Recorded): void {
    order = recorded.order
    if (recorded.position > position) position = recorded.position
  }
  const disputes = Object.groupBy(report.disputes ?? [], ({ outcome }) => (outcome === 'won' ? 'won' : 'others'))
  const news = { orderId, attempt: number }
  // What holds an order back is recorded first, and what frees it last: money may complete it at once.
  for (const dispute of disputes.others ?? []) reach(await noteDispute(shop, caller, { ...news, dispute }))
  for (const receipt of reversedFirst(report.receipts))
    reach(await recordReceipt(shop, callerFor(caller, receipt.receiptId), { order, attempt, receipt }))
  for (const { receiptId } of report.strays ?? []) {
    const command = { type: 'NoteWrongCoin', receiptId, at: nowText(shop) } as const
    reach(await recorded(shop, { orderId, command, caller: callerFor(caller, receiptId) }))
  }
  for (const dispute of disputes.won ?? []) reach(await noteDispute(shop, caller, { ...news, dispute }))
  const command = statusCommand(report, { attempt: number, deliveryMode: shop.policy.deliveryMode, at: nowText(shop) })
  if (!command) return { order, position }
  reach(await recorded(shop, { orderId, command, caller: callerFor(caller, 'status') }))
  return { order, position }
}

async function noteDispute(
  shop: Shop,
  caller: Caller,
  { orderId, attempt, dispute }: { orderId: string; attempt: number; dispute: DisputeReport },
): Promise<Recorded> {
  const { deliveryMode } = shop.policy
  const command = { type: 'NoteDispute', attempt, ...dispute, deliveryMode, at: nowText(shop) } as const
  return recorded(shop, { orderId, command, caller: callerFor(caller, dispute.disputeId) })
}

function reversedFirst(receipts: readonly ReceiptReport[]): ReceiptReport[] {
  return receipts.toSorted(
    (a, b) => Number(isPositiveDecimal(b.reversedAmount)) - Number(isPositiveDecimal(a.reversedAmount)),
  )
}

function statusCommand(report: PaymentReport, news: { attempt: number; deliveryMode: DeliveryMode; at: string }) {
  const { status, amountPaid } = report
  switch (status) {
    case 'confirming':
    case 'confirmed':
    case 'sending':
    case 'partially_paid':
      return { type: 'SeePayment', ...news, status, amountPaid } as const
    case 'failed':
    case 'expired':
    case 'refunded':
    case 'declined':
    case 'cancelled':
      return { type: 'FailPayment', ...news, reason: status } as const
    case 'waiting':
    case 'approved':
    case 'received':
    case 'unknown':
      return undefined
  }
}

async function recordReceipt(
  shop: Shop,
  caller: Caller,
  { order, attempt, receipt }: { order: PlacedOrder; attempt: Attempt; receipt: ReceiptReport },
): Promise<Recorded> {
  const { orderId } = order.placed
  const share = { coversCents: attempt.coversCents, askedAmount: receipt.askedAmount }
  const covers = coversCents(share, receipt.amount)
  if (covers === 0) return { order, position: START }
  const at = nowText(shop)
  const facts: ReceiptFacts = {
    provider: attempt.provider,
    receiptId: receipt.receiptId,
    orderId,
    attempt: attempt.attempt,
    amount: receipt.amount,
    currency: receipt.currency,
    coversCents: covers,
    at,
  }
  const owner = await claimReceipt(shop, caller, facts)
  if (owner?.orderId !== orderId) {
    const { receiptId } = facts
    const noted = await noteRefusal(shop, caller, { orderId, receiptId, claimedByOrderId: owner?.orderId ?? SETTLED })
    if (owner) await updateOwner(shop, callerFor(caller, 'owner'), owner, receipt)
    return noted
  }
  const reversedCents = coversCents(share, receipt.reversedAmount)
  return applyReceipt(shop, caller, facts, reversedCents)
}

/** Updates the order that owns this receipt, by the share of that order's own attempt. */
async function updateOwner(shop: Shop, caller: Caller, owner: ReceiptFacts, receipt: ReceiptReport): Promise<void> {
  const { state } = await findPlacedOrder(shop, owner.orderId)
  const attempt = state.attempts[owner.attempt - 1]
  if (!attempt) return
  const askedAmount = attempt.started?.payAmount ?? receipt.askedAmount
  const share = { coversCents: attempt.coversCents, askedAmount }
  const grown = { ...owner, amount: receipt.amount, coversCents: coversCents(share, receipt.amount) }
  await applyReceipt(shop, caller, grown, coversCents(share, receipt.reversedAmount))
}

/** Claims the receipt; returns the facts of its first claim, which may be another order's; undefined where staff settled it without an order. */
async function claimReceipt(shop: Shop, caller: Caller, facts: ReceiptFacts): Promise<ReceiptFacts | undefined> {
  const { state } = await handleCommand(shop, receiptDecider, {
    stream: receiptStream(facts.provider, facts.receiptId),
    command: { type: 'ClaimReceipt', facts },
    caller: callerFor(caller, 'claim'),
  })
  if (!state.claim && !state.isSettled) throw new Error('the receipt was claimed but its stream has no claim')
  return state.claim
}

/** Records on the order what its receipt covers now, and how much of it was reversed. */
export async function applyReceipt(
  shop: Shop,
  caller: Caller,
  facts: ReceiptFacts,
  reversedCents: number,
): Promise<Recorded> {
  const { orderId, at: _claimedAt, ...receipt } = facts
  const base = { receipt, deliveryMode: shop.policy.deliveryMode, at: nowText(shop) }
  const command =
    reversedCents > 0
      ? ({ type: 'ReversePayment', reversedCents, ...base } as const)
      : ({ type: 'ReceivePayment', ...base } as const)
  return recorded(shop, { orderId, command, caller: callerFor(caller, 'apply') })
}

export async function noteRefusal(
  shop: Shop,
  caller: Caller,
  refusal: { orderId: string; receiptId: string; claimedByOrderId: string },
): Promise<Recorded> {
  const { orderId, ...rest } = refusal
  const command = { type: 'NoteRefusedReceipt', ...rest, at: nowText(shop) } as const
  return recorded(shop, { orderId, command, caller: callerFor(caller, 'refused') })
}

async function recorded(shop: Shop, news: Parameters<typeof handleOrder>[1]): Promise<Recorded> {
  const { state, position } = await handleOrder(shop, news)
  return { order: state, position }
}
