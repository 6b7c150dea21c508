import { type Config, parseConfig } from '../../config.ts'
import { assertShop } from '../../engines.ts'
import { type EventStore, type Position, START } from '../../event-store/event-store.ts'
import { shortOf } from '../../event-store/limits.ts'
import { openEventStore } from '../../log-engines.ts'
import { atStart, type Fold, foldLog } from '../../history/fold-log.ts'
import type { Reached } from '../../projections/past-views.ts'
import { beginningFrom, isNothingBetween, type Moment, momentFrom } from '../../history/moment.ts'
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

/** Of the times in events, which no position says. */
export const fromTime = text('T', 'from then on: the beginning of a day, or a moment')
export const toTime = text('T', 'up to then: the end of a day, or a moment')

export const after = text('POSITION', 'goes on behind this event')

/** What every verb's help ends with. */
export const codes = 'Exit codes: 0 done, 1 failed or not found, 2 wrong usage or no shop.'

export async function withLog(work: (reading: Reading) => Promise<number>): Promise<number> {
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
export async function momentOf(reading: Reading, given: string | undefined): Promise<Moment> {
  if (given === undefined) return { position: await reading.store.head() }
  return inLog(reading, given, momentFrom(given, reading.timeZone))
}

/** What lies between two times, both included; either may be left out. Throws `UsageError`. */
export async function spanOf(
  reading: Reading,
  { from: first, to: last }: Given,
): Promise<{ readonly beginning: Moment; readonly end: Moment }> {
  const beginning =
    first === undefined ? { position: START } : await inLog(reading, first, beginningFrom(first, reading.timeZone))
  const end = await momentOf(reading, last)
  if (first !== undefined && last !== undefined && (await isNothingBetween(reading.store, beginning, end)))
    throw new UsageError(isLater(first, last))
  return { beginning, end }
}

interface Given {
  readonly from: string | undefined
  readonly to: string | undefined
}

const isLater = (first: string, last: string): string => `--from ${first} is later than --to ${last}`

async function inLog(reading: Reading, given: string, moment: Moment | undefined): Promise<Moment> {
  const told = known(given, moment)
  const head = await reading.store.head()
  if ('beforeMs' in told || told.position <= head) return told
  throw new UsageError(`there is no position ${given}: the log ends at ${shortOf(head)}`)
}

function known(given: string, moment: Moment | undefined): Moment {
  if (moment) return moment
  throw new UsageError(
    `'${given}' is no time: give a day (2026-01-31), a moment with its zone (2026-01-31T18:00:00Z), or a position`,
  )
}

/** Of `--after`; the beginning of the log without it. Throws `UsageError`. */
export async function positionOf(reading: Reading, given: string | undefined): Promise<Position> {
  if (given === undefined) return START
  const moment = momentFrom(given, 'UTC')
  if (!moment || 'beforeMs' in moment) throw new UsageError(`--after takes the position of an event, not '${given}'`)
  await inLog(reading, given, moment)
  return moment.position
}

/** `--from` (inclusive) and `--to` (exclusive) as ISO text, for comparison with the times in events. Throws `UsageError` for positions. */
export function timesOf({ timeZone }: Pick<Reading, 'timeZone'>, { from: first, to: last }: Given) {
  const begins = first === undefined ? '' : timeOf(first, beginningFrom(first, timeZone))
  const before = last === undefined ? '9' : timeOf(last, momentFrom(last, timeZone))
  if (first !== undefined && last !== undefined && begins >= before) throw new UsageError(isLater(first, last))
  return { from: begins, before }
}

/** Throws `UsageError` where a range of times begins only behind the moment that the answer is of. */
export async function assertBegunBy(
  { store, timeZone }: Reading,
  moment: Moment,
  { from: first, 'as-of': given }: { readonly from: string | undefined; readonly 'as-of': string | undefined },
): Promise<void> {
  const beginning = first === undefined ? undefined : beginningFrom(first, timeZone)
  if (given !== undefined && beginning && (await isNothingBetween(store, beginning, moment)))
    throw new UsageError(`--from ${first} is later than --as-of ${given}`)
}

function timeOf(given: string, moment: Moment | undefined): string {
  const told = known(given, moment)
  if ('beforeMs' in told) return new Date(told.beforeMs).toISOString()
  throw new UsageError(`'${given}' is a position: --from and --to take a day or a moment here`)
}

/** Answers how far the folds have come. Says on stderr how many events this release cannot read. */
export async function foldedTo(
  { store, show }: Reading,
  moment: Moment,
  folds: readonly Fold[],
  before = atStart,
): Promise<Reached> {
  const onProgress = (reached: Reached) => show(progressText(reached))
  const { reached, unreadable } = await foldLog(store, moment, folds, { from: before, onProgress })
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
