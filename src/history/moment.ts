import { type Position, START, type StoredEvent } from '../event-store/event-store.ts'
import { dayAfter, startOfDay } from '../projections/calendar.ts'

/** A place in the log: between two events by their time, or right behind the event of a position. */
export type Moment = { readonly beforeMs: number } | { readonly position: Position }

/** From inclusive, to inclusive: a day begins and ends whole. Either may be left out. */
export interface Span {
  readonly from?: Moment | undefined
  readonly to?: Moment | undefined
}

const DAY = /^\d{4}-\d\d-\d\d$/
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/
const POSITION = /^\d{1,20}$/
const POSITION_DIGITS = 20

/** The end of what is told: of a day in the time zone, of a millisecond, or the event of a position. Undefined where it tells none. */
export function momentFrom(text: string, timeZone: string): Moment | undefined {
  if (DAY.test(text)) {
    const begins = startOfDay(text, timeZone)
    const ends = begins && startOfDay(dayAfter(text), timeZone)
    return ends === undefined ? undefined : { beforeMs: Date.parse(ends) }
  }
  if (POSITION.test(text)) return { position: positionIn(text) }
  const ms = msOf(text)
  return ms === undefined ? undefined : { beforeMs: ms + 1 }
}

/** The beginning of it: what comes before is left out. */
export function beginningFrom(text: string, timeZone: string): Moment | undefined {
  if (DAY.test(text)) {
    const begins = startOfDay(text, timeZone)
    return begins === undefined ? undefined : { beforeMs: Date.parse(begins) }
  }
  if (POSITION.test(text)) return { position: positionIn(String(BigInt(text) - (BigInt(text) > 0n ? 1n : 0n))) }
  const ms = msOf(text)
  return ms === undefined ? undefined : { beforeMs: ms }
}

/** Whether the event lies at or before the moment. */
export function isBy({ recordedAt, position }: StoredPlace, moment: Moment): boolean {
  return 'position' in moment ? position <= moment.position : recordedAt < moment.beforeMs
}

export type StoredPlace = Pick<StoredEvent, 'recordedAt' | 'position'>

function positionIn(text: string): Position {
  const digits = text.replace(/^0+/, '')
  return digits === '' ? START : digits.padStart(POSITION_DIGITS, '0')
}

function msOf(text: string): number | undefined {
  const ms = MOMENT.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}
