import { setImmediate as othersTurn } from 'node:timers/promises'
import type { Position } from '../event-store/event-store.ts'
import { TryAgain } from '../ports/try-again.ts'
import type { Collection, FoundRow, Place, Question, ViewStore } from '../view-store/view-store.ts'

/** The view is being built, or has not yet seen what the caller has. */
export class ViewBehind extends TryAgain {
  override readonly name = 'ViewBehind'
  readonly code = 'view-behind'
  readonly retryAfterSeconds: number
  constructor(view: string, retryAfterSeconds = 1) {
    super(`The view '${view}' is being brought up to date.`)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The views as their readers meet them, in whatever process these are. */
export interface Views {
  readonly store: ViewStore
  /** Where this view's documents are. Throws `ViewBehind` until its first build has reached the end that the log had when it began. */
  collection(name: string): Promise<Collection>
  /** Whether a view's documents are still there, asked of the store itself: views may be wiped at any moment, and then nothing is found. */
  isStanding(collection: Collection): Promise<boolean>
  /** True as soon as all views, or those of these names, have seen `position`; false when `timeoutMs` passed before. */
  waitFor(position: Position, timeoutMs: number, names?: readonly string[]): Promise<boolean>
}

/** Few enough that other work of this thread does not wait for long. */
const PAGE = 1_000
/** More than this of one kind is left for the next time. */
const FOUND_MAX = 200_000

/** Every document that answers the question, one page after another. */
export async function* all(
  { store }: Pick<Views, 'store'>,
  collection: Collection,
  question: Question,
): AsyncGenerator<FoundRow> {
  let after: Place | undefined
  for (let found = 0; found < FOUND_MAX; found += PAGE) {
    const { rows } = await store.find(collection, question, { limit: PAGE, after })
    yield* rows
    after = rows.at(-1)
    if (rows.length < PAGE) return
    await othersTurn()
  }
}

/** The bodies of what was found, in its order; what was taken away since is left out. */
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
