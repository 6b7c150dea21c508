import { exactJsonIn } from '../../payments/exact-json.ts'
import { NOWPAYMENTS } from '../../payments/nowpayments.ts'
import { webhookBody } from '../../payments/nowpayments-replies.ts'
import { isSignedByNowPayments } from '../../payments/nowpayments-signature.ts'
import type { WebhookHandler } from '../api.ts'
import { providerWebhook, type WebhookOptions } from './provider-webhook.ts'

/** Webhooks of NOWPayments are signed with a secret that both know. */
export function nowPaymentsWebhook({
  secret,
  ...options
}: WebhookOptions & { readonly secret: string }): WebhookHandler {
  return providerWebhook(options, ({ body, headers }) => {
    const signature = headers['x-nowpayments-sig']
    if (!isSignedByNowPayments(body, typeof signature === 'string' ? signature : undefined, secret)) return 'unsigned'
    const given = webhookBody.safeParse(exactJsonIn(body))
    if (!given.success) return 'malformed'
    const { payment_id: paymentId, payment_status: status, actually_paid: paid, order_id: reference } = given.data
    // Nothing that is signed names the moment, so that an old webhook can be sent again.
    const news = `${paymentId} ${status} ${paid ?? ''}`
    return { named: { provider: NOWPAYMENTS, paymentId, reference: reference ?? '' }, news }
  })
}
