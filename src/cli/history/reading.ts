import { constants, setPriority } from 'node:os'
import { type Config, parseConfig } from '../../config.ts'
import { assertShop } from '../../engines.ts'
import { decode } from '../../event-store/event-codec.ts'
import { type EventStore, type Position, START, type StoredEvent } from '../../event-store/event-store.ts'
import { openEventStore } from '../../log-engines.ts'
import { beginningFrom, type Moment, momentFrom } from '../../history/moment.ts'
import { pagesUpTo } from '../../history/pages-up-to.ts'
import type { Reached } from '../../history/shop-as-of.ts'
import type { RecordedEvent } from '../../event-store/event-log.ts'
import { text, UsageError } from '../command-line.ts'
import { progressOn } from '../progress.ts'

/** The log that the environment names, opened to read alone. */
export interface Reading {
  readonly config: Config
  readonly store: EventStore
  readonly timeZone: string
  /** On stderr. */
  readonly show: (text: string) => void
  /** Writes to stdout, and waits while the reader is slow. */
  readonly say: (text: string) => Promise<void>
}

export const asOf = text('T', 'as it was then: a day (2026-01-31), a moment (2026-01-31T18:00:00Z) or a position')
export const from = text('T', 'from then on: the beginning of a day, a moment, or a position')
export const to = text('T', 'up to then: the end of a day, a moment, or a position')

export const after = text('POSITION', 'goes on behind this event')

/** What every verb's help ends with. */
export const codes = 'Exit codes: 0 done, 1 failed or not found, 2 wrong usage or no shop.'

export async function withLog(work: (reading: Reading) => Promise<number>): Promise<number> {
  // A shop that sells on this machine comes first.
  setPriority(constants.priority.PRIORITY_LOW)
  const config = parseConfig(process.env)
  await assertShop(config)
  const store = await openEventStore(config, { isReadOnly: true })
  const progress = progressOn()
  try {
    return await work({
      config,
      store,
      timeZone: config.SHOP_TIME_ZONE,
      show: (shown) => progress.show(shown),
      async say(line) {
        progress.clear()
        if (!process.stdout.write(line)) await new Promise((resolve) => process.stdout.once('drain', resolve))
      },
    })
  } finally {
    progress.clear()
    await store.close()
  }
}

/** Without a moment: all that the log holds now. Throws `UsageError`. */
export async function momentOf({ store, timeZone }: Reading, given: string | undefined): Promise<Moment> {
  if (given === undefined) return { position: await store.head() }
  return known(given, momentFrom(given, timeZone))
}

/** Where `--from` begins; the beginning of the log without it. Throws `UsageError`. */
export function beginningOf({ timeZone }: Pick<Reading, 'timeZone'>, given: string | undefined): Moment {
  return given === undefined ? { position: START } : known(given, beginningFrom(given, timeZone))
}

function known(given: string, moment: Moment | undefined): Moment {
  if (moment) return moment
  throw new UsageError(
    `'${given}' is no time: give a day (2026-01-31), a moment with its zone (2026-01-31T18:00:00Z), or a position`,
  )
}

/** Of `--after`. Throws `UsageError`. */
export function positionOf(given: string | undefined): Position {
  const moment = given === undefined ? { position: START } : momentFrom(given, 'UTC')
  if (moment && 'position' in moment) return moment.position
  throw new UsageError(`--after takes the position of an event, not '${given}'`)
}

/** Times of facts in ISO text, for what is cut by them: from inclusive, before exclusive. Positions are of the log alone. Throws `UsageError`. */
export function timesOf(reading: Reading, span: { from: string | undefined; to: string | undefined }) {
  return {
    from: span.from === undefined ? '' : timeOf(span.from, beginningOf(reading, span.from)),
    before: span.to === undefined ? '9' : timeOf(span.to, known(span.to, momentFrom(span.to, reading.timeZone))),
  }
}

function timeOf(given: string, moment: Moment): string {
  if ('beforeMs' in moment) return new Date(moment.beforeMs).toISOString()
  throw new UsageError(`'${given}' is a position: --from and --to take a day or a moment here`)
}

export interface Fold {
  needs(event: StoredEvent): boolean
  see(event: RecordedEvent): void
}

/** Shows the log to folds, event by event, up to the moment; answers how far it came. What this release cannot read is left out, and said on stderr. */
export async function foldLog(
  { store, show }: Reading,
  moment: Moment,
  folds: readonly Fold[],
  before: Reached = { events: 0, position: START, recordedAt: 0 },
): Promise<Reached> {
  let reached = before
  let unreadable = 0
  for await (const page of pagesUpTo(store, moment, { after: before.position })) {
    for (const stored of page) {
      const asked = folds.filter((fold) => fold.needs(stored))
      if (asked.length === 0) continue
      const event = decode(stored)
      if (event.type === 'unreadable') unreadable += 1
      else for (const fold of asked) fold.see(event)
    }
    const last = page.at(-1)
    if (last) reached = { events: reached.events + page.length, position: last.position, recordedAt: last.recordedAt }
    show(progressText(reached))
  }
  if (unreadable > 0)
    process.stderr.write(`${unreadable} events cannot be read, and are missing here: npm run verify names them\n`)
  return reached
}

export function progressText({ events, recordedAt }: Reached): string {
  return `${events} events, up to ${new Date(recordedAt).toISOString()}`
}

/** As of when an answer is, for programs. */
export function reachedFacts({ events, position, recordedAt }: Reached) {
  return {
    events,
    position: shortOf(position),
    recordedAt: position === START ? null : new Date(recordedAt).toISOString(),
  }
}

/** As of when an answer is, for people. */
export function reachedLine(reached: Reached): string {
  const { events, position, recordedAt } = reachedFacts(reached)
  return recordedAt === null
    ? 'As of a moment before the first event.'
    : `As of position ${position}, recorded at ${recordedAt} (${events} events).`
}

export function shortOf(position: Position): string {
  return position.replace(/^0+(?=.)/, '') || '0'
}
