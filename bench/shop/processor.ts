import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/** Linux counts a process's time in hundredths of a second. */
const TICKS_PER_SECOND = 100
const LOOK_EVERY_MS = 2_000
const LOOKS_MAX = 90
/** A shop that nobody asks for anything looks for work once a second. */
const IDLE_SHARE = 0.15

/** Seconds of processor time that a process has had so far. Told by Linux alone. */
export function processorSeconds(pid: number): number | undefined {
  try {
    return processorSecondsIn(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return undefined
  }
}

export function processorSecondsIn(stat: string): number | undefined {
  // The name of the program stands in brackets and may have spaces of its own.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  return Number.isNaN(ticks) ? undefined : ticks / TICKS_PER_SECOND
}

/** Waits until a process has done what it had to do when it started; three minutes at most. */
export async function atRest(pid: number): Promise<void> {
  let before = processorSeconds(pid)
  for (let look = 0; look < LOOKS_MAX && before !== undefined; look += 1) {
    await pause(LOOK_EVERY_MS)
    const now = processorSeconds(pid)
    if (now === undefined || now - before < (IDLE_SHARE * LOOK_EVERY_MS) / 1_000) return
    before = now
  }
}
