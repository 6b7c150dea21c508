import { verify, X509Certificate } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import * as z from 'zod'
import { exactJsonIn } from '../exact-json.ts'
import type { ReceivedWebhook, WebhookRead } from '../payment-provider.ts'
import { orderId, type WebhookBody, webhookBody } from './paypal-replies.ts'

interface Options {
  /** Of the webhook as it was entered at PayPal. */
  readonly webhookId: string
  /** Where PayPal is called: its certificates may come from there, too. */
  readonly url: string
  readonly now: () => number
  /** Throws `ProviderAway` where it cannot be had; undefined where there is none. */
  readonly certificateAt: (address: URL) => Promise<string | undefined>
}

const CERTIFICATES = '/v1/notifications/certs/'
/** PayPal has a handful. Only those that exist are kept, so that invented addresses push out none. */
const CERTIFICATES_MAX = 20
const one = (max: number) => z.string().min(1).max(max)

const transmission = z.object({
  'paypal-transmission-id': one(200),
  'paypal-transmission-time': one(100),
  'paypal-transmission-sig': one(2_000),
  'paypal-cert-url': one(1_000),
  'paypal-auth-algo': z.literal('SHA256withRSA'),
})

/** Webhooks of PayPal, whose signatures are checked here by PayPal's certificates: a webhook costs no call once they are known. */
export function paypalWebhooks({ webhookId, url, now, certificateAt }: Options) {
  const certificates = new LRUCache<string, X509Certificate>({ max: CERTIFICATES_MAX })

  async function certificate(given: string): Promise<X509Certificate | undefined> {
    const address = URL.parse(given)
    if (!address || !isCertificateOf(address, url)) return undefined
    const known = certificates.get(address.href)
    if (known) return known
    const text = await certificateAt(address)
    const read = text === undefined ? undefined : certificateIn(text)
    if (read) certificates.set(address.href, read)
    return read
  }

  /** The signature is over the body's bytes: one that was parsed and written again is another body. */
  async function isSigned({ body, headers }: ReceivedWebhook): Promise<boolean> {
    const given = transmission.safeParse(headers).data
    const by = given && (await certificate(given['paypal-cert-url']))
    if (!given || !by || now() < Date.parse(by.validFrom) || now() > Date.parse(by.validTo)) return false
    const { 'paypal-transmission-id': id, 'paypal-transmission-time': time, 'paypal-transmission-sig': text } = given
    const message = Buffer.from(`${id}|${time}|${webhookId}|${crc32(body)}`)
    return verify('RSA-SHA256', message, by.publicKey, Buffer.from(text, 'base64'))
  }

  return async (webhook: ReceivedWebhook): Promise<WebhookRead> => {
    if (!(await isSigned(webhook))) return 'unsigned'
    const given = webhookBody.safeParse(exactJsonIn(webhook.body))
    if (!given.success) return 'malformed'
    const { id, resource } = given.data
    const news = { paymentId: paymentIdIn(resource), reference: referenceIn(resource), news: id }
    return news.reference === '' && news.paymentId === '' ? 'foreign' : news
  }
}

/** Any other host could sign for PayPal. */
function isCertificateOf({ protocol, host, origin, pathname }: URL, url: string): boolean {
  const isOwn = protocol === 'https:' && /(?:^|\.)paypal\.com$/.test(host)
  return (isOwn || origin === new URL(url).origin) && pathname.startsWith(CERTIFICATES)
}

function certificateIn(text: string): X509Certificate | undefined {
  try {
    const read = new X509Certificate(text)
    return read.publicKey.asymmetricKeyType === 'rsa' ? read : undefined
  } catch {
    return undefined
  }
}

type Resource = WebhookBody['resource']

function referenceIn({ custom_id, purchase_units, disputed_transactions }: Resource): string {
  const [transaction] = disputed_transactions ?? []
  return custom_id ?? purchase_units?.[0]?.custom_id ?? transaction?.custom ?? transaction?.invoice_number ?? ''
}

/** The payment, its capture, or a dispute about it. */
function paymentIdIn({ id, dispute_id: disputeId, supplementary_data: related, links }: Resource): string {
  const capture = links?.map(({ href }) => /\/payments\/captures\/([A-Z0-9]+)$/.exec(href)?.[1]).find(Boolean)
  const paymentId = related?.related_ids?.order_id ?? disputeId ?? capture ?? id ?? ''
  return orderId.safeParse(paymentId).success || disputeId ? paymentId : ''
}
