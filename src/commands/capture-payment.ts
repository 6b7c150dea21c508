import { plusMinutes } from '../domain/plus-minutes.ts'
import {
  type Attempt,
  hasAttemptFailed,
  hasReceipt,
  isSeen,
  openCapture,
  type PlacedOrder,
  sightingOf,
} from '../domain/order/order-state.ts'
import { objectionToPaying } from '../domain/order/may.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Caller } from '../log/event-log.ts'
import type { Position } from '../engines/event-store/event-store.ts'
import type { KnownPayment, PaymentReport } from '../payments/payment-provider.ts'
import { findPlacedOrder, handleOrder } from '../shop/handle-order.ts'
import { providerNamed } from '../shop/providers.ts'
import { recordPayment } from './record-payment.ts'
import { callerFor, nowText, type CommandContext } from '../shop/command-context.ts'

/** How long after CaptureRequested a capture may still be called. */
export const CAPTURE_CALLS_MINUTES = 10

interface Captured {
  readonly order: PlacedOrder
  readonly attempt: Attempt
  readonly position: Position
}

/** Captures an approved payment. CaptureRequested is appended before the call, and only after the provider has reported the approval. */
export async function capturePayment(
  context: CommandContext,
  caller: Caller,
  { orderId, paymentId }: { orderId: string; paymentId: string },
): Promise<Captured> {
  const { state: order, position } = await findPlacedOrder(context, orderId)
  const attempt = order.attempts.find(({ started }) => started?.paymentId === paymentId)
  const provider = attempt && providerNamed(context, attempt.provider)
  const payment = attempt && knownPayment(order, attempt)
  if (!attempt || !payment || !provider?.capture)
    throw new Refusal('payment/unknown', 'This order knows no such payment.')
  if (hasReceipt(attempt) || openCapture(order)?.attempt === attempt.attempt) return { order, attempt, position }

  const report = await provider.check(payment)
  if (report.status !== 'approved') {
    const news = { asked: order, attempt: attempt.attempt, report }
    const recorded = await recordPayment(context, callerFor(caller, 'check'), news)
    const after = attemptIn(recorded.state, attempt)
    if (report.receipts.length > 0 || hasAttemptFailed(after) || sightingOf(after))
      return { order: recorded.state, attempt: after, position: recorded.position }
    throw new Refusal('payment/not-approved', 'The payment was not approved yet.')
  }
  const asked = await handleOrder(context, callerFor(caller, 'request'), {
    orderId,
    command: {
      type: 'RequestCapture',
      attempt: attempt.attempt,
      requestId: `capture-${attempt.reference}`,
      callsUntil: plusMinutes(nowText(context), CAPTURE_CALLS_MINUTES),
    },
  })
  return finishCapture(context, callerFor(caller, 'finish'), {
    order: asked.state,
    position: asked.position,
    attempt: attemptIn(asked.state, attempt),
  })
}

/** Calls the provider for an open capture. Every repetition uses the same request id, so that money is taken once. */
export async function finishCapture(
  context: CommandContext,
  caller: Caller,
  { order, attempt, position }: Captured,
): Promise<Captured> {
  const capture = openCapture(order)
  if (capture?.attempt !== attempt.attempt) return { order, attempt, position }
  const { orderId } = order.placed
  if (nowText(context) > capture.callsUntil) {
    const command = { type: 'GiveUpCapture', attempt: attempt.attempt } as const
    const { state, position: reached } = await handleOrder(context, caller, { orderId, command })
    return { order: state, attempt, position: reached }
  }
  const provider = providerNamed(context, attempt.provider)
  const payment = knownPayment(order, attempt)
  // The provider is no longer configured: nothing can be called, but the time still runs out.
  if (!provider?.capture || !payment) return { order, attempt, position }
  const report = declineIfWaiting(await provider.capture(payment, capture.requestId))
  const recorded = await recordPayment(context, caller, { asked: order, attempt: attempt.attempt, report })
  return { order: recorded.state, attempt: attemptIn(recorded.state, attempt), position: recorded.position }
}

function attemptIn({ attempts }: PlacedOrder, attempt: Attempt): Attempt {
  return attempts[attempt.attempt - 1] ?? attempt
}

/** If the approval was withdrawn or lapsed before the capture, nothing was taken: the buyer may start again. */
function declineIfWaiting(report: PaymentReport): PaymentReport {
  return report.status === 'waiting' ? { ...report, status: 'declined' } : report
}

/** Whether approved money of this attempt is to be captured. */
export function mayCapture(order: PlacedOrder, attempt: Attempt): boolean {
  return (
    objectionToPaying(order) === undefined && !hasReceipt(attempt) && !isSeen(attempt) && !hasAttemptFailed(attempt)
  )
}

/** A started payment in the form that a check needs. */
export function knownPayment(
  { receipts, disputes, unusableReceipts }: PlacedOrder,
  attempt: Attempt,
): KnownPayment | undefined {
  const { started, reference, requestedAt, askedMinor } = attempt
  if (!started) return undefined
  const { paymentId, payAmount, payCurrency, at: startedAt } = started
  const isOwn = (one: { readonly attempt: number }): boolean => one.attempt === attempt.attempt
  const open = disputes.filter((dispute) => isOwn(dispute) && dispute.outcome === 'open')
  const otherIds = [
    ...receipts.filter(isOwn).map(({ receiptId }) => receiptId),
    ...attempt.parts.map(({ id }) => id),
    ...unusableReceipts.filter((one) => isOwn(one) && one.why === 'another-coin').map(({ receiptId }) => receiptId),
    ...open.map(({ disputeId }) => disputeId),
  ]
  return { paymentId, reference, requestedAt, startedAt, askedMinor, payAmount, payCurrency, otherIds }
}
