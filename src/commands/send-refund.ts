import type { PlacedOrderCommand } from '../domain/order/commands.ts'
import { openRefund, type PlacedOrder, type RefundWish } from '../domain/order/order-state.ts'
import { plusMinutes } from '../domain/plus-minutes.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Position } from '../engines/event-store/event-store.ts'
import type { Caller } from '../log/event-log.ts'
import {
  type KnownPayment,
  type PaymentProvider,
  PaymentRejected,
  ProviderAway,
  unlessAway,
} from '../payments/payment-provider.ts'
import { callerFor, nowText, type CommandContext } from '../shop/command-context.ts'
import { findPlacedOrder, handleOrder } from '../shop/handle-order.ts'
import { providerNamed } from '../shop/providers.ts'
import { knownPayment } from './capture-payment.ts'
import { recordPayment } from './record-payment.ts'

/** How long after RefundRequested a refund may still be sent. */
export const REFUND_CALLS_MINUTES = 10
/** 128 bits, in hexadecimal: providers take letters and digits. */
const ID_DIGITS = 32
const WORDS_MAX = 200

export interface SendRefundRequest {
  readonly orderId: string
  readonly adminId: string
  readonly idempotencyKey: string | undefined
  /** As staff saw it. */
  readonly revision: number
  readonly refund: Pick<PlacedOrderCommand<'RequestRefund'>, 'receiptId' | 'amount' | 'reason' | 'coinsGiven'>
}

/**
 * Pays money back through the provider; refused if anything was added since this revision. RefundRequested is appended before the call. A repeat with the
 * same key, or at the same revision, adds nothing. Where the provider does not answer, the refund stays open and a worker goes on.
 */
export async function sendRefund(
  context: CommandContext,
  caller: Caller,
  { orderId, adminId, idempotencyKey, revision, refund }: SendRefundRequest,
): Promise<{ order: PlacedOrder; position: Position }> {
  const said = idempotencyKey === undefined ? `revision/${revision}` : `key/${idempotencyKey}`
  const refundId = Buffer.from(context.keys.fingerprint(`refund/${orderId}/${said}`), 'base64url')
    .toString('hex')
    .slice(0, ID_DIGITS)
  const requestHash = context.keys.fingerprint(JSON.stringify(refund))
  const { state: before, position } = await findPlacedOrder(context, orderId)
  const known = [...before.wishes, ...before.refunds].find((one) => one.refundId === refundId)
  if (known && known.requestHash !== requestHash)
    throw new Refusal('order/changed', 'Another refund was made since you looked at this order. Look again.')
  if (known) return { order: before, position }
  const receipt = before.receipts.find(({ receiptId }) => receiptId === refund.receiptId)
  if (receipt && !refunderOf(context, before, receipt.attempt)?.provider.refund)
    throw new Refusal('order/refund-not-sent', 'Its provider sends no refunds. Pay it back there, and record it here.')
  const callsUntil = plusMinutes(nowText(context), REFUND_CALLS_MINUTES)
  const command = { type: 'RequestRefund', ...refund, refundId, requestHash, callsUntil, adminId } as const
  await handleOrder(context, callerFor(caller, 'request'), { orderId, command, asSeen: revision })
  await finishRefund(context, callerFor(caller, 'finish'), { orderId }).catch(unlessAway)
  const after = await findPlacedOrder(context, orderId)
  return { order: after.state, position: after.position }
}

/** Sends an open refund, or learns what became of it. Each call is made after the payment was read again, and under the refund's one id. */
export async function finishRefund(
  context: CommandContext,
  caller: Caller,
  { orderId }: { orderId: string },
): Promise<void> {
  const { state: order } = await findPlacedOrder(context, orderId)
  const wish = openRefund(order)
  if (!wish) return
  const receipt = order.receipts.find(({ receiptId }) => receiptId === wish.receiptId)
  const refunder = receipt && refunderOf(context, order, receipt.attempt)
  const isShown = refunder
    ? await readAgain(context, callerFor(caller, 'read'), wish, refunder).catch(unlessAway)
    : undefined
  // Given up if it must not be sent any more; without its provider, only the time runs out.
  const refusal = isShown === false ? 'It does not show this payment any more.' : null
  const asked = await giveUp(context, callerFor(caller, 'decide'), wish, refusal)
  if (openRefund(asked)?.refundId !== wish.refundId || !refunder?.provider.refund) return
  if (isShown === undefined) throw new ProviderAway('the provider does not say what went back of this payment')
  if (nowText(context) > wish.callsUntil) return
  try {
    const refund = await refunder.provider.refund(refunder.payment, wish)
    // The payment itself says most; the answer counts where that lags behind.
    await readAgain(context, callerFor(caller, 'sent'), wish, refunder).catch(unlessAway)
    const command = { type: 'FinishRefund', refund, receiptId: wish.receiptId } as const
    await handleOrder(context, callerFor(caller, 'answer'), { orderId, command })
  } catch (error) {
    if (!(error instanceof PaymentRejected)) throw error
    // An earlier call may have taken effect.
    const isKnown = await readAgain(context, callerFor(caller, 'refused'), wish, refunder)
    if (isKnown !== undefined)
      await giveUp(context, callerFor(caller, 'close'), wish, error.message.slice(0, WORDS_MAX))
  }
}

interface Refunder {
  readonly provider: PaymentProvider
  readonly payment: KnownPayment
  readonly attempt: number
}

/** Who can send money of this attempt back. */
function refunderOf(context: CommandContext, order: PlacedOrder, number: number): Refunder | undefined {
  const attempt = order.attempts[number - 1]
  const payment = attempt && knownPayment(order, attempt)
  const provider = attempt && providerNamed(context, attempt.provider)
  return payment && provider ? { provider, payment, attempt: number } : undefined
}

/**
 * Reads and records the payment. Whether it shows the receipt of the refund; undefined if it does not say what went back of it now. Throws `ProviderAway`.
 */
async function readAgain(
  context: CommandContext,
  caller: Caller,
  { orderId, receiptId }: RefundWish,
  { provider, payment, attempt }: Refunder,
): Promise<boolean | undefined> {
  const { state: asked } = await findPlacedOrder(context, orderId)
  const report = await provider.check(payment)
  await recordPayment(context, caller, { asked, attempt, report })
  const receipt = report.receipts.find((one) => one.receiptId === receiptId)
  return receipt ? (receipt.reversedAmount === null ? undefined : true) : false
}

async function giveUp(
  context: CommandContext,
  caller: Caller,
  { orderId, refundId }: RefundWish,
  refusal: string | null,
): Promise<PlacedOrder> {
  const command = { type: 'GiveUpRefund', refundId, refusal } as const
  return (await handleOrder(context, caller, { orderId, command })).state
}
