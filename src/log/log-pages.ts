import { type Position, START } from '../engines/event-store/event-store.ts'

export interface PageOptions {
  readonly after?: Position | undefined
  readonly limit?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** The log after a position, page by page. Rejects with the signal's reason. */
export async function* logPages<Event extends { readonly position: Position }>(
  read: (page: { after: Position; limit: number }) => Promise<readonly Event[]>,
  { after: from = START, limit = 1_000, signal }: PageOptions = {},
): AsyncGenerator<readonly Event[]> {
  for (let after = from; ;) {
    signal?.throwIfAborted()
    const page = await read({ after, limit })
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    if (page.length < limit) return
    after = last.position
  }
}
