import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Position } from '../event-store/event-store.ts'
import { TryAgain } from '../ports/try-again.ts'
import type { Collection, FoundRow, SortKey, Query, ViewStore } from '../view-store/view-store.ts'

/** The view is being built, or is behind the caller's position. */
export class ViewBehind extends TryAgain {
  override readonly name = 'ViewBehind'
  readonly code = 'view-behind'
  readonly retryAfterSeconds: number
  constructor(view: string, retryAfterSeconds = 1) {
    super(`The view '${view}' is being brought up to date.`)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The readers' access to the views, in any process. */
export interface Views {
  readonly store: Pick<ViewStore, 'load' | 'find' | 'count' | 'countBroken'>
  /** The collection of this view. Throws `ViewBehind` until its first build has reached the log's end as of its beginning. */
  collection(name: string): Promise<Collection>
  /** Whether the view's documents still exist in the store: views may be wiped at any moment, and then queries find nothing. */
  isStanding(collection: Collection): Promise<boolean>
  /** True as soon as all views, or those of these names, have seen `position`; false when `timeoutMs` passed before. */
  waitFor(position: Position, timeoutMs: number, names?: readonly string[]): Promise<boolean>
}

/** With the store that they lie in. */
export interface StoredViews extends Views {
  readonly store: ViewStore
}

/** Small enough not to block this thread for long: of rows, and of documents with their bodies. */
const ROWS = 1_000
const BODIES = 100
/** More than this of one kind is left for the next sweep. */
const FOUND_MAX = 200_000

/** Every document that answers the query, one page after another. */
export async function* all(
  views: Pick<Views, 'store'>,
  collection: Collection,
  query: Query,
): AsyncGenerator<FoundRow> {
  for await (const rows of pagesOf(views, collection, query)) yield* rows
}

/** The bodies of every document that answers the query, loaded page by page. */
export async function* allBodies<Body>(
  views: Pick<Views, 'store'>,
  collection: Collection,
  query: Query,
): AsyncGenerator<Body> {
  for await (const rows of pagesOf(views, collection, query, BODIES))
    yield* await bodiesOf<Body>(views, collection, rows)
}

/** The same, page by page. */
export async function* pagesOf(
  { store }: Pick<Views, 'store'>,
  collection: Collection,
  query: Query,
  size = ROWS,
): AsyncGenerator<readonly FoundRow[]> {
  let after: SortKey | undefined
  for (let found = 0; found < FOUND_MAX; found += size) {
    const { rows } = await store.find(collection, query, { limit: size, after })
    yield rows
    after = rows.at(-1)
    if (rows.length < size) return
    await yieldToEventLoop()
  }
}

/** The bodies of the found documents, in order; those deleted since are left out. */
export async function bodiesOf<Body>(
  { store }: Pick<Views, 'store'>,
  collection: Collection,
  rows: readonly { readonly id: string }[],
): Promise<Body[]> {
  const documents = await store.load(
    collection,
    rows.map(({ id }) => id),
  )
  return rows.flatMap(({ id }) => {
    const body = documents.get(id)?.body
    return body === undefined ? [] : [body as Body]
  })
}
