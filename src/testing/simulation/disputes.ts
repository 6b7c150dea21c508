import { action } from './action.ts'
import type { BankDispute } from './bank.ts'
import type { Shopping } from './shopping.ts'

/** Payers who complain at the provider of what they paid, and what comes of it. */
export const disputeActions = {
  // Also before the shop has heard of the money.
  'dispute-opens': action(8, (shopping) => {
    const { world, dice } = shopping.parts
    const { bank } = world
    const payment = dice.pick(bank.payments.filter(({ method }) => method === 'paypal'))
    const receipt = payment?.receipts[0]
    if (!payment || !receipt) return false
    if (bank.disputes.some((other) => other.payment === payment && other.outcome === 'open')) return false
    return tell(shopping, bank.dispute(payment, receipt))
  }),
  // What a lost one takes back may be told before its end is, or not at all.
  'dispute-ends': action(5, (shopping) => {
    const { world, dice } = shopping.parts
    const dispute = dice.pick(world.bank.disputes.filter(({ outcome }) => outcome === 'open'))
    if (!dispute) return false
    dispute.outcome = dice.pick(['won', 'won', 'lost']) ?? 'won'
    if (dispute.outcome === 'lost' && dice.chance(0.8)) world.bank.reverse(dispute.payment, 1, world.scheduler.nowMs)
    return tell(shopping, dispute)
  }),
  'dispute-webhook': action(14, (shopping) => shopping.sendWebhook()),
}

function tell(shopping: Shopping, { disputeId, payment }: BankDispute): boolean {
  return shopping.tell({ ...payment, paymentId: disputeId })
}
