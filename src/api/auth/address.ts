import ipaddr from 'ipaddr.js'

/**
 * A caller's networks for rate limits, the narrowest first: an IPv4 address alone; of an IPv6 address its /64 (one device or household), /56 and
 * /48 (which one customer of an internet provider may have).
 */
export function networksOf(ip: string | undefined): readonly [string, ...string[]] {
  if (ip === undefined || !ipaddr.isValid(ip)) return [ip ?? 'unknown']
  const address = ipaddr.process(ip)
  if (address.kind() === 'ipv4') return [address.toString()]
  const digits = Buffer.from(address.toByteArray()).toString('hex')
  const network = (bits: number): string => `${digits.slice(0, bits / 4)}/${bits}`
  return [network(64), network(56), network(48)]
}
