import { action } from './action.ts'
import type { BankDispute } from './bank.ts'
import type { Webhooks } from './webhooks.ts'

/** Payers who complain at the provider of what they paid, and what comes of it. */
export const disputeActions = {
  // Also before the shop has heard of the money.
  'dispute-opens': action(8, ({ parts: { world, dice }, webhooks }) => {
    const { bank } = world
    const payment = dice.pick(bank.payments.filter(({ method }) => method === 'paypal'))
    const receipt = payment?.receipts[0]
    if (!payment || !receipt) return false
    if (bank.disputes.some((other) => other.payment === payment && other.outcome === 'open')) return false
    return tell(webhooks, bank.dispute(payment, receipt))
  }),
  // What a lost one takes back may be told before its end is, or not at all.
  'dispute-ends': action(5, ({ parts: { world, dice }, webhooks }) => {
    const dispute = dice.pick(world.bank.disputes.filter(({ outcome }) => outcome === 'open'))
    if (!dispute) return false
    dispute.outcome = dice.pick(['won', 'won', 'lost']) ?? 'won'
    if (dispute.outcome === 'lost' && dice.chance(0.8)) world.bank.reverse(dispute.payment, 1, world.scheduler.nowMs)
    return tell(webhooks, dispute)
  }),
  'dispute-webhook': action(14, (shopping) => shopping.sendWebhook()),
}

function tell(webhooks: Webhooks, { disputeId, payment }: BankDispute): boolean {
  return webhooks.send({ ...payment, paymentId: disputeId })
}
