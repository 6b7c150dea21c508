import { type Decider, fold } from '../domain/decider.ts'
import type { ShopEvent } from '../domain/events.ts'
import type { Caller, DecidedEvent } from '../engines/event-store/event-log.ts'
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
export class SingleWriter<Command, State, Event extends ShopEvent> {
  private readonly shop: CommandWorld
  private readonly decider: Decider<Command, State, Event>
  private readonly hot: HotStream<State, Event>
  private readonly waiting: Waiting<Command, State, Event>[] = []
  private isWriting = false
  private readonly onAppended: (events: number) => void

  constructor(
    shop: CommandWorld,
    decider: Decider<Command, State, Event>,
    hot: HotStream<State, Event>,
    onAppended: (events: number) => void = () => undefined,
  ) {
    this.shop = shop
    this.decider = decider
    this.hot = hot
    this.onAppended = onAppended
  }

  async submit(command: Command, caller: Caller): Promise<Written<State, Event>> {
    if (this.waiting.length >= WAITING_MAX) throw new ShopBusy(`too many wait for ${this.hot.stream}`)
    return new Promise((resolve, reject) => {
      this.waiting.push({ command, caller, resolve, reject })
      if (!this.isWriting) void this.writeAll()
    })
  }

  private async writeAll(): Promise<void> {
    this.isWriting = true
    // Commands of the same turn of the event loop join this append.
    await Promise.resolve()
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, BATCH_MAX)
      try {
        await this.write(batch)
      } catch (error) {
        for (const { reject } of batch) reject(error)
        // The outcome of the append is unknown, so the state is read again before the next decision.
        await this.hot.refresh().catch(() => undefined)
      }
    }
    this.isWriting = false
  }

  private async write(batch: readonly Waiting<Command, State, Event>[]): Promise<void> {
    for (let attempt = 0; attempt < TRIES_MAX; attempt += 1) {
      const expected = this.hot.revision
      const { decisions, events, state } = this.decideAll(batch, attempt)
      if (events.length === 0) {
        // No append has confirmed that this state is current, so the stream is read before a command is refused.
        await this.hot.refresh()
        if (this.hot.revision !== expected) continue
        answer(decisions, this.hot.position)
        return
      }
      try {
        const { revision, position } = await this.shop.log.append(this.hot.stream, expected, events)
        this.hot.restore(state, revision, position)
        this.onAppended(events.length)
        answer(decisions, position)
        return
      } catch (error) {
        if (!(error instanceof AppendConflict)) throw error
        await jitter(this.shop, attempt)
        await this.hot.refresh()
      }
    }
    throw new ShopBusy(`${this.hot.stream} is changed by too many at once`)
  }

  private decideAll(
    batch: readonly Waiting<Command, State, Event>[],
    attempt: number,
  ): { decisions: Decision<Command, State, Event>[]; events: DecidedEvent[]; state: State } {
    let { state } = this.hot
    const all: DecidedEvent[] = []
    const decisions = batch.map((waiting): Decision<Command, State, Event> => {
      try {
        const events = this.decider.decide(waiting.command, state)
        state = fold(this.decider, events, state)
        all.push(...decidedBy(waiting.caller, events, attempt))
        return { waiting, outcome: { state, events } }
      } catch (error) {
        return { waiting, outcome: { error } }
      }
    })
    return { decisions, events: all, state }
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
