import type { EventLog } from '../log/event-log.ts'
import { type Position, START } from '../engines/event-store/event-store.ts'
import { inTime } from '../ports/in-time.ts'
import type { Vault } from '../engines/vault/vault.ts'
import { BUYERS_KNOWN } from './known-buyers.ts'

const MARK = 'log-head'
/** Mark with the identity of the shop's log: a copy of it, or a log that the shop has left, has the same events. */
const LOG = 'log'
const SAVE_EVERY_MS = 1_000
const STOP_MS = 1_000

/** When the first event was recorded; undefined without any. */
export async function logBeganAt(log: Pick<EventLog, 'readAllStored'>): Promise<number | undefined> {
  const [first] = await log.readAllStored({ after: START, limit: 1 })
  return first?.recordedAt
}

/** This log's head as saved in the vault. */
export async function knownHead(vault: Pick<Vault, 'readMark'>, identity: string): Promise<Position> {
  const head = await vault.readMark(MARK)
  return (await namedLog(vault)) === identity ? (head ?? START) : START
}

/** Saves a log head known from elsewhere. */
export async function raiseKnownHead(vault: Pick<Vault, 'raiseMark'>, head: Position): Promise<void> {
  await vault.raiseMark(MARK, head)
}

/** Accepts this head: up to here, the log counts as complete. */
export async function resetKnownHead(vault: Pick<Vault, 'setMark'>, head: Position): Promise<void> {
  await vault.setMark(MARK, head)
}

/** Which log is the shop's; undefined before its first start. */
export async function namedLog(vault: Pick<Vault, 'readMark'>): Promise<string | undefined> {
  return vault.readMark(LOG)
}

/** From now on the shop opens only on this log. Positions of another log do not apply to it. */
export async function nameLog(vault: Pick<Vault, 'setMark'>, identity: string): Promise<void> {
  for (const mark of [MARK, BUYERS_KNOWN]) await vault.setMark(mark, START)
  await vault.setMark(LOG, identity)
}

/** Saves the log's head in the vault, at most once a second, so that a start notices a log that lost its end. */
export function logHeadMark(vault: Pick<Vault, 'raiseMark'>) {
  let reached = START
  let saved = START
  let timer: NodeJS.Timeout | undefined
  let saving: Promise<void> | undefined

  async function save(): Promise<void> {
    const head = reached
    if (head <= saved) return
    try {
      await raiseKnownHead(vault, head)
      saved = head
    } catch {
      // Not worth stopping sales for: the next event tries again.
    }
  }

  return {
    /** To be called with the position of an event that the log has. */
    note(head: Position): void {
      if (head <= reached) return
      reached = head
      timer ??= setTimeout(() => {
        timer = undefined
        // A vault that is away answers late: one call at a time.
        saving ??= save().finally(() => (saving = undefined))
      }, SAVE_EVERY_MS).unref()
    },

    /** Saves the last position, unless the (still open) vault is away. */
    async stop(): Promise<void> {
      clearTimeout(timer)
      await inTime((saving ?? Promise.resolve()).then(save), STOP_MS, undefined)
    },
  }
}
