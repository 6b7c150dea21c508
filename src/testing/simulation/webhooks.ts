import { type NamedPayment, takePaymentNews } from '../../commands/take-payment-news.ts'
import type { Caller, Shop } from '../../shop/shop.ts'
import type { BankPayment } from './bank.ts'

type Named = Pick<BankPayment, 'method' | 'paymentId' | 'reference'>

export function named({ method, paymentId, reference }: Named): NamedPayment {
  return { provider: method, paymentId, reference }
}

/** Webhooks that the providers send until they are answered, and whose payment is read again. */
export class Webhooks {
  readonly unanswered = new Set<NamedPayment>()

  send(payment: Named): true {
    this.unanswered.add(named(payment))
    return true
  }

  async answered(shop: Shop, caller: Caller, one: NamedPayment): Promise<void> {
    await takePaymentNews(shop, caller, one)
    this.unanswered.delete(one)
  }
}
