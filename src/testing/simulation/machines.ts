import { diceFor, seedOf } from './dice.ts'

/** Shops whose log is on a server that others use, too, and whose processes are on machines of their own. */
const SHARE = 0.5
const OTHERS_MAX = 5
/** A start refuses a clock that is off by more. */
export const CLOCK_ERROR_MS_MAX = 2_000
/** How often a clock is set, forwards or back, at each look at it. */
const SET_SHARE = 0.02

export interface Machines {
  /** Events of others before the shop's next append. */
  othersBefore(): number
  /** By how much the clock of a process is ahead of true time. */
  clockError(process: string): number
}

/** `reach` is told what has happened. */
export function machinesFor(seed: number, reach: (row: string) => void): Machines {
  // Of their own, so that all else that a seed draws stays the same.
  const dice = diceFor(seedOf(seed, 'machines'))
  const isShared = dice.chance(SHARE)
  const errors = new Map<string, number>()
  return {
    othersBefore() {
      const count = isShared && dice.chance(0.3) ? dice.between(1, OTHERS_MAX) : 0
      if (count > 0) reach('events of others in between')
      return count
    },
    clockError(process) {
      if (!isShared) return 0
      const known = errors.get(process)
      if (known !== undefined && !dice.chance(SET_SHARE)) return known
      const error = dice.between(-CLOCK_ERROR_MS_MAX, CLOCK_ERROR_MS_MAX)
      if (known !== undefined && error < known) reach('a clock that goes back')
      errors.set(process, error)
      return error
    },
  }
}
