import { closest } from 'fastest-levenshtein'
import { eventFormats } from '../../domain/events.ts'
import { isStreamOrKind, streamKinds } from '../../domain/stream-names.ts'
import type { EventStore, StoredEvent } from '../../event-store/event-store.ts'
import { eventColumns, eventRow } from '../../history/export-events.ts'
import { textOf } from '../../history/columns.ts'
import { isBy } from '../../history/moment.ts'
import { pagesUpTo } from '../../history/pages-up-to.ts'
import { flag, ofAnyOptions, text, UsageError } from '../command-line.ts'
import { after, codes, from, positionOf, progressText, spanOf, to, withLog } from './reading.ts'

const WAIT_MS = 60_000
const PAGE = 1_000

export const events = ofAnyOptions({
  name: 'history events',
  does: 'the events of the log, a JSON line for each',
  options: {
    stream: text('NAME', 'only of this stream, or of all of a kind: order, receipt, product'),
    type: text('NAME', 'only of this type, such as OrderCompleted'),
    from,
    to,
    after,
    follow: flag('goes on with what is new, until it is ended'),
  },
  notes: `What is sealed for a buyer is left out. docs/events.md names the streams and types.\n\n${codes}`,
  run: async ({ stream, type, from: begins, to: ends, after: position, follow }) =>
    withLog(async (reading) => {
      const { store, show, say } = reading
      assertKnown(stream, type)
      const { beginning, end } = await spanOf(reading, { from: begins, to: ends })
      // A kind may have none as yet, and `--follow` waits for the first.
      if (stream?.includes('-') && !follow && !(await isInLog(store, stream))) {
        process.stderr.write(`the log has no event of the stream ${stream}\n`)
        return 1
      }
      const isAsked = (event: StoredEvent): boolean =>
        !isBy(event, beginning) &&
        (stream === undefined || isOf(stream, event)) &&
        (type === undefined || event.type === type)
      const write = async (page: readonly StoredEvent[]): Promise<void> =>
        say(textOf('ndjson', eventColumns, page.filter(isAsked).map(eventRow)))
      let last = await positionOf(reading, position)
      let read = 0
      for await (const page of pagesUpTo(store, end, { after: last })) {
        await write(page)
        const newest = page.at(-1)
        read += page.length
        last = newest?.position ?? last
        if (newest) show(progressText({ events: read, ...newest }))
      }
      if (follow) await followed(store, last, write)
      return 0
    }),
})

/** Others would answer nothing, as if none had happened. Throws `UsageError`. */
function assertKnown(stream: string | undefined, type: string | undefined): void {
  if (stream !== undefined && !isStreamOrKind(stream))
    throw new UsageError(`no stream '${stream}': its kind is one of ${streamKinds.join(', ')}`)
  if (type === undefined || eventFormats.has(type)) return
  throw new UsageError(
    `no event '${type}', the nearest is '${closest(type, [...eventFormats.keys()])}': docs/events.md names them`,
  )
}

function isOf(streamOrKind: string, { stream }: Pick<StoredEvent, 'stream'>): boolean {
  return stream === streamOrKind || stream.startsWith(`${streamOrKind}-`)
}

async function isInLog(store: EventStore, stream: string): Promise<boolean> {
  const own = await store.readStream(stream, { fromRevision: 0, limit: 1 })
  if (own.length > 0) return true
  // It may be the beginning of names, such as receipt-paypal.
  for await (const page of pagesUpTo(store, { position: await store.head() }))
    if (page.some((event) => isOf(stream, event))) return true
  return false
}

/** Until the process is ended. */
async function followed(
  store: EventStore,
  from: string,
  write: (page: readonly StoredEvent[]) => Promise<void>,
): Promise<never> {
  const { signal } = new AbortController()
  for (let after = from; ;) {
    await store.waitForEvents({ after, timeoutMs: WAIT_MS, signal })
    const page = await store.readAll({ after, limit: PAGE })
    await write(page)
    after = page.at(-1)?.position ?? after
  }
}
