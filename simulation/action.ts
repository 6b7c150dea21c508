import type { Shopping } from './shopping.ts'

/** Starts one step of an actor; false if it is not possible now. */
type Begin = (shopping: Shopping) => boolean | Promise<boolean>

/** What actors can do, with a weight relative to other actions. */
export interface Action {
  readonly weight: number
  readonly begin: Begin
}

export function action(weight: number, begin: Begin): Action {
  return { weight, begin }
}
