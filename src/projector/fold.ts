import type { Buyer } from '../event-store/event-log.ts'
import { type Position, START } from '../event-store/event-store.ts'
import type { Count, LogEvent, Projection } from '../projections/projection.ts'
import type { Collection, ViewDocument, ViewStore, Write } from '../view-store/view-store.ts'

/** Within every store's LOAD_MAX. */
const LOADED_AT_ONCE = 5_000

/** The buyers by event id; an error for one whose data cannot be opened. */
export type Opened = ReadonlyMap<string, Buyer | Error>

interface Folding {
  readonly id: string
  /** Its position in the store. */
  readonly over: Position | undefined
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

/** Pages of the log as they are folded into a collection. */
export interface Fold {
  /** In the order of the log. */
  add(page: { readonly events: readonly LogEvent[]; readonly opened: Opened }): Promise<void>
  /** How many documents are to be written. */
  changed(): number
  /** Call once, after the last page. */
  writes(mark: NonNullable<Write['mark']>): Promise<readonly Write[]>
}

/**
 * Folds pages of the log into a collection. Each document takes only what lies above its own position and is written only over the one that was loaded, so
 * that a repeat, a race or a crash at any point changes nothing.
 */
export function foldInto(
  { projection, collection }: { projection: Projection; collection: Collection },
  store: Pick<ViewStore, 'load'>,
): Fold {
  const { counter } = projection
  const foldings = new Map<string, Folding>()
  const transitions: Transition[] = []
  let changed = 0
  let isCounting = false

  async function load(ids: readonly string[]): Promise<void> {
    for (let from = 0; from < ids.length; from += LOADED_AT_ONCE) {
      const some = ids.slice(from, from + LOADED_AT_ONCE)
      const loaded = await store.load(collection, some)
      for (const id of some) foldings.set(id, standing(projection, id, loaded.get(id)))
    }
    isCounting ||= counter !== undefined && ids.some((id) => counter.watches(id))
  }

  function fold(folding: Folding, event: LogEvent, opened: Opened): void {
    const { body: before, isChanged: wasChanged } = folding
    // Written before its checkpoint: written once more, in case the store loses it before the checkpoint is moved.
    if (event.position <= folding.position) folding.isChanged = true
    else if (!folding.broken) foldOne(projection, folding, { event, opened })
    if (folding.isChanged && !wasChanged) changed += 1
    if (!counter?.watches(folding.id)) return
    const counts = (body: unknown): number => (body !== undefined && counter.counts(body) ? 1 : 0)
    const difference = counts(folding.body) - counts(before)
    if (difference !== 0) transitions.push({ position: event.position, difference })
  }

  return {
    async add({ events, opened }) {
      const touched = events.map((event) => ({ event, ids: projection.keys(event) }))
      const missing = new Set(touched.flatMap(({ ids }) => ids).filter((id) => !foldings.has(id)))
      await load([...missing])
      for (const { event, ids } of touched)
        for (const id of ids) {
          const folding = foldings.get(id)
          if (folding) fold(folding, event, opened)
        }
    },

    changed: () => changed,

    async writes(mark) {
      const documents = [...foldings.values()]
        .filter(({ isChanged }) => isChanged)
        .map((folding) => storedDocument(projection, folding))
      if (!counter || !isCounting) return [{ collection, documents, mark }]
      // Read after the counted documents and written before them, so that it is never behind any of them.
      const counted = (await store.load(collection, [counter.id])).get(counter.id)
      const count = countedOn(counter.id, counted, transitions)
      return [...(count ? [{ collection, documents: [count] }] : []), { collection, documents, mark }]
    },
  }
}

function standing({ form }: Projection, id: string, stored: ViewDocument | undefined): Folding {
  const body = stored?.body
  return {
    id,
    body: body !== undefined && form ? form.folded(body) : body,
    over: stored?.position,
    position: stored?.position ?? START,
    isThere: stored !== undefined,
    broken: stored?.broken,
    isChanged: false,
  }
}

function storedDocument({ form }: Projection, { id, body, position, over, broken }: Folding): ViewDocument {
  const document = { id, position, over, body, ...(broken && { broken }) }
  if (!form || body === undefined) return document
  return { ...document, body: form.stored(body), fields: form.fields(body) }
}

function foldOne(
  projection: Projection,
  folding: Folding,
  { event, opened }: { event: LogEvent; opened: Opened },
): void {
  const { id, body, isThere } = folding
  const isTombstone = isThere && body === undefined
  try {
    if (event.type === 'unreadable') throw new Error(`${event.storedType} cannot be read: ${event.reason}`)
    const buyer = projection.opens?.(event) ? opened.get(event.id) : undefined
    if (buyer instanceof Error) throw buyer
    folding.body = projection.evolve({ id, body, isTombstone, opened: buyer }, event)
    // Nothing changed, so it need not be written. Tombstones always are, so that a stale fold cannot resurrect the document.
    if (body !== undefined && folding.body === body) return
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    folding.broken = { position: event.position, reason }
  }
  folding.position = event.position
  folding.isThere = true
  folding.isChanged = true
}

/** Undefined if the count does not change. */
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
  return position > from ? { id, position, over: stored?.position, body: { count } } : undefined
}
