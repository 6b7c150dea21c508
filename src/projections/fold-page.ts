import type { Personal } from '../event-store/event-log.ts'
import { type Position, START } from '../event-store/event-store.ts'
import type { Collection, ViewDocument, ViewStore } from '../view-store/view-store.ts'
import type { RecentDocuments } from './recent-documents.ts'
import type { Count, Counter, LogEvent, Projection } from './projection.ts'

/** Every store takes as many. */
const LOADED_AT_ONCE = 5_000

/** Who the buyers are, by event id; an error where one's data cannot be opened by anybody. */
export type Opened = ReadonlyMap<string, Personal | 'erased' | Error>

interface Folding {
  body: unknown
  position: Position
  isThere: boolean
  broken: ViewDocument['broken']
  isChanged: boolean
}

interface Transition {
  readonly position: Position
  readonly difference: number
}

/**
 * Folds a page of the log into a collection. Each document takes only what lies above its own position and is written only over a lower one, so that a
 * repeat, a race or a crash at any point changes nothing. Answers what it wrote, but for the count, which is read anew each time.
 */
export async function foldPage(
  page: {
    projection: Projection
    collection: Collection
    events: readonly LogEvent[]
    opened: Opened
    recent: Pick<RecentDocuments, 'split'>
  },
  store: Pick<ViewStore, 'load' | 'write'>,
): Promise<readonly ViewDocument[]> {
  const { projection, collection, events, opened, recent } = page
  const { counter } = projection
  const touches = touchedBy(projection, events)
  if (touches.size === 0) return []
  const ids = [...touches.keys()]
  const { kept, others } = recent.split(ids)
  const loaded = await loadedAll(store, collection, others)
  // Read after the documents that it counts and written before them: only so has it always folded as much as each of them.
  const isCounting = counter !== undefined && ids.some((id) => counter.watches(id))
  const counted = isCounting ? (await store.load(collection, [counter.id])).get(counter.id) : undefined

  const changed: ViewDocument[] = []
  const transitions: Transition[] = []
  for (const [id, itsEvents] of touches) {
    const watched = counter?.watches(id) ? { counter, transitions } : undefined
    const folding = folded(
      { projection, id, stored: kept.get(id) ?? loaded.get(id), events: itsEvents, opened },
      watched,
    )
    if (!folding.isChanged) continue
    const { body, position, broken } = folding
    changed.push(broken ? { id, position, body, broken } : { id, position, body })
  }
  const count = isCounting ? countedOn(counter.id, counted, transitions) : undefined
  if (count) await store.write(collection, [count])
  if (changed.length > 0) await store.write(collection, changed)
  return changed
}

async function loadedAll(
  store: Pick<ViewStore, 'load'>,
  collection: Collection,
  ids: readonly string[],
): Promise<Map<string, ViewDocument>> {
  const loaded = new Map<string, ViewDocument>()
  for (let from = 0; from < ids.length; from += LOADED_AT_ONCE)
    for (const [id, document] of await store.load(collection, ids.slice(from, from + LOADED_AT_ONCE)))
      loaded.set(id, document)
  return loaded
}

function touchedBy(projection: Projection, events: readonly LogEvent[]): Map<string, LogEvent[]> {
  const touches = new Map<string, LogEvent[]>()
  for (const event of events)
    for (const id of projection.keys(event)) {
      const known = touches.get(id)
      if (!known) touches.set(id, [event])
      // An event may name a document twice.
      else if (known.at(-1) !== event) known.push(event)
    }
  return touches
}

function folded(
  document: {
    projection: Projection
    id: string
    stored: ViewDocument | undefined
    events: readonly LogEvent[]
    opened: Opened
  },
  watched: { counter: Counter; transitions: Transition[] } | undefined,
): Folding {
  const { projection, id, stored, events, opened } = document
  const folding: Folding = {
    body: stored?.body,
    position: stored?.position ?? START,
    isThere: stored !== undefined,
    broken: stored?.broken,
    isChanged: false,
  }
  for (const event of events) {
    if (folding.broken) return folding
    if (event.position <= folding.position) continue
    const before = folding.body
    foldOne({ projection, id, opened }, folding, event)
    if (!watched) continue
    const { counter, transitions } = watched
    const counts = (body: unknown): number => (body !== undefined && counter.counts(body) ? 1 : 0)
    const difference = counts(folding.body) - counts(before)
    if (difference !== 0) transitions.push({ position: event.position, difference })
  }
  return folding
}

function foldOne(
  document: { projection: Projection; id: string; opened: Opened },
  folding: Folding,
  event: LogEvent,
): void {
  const { projection, id, opened } = document
  const isTombstone = folding.isThere && folding.body === undefined
  folding.position = event.position
  folding.isThere = true
  folding.isChanged = true
  try {
    if (event.type === 'unreadable') throw new Error(`${event.storedType} cannot be read: ${event.reason}`)
    const buyer = projection.opens?.(event) ? opened.get(event.id) : undefined
    if (buyer instanceof Error) throw buyer
    folding.body = projection.evolve({ id, body: folding.body, isTombstone, opened: buyer }, event)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    folding.broken = { position: event.position, reason }
  }
}

/** Undefined where the count stays as it is. */
function countedOn(
  id: string,
  stored: ViewDocument | undefined,
  transitions: readonly Transition[],
): ViewDocument<Count> | undefined {
  const from = stored?.position ?? START
  let position = from
  let { count } = (stored?.body as Count | undefined) ?? { count: 0 }
  for (const transition of transitions) {
    if (transition.position <= from) continue
    count += transition.difference
    if (transition.position > position) position = transition.position
  }
  return position > from ? { id, position, body: { count } } : undefined
}
