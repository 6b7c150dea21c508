import { owedBy } from '../../shop/payment-methods.ts'
import { CAPTURE_CALLS_MINUTES, knownPayment } from '../../commands/capture-payment.ts'
import { receiptStream } from '../../shop/keys.ts'
import { ADMIN_ID } from '../../shop/hot/hot-states.ts'
import { nowText, type PaymentProviders, type Shop } from '../../shop/shop.ts'
import type { ShopEvent } from '../../domain/events.ts'
import { order as orderDecider, type OrderCommand, plusMinutes } from '../../domain/order/order.ts'
import {
  type Attempt,
  currentAttempt,
  mayBeReinstated,
  outdatedSerials,
  type PlacedOrder,
} from '../../domain/order/order-state.ts'
import { receipt as receiptDecider } from '../../domain/receipt/receipt.ts'
import type { ReceiptFacts } from '../../domain/receipt/events.ts'
import { type Actor, orderStream } from '../../event-store/event-log.ts'
import { NO_EVENTS } from '../../event-store/event-store.ts'
import { coversCents } from '../../payments/payment-amounts.ts'
import type { PaymentReport, ReceiptReport } from '../../payments/payment-provider.ts'
import type { Act } from './stories.ts'

/** Events of one stream that were decided together. */
export interface Decided {
  readonly stream: string
  readonly expectedRevision: number
  readonly events: readonly ShopEvent[]
  readonly actor: Actor
}

export type LifeWorld = Pick<Shop, 'keys' | 'policy' | 'clock'> & {
  readonly providers: { readonly [Method in keyof PaymentProviders]-?: NonNullable<PaymentProviders[Method]> }
  /** Reserves coins for a claim that is going to stand at this revision; answers the serial. */
  reserve(order: PlacedOrder, claim: { claimAt: number; outdatedSerials: readonly number[] }): number
}

/** What an act makes of an order: the events that its rules decide, with the sandbox as the provider, in the order in which they are to be written. */
export async function actOn(
  world: LifeWorld,
  before: PlacedOrder,
  act: Act,
): Promise<{ order: PlacedOrder; decided: readonly Decided[] }> {
  const life = new Life(world, before)
  await life.act(act)
  return life
}

class Life {
  readonly decided: Decided[] = []
  order: PlacedOrder
  private readonly world: LifeWorld

  constructor(world: LifeWorld, order: PlacedOrder) {
    this.world = world
    this.order = order
  }

  async act(act: Act): Promise<void> {
    const { policy } = this.world
    const { deliveryMode } = policy
    const at = nowText(this.world)
    switch (act.type) {
      case 'pay':
        return this.startPayment(act, at)
      case 'choose':
        return this.decide('buyer', { type: 'ChoosePaymentMethod', paymentMethod: act.method, at })
      case 'check': {
        const asked = this.lastPayment()
        return this.record(asked, await this.world.providers[asked.attempt.method].check(asked.payment), at)
      }
      case 'capture':
        return this.capture(at)
      case 'expire':
        return this.decide('system', { type: 'ExpireOrder', at })
      case 'reinstate': {
        if (!mayBeReinstated(this.order)) return
        const claim = { claimAt: this.order.next, outdatedSerials: outdatedSerials(this.order) }
        const serial = this.world.reserve(this.order, claim)
        return this.decide('system', { type: 'ReinstateOrder', serial, deliveryMode, at })
      }
      case 'cancel':
        return this.decide('buyer', { type: 'CancelOrder', at })
      case 'approve':
        return this.decide('staff', { type: 'ApproveOrder', serial: null, adminId: ADMIN_ID, deliveryMode, at })
      case 'settle':
        return this.decide('staff', { type: 'SettleAttention', adminId: ADMIN_ID, at })
      case 'delete':
        return this.decide('staff', { type: 'DeleteOrder', coinsGiven: null, adminId: ADMIN_ID, at })
      case 'end-watches':
        for (const { attempt } of this.order.attempts)
          this.decide('system', { type: 'EndPaymentWatch', attempt, pollBeganAt: at, at })
    }
  }

  private decide(actor: Actor, command: OrderCommand): void {
    const events = orderDecider.decide(command, this.order)
    if (events.length === 0) return
    const stream = orderStream(this.order.placed.orderId)
    this.decided.push({ stream, expectedRevision: this.order.next - 1, events, actor })
    for (const event of events) this.order = orderDecider.evolve(this.order, event) as PlacedOrder
  }

  private async startPayment({ method, play }: Extract<Act, { type: 'pay' }>, at: string): Promise<void> {
    const { keys, policy, providers } = this.world
    const provider = providers[method]
    const { orderId, orderNumber, quantityM } = this.order.placed
    const attempt = this.order.attempts.length + 1
    const reference = keys.reference(orderId, attempt)
    const owed = owedBy(this.order, method)
    const request = { attempt, method, provider: provider.name, reference, ...owed }
    this.decide('buyer', { type: 'RequestPayment', request, at })
    const { expiresAt, intents, ...payment } = await provider.create({
      reference,
      askedMinor: owed.askedMinor,
      currency: owed.currency,
      description: `${quantityM}M, order ${orderNumber}`,
      payCurrency: undefined,
      // The sandbox plays what this name says.
      customer: { name: `sandbox-${play}`, email: '', phone: undefined },
      returnUrl: `${policy.publicUrl}/pay/${reference}`,
      requestedAt: at,
    })
    const started = { ...payment, attempt, intents: intents ? { ...intents } : null, paymentExpiresAt: expiresAt }
    this.decide('buyer', { type: 'StartPayment', started, at })
  }

  private async capture(at: string): Promise<void> {
    const asked = this.lastPayment()
    const { attempt, reference } = asked.attempt
    const requestId = `capture-${reference}`
    const callsUntil = plusMinutes(at, CAPTURE_CALLS_MINUTES)
    this.decide('buyer', { type: 'RequestCapture', attempt, requestId, callsUntil, at })
    const provider = this.world.providers[asked.attempt.method]
    if (!provider.capture) throw new TypeError(`${provider.name} captures nothing`)
    this.record(asked, await provider.capture(asked.payment, requestId), at)
  }

  private lastPayment() {
    const attempt = currentAttempt(this.order)
    const payment = attempt && knownPayment(attempt)
    if (!attempt || !payment) throw new Error(`order ${this.order.placed.orderId} has no payment`)
    return { attempt, payment }
  }

  private record({ attempt }: { attempt: Attempt }, report: PaymentReport, at: string): void {
    for (const receipt of report.receipts) this.receive(attempt, receipt, at)
    const { status, amountPaid } = report
    const number = attempt.attempt
    const { deliveryMode } = this.world.policy
    if (status === 'confirming' || status === 'partially_paid')
      this.decide('provider', { type: 'SeePayment', attempt: number, status, amountPaid, deliveryMode, at })
    if (status === 'failed' || status === 'cancelled')
      this.decide('provider', { type: 'FailPayment', attempt: number, reason: status, deliveryMode, at })
  }

  private receive(attempt: Attempt, receipt: ReceiptReport, at: string): void {
    const { orderId } = this.order.placed
    const { receiptId, amount, currency, askedAmount } = receipt
    const news = {
      provider: attempt.provider,
      receiptId,
      attempt: attempt.attempt,
      amount,
      currency,
      coversCents: coversCents({ coversCents: attempt.coversCents, askedAmount }, amount),
    }
    if (!this.order.receipts.some((known) => known.receiptId === receiptId)) this.claim({ ...news, orderId, at })
    this.decide('provider', { type: 'ReceivePayment', receipt: news, deliveryMode: this.world.policy.deliveryMode, at })
  }

  private claim(facts: ReceiptFacts): void {
    const events = receiptDecider.decide({ type: 'ClaimReceipt', facts }, receiptDecider.initial)
    const stream = receiptStream(facts.provider, facts.receiptId)
    this.decided.push({ stream, expectedRevision: NO_EVENTS, events, actor: 'provider' })
  }
}
