import { type NamedPayment, takePaymentNews } from '../../commands/take-payment-news.ts'
import type { Caller, Shop } from '../../shop/shop.ts'
import type { Dice } from './dice.ts'

/** Webhooks that the providers send until they are answered, and whose payment is read again. */
export class Webhooks {
  private readonly unanswered = new Set<NamedPayment>()

  send(named: NamedPayment): void {
    this.unanswered.add(named)
  }

  pick(dice: Dice): NamedPayment | undefined {
    return dice.pick([...this.unanswered])
  }

  async answered(shop: Shop, caller: Caller, named: NamedPayment): Promise<void> {
    await takePaymentNews(shop, caller, named)
    this.unanswered.delete(named)
  }

  /** All that are left, for a world at peace. */
  async sendAll(send: (work: (shop: Shop, caller: Caller) => Promise<unknown>) => Promise<void>): Promise<void> {
    for (const named of this.unanswered) await send(async (shop, caller) => this.answered(shop, caller, named))
  }
}
