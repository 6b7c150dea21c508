import { webhookBody } from '../../payments/cashfree-replies.ts'
import { isSignedByCashfree } from '../../payments/cashfree-signature.ts'
import { CASHFREE } from '../../payments/cashfree.ts'
import { exactJsonIn } from '../../payments/exact-json.ts'
import type { WebhookHandler } from '../api.ts'
import { providerWebhook, type WebhookOptions } from './provider-webhook.ts'

/** Webhooks of Cashfree are signed with the client secret. Their time is not judged: a late repetition is as good as the first. */
export function cashfreeWebhook({ secret, ...options }: WebhookOptions & { readonly secret: string }): WebhookHandler {
  return providerWebhook(options, ({ body, headers }) => {
    const signed = { timestamp: headers['x-webhook-timestamp'], signature: headers['x-webhook-signature'] }
    if (!isSignedByCashfree(body, signed, secret)) return 'unsigned'
    const given = webhookBody.safeParse(exactJsonIn(body))
    if (!given.success) return 'malformed'
    const { order, payment, dispute, order_details: disputed, ...refunds } = given.data.data
    const refund = refunds.refund ?? refunds.auto_refund
    const reference = order?.order_id ?? refund?.order_id ?? disputed?.order_id
    // Settlements and other news of the account name no payment of ours.
    if (reference === undefined || !options.shop.keys.referred(reference)) return 'foreign'
    const news = refund
      ? `refund ${refund.cf_refund_id} ${refund.refund_status}`
      : dispute
        ? `dispute ${dispute.dispute_id} ${dispute.dispute_status}`
        : `${reference} ${payment?.cf_payment_id ?? ''} ${payment?.payment_status ?? given.data.type}`
    return { named: { provider: CASHFREE, paymentId: reference, reference }, news }
  })
}
