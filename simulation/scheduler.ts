import type { DeliveryMode } from '../src/domain/words.ts'
import type { PaymentReport } from '../src/payments/payment-provider.ts'
import type { Dice } from './dice.ts'

/** A process of the shop. When it crashes, all its threads stop. */
export interface SimulatedProcess {
  readonly name: string
  isAlive: boolean
  /** Delivery mode of threads that start from now on. */
  deliveryMode: DeliveryMode
}

/** One request, job or sweep: all calls of one caller. */
export class Thread {
  readonly name: string
  readonly process: SimulatedProcess
  readonly begunStep: number
  isStopped = false
  /** How many events of each stream it has read. */
  readonly reads = new Map<string, number>()
  /** The last report that a provider gave it. */
  report: PaymentReport | undefined
  /** It erases a person, so it may write only to the register. */
  isErasing = false
  /** The delivery mode at its start, which it keeps when the process changes its own. */
  deliveryMode: DeliveryMode
  /** Staff mark the order as delivered first, and give the coins once the shop accepts. */
  givesByHand = false

  constructor(process: SimulatedProcess, name: string, begunStep = 0) {
    this.name = name
    this.process = process
    this.begunStep = begunStep
    this.deliveryMode = process.deliveryMode
  }
}

interface Operation {
  readonly thread: Thread
  readonly name: string
  readonly begunMs: number
  /** Does the work and resolves the thread's call. */
  readonly perform: () => Promise<void>
  /** Work that may still happen after its thread has stopped. */
  readonly orphan: (() => Promise<unknown>) | undefined
  readonly wakesAtMs: number
  readonly wakesAtStep: number
}

export interface CallOptions {
  /** The outside does the work even if its caller has stopped. */
  readonly isWrite?: boolean
  readonly sleepMs?: number
  /** Calls to the outside may be slow. */
  readonly isSlow?: boolean
}

/** Long enough for whole requests of others. */
const PARKED_STEPS_MAX = 80
/** Calls to the outside may be slow. */
const SLOW_STEPS_MAX = 160
const ORPHAN_STEPS_MAX = 60

/** Virtual time. Every call of a port waits here until its turn is drawn; between turns, everything that does not wait continues. */
export class Scheduler {
  nowMs: number
  step = 0
  /** Calls are made immediately, in order. */
  isInstant = true
  readonly trace: string[] | undefined
  private readonly dice: Dice
  private readonly parkedShare: number
  /** Probability that a thread stops right after its own write. */
  stopsAfterWrite: () => number = () => 0
  private operations: Operation[] = []

  constructor(options: { startMs: number; dice: Dice; parkedShare: number; isTraced: boolean }) {
    this.nowMs = options.startMs
    this.dice = options.dice
    this.parkedShare = options.parkedShare
    this.trace = options.isTraced ? [] : undefined
  }

  get waiting(): number {
    return this.operations.length
  }

  note(text: string | (() => string)): void {
    this.trace?.push(`${String(this.step).padStart(5)} ${this.clockText()} ${typeof text === 'string' ? text : text()}`)
  }

  /** Calls `work` when its turn comes. Never resolves if the thread has stopped by then. */
  async call<Answer>(
    thread: Thread,
    name: string,
    work: (begunMs: number) => Promise<Answer>,
    { isWrite = false, sleepMs = 0, isSlow = false }: CallOptions = {},
  ): Promise<Answer> {
    if (!runs(thread)) return never()
    if (this.isInstant) {
      this.nowMs += sleepMs
      return work(this.nowMs)
    }
    return new Promise((resolve, reject) => {
      const begunMs = this.nowMs
      const isParked = isSlow || this.dice.chance(this.parkedShare)
      const parkedSteps = isSlow ? SLOW_STEPS_MAX : PARKED_STEPS_MAX
      this.operations.push({
        thread,
        name,
        begunMs,
        perform: async () => {
          try {
            const answer = await work(begunMs)
            if (isWrite && thread.begunStep > 0 && this.dice.chance(this.stopsAfterWrite())) this.stop(thread)
            if (runs(thread)) resolve(answer)
          } catch (error) {
            this.note(() => `  ${thread.name}: ${error instanceof Error ? error.name : String(error)}`)
            if (runs(thread)) reject(error)
          }
        },
        orphan: isWrite ? () => work(begunMs) : undefined,
        wakesAtMs: this.nowMs + sleepMs,
        wakesAtStep: isParked ? this.step + this.dice.between(5, parkedSteps) : this.step,
      })
    })
  }

  /** Calls `work` some steps later, without a caller. */
  later(thread: Thread, name: string, work: () => Promise<unknown>): void {
    const wakesAtStep = this.step + this.dice.between(1, ORPHAN_STEPS_MAX)
    const perform = async (): Promise<void> => {
      await work().catch(() => undefined)
    }
    const { nowMs } = this
    this.operations.push({ thread, name, begunMs: nowMs, perform, orphan: work, wakesAtMs: nowMs, wakesAtStep })
  }

  stop(thread: Thread): void {
    thread.isStopped = true
    this.note(`  ${thread.name} stops forever`)
    this.dropStopped()
  }

  /** Open writes of stopped threads happen later, or never. */
  dropStopped(): void {
    const dropped = this.operations.filter(({ thread }) => !runs(thread))
    if (dropped.length === 0) return
    this.operations = this.operations.filter(({ thread }) => runs(thread))
    for (const { orphan, name } of dropped)
      if (orphan && this.dice.chance(0.5)) this.later(outside, `${name} (no caller)`, orphan)
  }

  /** Makes one turn; false if nothing is waiting. */
  async turn(): Promise<boolean> {
    const eligible = this.operations.filter(({ wakesAtStep }) => wakesAtStep <= this.step)
    const chosen = this.dice.pick(eligible.length > 0 ? eligible : this.operations)
    if (!chosen) return false
    this.step += 1
    this.operations.splice(this.operations.indexOf(chosen), 1)
    if (chosen.wakesAtMs > this.nowMs) this.nowMs = chosen.wakesAtMs
    this.note(() => `${chosen.thread.name}: ${chosen.name}`)
    await chosen.perform()
    await settled()
    return true
  }

  clockText(): string {
    return new Date(this.nowMs).toISOString().slice(5, 23)
  }
}

/** The thread of work that belongs to no process. */
export const outside = new Thread({ name: 'outside', isAlive: true, deliveryMode: 'staff' }, 'outside')

export function runs(thread: Thread): boolean {
  return thread.process.isAlive && !thread.isStopped
}

/** Resolves once everything that can continue without a turn has continued. */
export async function settled(): Promise<void> {
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
}

export async function never<Answer>(): Promise<Answer> {
  return new Promise(() => undefined)
}
