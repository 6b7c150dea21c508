import type { EventStore, EventToAppend, Position, StoredEvent } from '../../engines/event-store/event-store.ts'
import { NO_EVENTS, START } from '../../engines/event-store/event-store.ts'
import { BYTES_PER_APPEND_MAX, EVENTS_PER_APPEND_MAX, sizeOf } from '../../engines/event-store/limits.ts'
import { logPages } from '../../log/log-pages.ts'

const PAGE = 1_000

export class CopyDiffers extends Error {
  override readonly name = 'CopyDiffers'
}

interface Copying {
  readonly from: Pick<EventStore, 'readAll'>
  readonly to: Pick<EventStore, 'readAll' | 'append'>
  /** Sets the clock that `to` was opened with. */
  readonly setTime: (recordedAt: number) => void
  /** How many events both have, and the last of them in `from`. */
  readonly onProgress?: (events: number, reached: Position) => void
}

interface Reached {
  readonly events: number
  /** The last event that both have. */
  readonly from: Position
  /** The highest `recordedAt` so far: a copy's times never go back, but several writers' may. */
  readonly recordedAt: number
}

/**
 * Appends to `to` the events of `from` that it lacks, in the order of the log, with ids, revisions, texts and times. Throws `CopyDiffers` if
 * existing events differ. Returns the number of events; can be repeated after an interruption.
 */
export async function copyEvents(copying: Copying): Promise<number> {
  const { from, to, setTime, onProgress } = copying
  let { events, from: reached, recordedAt } = await compareLogs(copying)
  for await (const page of logPages((asked) => from.readAll(asked), { after: reached })) {
    for (const run of runsOf(page)) {
      const [first] = run
      if (!first) continue
      recordedAt = Math.max(recordedAt, first.recordedAt)
      setTime(recordedAt)
      await to.append(first.stream, first.revision === 0 ? NO_EVENTS : first.revision - 1, run.map(toAppend))
      events += run.length
      onProgress?.(events, run.at(-1)?.position ?? first.position)
    }
  }
  return events
}

/** Throws `CopyDiffers` unless both logs hold the same events; returns their number and the position of the last one in `from`. */
export async function verifyCopy(copying: Omit<Copying, 'setTime'>): Promise<Reached> {
  const reached = await compareLogs(copying)
  const more = await copying.from.readAll({ after: reached.from, limit: 1 })
  if (more.length > 0) throw new CopyDiffers(`the copy ends after ${reached.events} events, the log goes on`)
  return reached
}

/** Compares all events of `to` with `from`. */
async function compareLogs({ from, to, onProgress }: Omit<Copying, 'setTime'>): Promise<Reached> {
  let [events, recordedAt, fromPosition, toPosition] = [0, 0, START, START]
  for (;;) {
    const copies = await to.readAll({ after: toPosition, limit: PAGE })
    if (copies.length === 0) return { events, from: fromPosition, recordedAt }
    const originals = await from.readAll({ after: fromPosition, limit: copies.length })
    for (const [index, copy] of copies.entries()) {
      const event = originals[index]
      recordedAt = Math.max(recordedAt, event?.recordedAt ?? 0)
      const difference = event ? differenceOf({ ...event, recordedAt }, copy) : 'no event of the log'
      if (difference !== undefined)
        throw new CopyDiffers(
          `event ${events + index + 1} of the copy (revision ${copy.revision} of ${copy.stream}) is not the log's: ${difference}`,
        )
    }
    events += copies.length
    toPosition = copies.at(-1)?.position ?? toPosition
    fromPosition = originals.at(-1)?.position ?? fromPosition
    onProgress?.(events, fromPosition)
  }
}

function differenceOf(event: StoredEvent, copy: StoredEvent): string | undefined {
  const names = ['stream', 'revision', 'id', 'type', 'version', 'data', 'metadata', 'recordedAt'] as const
  const differing = names.filter((name) => event[name] !== copy[name])
  return differing.length === 0 ? undefined : `another ${differing.join(', ')}`
}

/** Splits a page into appends: neighbours of one stream that were recorded at the same time. */
function runsOf(page: readonly StoredEvent[]): StoredEvent[][] {
  const runs: StoredEvent[][] = []
  let bytes = 0
  for (const event of page) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    bytes += sizeOf(event)
    const isNext =
      last?.stream === event.stream && last.revision + 1 === event.revision && last.recordedAt === event.recordedAt
    if (run && isNext && run.length < EVENTS_PER_APPEND_MAX && bytes <= BYTES_PER_APPEND_MAX) run.push(event)
    else {
      runs.push([event])
      bytes = sizeOf(event)
    }
  }
  return runs
}

function toAppend({ id, type, version, data, metadata }: StoredEvent): EventToAppend {
  return { id, type, version, data, metadata }
}
