import ipaddr from 'ipaddr.js'

/**
 * A caller's networks for rate limits, narrowest first: an IPv4 address alone; for IPv6 the /64 (one device or household), /56 and
 * /48 (which an internet provider may give to one customer). All that is no address is one network.
 */
export function networksOf(ip: string | undefined): readonly [string, ...string[]] {
  if (ip === undefined || !ipaddr.isValid(ip)) return ['unknown']
  const address = ipaddr.process(ip)
  if (address.kind() === 'ipv4') return [address.toString()]
  const digits = Buffer.from(address.toByteArray()).toString('hex')
  const network = (bits: number): string => `${digits.slice(0, bits / 4)}/${bits}`
  return [network(64), network(56), network(48)]
}
