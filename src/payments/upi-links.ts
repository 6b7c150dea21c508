/** Links that begin otherwise are not handed to a browser. */
const APPS = /^(?:upi|phonepe|paytmmp|tez|gpay|bhim):\/\/[\x21-\x7e]{1,1000}$/i
const NAME = /^[a-z]{2,20}_link$/
const LINKS_MAX = 10

/** The gateway's links into payment apps, by its names; null where it gives none that can be used. */
export function upiIntents(given: unknown): Readonly<Record<string, string>> | null {
  if (typeof given !== 'object' || given === null) return null
  const links = Object.entries(given).filter(
    (link): link is [string, string] => NAME.test(link[0]) && typeof link[1] === 'string' && APPS.test(link[1]),
  )
  return links.length === 0 ? null : Object.fromEntries(links.slice(0, LINKS_MAX))
}

/** Encrypted, unless the gateway itself is asked without: a double on this machine. */
export function isPaymentPage(page: string, gatewayUrl: string): boolean {
  const { protocol } = URL.parse(page) ?? {}
  return protocol === 'https:' || (protocol === 'http:' && new URL(gatewayUrl).protocol === 'http:')
}
