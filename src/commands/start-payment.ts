import { centsToText } from '../domain/money.ts'
import { mayBeReplaced, noSuchOrder } from '../domain/order/may.ts'
import { type Attempt, isDeleted, isOpen, type PlacedOrder } from '../domain/order/order-state.ts'
import { openAttempt } from '../domain/order/standing.ts'
import { Refusal } from '../domain/refusal.ts'
import type { PaymentMethod } from '../domain/payment-methods.ts'
import { type Caller, openSealed } from '../log/event-log.ts'
import type { Position } from '../engines/event-store/event-store.ts'
import { ReferenceUsed } from '../payments/payment-provider.ts'
import type { Folded } from '../shop/handle-command.ts'
import { findPlacedOrder, handleOrder } from '../shop/handle-order.ts'
import {
  assertMethodOn,
  assertWithinLimits,
  currentProvider,
  methodOff,
  type Owed,
  owedBy,
  providerNamed,
  retryOnFreshState,
  usableProvider,
} from '../shop/providers.ts'
import { shopName, sold } from '../shop/shop-facts.ts'
import { startedData } from './started-data.ts'
import { callerFor, type CommandContext } from '../shop/command-context.ts'

export interface StartPaymentRequest {
  readonly orderId: string
  readonly method: PaymentMethod
  /** The amount that the caller expects; any other is refused. */
  readonly isAmountRight: (owed: Owed, order: PlacedOrder) => boolean
  /** The coin, for crypto. An open payment is returned in its own coin. */
  readonly payCurrency?: string | undefined
  /** Our reference of the open payment to replace with another quote or coin. */
  readonly replaces?: string | undefined
  readonly phone?: string | undefined
}

export interface StartedAttempt {
  readonly order: PlacedOrder
  readonly attempt: Attempt & { readonly started: NonNullable<Attempt['started']> }
  readonly position: Position
}

/** Attempts with a new reference when the provider refuses one as used. */
const REFERENCES_MAX = 2

/** Opens a payment at its provider, or returns the one that is open; a replaced one stays watched, and its money counts. */
export async function startPayment(
  context: CommandContext,
  caller: Caller,
  request: StartPaymentRequest,
): Promise<StartedAttempt> {
  const { orderId, method } = request
  for (let turn = 0; turn < REFERENCES_MAX; turn += 1) {
    const step = callerFor(caller, `reference-${turn}`)
    const { read, attempt } = await requestAttempt(context, step, request)
    if (attempt.started)
      return { order: read.state, attempt: { ...attempt, started: attempt.started }, position: read.position }
    await retryOnFreshState(context, () => assertMethodOn(context, method))
    try {
      return await startAttempt(context, step, request, { read, attempt })
    } catch (error) {
      if (!(error instanceof ReferenceUsed)) throw error
      const command = { type: 'FailPayment', attempt: attempt.attempt, reason: 'reference-used' } as const
      await handleOrder(context, callerFor(step, 'give-up'), { orderId, command })
    }
  }
  throw new Refusal('order/busy', 'The payment provider is confused about this order. Try again in a moment.')
}

/** The open payment of this method, or a new one: PaymentRequested is appended before the provider is called. */
async function requestAttempt(
  context: CommandContext,
  caller: Caller,
  { orderId, method, isAmountRight, payCurrency, replaces }: StartPaymentRequest,
): Promise<{ read: Folded<PlacedOrder>; attempt: Attempt }> {
  const read = await findPlacedOrder(context, orderId)
  const before = read.state
  if (isDeleted(before)) throw new Refusal(...noSuchOrder)
  const owed = owedBy(before, method)
  const current = currentProvider(context, method)
  const last = openAttempt(before, method)
  // A payment at another gateway stays watched; the rest is charged by the method's current gateway.
  const open = current === undefined || last?.provider === current.name ? last : undefined
  // If nothing is owed, the decider refuses with the reason.
  const isPayable = isOpen(before) && owed.coversCents > 0
  if (isPayable && !isAmountRight(owed, before)) throw wrongAmount(owed)
  const isReplaced = open?.started !== undefined && open.reference === replaces && mayBeReplaced(before, open)
  if (open && isPayable && !isReplaced) return { read, attempt: open }

  const provider = await retryOnFreshState(context, () => usableProvider(context, method))
  if (isPayable) await assertWithinLimits(provider, owed, payCurrency)
  const attempt = before.attempts.length + 1
  const reference = context.keys.reference(orderId, attempt)
  const handled = await handleOrder(context, callerFor(caller, 'request'), {
    orderId,
    at: read,
    command: {
      type: 'RequestPayment',
      request: { attempt, method, provider: provider.name, reference, ...owed },
      replaces: isReplaced ? open?.attempt : undefined,
    },
  })
  const requested = openAttempt(handled.state, method)
  if (requested?.provider !== provider.name)
    throw new Refusal('order/busy', 'Another payment of this order was begun just now. Look at it again.')
  return { read: handled, attempt: requested }
}

async function startAttempt(
  context: CommandContext,
  caller: Caller,
  request: StartPaymentRequest,
  { read, attempt }: { read: Folded<PlacedOrder>; attempt: Attempt },
): Promise<StartedAttempt> {
  const { orderId, payCurrency, phone } = request
  const provider = providerNamed(context, attempt.provider)
  if (!provider) throw new Refusal(...methodOff)
  const { placed } = read.state
  const keys = await context.vault.keysOf([placed.customerId])
  const buyer = openSealed(placed, keys)
  if (buyer === 'erased') throw new Refusal(...noSuchOrder)
  if (buyer === 'unreadable')
    throw new Refusal('order/buyer-unreadable', 'This order cannot be paid now. Contact us, or try again later.')
  const { coin } = sold(context)
  const payment = await provider.create({
    reference: attempt.reference,
    askedMinor: attempt.askedMinor,
    currency: attempt.currency,
    description: `${placed.quantityM}M${coin === null ? '' : ` ${coin}`}, order ${placed.orderNumber}`,
    shopName: shopName(context),
    payCurrency,
    customer: { name: buyer.discordUsername, email: buyer.customerEmail, phone },
    returnUrl: `${context.config.PUBLIC_URL}/pay/${attempt.reference}`,
    requestedAt: attempt.requestedAt,
    isFirst: attempt.attempt === 1,
  })
  const command = { type: 'StartPayment', started: startedData(payment, attempt) } as const
  const handled = await handleOrder(context, callerFor(caller, 'start'), { orderId, at: read, command })
  // A concurrent call may have been recorded first. Only the recorded payment is watched, so it is the one to pay.
  const recorded = handled.state.attempts[attempt.attempt - 1]
  if (!recorded?.started) throw new Error('the payment was started but is not recorded')
  return { order: handled.state, attempt: { ...recorded, started: recorded.started }, position: handled.position }
}

function wrongAmount(owed: Owed): Refusal {
  const amount = centsToText(owed.askedMinor)
  return new Refusal('payment/wrong-amount', `This order owes ${amount} ${owed.currency} by this method.`, {
    amount,
    currency: owed.currency,
  })
}
