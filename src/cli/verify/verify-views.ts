import { isDeepStrictEqual } from 'node:util'
import type { EventLog } from '../../log/event-log.ts'
import { type Position, START } from '../../engines/event-store/event-store.ts'
import { logPages } from '../../log/log-pages.ts'
import type { Projection } from '../../projections/projection.ts'
import { pageFold } from '../../projector/fold.ts'
import { openedBuyers } from '../../projector/opened-buyers.ts'
import { entryOf } from '../../projector/registry.ts'
import { temporaryViewStore } from '../../engines/view-store/sqlite-view-store.ts'
import { compareText, valueFields } from '../../engines/view-store/query.ts'
import type { FieldValue, SortKey, Source, ViewDocument, ViewStore } from '../../engines/view-store/view-store.ts'
import { remedies } from './remedies.ts'
import type { Report } from './report.ts'

const PAGE = 1_000
const EVENTS_TOGETHER = 10_000
const FRESH = 'fresh'

interface ViewParts {
  readonly log: EventLog
  readonly store: ViewStore
  readonly shape: string
  readonly projections: readonly Projection[]
  /** How many events the log has. */
  readonly events: number
  readonly remedy: string
}

/** A document as queries find it: its id, and the fields that they select by. */
interface Row {
  readonly id: string
  readonly selected: readonly (FieldValue | undefined)[]
}

/** Folds the log again up to the serving set's checkpoint, and compares both, also while the shop runs. */
export async function verifyViews(parts: ViewParts, report: Report): Promise<void> {
  const { store, shape, projections, remedy } = parts
  const { serving: set } = await entryOf(store, shape)
  const end = set === undefined ? undefined : (await store.stateOf(set))?.checkpoint
  if (set === undefined || end === undefined)
    return report.notChecked('views', 'not there, or being built', remedies.later)
  const temporary = temporaryViewStore()
  try {
    await foldInto(temporary, parts, end, report)
    let documents = 0
    for (const collection of projections) {
      const [ofShop, ofFold] = [
        { set, collection },
        { set: FRESH, collection },
      ]
      for await (const { ids, suspects } of pairs(rowsIn(store, ofShop), rowsIn(temporary, ofFold))) {
        documents += ids.length
        const [stored, made] = [await store.load(ofShop, ids), await temporary.load(ofFold, ids)]
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

async function foldInto(
  temporary: ViewStore,
  { log, projections, events: of }: ViewParts,
  end: Position,
  report: Report,
): Promise<void> {
  await temporary.create(FRESH, { shape: FRESH, logId: '', beginHead: START }, projections)
  let [after, read] = [START, 0]
  for await (const page of logPages((asked) => log.readAll(asked), { limit: EVENTS_TOGETHER })) {
    const events = page.filter(({ position }) => position <= end)
    if (events.length === 0) break
    const opened = await openedBuyers(log, projections, events)
    await temporary.fold(FRESH, pageFold(projections, { after, events, opened }))
    after = events.at(-1)?.position ?? after
    read += events.length
    report.show(`views: ${read} of ${of} events folded`)
  }
}

async function* rowsIn(store: ViewStore, source: Source): AsyncGenerator<Row> {
  const select = valueFields(source.collection)
  let after: SortKey | undefined
  do {
    const rows = await store.find(source, { select }, { limit: PAGE, after })
    yield* rows
    after = rows.length < PAGE ? undefined : rows.at(-1)
  } while (after)
}

/** Walks both in the order of their ids; a suspect has other fields for queries, or is on one side only. */
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
  // The running shop has changed the document since.
  if (stored && stored.position > end) return undefined
  if (!fresh) return 'no event of the log makes it'
  if (!stored) return 'it is missing'
  if (stored.broken && fresh.broken) return `an event breaks it: ${fresh.broken.reason}`
  const isSame = isDeepStrictEqual(stored.body, fresh.body) && stored.position === fresh.position && !stored.broken
  if (!isSame) return 'it is not what the log makes of it'
  return isSuspect ? 'queries find it by values that it does not have' : undefined
}
