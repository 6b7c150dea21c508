import type { Personal } from '../event-store/event-log.ts'
import { type Position, START } from '../event-store/event-store.ts'
import type { Collection, ViewDocument, ViewStore } from '../view-store/view-store.ts'
import type { RecentDocuments } from './recent-documents.ts'
import type { Count, LogEvent, Projection } from './projection.ts'

/** Every store takes as many. */
const LOADED_AT_ONCE = 5_000
/** A server that is slow needs its time for each of them. */
const WRITTEN_AT_ONCE = 1_000

/** Who the buyers are, by event id; an error where one's data cannot be opened by anybody. */
export type Opened = ReadonlyMap<string, Personal | 'erased' | Error>

interface Folding {
  readonly id: string
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
  /** Once, in the end. Answers what it wrote, but for the count, which is read anew each time. */
  write(): Promise<readonly ViewDocument[]>
}

/**
 * Folds pages of the log into a collection. Each document takes only what lies above its own position and is written only over a lower one, so that a
 * repeat, a race or a crash at any point changes nothing.
 */
export function foldInto(
  target: { projection: Projection; collection: Collection; recent: Pick<RecentDocuments, 'split'> },
  store: Pick<ViewStore, 'load' | 'write'>,
): Fold {
  const { projection, collection, recent } = target
  const { counter } = projection
  const foldings = new Map<string, Folding>()
  const transitions: Transition[] = []
  let changed = 0
  let isCounting = false

  async function stand(ids: readonly string[]): Promise<void> {
    const { kept, others } = recent.split(ids)
    const loaded = await loadedAll(store, collection, others)
    for (const id of ids) {
      foldings.set(id, standing(id, kept.get(id) ?? asFolded(projection, loaded.get(id))))
      isCounting ||= counter?.watches(id) === true
    }
  }

  function fold(folding: Folding, event: LogEvent, opened: Opened): void {
    if (folding.broken || event.position <= folding.position) return
    const { body: before, isChanged: wasChanged } = folding
    foldOne(projection, folding, { event, opened })
    if (folding.isChanged && !wasChanged) changed += 1
    if (!counter?.watches(folding.id)) return
    const counts = (body: unknown): number => (body !== undefined && counter.counts(body) ? 1 : 0)
    const difference = counts(folding.body) - counts(before)
    if (difference !== 0) transitions.push({ position: event.position, difference })
  }

  return {
    async add({ events, opened }) {
      const touching: { readonly event: LogEvent; readonly ids: readonly string[] }[] = []
      const missing = new Set<string>()
      for (const event of events) {
        const ids = projection.keys(event)
        if (ids.length > 0) touching.push({ event, ids })
        for (const id of ids) if (!foldings.has(id)) missing.add(id)
      }
      if (missing.size > 0) await stand([...missing])
      for (const { event, ids } of touching)
        for (const id of ids) {
          const folding = foldings.get(id)
          if (folding) fold(folding, event, opened)
        }
    },

    changed: () => changed,

    async write() {
      // Read after the documents that it counts and written before them: only so has it always folded as much as each of them.
      const counted = counter && isCounting ? (await store.load(collection, [counter.id])).get(counter.id) : undefined
      const count = counter && countedOn(counter.id, counted, transitions)
      const documents: ViewDocument[] = []
      for (const { id, body, position, broken, isChanged } of foldings.values())
        if (isChanged) documents.push(broken ? { id, position, body, broken } : { id, position, body })
      if (count) await store.write(collection, [count])
      for (let from = 0; from < documents.length; from += WRITTEN_AT_ONCE)
        await store.write(collection, asStored(projection, documents.slice(from, from + WRITTEN_AT_ONCE)))
      return documents
    },
  }
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

function asFolded({ form }: Projection, document: ViewDocument | undefined): ViewDocument | undefined {
  if (!form || document?.body === undefined) return document
  return { ...document, body: form.folded(document.body) }
}

function asStored({ form }: Projection, documents: readonly ViewDocument[]): readonly ViewDocument[] {
  if (!form) return documents
  return documents.map((document) => {
    const { body } = document
    return body === undefined ? document : { ...document, body: form.stored(body), fields: form.fields(body) }
  })
}

function standing(id: string, stored: ViewDocument | undefined): Folding {
  return {
    id,
    body: stored?.body,
    position: stored?.position ?? START,
    isThere: stored !== undefined,
    broken: stored?.broken,
    isChanged: false,
  }
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
    // Whoever folds it once more changes nothing either, so it need not be written. What is gone must stand above all that others have read before.
    if (body !== undefined && folding.body === body) return
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    folding.broken = { position: event.position, reason }
  }
  folding.position = event.position
  folding.isThere = true
  folding.isChanged = true
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
