import type { Finding } from './finding.ts'

/** A file's record of the end of the log. */
export interface LogEnd {
  /** Of the log itself. */
  readonly head?: number | undefined
  readonly recordedMs?: number | undefined
  /** Of the vault: the log's head as last saved. */
  readonly knownHead?: number | undefined
}

const AHEAD_MS_MAX = 2_000

/** Whether the log has lost its end, and whether its newest event is in the future: then this clock was ahead, or is behind now. */
export function lookAtLogEnd({ head, recordedMs = 0, knownHead = 0 }: LogEnd, nowMs: number): Omit<Finding, 'part'> {
  if (head === undefined) return { facts: 'no events yet' }
  const facts = `the log ends at position ${head}${knownHead === 0 ? '' : `, the vault knows of ${knownHead}`}`
  if (knownHead > head)
    return {
      facts,
      must: 'its newest events are lost: put its newest copy back, or stop every process and run npm run admin -- accept-lost-events',
    }
  const aheadMs = recordedMs - nowMs
  if (aheadMs <= AHEAD_MS_MAX) return { facts }
  return {
    facts: `${facts}; its newest event was recorded ${lengthOf(aheadMs)} ahead of this clock`,
    must: 'set this clock by a time server; if it was ahead and has come back, unpaid orders of that time end by themselves',
  }
}

function lengthOf(ms: number): string {
  const hours = ms / 3_600_000
  return hours < 1 ? `${Math.ceil(ms / 1_000)} s` : `${hours.toFixed(1)} hours`
}
