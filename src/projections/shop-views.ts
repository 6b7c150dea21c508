import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Position } from '../engines/event-store/event-store.ts'
import { TryAgain } from '../ports/try-again.ts'
import type { BrokenDocument, FoundRow, Query, SortKey, ViewDocument } from '../engines/view-store/view-store.ts'

/** The view is being built, or is behind the caller's position. */
export class ViewBehind extends TryAgain {
  override readonly name = 'ViewBehind'
  readonly code = 'view-behind'
  constructor(view: string) {
    super(`The view '${view}' is being brought up to date.`)
  }
}

/** Read access to the views, in any process. All reads throw `ViewBehind` while no set serves, or only one that is behind an earlier read. */
export interface Views {
  load(view: string, ids: readonly string[]): Promise<Map<string, ViewDocument>>
  find(view: string, query: Query, page: { limit: number; after?: SortKey | undefined }): Promise<FoundRow[]>
  count(view: string, query: Query, limit: number): Promise<number>
  /** Documents that an event has broken, at most 1,000. */
  broken(view: string): Promise<readonly BrokenDocument[]>
  /** The position of all views; undefined while no set serves. */
  position(): Promise<Position | undefined>
  /** True as soon as the views have reached `position`; false after `timeoutMs`. */
  waitFor(position: Position, timeoutMs: number): Promise<boolean>
}

/** Page sizes of rows, and of bodies: small enough not to block this thread for long. */
const ROWS = 1_000
const BODIES = 100
/** The next sweep finds the rest. */
const FOUND_MAX = 200_000

/** Every document that matches the query, read page by page. */
export async function* all(views: Pick<Views, 'find'>, view: string, query: Query): AsyncGenerator<FoundRow> {
  for await (const rows of pagesOf(views, view, query)) yield* rows
}

/** The bodies of all documents that match the query, loaded page by page. */
export async function* allBodies<Body>(
  views: Pick<Views, 'find' | 'load'>,
  view: string,
  query: Query,
): AsyncGenerator<Body> {
  for await (const rows of pagesOf(views, view, query, BODIES)) yield* await bodiesOf<Body>(views, view, rows)
}

/** Like `all`, but yields pages. */
export async function* pagesOf(
  views: Pick<Views, 'find'>,
  view: string,
  query: Query,
  size = ROWS,
): AsyncGenerator<readonly FoundRow[]> {
  let after: SortKey | undefined
  for (let found = 0; found < FOUND_MAX; found += size) {
    const rows = await views.find(view, query, { limit: size, after })
    yield rows
    after = rows.at(-1)
    if (rows.length < size) return
    await yieldToEventLoop()
  }
}

/** The bodies of the found documents, in order, without those deleted since. */
export async function bodiesOf<Body>(
  views: Pick<Views, 'load'>,
  view: string,
  rows: readonly { readonly id: string }[],
): Promise<Body[]> {
  const documents = await views.load(
    view,
    rows.map(({ id }) => id),
  )
  return rows.flatMap(({ id }) => {
    const body = documents.get(id)?.body
    return body === undefined ? [] : [body as Body]
  })
}
