export const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
export const SPAN_DAYS = 730
/** Orders still open at the end were placed within this time, so that none is overdue. */
const OPEN_MS = 40 * MINUTE_MS
/** One order in a hundred is still open, within these bounds. */
const OPEN_SHARE = 0.01
const OPEN_MIN = 4
const OPEN_MAX = 300
/** Below 1, so that sales grow over time. */
const GROWTH = 0.7
/** Shortages: their number, their orders, and a length in which late money finds no stock. */
const SHORTAGES_MAX = 5
const ORDERS_IN_SHORTAGE = 6
const ORDERS_PER_SHORTAGE = 25
const SHORTAGE_MIN_MS = 4 * 60 * MINUTE_MS

export interface Placing {
  readonly atMs: number
  /** Placed in the last minutes, still open at the end. */
  readonly isOpen: boolean
}

interface Shortage {
  readonly fromMs: number
  readonly untilMs: number
}

/** When a shop was opened whose last order is at `nowMs`. */
export function firstPlacingMs(nowMs: number): number {
  return nowMs - SPAN_DAYS * DAY_MS
}

/** The times of `count` orders, oldest first: with growing frequency, and a few just now; and the times without stock. */
export function calendar(
  count: number,
  nowMs: number,
): { placings: Iterator<Placing>; shortages: readonly Shortage[] } {
  const open = Math.min(Math.max(Math.ceil(count * OPEN_SHARE), OPEN_MIN), OPEN_MAX, count)
  const ended = count - open
  const openFromMs = nowMs - OPEN_MS
  const firstMs = firstPlacingMs(nowMs)
  const endedAtMs = (index: number): number => Math.floor(firstMs + (openFromMs - firstMs) * (index / ended) ** GROWTH)

  function* placings(): Generator<Placing> {
    for (let index = 0; index < ended; index += 1) yield { atMs: endedAtMs(index), isOpen: false }
    for (let index = 0; index < open; index += 1)
      yield { atMs: Math.floor(openFromMs + (OPEN_MS * index) / open), isOpen: true }
  }

  const shortages = Math.min(Math.floor(ended / ORDERS_PER_SHORTAGE), SHORTAGES_MAX)
  return {
    placings: placings(),
    shortages: Array.from({ length: shortages }, (_, number) => {
      const first = Math.floor(((number + 0.5) / shortages) * ended)
      const fromMs = endedAtMs(first)
      return { fromMs, untilMs: Math.max(endedAtMs(first + ORDERS_IN_SHORTAGE), fromMs + SHORTAGE_MIN_MS) }
    }),
  }
}
