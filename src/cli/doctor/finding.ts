import { CLOCK_OFF_MS_MAX } from '../../domain/clocks-apart.ts'
import { clockOffMs } from '../../ports/clock-and-random.ts'
import { inTime } from '../../ports/in-time.ts'
import { oneLine } from '../../ports/one-line.ts'

/** The result for one engine. */
export interface Finding {
  readonly part: string
  readonly facts: string
  /** Must be fixed: the shop does not run, or may lose data. */
  readonly must?: string | undefined
  /** A warning; the shop runs. */
  readonly note?: string | undefined
}

/** Timeout of each check. */
export const ASK_MS = 8_000

export function findingLine({ part, facts, must, note }: Finding): string {
  if (must !== undefined) return `must  ${part}: ${facts} -> ${must}`
  return note === undefined ? `ok    ${part}: ${facts}` : `note  ${part}: ${facts} -> ${note}`
}

/** Runs a check; an error or a timeout becomes a finding. */
export async function runCheck(part: string, check: () => Promise<Omit<Finding, 'part'>>): Promise<Finding> {
  try {
    return { part, ...(await inTime(check(), ASK_MS, away(`no answer within ${ASK_MS / 1_000} s`))) }
  } catch (error) {
    return { part, ...away(oneLine(error)) }
  }
}

function away(why: string): Omit<Finding, 'part'> {
  return { facts: `away (${why})`, must: 'start it, or correct its address' }
}

export function clockOf(serverMs: number, askedAt: number): { facts: string; must: string | undefined } {
  const offMs = clockOffMs(serverMs, askedAt)
  return {
    facts: offMs === 0 ? 'clock the same' : `clock ${offMs} ms off`,
    must: offMs > CLOCK_OFF_MS_MAX ? 'its clock and this one differ: set both by a time server' : undefined,
  }
}
