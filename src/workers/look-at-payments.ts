import { type NamedPayment, takePaymentNews } from '../commands/take-payment-news.ts'
import type { Job } from '../job-queue/job-queue.ts'
import type { Shop } from '../shop/shop.ts'
import { jobFor, type Policy, textOf } from './policy.ts'

const NAME = 'look-at-payments'

/** For a webhook that could not be answered in time. */
export function lookAtPayment({ provider, paymentId, reference }: NamedPayment): Job {
  return jobFor(NAME, { provider, paymentId, reference }, provider, paymentId)
}

/** Looks at payments that webhooks named. No sweep finds them again: checks and the provider's next webhook do. */
export function lookAtPayments(shop: Shop): Policy {
  return {
    name: NAME,
    concurrency: 8,
    timeoutMs: 60_000,
    due: async () => [],
    async run(job, caller) {
      const named = {
        provider: textOf(job, 'provider'),
        paymentId: textOf(job, 'paymentId'),
        reference: textOf(job, 'reference'),
      }
      await takePaymentNews(shop, { ...caller, actor: 'provider' }, named)
    },
  }
}
