import { verify, X509Certificate } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import * as z from 'zod'
import { exactJsonIn } from '../exact-json.ts'
import type { ReceivedWebhook, WebhookRead } from '../payment-provider.ts'
import { orderId, type WebhookBody, webhookBody } from './paypal-replies.ts'

interface Options {
  /** The webhook's id at PayPal. */
  readonly webhookId: string
  /** PayPal's API address: certificates may come from there, too. */
  readonly url: string
  readonly now: () => number
  /** Throws `ProviderAway` if it cannot be read; undefined if there is none. */
  readonly certificateAt: (address: URL) => Promise<string | undefined>
}

const CERTIFICATES = '/v1/notifications/certs/'
/** PayPal has a handful. Only existing ones are cached, so that invented addresses evict none. */
const CERTIFICATES_MAX = 20
const header = (max: number) => z.string().min(1).max(max)

const transmission = z.object({
  'paypal-transmission-id': header(200),
  'paypal-transmission-time': header(100),
  'paypal-transmission-sig': header(2_000),
  'paypal-cert-url': header(1_000),
  'paypal-auth-algo': z.literal('SHA256withRSA'),
})

/** Checks PayPal's webhooks by its certificates: once these are cached, a webhook costs no call. */
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

  /** The signature is over the body's bytes: parsing and rewriting the body changes them. */
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
