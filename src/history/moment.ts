import { type Position, START, type StoredEvent } from '../engines/event-store/event-store.ts'
import { dayAfter, daysIn, startOfDay } from '../projections/calendar.ts'

/** A place in the log: all events recorded before a time, or all up to a position. */
export type Moment = { readonly beforeMs: number } | { readonly position: Position }

const DAY = /^\d{4}-\d\d-\d\d$/
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/
const POSITION = /^\d{1,20}$/
const POSITION_DIGITS = 20

/** Parses a day (its end in the time zone), a time (the end of its millisecond) or a position. Undefined for any other text. */
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

/** Whether a day has not begun, or a time has not come; false for a position. */
export function isFuture(text: string, { nowMs, timeZone }: { nowMs: number; timeZone: string }): boolean {
  if (DAY.test(text)) return text > daysIn(timeZone)(new Date(nowMs).toISOString())
  return !POSITION.test(text) && (msOf(text) ?? 0) > nowMs
}

/** Whether the event lies at or before the moment. */
export function isBy({ recordedAt, position }: Pick<StoredEvent, 'recordedAt' | 'position'>, moment: Moment): boolean {
  return 'position' in moment ? position <= moment.position : recordedAt < moment.beforeMs
}

function positionIn(text: string): Position {
  const digits = text.replace(/^0+/, '')
  return digits === '' ? START : digits.padStart(POSITION_DIGITS, '0')
}

function msOf(text: string): number | undefined {
  // Date.parse reads 30 February as 2 March.
  const isOfADay = startOfDay(text.slice(0, 'yyyy-mm-dd'.length), 'UTC') !== undefined
  const ms = isOfADay && MOMENT.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}
