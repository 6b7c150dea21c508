import { decode } from '../event-store/event-codec.ts'
import type { RecordedEvent } from '../event-store/event-log.ts'
import { type EventStore, START, type StoredEvent } from '../event-store/event-store.ts'
import type { Reached } from '../projections/past-views.ts'
import type { Moment } from './moment.ts'
import { pagesUpTo } from './pages-up-to.ts'

/** What is added up over the log, event by event. */
export interface Fold {
  /** Whether `see` needs the event; others need not be decoded. */
  needs(event: Pick<StoredEvent, 'stream' | 'type'>): boolean
  /** The events of the log, in their order. */
  see(event: RecordedEvent): void
}

export const atStart: Reached = { events: 0, position: START, recordedAt: 0 }

export function afterPage(reached: Reached, page: readonly StoredEvent[]): Reached {
  const last = page.at(-1)
  if (!last) return reached
  return { events: reached.events + page.length, position: last.position, recordedAt: last.recordedAt }
}

/**
 * Shows the log up to the moment to each fold. Answers how far it came, and how many events this release cannot read: no fold has seen those. Rejects with the
 * signal's reason.
 */
export async function foldLog(
  store: Pick<EventStore, 'readAll'>,
  moment: Moment,
  folds: readonly Fold[],
  {
    from = atStart,
    signal,
    onProgress,
  }: { from?: Reached; signal?: AbortSignal; onProgress?: ((reached: Reached) => void) | undefined } = {},
): Promise<{ readonly reached: Reached; readonly unreadable: number }> {
  let reached = from
  let unreadable = 0
  for await (const page of pagesUpTo(store, moment, { after: from.position, signal })) {
    for (const stored of page) {
      const asked = folds.filter((fold) => fold.needs(stored))
      if (asked.length === 0) continue
      const event = decode(stored)
      if (event.type === 'unreadable') unreadable += 1
      else for (const fold of asked) fold.see(event)
    }
    reached = afterPage(reached, page)
    onProgress?.(reached)
  }
  return { reached, unreadable }
}
