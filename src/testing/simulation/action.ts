import type { Shopping } from './shopping.ts'

/** Begins one thing, which goes on when its turns come; false where it cannot be. */
type Begin = (shopping: Shopping) => boolean | Promise<boolean>

/** What actors do: how often, beside others, and how it begins. */
export interface Action {
  readonly weight: number
  readonly begin: Begin
}

export function action(weight: number, begin: Begin): Action {
  return { weight, begin }
}
