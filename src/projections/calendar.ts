/** Time zones differ from UTC by multiples of a quarter of an hour. */
const QUARTER_MS = 900_000
const KNOWN_MAX = 10_000
const HOURS_AROUND = 16

/** Returns a function from a time to its day (`2026-01-31`) in a time zone. Throws `RangeError` for an unknown zone. */
export function daysIn(timeZone: string): (at: string) => string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  const known = new Map<number, string>()
  return (at) => {
    const quarter = Math.floor(Date.parse(at) / QUARTER_MS)
    const day = known.get(quarter) ?? format.format(quarter * QUARTER_MS)
    if (known.size >= KNOWN_MAX) known.clear()
    known.set(quarter, day)
    return day
  }
}

export function monthOf(day: string): string {
  return day.slice(0, 'yyyy-mm'.length)
}

/** The time at which a day begins in a time zone; undefined if there is no such day. */
export function startOfDay(day: string, timeZone: string): string | undefined {
  const midnight = Date.parse(`${day}T00:00:00.000Z`)
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, day.length) !== day) return undefined
  const dayOf = daysIn(timeZone)
  const isBegun = (ms: number): boolean => dayOf(new Date(ms).toISOString()) >= day
  let before = midnight - HOURS_AROUND * 4 * QUARTER_MS
  let begun = midnight + HOURS_AROUND * 4 * QUARTER_MS
  while (begun - before > QUARTER_MS) {
    const middle = before + Math.floor((begun - before) / 2 / QUARTER_MS) * QUARTER_MS
    if (isBegun(middle)) begun = middle
    else before = middle
  }
  return new Date(begun).toISOString()
}

export function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00.000Z`) + 86_400_000).toISOString().slice(0, day.length)
}
