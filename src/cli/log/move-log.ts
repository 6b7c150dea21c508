import { ConfigError } from '../../config.ts'
import type { EventStore, Position } from '../../engines/event-store/event-store.ts'
import { shareOf } from '../../engines/event-store/limits.ts'
import { namedLog, nameLog } from '../../shop/log-head.ts'
import type { Vault } from '../../engines/vault/vault.ts'
import { CopyDiffers, copyEvents, verifyCopy } from './copy-log.ts'

export interface Move {
  readonly from: EventStore
  readonly to: EventStore
  readonly vault: Pick<Vault, 'readMark' | 'setMark'>
  readonly setTime: (recordedAt: number) => void
  /** Of the source; undefined if they must be counted. */
  readonly eventsTotal: number | undefined
  readonly show: (progress: string) => void
}

/**
 * Copies the log, compares both, and names the target in the vault, so that the shop opens no other; returns the number of events.
 * Throws `ConfigError` if the target holds something else or the source grows meanwhile. Can be repeated after any interruption.
 */
export async function moveLog({ from, to, vault, setTime, eventsTotal, show }: Move): Promise<number> {
  const [own, other] = [await from.identity(), await to.identity()]
  if (own === other) throw new ConfigError('--to names the log itself')
  const named = await namedLog(vault)
  // A log made by `seed` that no start has opened has no name yet.
  if (named !== undefined && named !== own && named !== other)
    throw new ConfigError('the log here is not the one that the vault names')
  const head = await from.head()
  const shown = (what: string, total?: number) => (events: number, reached: Position) =>
    show(
      total === undefined
        ? `${what}: ${events} events, ${shareOf(reached, head)}`
        : `${what}: ${events} of ${total} events, ${total - events} left`,
    )
  const copied = await copyEvents({ from, to, setTime, onProgress: shown('copied', eventsTotal) }).catch(
    throwConfigError,
  )
  const { events, from: end } = await verifyCopy({ from, to, onProgress: shown('compared', copied) }).catch(
    throwConfigError,
  )
  const isWrittenTo = async (): Promise<boolean> =>
    copied !== events || (await from.readAll({ after: end, limit: 1 })).length > 0
  const late = new ConfigError('the shop goes on writing: stop every process of it, then run this again')
  if (await isWrittenTo()) throw late
  await nameLog(vault, other)
  if (!(await isWrittenTo())) return events
  await nameLog(vault, own)
  throw late
}

function throwConfigError(error: unknown): never {
  if (!(error instanceof CopyDiffers)) throw error
  throw new ConfigError(`the target holds another log, or was changed (${error.message}): name an empty one`, {
    cause: error,
  })
}
