import { isIPv6 } from 'node:net'

/**
 * A caller's networks for rate limits, the narrowest first: an IPv4 address alone; of an IPv6 address its /64 (one device or household), /56 and
 * /48 (which one customer of an internet provider may have).
 */
export function networksOf(ip: string | undefined): readonly [string, ...string[]] {
  if (ip === undefined) return ['unknown']
  if (!ip.includes(':')) return [ip]
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped !== undefined) return [mapped]
  if (!isIPv6(ip)) return [ip]
  const [first, second, third, fourth] = groupsOf(ip)
  const site = `${first}:${second}:${third}`
  return [`${site}:${fourth}`, `${site}:${fourth?.padStart(4, '0').slice(0, 2)}/56`, `${site}/48`]
}

/** All eight groups, without leading zeros. */
function groupsOf(ip: string): string[] {
  const [head = '', tail] = ip.split('%', 1).join('').split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0')
  return [...left, ...zeros, ...right].map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
}
