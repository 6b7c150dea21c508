import type { ShopKeys } from '../../shop/keys.ts'
import { action } from './action.ts'
import type { BankPayment } from './bank.ts'
import type { World } from './engines.ts'
import { attemptOf, isSeenSettled, type Ledger } from './ledger.ts'

/** Providers see money that they do not confirm, and undo reversals. */
export const seenActions = {
  // Possibly next to a receipt.
  'seen-arrives': action(12, (shopping) => {
    const { world, dice } = shopping.parts
    const payment = shopping.shown((one) => mayBePaid(one) && one.seen.length < SEEN_MAX)
    if (!payment) return false
    const share = dice.pick([1, 1, 0.5, 0.1, 0.001]) ?? 1
    world.bank.see(payment, Math.max(1, Math.round(payment.askedMinor * share)))
    return shopping.tell(payment)
  }),
  // The money arrives, fails, or is no longer reported.
  'seen-ends': action(5, (shopping) => {
    const { world, dice } = shopping.parts
    const payment = shopping.shown((one) => mayBePaid(one) && one.seen.some(({ state }) => state === 'seen'))
    const part = payment && dice.pick(payment.seen.filter(({ state }) => state === 'seen'))
    if (!payment || !part) return false
    const end = dice.pick(['received', 'received', 'ended', 'silent'] as const) ?? 'received'
    world.bank.ends(payment, part, end, { nowMs: world.scheduler.nowMs })
    return shopping.tell(payment)
  }),
  'seen-webhook': action(14, (shopping) => shopping.sendWebhook()),
  'reversal-undone': action(4, (shopping) => {
    const { world, dice } = shopping.parts
    const payment = shopping.shown(
      (one) => mayBePaid(one) && one.receipts.some(({ reversedMinor }) => reversedMinor > 0),
    )
    if (!payment) return false
    for (const receipt of payment.receipts) {
      receipt.reversedMinor = Math.floor(receipt.reversedMinor * (dice.pick([0, 0, 0.5]) ?? 0))
      receipt.changedMs = world.scheduler.nowMs
    }
    return shopping.tell(payment)
  }),
}

const SEEN_MAX = 3

/** PayPal money comes only by a capture. */
function mayBePaid({ method, receipts }: BankPayment): boolean {
  return method !== 'paypal' || receipts.length > 0
}

/** Unconfirmed money keeps its order open, raises attention, or was settled by staff. */
export function auditSeen({ world, keys, ledger }: { world: World; keys: ShopKeys; ledger: Ledger }): string[] {
  return world.bank.payments.flatMap((payment) => {
    const found = attemptOf(payment, { keys, ledger })
    if (!found) return []
    const { row, attempt } = found
    const { orderId } = row.placed
    return payment.seen.flatMap(({ id, state }) => {
      if (state === 'ended' || (state === 'silent' && !row.everSeen.has(attempt))) return []
      const isKnown = row.seen.get(attempt)?.has(id) ?? false
      if (state === 'seen' && !isKnown) return [`${id} is seen, and ${orderId} does not know`]
      const isOpen = row.status === 'pending' && !row.isDeleted
      const isRaised = row.attention.has('never-confirmed') || isSeenSettled(row)
      return isOpen || isRaised || (state === 'silent' && !row.everParts.has(id))
        ? []
        : [`${id} of ${orderId} is only seen, but nobody is notified`]
    })
  })
}
