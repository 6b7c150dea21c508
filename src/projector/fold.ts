import type { Buyer } from '../engines/event-store/event-log.ts'
import { lastPosition } from '../engines/event-store/event-log.ts'
import { type Position, START } from '../engines/event-store/event-store.ts'
import type { LogEvent, Projection } from '../projections/projection.ts'
import type { PageFold, ViewDocument } from '../engines/view-store/view-store.ts'

/** The buyers by event id; an error for one whose data cannot be opened. */
export type OpenedBuyers = ReadonlyMap<string, Buyer | Error>

interface Touch {
  readonly event: LogEvent
  /** Why its keys cannot be told. */
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
 * A page of the log (one event at least) as it is folded into the documents of these projections. Each document takes only what lies above its own position, so
 * that a repeat, a race or a crash at any point changes nothing.
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
      folded: (loaded: ReadonlyMap<string, ViewDocument>, checkpoint: Position) =>
        [...touches].flatMap(([id, own]) =>
          folded(projection, { id, stored: loaded.get(id), touches: own, checkpoint, opened }),
        ),
    }
  })
  return { after, to: lastPosition(events), parts: parts.filter(({ ids }) => ids.length > 0) }
}

/** What touches each document, in the order of the log. Where the keys of an event cannot be told, it breaks a document of the projection's own name. */
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

/** The document, where it is to be written. */
function folded(projection: Projection, { id, stored, touches, checkpoint, opened }: Given): ViewDocument[] {
  const { form } = projection
  const body = stored?.body
  const folding: Folding = {
    id,
    body: body !== undefined && form ? form.folded(body) : body,
    position: stored?.position ?? START,
    isThere: stored !== undefined,
    broken: stored?.broken,
    // Written before its checkpoint: written once more, in case the store loses it before the checkpoint is moved.
    isChanged: stored !== undefined && stored.position > checkpoint,
  }
  for (const { event, error } of touches)
    if (event.position > folding.position && !folding.broken) foldOne(projection, folding, { event, error, opened })
  if (!folding.isChanged) return []
  const { position, broken } = folding
  const document = { id, position, body: folding.body, ...(broken && { broken }) }
  if (!form || folding.body === undefined) return [document]
  return [{ ...document, body: form.stored(folding.body), fields: form.fields(folding.body) }]
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
    // Nothing changed, so it need not be written. Tombstones always are, so that a stale fold cannot resurrect the document.
    if (body !== undefined && folding.body === body) return
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    folding.broken = { position: event.position, reason }
  }
  folding.position = event.position
  folding.isThere = true
  folding.isChanged = true
}
