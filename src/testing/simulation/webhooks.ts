import { type NamedPayment, takePaymentNews } from '../../commands/take-payment-news.ts'
import type { Actor } from '../../event-store/event-log.ts'
import type { Caller, Shop } from '../../shop/shop.ts'
import type { Dice } from './dice.ts'

/** Asks a process of the shop; false where none takes it. */
export type Request = (actor: Actor, what: string, work: (shop: Shop, caller: Caller) => Promise<unknown>) => boolean

/** Webhooks that the providers send until they are answered, and whose payment is read again. */
export class Webhooks {
  private readonly unanswered = new Set<NamedPayment>()

  send(named: NamedPayment): void {
    this.unanswered.add(named)
  }

  pick(dice: Dice): NamedPayment | undefined {
    return dice.pick([...this.unanswered])
  }

  /** Sends this one; false where there is none. */
  sendNow(named: NamedPayment | undefined, request: Request): boolean {
    if (!named) return false
    const what = `webhook of ${named.paymentId}`
    return request('provider', what, async (shop, caller) => this.answered(shop, caller, named))
  }

  private async answered(shop: Shop, caller: Caller, named: NamedPayment): Promise<void> {
    await takePaymentNews(shop, caller, named)
    this.unanswered.delete(named)
  }

  /** All that are left, for a world at peace. */
  async sendAll(send: (work: (shop: Shop, caller: Caller) => Promise<unknown>) => Promise<void>): Promise<void> {
    for (const named of this.unanswered) await send(async (shop, caller) => this.answered(shop, caller, named))
  }
}
