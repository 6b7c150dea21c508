import type { EventLog } from '../event-store/event-log.ts'
import { type Position, START } from '../event-store/event-store.ts'
import type { Vault } from '../vault/vault.ts'

const MARK = 'log-head'
const KEPT_EVERY_MS = 1_000

/** When the first event was recorded; undefined without any. */
export async function logBeganAt(log: Pick<EventLog, 'readAllStored'>): Promise<number | undefined> {
  const [first] = await log.readAllStored({ after: START, limit: 1 })
  return first?.recordedAt
}

/** The log's head as the vault has it. */
export async function knownHead(vault: Pick<Vault, 'readMark'>): Promise<Position> {
  return (await vault.readMark(MARK)) ?? START
}

/** The log's head as known from elsewhere. */
export async function raiseKnownHead(vault: Pick<Vault, 'raiseMark'>, head: Position): Promise<void> {
  await vault.raiseMark(MARK, head)
}

/** Accepts this head: up to here, the log counts as complete. */
export async function resetKnownHead(vault: Pick<Vault, 'setMark'>, head: Position): Promise<void> {
  await vault.setMark(MARK, head)
}

/** Saves the log's head in the vault, at most once a second, so that a start notices a log that lost its end. */
export class LogHeadMark {
  private readonly vault: Pick<Vault, 'raiseMark'>
  private reachedHead: Position = START
  private keptHead: Position = START
  private timer: NodeJS.Timeout | undefined
  private keeping: Promise<void> = Promise.resolve()

  constructor(vault: Pick<Vault, 'raiseMark'>) {
    this.vault = vault
  }

  /** The log has this event. */
  reached(head: Position): void {
    if (head <= this.reachedHead) return
    this.reachedHead = head
    this.timer ??= setTimeout(() => {
      this.timer = undefined
      this.keeping = this.keep()
    }, KEPT_EVERY_MS).unref()
  }

  /** Saves the last position; the vault must still be open. */
  async stop(): Promise<void> {
    clearTimeout(this.timer)
    await this.keeping
    await this.keep()
  }

  private async keep(): Promise<void> {
    const head = this.reachedHead
    if (head <= this.keptHead) return
    try {
      await raiseKnownHead(this.vault, head)
      this.keptHead = head
    } catch {
      // Not worth stopping sales for: the next event tries again.
    }
  }
}
