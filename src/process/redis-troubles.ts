import type { Logger } from 'pino'
import { redisTrouble } from '../engines/redis/trouble.ts'
import { logLine } from '../ports/one-line.ts'

/** An outage is over once there was no trouble for this long. */
const QUIET_MS = 60_000
const REASONS_MAX = 5

/** Logs each reason once per outage, with the way out, and at its end how often there was trouble. */
export function redisTroubles(logger: Pick<Logger, 'warn'>): (error: Error) => void {
  const reasons = new Set<string>()
  let count = 0
  let timer: NodeJS.Timeout | undefined

  function end(): void {
    logger.warn({ times: count }, 'Redis has given no trouble for a minute')
    reasons.clear()
    count = 0
  }

  return (error) => {
    count += 1
    clearTimeout(timer)
    timer = setTimeout(end, QUIET_MS).unref()
    const reason = logLine(redisTrouble(error))
    if (reasons.has(reason) || reasons.size >= REASONS_MAX) return
    reasons.add(reason)
    logger.warn({ reason }, 'Redis gives trouble')
  }
}
