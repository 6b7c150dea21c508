import { type Position, START } from './event-store.ts'

const PAGE = 1_000

/** What follows a position of the log, in pages of at most 1,000 events, until there is no more. Rejects with the signal's reason. */
export async function* logPages<Event extends { readonly position: Position }>(
  read: (page: { after: Position; limit: number }) => Promise<readonly Event[]>,
  { after: from = START, signal }: { after?: Position | undefined; signal?: AbortSignal | undefined } = {},
): AsyncGenerator<readonly Event[]> {
  for (let after = from; ;) {
    signal?.throwIfAborted()
    const page = await read({ after, limit: PAGE })
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    if (page.length < PAGE) return
    after = last.position
  }
}
