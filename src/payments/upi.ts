import {
  nowhere,
  type PaymentLimits,
  PaymentRejected,
  type PaymentRequest,
  type StartedPayment,
} from './payment-provider.ts'

/** One rupee to one lakh, which UPI allows in one transfer. */
export const UPI_LIMITS: PaymentLimits = { minMinor: 100, maxMinor: 10_000_000 }
/** In rupees; a larger reported amount is an error of the provider. */
const AMOUNT_MAX = 100_000_000
/** The id of no payment; a request for it tests the keys. */
export const NO_REFERENCE = 'KEY-CHECK-0'

/** The payer's phone number; throws if there is none. */
export function upiPhone({ customer }: PaymentRequest): string {
  if (customer.phone === undefined) throw new PaymentRejected('UPI needs a phone number.')
  return customer.phone
}

/** A payment without a page; the gateway adds its own. */
export function upiPayment(paymentId: string, payAmount: string): StartedPayment {
  return { ...nowhere, paymentId, payAmount, payCurrency: 'INR' }
}

/** A time in India's time zone. */
export function istText(ms: number): string {
  return `${new Date(ms + 5.5 * 3_600_000).toISOString().slice(0, 19)}+05:30`
}

export function isPlausible(amount: string): boolean {
  return Number(amount) <= AMOUNT_MAX
}

/** Only links with these beginnings are passed to a browser. */
const APPS = /^(?:upi|phonepe|paytmmp|tez|gpay|bhim):\/\/[\x21-\x7e]{1,1000}$/i
const NAME = /^[a-z]{2,20}_link$/
const LINKS_MAX = 10

/** The gateway's links into payment apps, by its names; null if none can be used. */
export function upiIntents(given: unknown): Readonly<Record<string, string>> | null {
  if (typeof given !== 'object' || given === null) return null
  const links = Object.entries(given).filter(
    (link): link is [string, string] => NAME.test(link[0]) && typeof link[1] === 'string' && APPS.test(link[1]),
  )
  return links.length === 0 ? null : Object.fromEntries(links.slice(0, LINKS_MAX))
}

/** https, or plain http where the gateway itself is called by it (a double on this machine). */
export function isPaymentPage(page: string, gatewayUrl: string): boolean {
  const { protocol } = URL.parse(page) ?? {}
  return protocol === 'https:' || (protocol === 'http:' && new URL(gatewayUrl).protocol === 'http:')
}
