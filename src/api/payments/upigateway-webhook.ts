import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { UPIGATEWAY } from '../../payments/upigateway.ts'
import type { WebhookHandler } from '../api.ts'
import { providerWebhook, type WebhookOptions } from './provider-webhook.ts'

/** Each look is a call to the provider, and anyone can ask for one: the workers' checks find what is not looked at. */
const LOOKS_PER_SECOND = 3
const SECONDS_PER_PAYMENT = 5

/** Webhooks of EKQR are not signed: only our reference is read, and whatever is sent is answered 200. */
export function upiGatewayWebhook(options: WebhookOptions): WebhookHandler {
  const { shop } = options
  const all = new RateLimiterMemory({ points: LOOKS_PER_SECOND, duration: 1 })
  const each = new RateLimiterMemory({ points: 1, duration: SECONDS_PER_PAYMENT })
  let looks = 0
  const handle = providerWebhook(options, async ({ body }) => {
    const reference = new URLSearchParams(body.toString('utf8')).get('client_txn_id') ?? ''
    if (reference === '') return 'malformed'
    if (!shop.keys.referred(reference)) return 'foreign'
    if (!(await isWithin(each, reference)) || !(await isWithin(all, 'all'))) return 'limited'
    looks += 1
    // Every look is a new one: what was said before may have been forged.
    return { named: { provider: UPIGATEWAY, paymentId: reference, reference }, news: String(looks) }
  })
  return async (webhook) => ({ ...(await handle(webhook)), status: 200, text: 'ok' })
}

async function isWithin(limiter: RateLimiterMemory, key: string): Promise<boolean> {
  try {
    await limiter.consume(key)
    return true
  } catch (error) {
    if (error instanceof RateLimiterRes) return false
    throw error
  }
}
