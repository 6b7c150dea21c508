import { type Decider, fold } from '../domain/decider.ts'
import type { ShopEvent } from '../domain/events.ts'
import type { Caller, DecidedEvent } from '../log/event-log.ts'
import { AppendConflict, type Position } from '../engines/event-store/event-store.ts'
import { type CommandWorld, decidedBy, jitter, TRIES_MAX } from './handle-command.ts'
import type { HotStream } from './hot/hot-stream.ts'
import { ShopBusy } from './shop-busy.ts'

/** Commands decided per append. */
const BATCH_MAX = 500
/** Beyond this the stream cannot keep up, and a command is refused at once. */
const WAITING_MAX = 20_000

export interface Written<State, Event> {
  /** The state after this command, and before the next. */
  readonly state: State
  readonly events: readonly Event[]
  readonly position: Position
}

interface Waiting<Command, State, Event> {
  readonly command: Command
  readonly caller: Caller
  readonly resolve: (written: Written<State, Event>) => void
  readonly reject: (error: unknown) => void
}

interface Decision<Command, State, Event> {
  readonly waiting: Waiting<Command, State, Event>
  readonly outcome: { state: State; events: readonly Event[] } | { error: unknown }
}

/**
 * Writes one hot stream for this process: decides the waiting commands one after another in memory, and appends their events together.
 * No caller gets a result, not even a refusal, before the events behind it are in the log.
 */
export function singleWriter<Command, State, Event extends ShopEvent>(
  context: CommandWorld,
  decider: Decider<Command, State, Event>,
  { hot, onAppended }: { readonly hot: HotStream<State, Event>; readonly onAppended: (events: number) => void },
): (command: Command, caller: Caller) => Promise<Written<State, Event>> {
  type Batch = readonly Waiting<Command, State, Event>[]
  const waiting: Waiting<Command, State, Event>[] = []
  let isWriting = false

  async function writeAll(): Promise<void> {
    isWriting = true
    // Commands of the same turn of the event loop join this append.
    await Promise.resolve()
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH_MAX)
      try {
        await write(batch)
      } catch (error) {
        for (const { reject } of batch) reject(error)
        // The outcome of the append is unknown, so the state is read again before the next decision.
        await hot.refresh().catch(() => undefined)
      }
    }
    isWriting = false
  }

  async function write(batch: Batch): Promise<void> {
    for (let attempt = 0; attempt < TRIES_MAX; attempt += 1) {
      const expected = hot.revision
      const { decisions, events, state } = decideAll(batch, attempt)
      if (events.length === 0) {
        // No append has confirmed that this state is current, so the stream is read before a command is refused.
        await hot.refresh()
        if (hot.revision !== expected) continue
        return answer(decisions, hot.position)
      }
      try {
        const { revision, position } = await context.log.append(hot.stream, expected, events)
        hot.restore(state, revision, position)
        onAppended(events.length)
        return answer(decisions, position)
      } catch (error) {
        if (!(error instanceof AppendConflict)) throw error
        await jitter(context, attempt)
        await hot.refresh()
      }
    }
    throw new ShopBusy(`${hot.stream} is changed by too many at once`)
  }

  function decideAll(batch: Batch, attempt: number) {
    let { state } = hot
    const all: DecidedEvent[] = []
    const decisions = batch.map((waiting): Decision<Command, State, Event> => {
      try {
        const events = decider.decide(waiting.command, state)
        state = fold(decider, events, state)
        all.push(...decidedBy(waiting.caller, events, attempt))
        return { waiting, outcome: { state, events } }
      } catch (error) {
        return { waiting, outcome: { error } }
      }
    })
    return { decisions, events: all, state }
  }

  return async (command, caller) => {
    if (waiting.length >= WAITING_MAX) throw new ShopBusy(`too many wait for ${hot.stream}`)
    return new Promise((resolve, reject) => {
      waiting.push({ command, caller, resolve, reject })
      if (!isWriting) void writeAll()
    })
  }
}

function answer<Command, State, Event>(
  decisions: readonly Decision<Command, State, Event>[],
  position: Position,
): void {
  for (const { waiting, outcome } of decisions) {
    if ('error' in outcome) waiting.reject(outcome.error)
    else waiting.resolve({ ...outcome, position })
  }
}
