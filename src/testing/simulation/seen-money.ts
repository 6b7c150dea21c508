import type { ShopKeys } from '../../shop/keys.ts'
import type { SeenActionName } from './actions.ts'
import type { BankPayment } from './bank.ts'
import type { World } from './engines.ts'
import { isSeenSettled, type Ledger } from './ledger.ts'
import { attemptOf, type PayerParts } from './coin-ways.ts'

/** Money that a provider sees and does not confirm, and reversals that are undone. */
export class SeenMoney {
  private readonly parts: PayerParts

  constructor(parts: PayerParts) {
    this.parts = parts
  }

  begin(action: SeenActionName): boolean {
    const { dice, request, webhooks } = this.parts
    switch (action) {
      case 'seen-arrives':
        return this.arrives()
      case 'seen-ends':
        return this.ends()
      case 'seen-webhook':
        return webhooks.sendNow(webhooks.pick(dice), request)
      case 'reversal-undone':
        return this.undone()
    }
  }

  /** Also beside a receipt, and without an id where the payer sends once. */
  private arrives(): boolean {
    const { world, dice } = this.parts
    const payment = this.pick(({ seen }) => seen.length < SEEN_MAX)
    if (!payment) return false
    const share = dice.pick([1, 1, 0.5, 0.1, 0.001]) ?? 1
    world.bank.see(payment, Math.max(1, Math.round(payment.askedMinor * share)))
    this.tell(payment)
    return true
  }

  /** It arrives, fails by the provider's word, or is not spoken of any more. */
  private ends(): boolean {
    const { world, dice } = this.parts
    const payment = this.pick(({ seen }) => seen.some(({ state }) => state === 'seen'))
    const part = payment && dice.pick(payment.seen.filter(({ state }) => state === 'seen'))
    if (!payment || !part) return false
    world.bank.ends(payment, part, dice.pick(['received', 'received', 'ended', 'silent'] as const) ?? 'received', {
      nowMs: world.scheduler.nowMs,
    })
    this.tell(payment)
    return true
  }

  private undone(): boolean {
    const { world, dice } = this.parts
    const payment = this.pick(({ receipts }) => receipts.some(({ reversedMinor }) => reversedMinor > 0))
    if (!payment) return false
    for (const receipt of payment.receipts) {
      receipt.reversedMinor = Math.floor(receipt.reversedMinor * (dice.pick([0, 0, 0.5]) ?? 0))
      receipt.changedMs = world.scheduler.nowMs
    }
    this.tell(payment)
    return true
  }

  private tell({ method, paymentId, reference }: BankPayment): void {
    this.parts.webhooks.send({ provider: method, paymentId, reference })
  }

  private pick(fits: (payment: BankPayment) => boolean): BankPayment | undefined {
    const { world, dice } = this.parts
    return dice.pick(world.bank.payments.filter((payment) => payment.isShown && mayBePaid(payment) && fits(payment)))
  }
}

const SEEN_MAX = 3

/** Money comes by PayPal through a capture alone. */
function mayBePaid({ method, receipts }: BankPayment): boolean {
  return method !== 'paypal' || receipts.length > 0
}

/** Money that is only seen is on its way to an open order, or before staff, or settled by them. */
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
      const isTold = row.attention.has('never-confirmed') || isSeenSettled(row)
      return isOpen || isTold || (state === 'silent' && !row.everParts.has(id))
        ? []
        : [`${id} of ${orderId} is only seen, and nobody is told`]
    })
  })
}
