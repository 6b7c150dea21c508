import { ConfigError } from '../../config.ts'
import type { EventStore } from '../../event-store/event-store.ts'
import { START } from '../../event-store/event-store.ts'
import { logState, setLogState } from '../../event-store/log-state.ts'
import { CopyDiffers, copyLog, verifyCopy } from './copy-log.ts'

export interface Move {
  readonly from: EventStore
  readonly to: EventStore
  /** Of the target, as it is marked in the source. */
  readonly name: string
  readonly setTime: (recordedAt: number) => void
  /** Of the source, where that is known without counting. */
  readonly eventsTotal: number | undefined
  readonly show: (progress: string) => void
}

/**
 * Copies the log, holds both against each other, and marks the source as moved and the target as whole; answers the number of events.
 * Throws `ConfigError` where the target holds something else or the source grows meanwhile. May be repeated after any interruption.
 */
export async function moveLog({ from, to, name, setTime, eventsTotal, show }: Move): Promise<number> {
  await assertMovable(from, to, name)
  await setLogState(to, { is: 'copying' })
  const shown = (what: string, total?: number) => (events: number) =>
    show(`${what}: ${events}${total === undefined ? '' : ` of ${total}`} events`)
  const copied = await copyLog({ from, to, setTime, onProgress: shown('copied', eventsTotal) }).catch(refused)
  const { events, from: end } = await verifyCopy({ from, to, onProgress: shown('compared', copied) }).catch(refused)
  await setLogState(from, { is: 'moved', to: name })
  const late = await from.readAll({ after: end, limit: 1 })
  if (late.length > 0 || copied !== events) {
    await setLogState(from, { is: 'whole' })
    throw new ConfigError('the shop goes on writing: stop every process of it, then run this again')
  }
  await setLogState(to, { is: 'whole' })
  return events
}

async function assertMovable(from: EventStore, to: EventStore, name: string): Promise<void> {
  const [own, others] = [await logState(from), await logState(to)]
  if (own.is === 'copying') throw new ConfigError('the log here is itself an unfinished copy: finish that one first')
  if (own.is === 'moved' && own.to !== name) throw new ConfigError(`the log here was moved to ${own.to} already`)
  if (own.is === 'moved' && others.is === 'whole') throw new ConfigError(`the log was moved to ${name} already`)
  if (others.is !== 'copying' && (await to.head()) !== START)
    throw new ConfigError(`${name} holds a log already: --to takes an empty one`)
}

function refused(error: unknown): never {
  if (!(error instanceof CopyDiffers)) throw error
  throw new ConfigError(
    `the target holds another log, or was changed (${error.message}): empty it, or name another one`,
    {
      cause: error,
    },
  )
}
