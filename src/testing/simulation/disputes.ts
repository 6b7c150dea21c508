import type { DisputeActionName } from './actions.ts'
import type { BankDispute } from './bank.ts'
import type { PayerParts } from './coin-ways.ts'

/** Payers who complain at the provider of what they paid, and what comes of it. */
export class Disputes {
  private readonly parts: PayerParts

  constructor(parts: PayerParts) {
    this.parts = parts
  }

  begin(action: DisputeActionName): boolean {
    const { dice, request, webhooks } = this.parts
    switch (action) {
      case 'dispute-opens':
        return this.opens()
      case 'dispute-ends':
        return this.ends()
      case 'dispute-webhook':
        return webhooks.sendNow(webhooks.pick(dice), request)
    }
  }

  /** Also before the shop has heard of the money. */
  private opens(): boolean {
    const { world, dice } = this.parts
    const { bank } = world
    const payment = dice.pick(bank.payments.filter(({ method }) => method === 'paypal'))
    const receipt = payment?.receipts[0]
    if (!payment || !receipt) return false
    if (bank.disputes.some((other) => other.payment === payment && other.outcome === 'open')) return false
    this.tell(bank.dispute(payment, receipt))
    return true
  }

  /** What a lost one takes back may be told before its end is, or not at all. */
  private ends(): boolean {
    const { world, dice } = this.parts
    const dispute = dice.pick(world.bank.disputes.filter(({ outcome }) => outcome === 'open'))
    if (!dispute) return false
    dispute.outcome = dice.pick(['won', 'won', 'lost']) ?? 'won'
    if (dispute.outcome === 'lost' && dice.chance(0.8)) world.bank.reverse(dispute.payment, 1, world.scheduler.nowMs)
    this.tell(dispute)
    return true
  }

  private tell({ disputeId, payment }: BankDispute): void {
    this.parts.webhooks.send({ provider: 'paypal', paymentId: disputeId, reference: payment.reference })
  }
}
