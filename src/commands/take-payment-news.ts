import type { Caller } from '../log/event-log.ts'
import {
  type Money,
  moneyIn,
  type PaymentProvider,
  PaymentRejected,
  ProviderAway,
  unlessRejected,
} from '../payments/payment-provider.ts'
import { receipt as receiptDecider } from '../domain/receipt/receipt.ts'
import { handleCommand } from '../shop/handle-command.ts'
import { receiptStream } from '../shop/keys.ts'
import { handleOrder, readOrder } from '../shop/handle-order.ts'
import { providerNamed } from '../shop/providers.ts'
import { callerFor, nowText, type CommandContext } from '../shop/command-context.ts'
import { adoptPayment, type FoundAttempt } from './adopt-payment.ts'
import { capturePayment, knownPayment, mayCapture } from './capture-payment.ts'
import { recordPayment } from './record-payment.ts'

/** A payment that a webhook names. Nothing else in a webhook is trusted. */
export interface NamedPayment {
  readonly provider: string
  readonly paymentId: string
  /** Our reference, as the webhook says; empty if it has none. */
  readonly reference: string
}

/**
 * Reads a payment again at its provider and records it. One that names our reference but is not recorded is adopted: its creation got
 * no reply, or it is a later transfer to a used address. `unplaced` is money under our reference that no order accepts.
 */
export async function takePaymentNews(
  context: CommandContext,
  caller: Caller,
  fromWebhook: NamedPayment,
): Promise<'taken' | 'foreign' | 'unplaced'> {
  const named = fromWebhook.reference === '' ? await withReference(context, fromWebhook) : fromWebhook
  const found = await findAttempt(context, named)
  if (!found) return noteUnplaced(context, caller, named)
  const { order, attempt, provider } = found
  const { orderId } = order.placed
  const pollBeganAt = nowText(context)
  try {
    const known = knownPayment(order, attempt)
    if (!known) return await adoptPayment(context, caller, found, named.paymentId)
    // Read before the check, which then includes this money unless its price differs.
    const money = named.paymentId === known.paymentId ? [] : await moneyOf(provider, named)
    const report = await provider.check({ ...known, otherIds: [...known.otherIds, named.paymentId] })
    // The payer's browser may have closed before it could ask for the capture.
    if (report.status === 'approved' && mayCapture(order, attempt))
      await capturePayment(context, caller, { orderId, paymentId: known.paymentId })
    else await recordPayment(context, caller, { asked: order, attempt: attempt.attempt, report })
    if (report.isUnclear === true && !attempt.isWatched) {
      const command = { type: 'EndPaymentWatch', attempt: attempt.attempt, pollBeganAt, isUnclear: true } as const
      await handleOrder(context, callerFor(caller, 'unclear'), { orderId, command })
    }
    // The webhook may report a reversal, which only a later check can show.
    if (report.receipts.some(({ reversedAmount }) => reversedAmount === null))
      throw new ProviderAway('the provider does not say what went back of this payment')
    // Money that went back is the attempt's, too.
    const present = [...moneyIn(report, known), ...(report.strays ?? [])].map(({ receiptId }) => receiptId)
    const taken = new Set([...present, ...(report.ended ?? [])])
    return money.every(({ receiptId }) => taken.has(receiptId)) ? 'taken' : await noteUnplaced(context, caller, named)
  } catch (error) {
    // The provider does not know the payment, or its reference or price differs.
    if (error instanceof PaymentRejected) return noteUnplaced(context, caller, named)
    throw error
  }
}

/** A later transfer may name only its parent payment, which has our reference. */
async function withReference(context: CommandContext, named: NamedPayment): Promise<NamedPayment> {
  const found = await providerNamed(context, named.provider)?.find?.(named.paymentId).catch(unlessRejected)
  return { ...named, reference: found?.reference ?? '' }
}

async function findAttempt(
  context: CommandContext,
  { provider: name, reference }: NamedPayment,
): Promise<FoundAttempt | undefined> {
  const referred = context.keys.referred(reference)
  if (!referred) return undefined
  const { state: order } = await readOrder(context, referred.orderId)
  if (order.kind !== 'placed') return undefined
  const attempt = order.attempts[referred.attempt - 1]
  const provider = attempt?.provider === name && providerNamed(context, name)
  return provider && attempt?.reference === reference ? { order, attempt, provider } : undefined
}

/** Records for staff money under our reference that no attempt accepts, mostly because its order is missing. */
async function noteUnplaced(
  context: CommandContext,
  caller: Caller,
  named: NamedPayment,
): Promise<'foreign' | 'unplaced'> {
  const provider = providerNamed(context, named.provider)
  if (!provider || !context.keys.referred(named.reference)) return 'foreign'
  const money = await moneyOf(provider, named)
  for (const { receiptId, amount, currency } of money)
    await handleCommand(context, receiptDecider, {
      stream: receiptStream(provider.name, receiptId),
      command: {
        type: 'NoteUnplacedReceipt',
        facts: {
          provider: provider.name,
          receiptId,
          amount,
          currency,
          reference: named.reference,
          at: nowText(context),
        },
      },
      caller: callerFor(caller, `unplaced/${receiptId}`),
    })
  return money.length > 0 ? 'unplaced' : 'foreign'
}

/** Money that this payment itself has received or seen, if it names this reference. */
async function moneyOf(provider: PaymentProvider, named: NamedPayment): Promise<readonly Money[]> {
  const found = await provider.find?.(named.paymentId).catch(unlessRejected)
  return found?.reference === named.reference ? found.money : []
}
