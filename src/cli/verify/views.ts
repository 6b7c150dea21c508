import { isDeepStrictEqual } from 'node:util'
import { crc32 } from 'node:zlib'
import type { EventLog } from '../../event-store/event-log.ts'
import { type Position, START } from '../../event-store/event-store.ts'
import { currentBuild, checkpointOf, isReady } from '../../projector/builds.ts'
import { foldInto } from '../../projector/fold.ts'
import { openedBuyers } from '../../projector/opened-buyers.ts'
import type { Count, Projection } from '../../projections/projection.ts'
import { all } from '../../projections/views.ts'
import { fieldValue, valueFields } from '../../view-store/query.ts'
import type { Collection, ViewDocument, ViewStore } from '../../view-store/view-store.ts'
import { remedies } from './remedies.ts'
import type { Report } from './report.ts'

const PAGE = 1_000
const LOADED_AT_ONCE = 1_000
/** So many events are folded at once, into the documents of one share of all ids: what they need fits into memory. */
const EVENTS_PER_SHARE = 200_000

export interface ViewParts {
  readonly log: EventLog
  readonly store: ViewStore
  readonly projections: readonly Projection[]
  /** How many events the log has. */
  readonly events: number
  readonly remedy: string
}

interface View {
  readonly projection: Projection
  readonly collection: Collection
  /** How far it had come when the verification began: what has changed since is left out. */
  readonly end: Position
}

/** Folds the log once more, in memory, and compares it with the views beside whatever keeps them up. */
export async function verifyViews(
  { log, store, projections, events, remedy }: ViewParts,
  report: Report,
): Promise<void> {
  const views: View[] = []
  for (const projection of projections) {
    const { collection } = await currentBuild(store, projection)
    if (!(await isReady(store, collection))) {
      report.notLookedAt(`view ${projection.name}`, 'not there, or being built', remedies.later)
      continue
    }
    await store.open(collection)
    views.push({ projection, collection, end: await checkpointOf(store, collection) })
  }
  const shares = Math.ceil(events / EVENTS_PER_SHARE)
  const counts = new Map<View, ViewDocument<Count>>()
  let documents = 0
  for (let share = 0; share < shares; share += 1) {
    const isOfShare = (id: string): boolean => crc32(id) % shares === share
    for (const [view, fresh] of await folded(
      { log, views, isOfShare, from: share * events, of: shares * events },
      report,
    )) {
      const { projection, collection } = view
      const counter = projection.counter?.id
      const count = counter === undefined ? undefined : fresh.get(counter)
      if (counter !== undefined && count) {
        counts.set(view, summed(counts.get(view), count as ViewDocument<Count>))
        fresh.delete(counter)
      }
      documents += fresh.size
      const own = (id: string): boolean => id !== counter && isOfShare(id)
      for (const [id, what] of await differences(store, view, fresh, own))
        report.wrong(
          'views',
          `${projection.name}, document ${id}: ${what}`,
          what.startsWith('an event') ? remedies.broken : remedy,
        )
      report.show(`${collection.name} compared`)
    }
  }
  for (const [view, count] of counts)
    for (const [id, what] of await differences(store, view, new Map([[count.id, count]]), (id) => id === count.id))
      report.wrong('views', `${view.projection.name}, document ${id}: ${what}`, remedy)
  report.ended('views', `${documents} documents of ${views.length} views, each what the log makes of it`)
}

type Documents = Map<string, ViewDocument>

/** The documents of one share of the ids, as the log makes them. */
async function folded(
  {
    log,
    views,
    isOfShare,
    from,
    of,
  }: { log: EventLog; views: readonly View[]; isOfShare: (id: string) => boolean; from: number; of: number },
  report: Report,
): Promise<Map<View, Documents>> {
  const folds = views.map((view) => {
    const { projection } = view
    const keys: Projection['keys'] = (event) => projection.keys(event).filter(isOfShare)
    const part = { ...projection, keys }
    return {
      view,
      part,
      fold: foldInto({ projection: part, collection: view.collection }, { load: async () => new Map() }),
    }
  })
  let read = from
  for (let after = START; ;) {
    const page = await log.readAll({ after, limit: PAGE })
    for (const { view, part, fold } of folds) {
      const events = page.filter((event) => event.position <= view.end && part.keys(event).length > 0)
      await fold.add({ events, opened: await openedBuyers(log, part, events) })
    }
    read += page.length
    report.show(`views: ${read} of ${of} events folded`)
    after = page.at(-1)?.position ?? after
    if (page.length < PAGE) break
  }
  const results = new Map<View, Documents>()
  for (const { view, fold } of folds) {
    const writes = await fold.writes({ name: 'verified', from: undefined, value: view.end })
    results.set(view, new Map(writes.flatMap(({ documents }) => documents.map((document) => [document.id, document]))))
  }
  return results
}

function summed(
  sum: ViewDocument<Count> | undefined,
  { id, position, body }: ViewDocument<Count>,
): ViewDocument<Count> {
  return {
    id,
    position: sum && sum.position > position ? sum.position : position,
    body: { count: (sum?.body?.count ?? 0) + (body?.count ?? 0) },
  }
}

/** What differs, by id, between the documents as folded and as stored. */
async function differences(
  store: ViewStore,
  { collection, end }: View,
  fresh: Documents,
  isOwn: (id: string) => boolean,
): Promise<Map<string, string>> {
  const fields = valueFields(collection)
  const suspects = new Set<string>()
  const wrong = new Map<string, string>()
  for await (const { id, selected } of all({ store }, collection, {
    where: [],
    sort: { direction: 'asc' },
    select: fields,
  })) {
    if (!isOwn(id)) continue
    const document = fresh.get(id)
    if (
      document?.body === undefined ||
      fields.some((field, at) => fieldValue(collection, document, field) !== selected[at])
    )
      suspects.add(id)
  }
  for (const ids of pagesOf([...fresh.keys(), ...suspects])) {
    const loaded = await store.load(collection, ids)
    for (const id of ids) {
      const what =
        differenceOf(loaded.get(id), fresh.get(id), end) ??
        (suspects.has(id) ? foundBy(loaded.get(id), end) : undefined)
      if (what !== undefined) wrong.set(id, what)
    }
  }
  return wrong
}

function differenceOf(
  stored: ViewDocument | undefined,
  fresh: ViewDocument | undefined,
  end: Position,
): string | undefined {
  if (stored && stored.position > end) return undefined
  if (!fresh) return stored && 'no event of the log makes it'
  if (!stored) return 'it is missing'
  if (stored.broken && fresh.broken) return `an event breaks it: ${fresh.broken.reason}`
  const isSame =
    isDeepStrictEqual(stored.body, plain(fresh.body)) && stored.position === fresh.position && !stored.broken
  return isSame ? undefined : 'it is not what the log makes of it'
}

function foundBy(stored: ViewDocument | undefined, end: Position): string | undefined {
  return stored && stored.position <= end ? 'it is found by what it does not hold' : undefined
}

function* pagesOf(ids: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < ids.length; from += LOADED_AT_ONCE) yield ids.slice(from, from + LOADED_AT_ONCE)
}

/** What is stored is JSON, and JSON knows no undefined. */
function plain(body: unknown): unknown {
  return body === undefined ? undefined : JSON.parse(JSON.stringify(body))
}
