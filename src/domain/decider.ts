/** The rules of one stream. Both functions are pure: time, ids and keys come in with the command. */
export interface Decider<Command, State, Event> {
  /** The state of a stream without events. */
  readonly initial: State
  /** The events of this command; none if it is a repeat. Throws `Refusal`. */
  decide(command: Command, state: State): Event[]
  evolve(state: State, event: Event): State
}

export function fold<State, Event>(
  decider: { initial: State; evolve(state: State, event: Event): State },
  events: Iterable<Event>,
  from = decider.initial,
): State {
  let state = from
  for (const event of events) state = decider.evolve(state, event)
  return state
}
