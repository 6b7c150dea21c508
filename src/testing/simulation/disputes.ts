import type { DisputeActionName } from './actions.ts'
import type { BankDispute } from './bank.ts'
import type { Request } from './coin-ways.ts'
import type { Dice } from './dice.ts'
import type { World } from './engines.ts'
import type { Webhooks } from './webhooks.ts'

interface Parts {
  readonly world: World
  readonly dice: Dice
  readonly webhooks: Webhooks
  readonly request: Request
}

/** Payers who complain at the provider of what they paid, and what comes of it. */
export class Disputes {
  private readonly parts: Parts

  constructor(parts: Parts) {
    this.parts = parts
  }

  begin(action: DisputeActionName): boolean {
    switch (action) {
      case 'dispute-opens':
        return this.opens()
      case 'dispute-ends':
        return this.ends()
      case 'dispute-webhook':
        return this.webhook()
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

  private webhook(): boolean {
    const { dice, request, webhooks } = this.parts
    const named = webhooks.pick(dice)
    if (!named) return false
    return request('provider', `webhook of ${named.paymentId}`, async (shop, caller) =>
      webhooks.answered(shop, caller, named),
    )
  }
}
