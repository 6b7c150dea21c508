import { action } from './action.ts'
import type { BankDispute } from './bank.ts'
import type { Shopping } from './shopping.ts'

/** Payers dispute payments at the provider, and disputes end. */
export const disputeActions = {
  // Possibly before the shop knows of the money.
  'dispute-opens': action(8, (shopping) => {
    const { world, dice } = shopping.parts
    const { bank } = world
    const payment = dice.pick(bank.payments.filter(({ method }) => method === 'paypal'))
    const receipt = payment?.receipts[0]
    if (!payment || !receipt) return false
    if (bank.disputes.some((other) => other.payment === payment && other.outcome === 'open')) return false
    return tell(shopping, bank.dispute(payment, receipt))
  }),
  // The reversal of a lost dispute may be reported before the dispute's end, or not at all.
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
