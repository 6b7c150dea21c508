import { diceFor, seedOf } from './dice.ts'

/** Share of shops whose log server has other users, and whose processes run on different machines. */
const SHARE = 0.5
const OTHERS_MAX = 5
/** A process does not start if its clock differs by more. */
export const CLOCK_ERROR_MS_MAX = 2_000
/** How often a clock is corrected when it is read. */
const SET_SHARE = 0.02

export interface Machines {
  /** Number of other shops' events before the shop's next append. */
  othersBefore(): number
  /** How far a process's clock is ahead of true time. */
  clockError(process: string): number
}

/** `reach` counts what has happened. */
export function machinesFor(seed: number, reach: (row: string) => void): Machines {
  // Separate dice, so that everything else that a seed draws stays the same.
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
