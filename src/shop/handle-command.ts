import { type Decider, fold } from '../domain/decider.ts'
import type { ShopEvent } from '../domain/events.ts'
import type { Caller, EventLog } from '../log/event-log.ts'
import { AppendConflict, NO_EVENTS, type Position, START } from '../engines/event-store/event-store.ts'
import type { HotStream } from './hot/hot-stream.ts'
import { ShopBusy } from './shop-busy.ts'
import type { Clock, Random } from '../ports/clock-and-random.ts'

/** Appends tried, each losing to another writer, before the caller gets `ShopBusy`. */
export const TRIES_MAX = 10

export interface CommandWorld {
  readonly log: EventLog
  readonly clock: Clock
  readonly random: Random
}

export interface Handled<State, Event> {
  readonly state: State
  /** The events added; none if the command was a repeat. */
  readonly events: readonly Event[]
  /** A reader at this position has seen the outcome. */
  readonly position: Position
  /** Revision of the stream's last event. */
  readonly revision: number
}

export interface Folded<State> {
  readonly state: State
  readonly revision: number
  readonly position: Position
}

export async function readState<State, Event extends ShopEvent>(
  context: Pick<CommandWorld, 'log'>,
  decider: Decider<never, State, Event>,
  stream: string,
): Promise<Folded<State>> {
  const events = await context.log.readStream(stream)
  return {
    state: fold(decider, events as unknown as Iterable<Event>),
    revision: events.length + NO_EVENTS,
    position: events.at(-1)?.position ?? START,
  }
}

/**
 * Reads the stream, folds it, decides, and appends at the revision that was read. Starts over if another writer appended first.
 * With `atRevision`, any other revision of the stream throws `AppendConflict`.
 */
export async function handleCommand<Command, State, Event extends ShopEvent>(
  context: CommandWorld,
  decider: Decider<Command, State, Event>,
  request: {
    stream: string
    command: Command
    caller: Caller
    atRevision?: number
    /** The stream as it was just read, to decide on at first. */
    at?: Folded<State> | undefined
    /** Used instead of reading the stream, if its state is kept in memory. */
    read?: () => Promise<Folded<State>>
  },
): Promise<Handled<State, Event>> {
  const { stream, command, caller, atRevision } = request
  const read = request.read ?? (async () => readState(context, decider as Decider<never, State, Event>, stream))
  for (let attempt = 0; attempt < TRIES_MAX; attempt += 1) {
    const at = attempt === 0 && request.at ? request.at : await read()
    if (atRevision !== undefined && atRevision !== at.revision)
      throw new AppendConflict(stream, atRevision, at.revision)
    const handled = await handleAt(context, decider, { stream, command, caller, at, attempt })
    if (handled) return handled
    if (atRevision !== undefined) throw new AppendConflict(stream, atRevision, undefined)
    await jitter(context, attempt)
  }
  throw new ShopBusy(`${stream} is changed by too many at once`)
}

/** Decides on a state that was read before, and appends at its revision. Undefined if another writer has appended since. */
export async function handleAt<Command, State, Event extends ShopEvent>(
  { log }: Pick<CommandWorld, 'log'>,
  decider: Decider<Command, State, Event>,
  {
    stream,
    command,
    caller,
    at,
    attempt,
  }: { stream: string; command: Command; caller: Caller; at: Folded<State>; attempt?: number },
): Promise<Handled<State, Event> | undefined> {
  const { state, revision, position } = at
  const events = decider.decide(command, state)
  if (events.length === 0) return { state, events, position, revision }
  try {
    const appended = await log.append(stream, revision, decidedBy(caller, events, attempt))
    return { state: fold(decider, events, state), events, position: appended.position, revision: appended.revision }
  } catch (error) {
    if (!(error instanceof AppendConflict)) throw error
    return undefined
  }
}

/** Like `handleCommand`, on a stream kept in memory; its state includes the outcome afterwards. */
export async function handleInMemory<Command, State, Event extends ShopEvent>(
  context: CommandWorld,
  kept: HotStream<State, Event>,
  decider: Decider<Command, State, Event>,
  request: { command: Command; caller: Caller; atRevision?: number },
): Promise<Handled<State, Event>> {
  const handled = await handleCommand(context, decider, {
    ...request,
    stream: kept.stream,
    read: async () => kept.refresh().then(() => kept),
  })
  await kept.refresh()
  return handled
}

export function decidedBy(
  caller: Caller,
  events: readonly ShopEvent[],
  attempt = 0,
): { event: ShopEvent; caller: Caller }[] {
  // A new decision gets new event ids: only a repeat of the same decision may count as the same write.
  const attemptCaller = attempt === 0 ? caller : { ...caller, requestId: `${caller.requestId}#${attempt}` }
  return events.map((event) => ({ event, caller: attemptCaller }))
}

export async function jitter(context: Pick<CommandWorld, 'clock' | 'random'>, attempt: number): Promise<void> {
  await context.clock.sleep(context.random.fraction() * Math.min(2 ** attempt, 50))
}
