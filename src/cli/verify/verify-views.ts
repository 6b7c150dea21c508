import { isDeepStrictEqual } from 'node:util'
import type { EventLog } from '../../engines/event-store/event-log.ts'
import { type Position, START } from '../../engines/event-store/event-store.ts'
import type { Projection } from '../../projections/projection.ts'
import { pageFold } from '../../projector/fold.ts'
import { openedBuyers } from '../../projector/opened-buyers.ts'
import { entryOf } from '../../projector/registry.ts'
import { temporaryViewStore } from '../../engines/view-store/sqlite-view-store.ts'
import { compareText, fieldValue, valueFields } from '../../engines/view-store/query.ts'
import type {
  Collection,
  FieldValue,
  SortKey,
  Source,
  ViewDocument,
  ViewStore,
} from '../../engines/view-store/view-store.ts'
import { remedies } from './remedies.ts'
import type { Report } from './report.ts'

const PAGE = 1_000
const EVENTS_TOGETHER = 10_000
const FRESH = 'fresh'

export interface ViewParts {
  readonly log: EventLog
  readonly store: ViewStore
  readonly shape: string
  readonly projections: readonly Projection[]
  /** How many events the log has. */
  readonly events: number
  readonly remedy: string
}

type Documents = Map<string, ViewDocument>

/** What a query finds of a document: its id, and the fields that it is found by. */
interface Row {
  readonly id: string
  readonly selected: readonly (FieldValue | undefined)[]
}

/** A fold of the log, to be compared with what is stored. */
interface Fresh {
  rows(collection: Collection): AsyncIterable<Row>
  load(collection: Collection, ids: readonly string[]): Promise<Documents>
}

/** Folds the log once more, up to where the serving set was, and compares both beside whatever keeps them up. */
export async function verifyViews(parts: ViewParts, report: Report): Promise<void> {
  const { store, shape, projections, remedy } = parts
  const { serving: set } = await entryOf(store, shape)
  const end = set === undefined ? undefined : (await store.stateOf(set))?.checkpoint
  if (set === undefined || end === undefined)
    return report.notLookedAt('views', 'not there, or being built', remedies.later)
  const temporary = temporaryViewStore()
  try {
    const fresh = await folded(temporary, parts, end, report)
    let documents = 0
    for (const collection of projections) {
      for await (const { ids, suspects } of pairs(rowsIn(store, { set, collection }), fresh.rows(collection))) {
        documents += ids.length
        const [stored, made] = [await store.load({ set, collection }, ids), await fresh.load(collection, ids)]
        for (const id of ids) {
          const what = differenceOf(stored.get(id), made.get(id), { end, isSuspect: suspects.has(id) })
          if (what !== undefined)
            report.wrong(
              'views',
              `${collection.name}, document ${id}: ${what}`,
              what.startsWith('an event') ? remedies.broken : remedy,
            )
        }
      }
      report.show(`${collection.name} compared`)
    }
    report.ended('views', `${documents} documents of ${projections.length} views, each what the log makes of it`)
  } finally {
    await temporary.close()
  }
}

/** What names people is kept in memory alone. */
async function folded(
  temporary: ViewStore,
  { log, projections, events: of }: ViewParts,
  end: Position,
  report: Report,
): Promise<Fresh> {
  const people = new Map<string, Documents>()
  const others = projections.filter(({ isPersonal }) => isPersonal !== true)
  await temporary.create(FRESH, { shape: FRESH, logId: '', beginHead: START }, others)
  let read = 0
  for (let after = START; after < end;) {
    const events: Awaited<ReturnType<EventLog['readAll']>> = []
    for (let page = events; events.length < EVENTS_TOGETHER; events.push(...page)) {
      page = (await log.readAll({ after: events.at(-1)?.position ?? after, limit: PAGE })).filter(
        ({ position }) => position <= end,
      )
      if (page.length === 0) break
    }
    if (events.length === 0) break
    const opened = await openedBuyers(log, projections, events)
    for (const { collection, folded: fold } of pageFold(projections, { after, events, opened }).parts) {
      if (collection.isPersonal !== true) continue
      const known = people.get(collection.name) ?? new Map<string, ViewDocument>()
      people.set(collection.name, known)
      for (const document of fold(known, after)) known.set(document.id, document)
    }
    await temporary.fold(FRESH, pageFold(others, { after, events, opened }))
    after = events.at(-1)?.position ?? after
    read += events.length
    report.show(`views: ${read} of ${of} events folded`)
  }
  const inMemory = ({ name }: Collection): Documents => people.get(name) ?? new Map<string, ViewDocument>()
  return {
    rows: (collection) =>
      collection.isPersonal === true
        ? rowsOf(inMemory(collection), collection)
        : rowsIn(temporary, { set: FRESH, collection }),
    load: async (collection, ids) =>
      collection.isPersonal === true ? inMemory(collection) : temporary.load({ set: FRESH, collection }, ids),
  }
}

async function* rowsIn(store: ViewStore, source: Source): AsyncGenerator<Row> {
  const select = valueFields(source.collection)
  let after: SortKey | undefined
  do {
    const { rows } = await store.find(source, { where: [], sort: { direction: 'asc' }, select }, { limit: PAGE, after })
    yield* rows
    after = rows.length < PAGE ? undefined : rows.at(-1)
  } while (after)
}

async function* rowsOf(documents: Documents, collection: Collection): AsyncGenerator<Row> {
  const living = [...documents.values()].filter(({ body }) => body !== undefined)
  for (const document of living.toSorted((a, b) => compareText(a.id, b.id)))
    yield { id: document.id, selected: valueFields(collection).map((field) => fieldValue(collection, document, field)) }
}

/** Walks both in the order of their ids; a suspect is found by other fields than it should be, or by one side alone. */
async function* pairs(
  stored: AsyncIterable<Row>,
  fresh: AsyncIterable<Row>,
): AsyncGenerator<{ ids: string[]; suspects: ReadonlySet<string> }> {
  const [left, right] = [stored[Symbol.asyncIterator](), fresh[Symbol.asyncIterator]()]
  let [one, other] = [await left.next(), await right.next()]
  let ids: string[] = []
  let suspects = new Set<string>()
  while (one.done !== true || other.done !== true) {
    const order = one.done === true ? 1 : other.done === true ? -1 : compareText(one.value.id, other.value.id)
    const { id, selected } = (order <= 0 ? one.value : other.value) as Row
    ids.push(id)
    if (order !== 0 || !isDeepStrictEqual(selected, (other.value as Row).selected)) suspects.add(id)
    if (order <= 0) one = await left.next()
    if (order >= 0) other = await right.next()
    if (ids.length < PAGE) continue
    yield { ids, suspects }
    ;[ids, suspects] = [[], new Set()]
  }
  if (ids.length > 0) yield { ids, suspects }
}

function differenceOf(
  stored: ViewDocument | undefined,
  fresh: ViewDocument | undefined,
  { end, isSuspect }: { end: Position; isSuspect: boolean },
): string | undefined {
  // It has changed since.
  if (stored && stored.position > end) return undefined
  if (!fresh) return 'no event of the log makes it'
  if (!stored) return 'it is missing'
  if (stored.broken && fresh.broken) return `an event breaks it: ${fresh.broken.reason}`
  const isSame =
    isDeepStrictEqual(stored.body, plain(fresh.body)) && stored.position === fresh.position && !stored.broken
  if (!isSame) return 'it is not what the log makes of it'
  return isSuspect ? 'it is found by what it does not hold' : undefined
}

/** What is stored is JSON, and JSON knows no undefined. */
function plain(body: unknown): unknown {
  return body === undefined ? undefined : JSON.parse(JSON.stringify(body))
}
