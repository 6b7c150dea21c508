import { type Position, START } from '../event-store/event-store.ts'
import type { Vault } from '../vault/vault.ts'

const MARK = 'log-head'
const KEPT_EVERY_MS = 1_000

/** How far the vault knows that the log had come. */
export async function knownHead(vault: Pick<Vault, 'readMark'>): Promise<Position> {
  return (await vault.readMark(MARK)) ?? START
}

/** The log had come this far, as somebody else knows. */
export async function raiseKnownHead(vault: Pick<Vault, 'raiseMark'>, head: Position): Promise<void> {
  await vault.raiseMark(MARK, head)
}

/** From now on the log counts as whole up to here. */
export async function resetKnownHead(vault: Pick<Vault, 'setMark'>, head: Position): Promise<void> {
  await vault.setMark(MARK, head)
}

/** Keeps in the vault how far the log has come, at most once a second, so that a start over a log that lost its end is noticed. */
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

  /** Keeps the last position; the vault must still be open. */
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
      // Without the mark a loss may go unnoticed, but the shop sells on: the next event tries again.
    }
  }
}
