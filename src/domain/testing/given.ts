import { expect } from 'vitest'
import { type Decider, fold } from '../decider.ts'
import { Refusal, type RefusalCode } from '../refusal.ts'

/** `given(decider)(...history).when(command)`, then one of `emits`, `changesNothing`, `refuses`. */
export function given<Command, State, Event>(decider: Decider<Command, State, Event>) {
  return (...history: Event[]) => ({
    when: (command: Command) => ({
      emits: (...events: Event[]) => expect(decider.decide(command, fold(decider, history))).toStrictEqual(events),
      changesNothing: () => expect(decider.decide(command, fold(decider, history))).toStrictEqual([]),
      refuses: (code: RefusalCode) =>
        expect(refusalOf(() => decider.decide(command, fold(decider, history)))).toBe(code),
    }),
  })
}

/** The code of the refusal; undefined without one. */
export function refusalOf(decide: () => unknown): RefusalCode | undefined {
  try {
    decide()
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
}
