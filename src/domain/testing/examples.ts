import { expect } from 'vitest'
import { type Decider, fold } from '../decider.ts'
import { Refusal, type RefusalCode } from '../refusal.ts'

/** Asserts what a decider does with a command after a history. `shown` picks what of an event is compared. */
export function examplesOf<Command, State, Event>(
  decider: Decider<Command, State, Event>,
  shown: (event: Event) => unknown = (event) => event,
) {
  const decided = (history: readonly Event[], command: Command) => decider.decide(command, fold(decider, history))
  return {
    emits: (history: readonly Event[], command: Command, ...events: Event[]) =>
      expect(decided(history, command).map(shown)).toStrictEqual(events.map(shown)),
    ignores: (history: readonly Event[], command: Command) => expect(decided(history, command)).toStrictEqual([]),
    refuses: (history: readonly Event[], command: Command, code: RefusalCode) =>
      expect(refusalOf(() => decided(history, command))).toBe(code),
  }
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
