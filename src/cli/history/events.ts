import type { EventStore, StoredEvent } from '../../event-store/event-store.ts'
import { eventColumns, eventRow } from '../../history/export-events.ts'
import { textOf } from '../../history/columns.ts'
import { isBy } from '../../history/moment.ts'
import { pagesUpTo } from '../../history/pages-up-to.ts'
import { flag, ofAnyOptions, text } from '../command-line.ts'
import { after, beginningOf, codes, from, momentOf, positionOf, progressText, to, withLog } from './reading.ts'

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
      const beginning = beginningOf(reading, begins)
      const moment = await momentOf(reading, ends)
      const isAsked = (event: StoredEvent): boolean =>
        !isBy(event, beginning) &&
        (stream === undefined || event.stream === stream || event.stream.startsWith(`${stream}-`)) &&
        (type === undefined || event.type === type)
      const write = async (page: readonly StoredEvent[]): Promise<void> =>
        say(textOf('ndjson', eventColumns, page.filter(isAsked).map(eventRow)))
      let last = positionOf(position)
      let read = 0
      for await (const page of pagesUpTo(store, moment, { after: last })) {
        await write(page)
        const end = page.at(-1)
        read += page.length
        last = end?.position ?? last
        if (end) show(progressText({ events: read, ...end }))
      }
      if (follow) await followed(store, last, write)
      return 0
    }),
})

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
