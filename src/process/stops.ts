import { inTime } from '../ports/in-time.ts'
import { oneLine } from '../ports/one-line.ts'

/**
 * Deadline of each phase, from the start of the stop: first what accepts work, then what that work waits for, then what everything needs. 10 s are promised,
 * and the exit itself may take one.
 */
const UNTIL_MS = { work: 5_000, followers: 7_000, engines: 8_000 }

/** For work that waits for an engine that is away: shorter than its phase. */
export const GRACE_MS = 4_500

export interface Stop {
  readonly phase: keyof typeof UNTIL_MS
  /** For operators. */
  readonly name: string
  readonly stop: () => Promise<unknown>
}

/** Stops the parts of each phase together. Resolves with the names of those that did not end, and why; never rejects. */
export async function stopAll(stops: readonly Stop[]): Promise<string[]> {
  const left: string[] = []
  const began = performance.now()
  for (const [phase, untilMs] of Object.entries(UNTIL_MS)) {
    const leftMs = untilMs - (performance.now() - began)
    const own = stops.filter((stop) => stop.phase === phase)
    const ends = await Promise.all(own.map(async ({ name, stop }) => inTime(runStop(name, stop), leftMs, name)))
    left.push(...ends.filter((end) => end !== undefined))
  }
  return left
}

async function runStop(name: string, stop: Stop['stop']): Promise<string | undefined> {
  try {
    await stop()
    return undefined
  } catch (error) {
    return `${name} (${oneLine(error)})`
  }
}
