import { isIP } from 'node:net'
import type { Request } from 'express'
import type { Logger } from 'pino'
import type { Clock } from '../../ports/clock-and-random.ts'

/** More than proxies in a row; those further left may be the caller's own words. */
const ENTRIES_MAX = 32
const WARN_EVERY_MS = 3_600_000

/**
 * Makes `request.ip` an address, so that limits per address count. Ports and brackets are cut off before Express asks which proxies it
 * trusts. A caller whose entry is still no address counts as the proxy that wrote it.
 */
export function forwardedFor(logger: Logger, clock: Pick<Clock, 'now'>): (request: Request) => void {
  let warnAt = Number.NEGATIVE_INFINITY
  return (request) => {
    const { headers, socket } = request
    const given = headers['x-forwarded-for']
    if (given === undefined) return
    headers['x-forwarded-for'] = String(given).split(',').slice(-ENTRIES_MAX).map(withoutPort).join(', ')
    if (isAddress(request.ip)) return
    headers['x-forwarded-for'] = [...request.ips, socket.remoteAddress].find(isAddress)
    if (clock.now() < warnAt) return
    warnAt = clock.now() + WARN_EVERY_MS
    logger.warn(
      'the proxy wrote no address of its caller into X-Forwarded-For, so its callers count as one address. Make it write one, as in docs/operations.md',
    )
  }
}

/** Proxies write `203.0.113.7:51000`, `[2001:db8::1]:51000` and `"[2001:db8::1]"`, too. Any other text stays as it is. */
export function withoutPort(entry: string): string {
  const text = entry.trim().replaceAll('"', '')
  if (isAddress(text)) return text
  const address = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(.+):\d+$/.exec(text)?.[1]
  return isAddress(address) ? address : text
}

function isAddress(text: string | undefined): text is string {
  return text !== undefined && isIP(text) > 0
}
