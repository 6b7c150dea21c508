import type { Buyer } from '../log/event-log.ts'
import { lastPosition } from '../log/event-log.ts'
import { type Position, START } from '../engines/event-store/event-store.ts'
import type { LogEvent, Projection } from '../projections/projection.ts'
import type { PageFold, ViewDocument } from '../engines/view-store/view-store.ts'

/** Buyers by event id, or the error of opening one's data. */
export type OpenedBuyers = ReadonlyMap<string, Buyer | Error>

interface Touch {
  readonly event: LogEvent
  /** The error that `keys` threw for the event. */
  readonly error?: unknown
}

interface Folding {
  readonly id: string
  body: unknown
  position: Position
  isThere: boolean
  broken: ViewDocument['broken']
  isChanged: boolean
}

/**
 * Folds a page of the log (at least one event) into the documents of these projections. A document skips events up to its own position, so that a repeat, a
 * race or a crash at any point changes nothing.
 */
export function pageFold(
  projections: readonly Projection[],
  page: { readonly after: Position; readonly events: readonly LogEvent[]; readonly opened: OpenedBuyers },
): PageFold {
  const { after, events, opened } = page
  const parts = projections.map((projection) => {
    const touches = touchesOf(projection, events)
    return {
      collection: projection,
      ids: [...touches.keys()],
      fold: (loaded: ReadonlyMap<string, ViewDocument>, checkpoint: Position) =>
        [...touches].flatMap(([id, own]) =>
          foldDocument(projection, { id, stored: loaded.get(id), touches: own, checkpoint, opened }),
        ),
    }
  })
  return { after, to: lastPosition(events), parts: parts.filter(({ ids }) => ids.length > 0) }
}

/** The events of each document, in the order of the log. If `keys` throws, the event breaks a document with the projection's name. */
function touchesOf(projection: Projection, events: readonly LogEvent[]): Map<string, Touch[]> {
  const touches = new Map<string, Touch[]>()
  const add = (id: string, touch: Touch): void => {
    const own = touches.get(id)
    if (own) own.push(touch)
    else touches.set(id, [touch])
  }
  for (const event of events)
    try {
      const keys = projection.keys(event)
      for (const id of keys.length > 1 ? new Set(keys) : keys) add(id, { event })
    } catch (error) {
      add(projection.name, { event, error })
    }
  return touches
}

interface Given {
  readonly id: string
  readonly stored: ViewDocument | undefined
  readonly touches: readonly Touch[]
  readonly checkpoint: Position
  readonly opened: OpenedBuyers
}

/** The document, if it must be written. */
function foldDocument(projection: Projection, { id, stored, touches, checkpoint, opened }: Given): ViewDocument[] {
  const { form } = projection
  const body = stored?.body
  const folding: Folding = {
    id,
    body: body !== undefined && form ? form.fromStored(body) : body,
    position: stored?.position ?? START,
    isThere: stored !== undefined,
    broken: stored?.broken,
    // Written, but its checkpoint was not: write it again, in case the store loses it before the checkpoint moves.
    isChanged: stored !== undefined && stored.position > checkpoint,
  }
  for (const { event, error } of touches)
    if (event.position > folding.position && !folding.broken) foldOne(projection, folding, { event, error, opened })
  if (!folding.isChanged) return []
  const { position, broken } = folding
  const document = { id, position, body: folding.body, ...(broken && { broken }) }
  if (!form || folding.body === undefined) return [document]
  return [{ ...document, body: form.toStored(folding.body), fields: form.fields(folding.body) }]
}

function foldOne(
  projection: Projection,
  folding: Folding,
  { event, error, opened }: Touch & { readonly opened: OpenedBuyers },
): void {
  const { id, body, isThere } = folding
  const isTombstone = isThere && body === undefined
  try {
    if (error !== undefined) throw error
    if (event.type === 'unreadable') throw new Error(`${event.storedType} cannot be read: ${event.reason}`)
    const buyer = projection.opens?.(event) ? opened.get(event.id) : undefined
    if (buyer instanceof Error) throw buyer
    folding.body = projection.evolve({ id, body, isTombstone, opened: buyer }, event)
    // Unchanged: not written. Tombstones are always written, so that a stale fold cannot resurrect the document.
    if (body !== undefined && folding.body === body) return
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    folding.broken = { position: event.position, reason }
  }
  folding.position = event.position
  folding.isThere = true
  folding.isChanged = true
}
