import { orderId as orderIdText, type WebhookBody, webhookBody } from '../../payments/paypal-replies.ts'
import { PAYPAL } from '../../payments/paypal.ts'
import { providerNamed } from '../../shop/payment-methods.ts'
import type { WebhookHandler } from '../api.ts'
import { providerWebhook, type WebhookOptions } from './provider-webhook.ts'

/** Webhooks of PayPal, which itself says whether it sent one (decision 0031). What names no reference of ours costs no call. */
export function paypalWebhook(options: WebhookOptions): WebhookHandler {
  const { shop } = options
  return providerWebhook(options, (webhook) => {
    const given = webhookBody.safeParse(jsonOf(webhook.body))
    if (!given.success) return 'malformed'
    const { id, resource } = given.data
    const reference = referenceIn(resource)
    if (reference === undefined || !shop.keys.referred(reference)) return 'foreign'
    return {
      named: { provider: PAYPAL, paymentId: paymentIdIn(resource), reference },
      news: id,
      isSent: async () => (await providerNamed(shop, PAYPAL)?.sentWebhook?.(webhook)) === true,
    }
  })
}

type Resource = WebhookBody['resource']

function referenceIn({ custom_id, purchase_units, disputed_transactions }: Resource): string | undefined {
  const [transaction] = disputed_transactions ?? []
  return custom_id ?? purchase_units?.[0]?.custom_id ?? transaction?.custom ?? transaction?.invoice_number ?? undefined
}

/** The payment, or a dispute about it. A refund names neither: its reference leads to the payment. */
function paymentIdIn({ id, dispute_id: disputeId, supplementary_data: related }: Resource): string {
  const paymentId = related?.related_ids?.order_id ?? disputeId ?? id ?? ''
  return orderIdText.safeParse(paymentId).success || disputeId ? paymentId : ''
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
