import { receipt as receiptDecider } from '../domain/receipt/receipt.ts'
import type { ReceiptFacts } from '../domain/receipt/events.ts'
import { type Attempt, type PlacedOrder, reversedOfReceipt, type SeenPart } from '../domain/order/order-state.ts'
import type { Caller } from '../engines/event-store/event-log.ts'
import { START } from '../engines/event-store/event-store.ts'
import { coversCents, decimalSum, isLess, isPositiveDecimal } from '../domain/decimal.ts'
import type { PaymentReport, ReceiptReport } from '../payments/payment-provider.ts'
import { handleCommand } from '../shop/handle-command.ts'
import { findPlacedOrder, type HandledOrder, handleOrder, type OrderWish } from '../shop/handle-order.ts'
import { receiptStream } from '../shop/keys.ts'
import { callerFor, nowText, type Shop } from '../shop/shop.ts'

interface PaymentUpdate {
  /** The order as it was when the provider was asked. */
  readonly asked: PlacedOrder
  readonly attempt: number
  readonly report: PaymentReport
}

type Recorded = Pick<HandledOrder, 'state' | 'position'>

/**
 * Records what a provider reports of a payment, by polling, webhook or capture. Money is claimed by its receipt first and then recorded, in every state of
 * the order. A repeated report adds nothing.
 */
export async function recordPayment(
  shop: Shop,
  caller: Caller,
  { asked, attempt: number, report }: PaymentUpdate,
): Promise<Recorded> {
  const { orderId } = asked.placed
  let { state, position } = await findPlacedOrder(shop, orderId)
  const attempt = state.attempts[number - 1]
  if (!attempt) return { state, position }
  function reach(recorded: Recorded): void {
    state = recorded.state
    if (recorded.position > position) position = recorded.position
  }
  async function note(step: string, command: OrderWish): Promise<void> {
    reach(await handleOrder(shop, callerFor(caller, step), { orderId, command }))
  }
  const disputes = Object.groupBy(report.disputes ?? [], ({ outcome }) => (outcome === 'won' ? 'won' : 'others'))
  // Record first what holds the order back, and last what frees it: money may complete it at once.
  for (const dispute of disputes.others ?? [])
    await note(dispute.disputeId, { type: 'NoteDispute', attempt: number, ...dispute })
  for (const receipt of reversedFirst(report.receipts))
    reach(await recordReceipt(shop, callerFor(caller, receipt.receiptId), { asked, order: state, attempt, receipt }))
  for (const { receiptId } of report.strays ?? [])
    await note(receiptId, { type: 'NoteUnusableReceipt', receiptId, why: 'another-coin' })
  for (const dispute of disputes.won ?? [])
    await note(dispute.disputeId, { type: 'NoteDispute', attempt: number, ...dispute })
  const command = statusCommand(report, state.attempts[number - 1] ?? attempt)
  if (command) await note('status', command)
  return { state, position }
}

function reversedFirst(receipts: readonly ReceiptReport[]): ReceiptReport[] {
  return receipts.toSorted(
    (a, b) => Number(isPositiveDecimal(b.reversedAmount ?? '0')) - Number(isPositiveDecimal(a.reversedAmount ?? '0')),
  )
}

/** The command for all but receipts. */
function statusCommand({ status, amountPaid, parts = [], ended = [] }: PaymentReport, known: Attempt) {
  const { attempt } = known
  const seenCents = worthOf(known, { amountPaid, parts })
  const seen = { type: 'SeePayment', attempt, amountPaid, seenCents, parts, ended } as const
  switch (status) {
    case 'confirming':
    case 'confirmed':
    case 'sending':
    case 'partially_paid':
      return { ...seen, status } as const
    case 'failed':
    case 'expired':
    case 'refunded':
    case 'declined':
    case 'cancelled':
      return parts.length > 0
        ? ({ ...seen, status: 'confirming' } as const)
        : ({ type: 'FailPayment', attempt, ended, reason: status } as const)
    case 'waiting':
    case 'approved':
    case 'received':
    case 'unknown':
      if (parts.length > 0) return { ...seen, status: 'confirming' } as const
      return known.parts.some(({ id }) => ended.includes(id))
        ? ({ type: 'EndParts', attempt, ended } as const)
        : undefined
  }
}

/** What money without a receipt would cover, at most the asked amount, since a provider may report any amount. */
function worthOf(
  { coversCents: askedCents, started }: Attempt,
  { amountPaid, parts }: Pick<PaymentReport, 'amountPaid'> & { parts: readonly SeenPart[] },
): number | null {
  const amounts = parts.filter(({ currency }) => currency === started?.payCurrency).map(({ amount }) => amount)
  const amount = parts.length === 0 ? amountPaid : amounts.length === 0 ? null : decimalSum(amounts)
  if (!started || amount === null) return null
  const { payAmount: askedAmount } = started
  return isLess(amount, askedAmount) ? coversCents({ coversCents: askedCents, askedAmount }, amount) : askedCents
}

async function recordReceipt(
  shop: Shop,
  caller: Caller,
  news: { asked: PlacedOrder; order: PlacedOrder; attempt: Attempt; receipt: ReceiptReport },
): Promise<Recorded> {
  const { asked, order, attempt, receipt } = news
  const { orderId } = order.placed
  const share = { coversCents: attempt.coversCents, askedAmount: receipt.askedAmount }
  const covers = coversCents(share, receipt.amount)
  if (covers === 0) return { state: order, position: START }
  const { receiptId, amount, currency } = receipt
  const claim = { provider: attempt.provider, receiptId, orderId, attempt: attempt.attempt }
  const facts: ReceiptFacts = { ...claim, amount, currency, coversCents: covers, at: nowText(shop) }
  const owner = await claimReceipt(shop, caller, facts)
  if (owner?.orderId !== orderId) {
    const noted = await noteRefusal(shop, caller, { orderId, receiptId })
    if (owner) await updateOwner(shop, callerFor(caller, 'owner'), owner, receipt)
    return noted
  }
  // A receipt that several payments of this order report counts by the one that claimed it.
  const own = owner.attempt === attempt.attempt ? share : (shareOf(order, owner, receipt) ?? share)
  const reversedCents = reversalOf(order, own, receipt)
  const reversedBefore = reversedOfReceipt(asked, receiptId)
  const reversal = reversedCents === undefined ? undefined : { reversedCents, reversedBefore }
  return applyReceipt(shop, caller, { ...facts, coversCents: coversCents(own, amount) }, reversal)
}

/** By the payment that claimed this receipt. */
function shareOf(
  order: PlacedOrder,
  owner: ReceiptFacts,
  receipt: ReceiptReport,
): Parameters<typeof coversCents>[0] | undefined {
  const attempt = order.attempts[owner.attempt - 1]
  return attempt && { coversCents: attempt.coversCents, askedAmount: attempt.started?.payAmount ?? receipt.askedAmount }
}

/** Updates the order that owns this receipt, by the share of that order's own attempt. */
async function updateOwner(shop: Shop, caller: Caller, owner: ReceiptFacts, receipt: ReceiptReport): Promise<void> {
  const { state } = await findPlacedOrder(shop, owner.orderId)
  const share = shareOf(state, owner, receipt)
  if (!share) return
  const grown = { ...owner, amount: receipt.amount, coversCents: coversCents(share, receipt.amount) }
  const reversedCents = coversCents(share, receipt.reversedAmount ?? '0')
  const reversal = reversedCents > 0 ? { reversedCents, reversedBefore: 0, isReportedByOther: true } : undefined
  await applyReceipt(shop, caller, grown, reversal)
}

/** Cents reversed now; undefined if none are or were. */
function reversalOf(
  order: PlacedOrder,
  share: Parameters<typeof coversCents>[0],
  { receiptId, reversedAmount }: ReceiptReport,
): number | undefined {
  if (reversedAmount === null) return undefined
  const reversedCents = coversCents(share, reversedAmount)
  return reversedCents > 0 || reversedOfReceipt(order, receiptId) > 0 ? reversedCents : undefined
}

/** Claims the receipt; returns the facts of its first claim, which may be another order's; undefined if staff settled it without an order. */
async function claimReceipt(shop: Shop, caller: Caller, facts: ReceiptFacts): Promise<ReceiptFacts | undefined> {
  const { state } = await handleCommand(shop, receiptDecider, {
    stream: receiptStream(facts.provider, facts.receiptId),
    command: { type: 'ClaimReceipt', facts },
    caller: callerFor(caller, 'claim'),
  })
  if (!state.claim && !state.isSettled) throw new Error('the receipt was claimed but its stream has no claim')
  return state.claim
}

/** Records on the order what its receipt covers now, and how much of it is reversed, if known. */
export async function applyReceipt(
  shop: Shop,
  caller: Caller,
  facts: ReceiptFacts,
  reversal: { reversedCents: number; reversedBefore: number; isReportedByOther?: boolean } | undefined,
): Promise<Recorded> {
  const { orderId, at: _claimedAt, ...receipt } = facts
  const command: OrderWish = reversal
    ? { type: 'ReversePayment', receipt, ...reversal }
    : { type: 'ReceivePayment', receipt }
  return handleOrder(shop, callerFor(caller, 'apply'), { orderId, command })
}

export async function noteRefusal(
  shop: Shop,
  caller: Caller,
  { orderId, receiptId }: { orderId: string; receiptId: string },
): Promise<Recorded> {
  const command = { type: 'NoteUnusableReceipt', receiptId, why: 'pays-another-order' } as const
  return handleOrder(shop, callerFor(caller, 'refused'), { orderId, command })
}
