import { receipt as receiptDecider } from '../domain/receipt/receipt.ts'
import type { PlacedOrderCommand } from '../domain/order/commands.ts'
import type { ReceiptFacts } from '../domain/receipt/events.ts'
import { isPositiveDecimal, decimalRest, decimalSum, isLess } from '../domain/decimal.ts'
import { type Attempt, nothingBack, type PlacedOrder } from '../domain/order/order-state.ts'
import type { Caller } from '../log/event-log.ts'
import type { PaymentReport, ReceiptReport } from '../payments/payment-provider.ts'
import { meetsBlock } from '../shop/blocks.ts'
import { type Folded, handleCommand } from '../shop/handle-command.ts'
import { findPlacedOrder, handleOrder, type OrderWish } from '../shop/handle-order.ts'
import { receiptStream } from '../shop/keys.ts'
import { providerNamed } from '../shop/providers.ts'
import { callerFor, nowText, type CommandContext } from '../shop/command-context.ts'

interface PaymentUpdate {
  /** The order as it was when the provider was asked. */
  readonly asked: PlacedOrder
  readonly attempt: number
  readonly report: PaymentReport
}

type Recorded = Folded<PlacedOrder>

/**
 * Records what a provider reports of a payment, by polling, webhook or capture. Money is claimed by its receipt first and then recorded, in every state of
 * the order. A repeated report adds nothing.
 */
export async function recordPayment(
  context: CommandContext,
  caller: Caller,
  { asked, attempt: number, report }: PaymentUpdate,
): Promise<Recorded> {
  const { orderId } = asked.placed
  let read: Recorded = await findPlacedOrder(context, orderId)
  const attempt = read.state.attempts[number - 1]
  if (!attempt) return read
  function reach({ state, revision, position }: Recorded): void {
    read = { state, revision, position: position > read.position ? position : read.position }
  }
  async function note(step: string, command: OrderWish): Promise<void> {
    reach(await handleOrder(context, callerFor(caller, step), { orderId, at: read, command }))
  }
  const disputes = Object.groupBy(report.disputes ?? [], ({ outcome }) => (outcome === 'won' ? 'won' : 'others'))
  // Record first what holds the order back, and last what frees it: money may complete it at once.
  for (const dispute of disputes.others ?? [])
    await note(dispute.disputeId, { type: 'NoteDispute', attempt: number, ...dispute })
  if (await isOfBlockedPayer(context, read.state, report)) await note('block', { type: 'NoteBlock' })
  for (const receipt of reversedFirst([...report.receipts, ...takenBack(asked, number, report)]))
    reach(await recordReceipt(context, callerFor(caller, receipt.receiptId), { asked, read, attempt, receipt }))
  for (const { receiptId, isGone = false } of report.strays ?? []) {
    const stray = { attempt: number, receiptId, why: 'another-coin', isGone, endsSighting: false } as const
    await note(receiptId, { type: 'NoteUnusableReceipt', ...stray })
  }
  for (const dispute of disputes.won ?? [])
    await note(dispute.disputeId, { type: 'NoteDispute', attempt: number, ...dispute })
  const command = statusCommand(report, read.state.attempts[number - 1] ?? attempt)
  if (command) await note('status', command)
  return read
}

async function isOfBlockedPayer(
  context: CommandContext,
  { isBlocked, life }: PlacedOrder,
  { payerId }: PaymentReport,
): Promise<boolean> {
  if (payerId === undefined || isBlocked || (life.kind !== 'open' && life.kind !== 'ended')) return false
  return meetsBlock(context, { payer: payerId })
}

function reversedFirst(receipts: readonly ReceiptReport[]): ReceiptReport[] {
  return receipts.toSorted(
    (a, b) => Number(isPositiveDecimal(b.reversedAmount ?? '0')) - Number(isPositiveDecimal(a.reversedAmount ?? '0')),
  )
}

/**
 * Recorded receipts of which the provider withdraws money that it does not call received any more. Only those that the order had
 * when the provider was asked: an older reply must not take back what came later.
 */
function takenBack(asked: PlacedOrder, attempt: number, { ended = [], back = [] }: PaymentReport): ReceiptReport[] {
  return asked.receipts.flatMap((known) => {
    if (known.attempt !== attempt) return []
    const { receiptId, amount, currency, askedAmount } = known
    // The provider may have reported more as paid back than this order had received by then.
    const wentBack = decimalSum([known.back.done, known.back.pending])
    const all = isLess(amount, wentBack) ? wentBack : amount
    const reversedAmount = ended.includes(receiptId) ? all : back.find((one) => one.receiptId === receiptId)?.amount
    return reversedAmount === undefined ? [] : [{ receiptId, amount, currency, askedAmount, reversedAmount }]
  })
}

/** An amount that its provider corrects downwards is a reversal of the difference. */
function corrected(asked: PlacedOrder, attempt: number, receipt: ReceiptReport): ReceiptReport {
  const known = asked.receipts.find(({ receiptId }) => receiptId === receipt.receiptId)
  const { amount, reversedAmount } = receipt
  if (known?.attempt !== attempt || reversedAmount === null || !isLess(amount, known.amount)) return receipt
  const missing = decimalRest(known.amount, amount)
  return { ...receipt, amount: known.amount, reversedAmount: decimalSum([reversedAmount, missing]) }
}

/** The command for all but receipts. */
function statusCommand({ status, amountPaid, receipts, parts = [], ...report }: PaymentReport, known: Attempt) {
  const { attempt } = known
  const ended = [...(report.ended ?? []), ...receipts.map(({ receiptId }) => receiptId)]
  const seen = { type: 'SeePayment', attempt, amountPaid, parts, ended } as const
  const over = known.parts.map(({ id }) => id).filter((id) => ended.includes(id))
  const endedParts = over.length > 0 ? ({ type: 'EndParts', attempt, ended: over } as const) : undefined
  switch (status) {
    case 'confirming':
    case 'confirmed':
    case 'sending':
    case 'partially_paid':
      // Receipts are all that this status is about, also those that pay another order.
      return receipts.length > 0 && parts.length === 0 ? endedParts : ({ ...seen, status } as const)
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
      return parts.length > 0 ? ({ ...seen, status: 'confirming' } as const) : endedParts
  }
}

async function recordReceipt(
  context: CommandContext,
  caller: Caller,
  news: { asked: PlacedOrder; read: Recorded; attempt: Attempt; receipt: ReceiptReport },
): Promise<Recorded> {
  const { asked, read } = news
  const { orderId } = asked.placed
  const { provider, attempt } = news.attempt
  const receipt = corrected(asked, attempt, news.receipt)
  const { receiptId, amount, askedAmount, currency, sellerProtection } = receipt
  const claimed = { provider, receiptId, orderId, attempt, amount, askedAmount, currency, at: nowText(context) }
  const facts = { ...claimed, ...(sellerProtection && { sellerProtection }) }
  const owner = await claimReceipt(context, caller, facts)
  if (owner?.orderId !== orderId) {
    const noted = await noteRefusal(context, caller, { orderId, attempt, provider, receiptId })
    if (owner) await updateOwner(context, callerFor(caller, 'owner'), owner, receipt)
    return noted
  }
  // A receipt that several payments of this order report counts by the one that claimed it.
  const own = { ...facts, attempt: owner.attempt, askedAmount: owner.askedAmount }
  const backBefore = asked.receipts.find((known) => known.receiptId === receiptId)?.back ?? nothingBack
  return applyReceipt(context, caller, own, backOf(receipt, { backBefore, byHolder: owner.attempt === attempt }), read)
}

/** Updates the order that owns this receipt by what another order's payment reports of it. */
async function updateOwner(
  context: CommandContext,
  caller: Caller,
  owner: ReceiptFacts,
  receipt: ReceiptReport,
): Promise<void> {
  await applyReceipt(context, caller, { ...owner, amount: receipt.amount }, backOf(receipt, { byHolder: false }))
}

type ReportedBack = Pick<PlacedOrderCommand<'ReportRefund'>, 'back' | 'backBefore' | 'byHolder' | 'refunds'>

/** Undefined if it cannot be read now. */
function backOf(
  { reversedAmount: done, pendingAmount: pending = '0', failedAmount: failed = '0', refunds }: ReceiptReport,
  reporter: Omit<ReportedBack, 'back' | 'refunds'>,
): ReportedBack | undefined {
  return done === null ? undefined : { back: { done, pending, failed }, ...reporter, refunds }
}

/** Claims the receipt; returns the facts of its first claim, which may be another order's; undefined if staff settled it without an order. */
async function claimReceipt(
  context: CommandContext,
  caller: Caller,
  facts: ReceiptFacts,
): Promise<ReceiptFacts | undefined> {
  const { state } = await handleCommand(context, receiptDecider, {
    stream: receiptStream(facts.provider, facts.receiptId),
    command: { type: 'ClaimReceipt', facts },
    caller: callerFor(caller, 'claim'),
  })
  if (!state.claim && !state.isSettled) throw new Error('the receipt was claimed but its stream has no claim')
  return state.claim
}

/** Records on the order what has arrived by its receipt, and what went back of it, if known. */
export async function applyReceipt(
  context: CommandContext,
  caller: Caller,
  facts: ReceiptFacts,
  reported: ReportedBack | undefined,
  at?: Recorded,
): Promise<Recorded> {
  const { orderId, at: _claimedAt, ...receipt } = facts
  const command: OrderWish = reported
    ? { type: 'ReportRefund', receipt, ...reported }
    : { type: 'ReceivePayment', receipt }
  return handleOrder(context, callerFor(caller, 'apply'), { orderId, at, command })
}

export async function noteRefusal(
  context: CommandContext,
  caller: Caller,
  refused: Pick<ReceiptFacts, 'orderId' | 'attempt' | 'provider' | 'receiptId'>,
): Promise<Recorded> {
  const { orderId, attempt, provider, receiptId } = refused
  const endsSighting = providerNamed(context, provider)?.isOneTransfer === true
  const why = 'pays-another-order'
  const command = { type: 'NoteUnusableReceipt', attempt, receiptId, why, isGone: false, endsSighting } as const
  return handleOrder(context, callerFor(caller, 'refused'), { orderId, command })
}
