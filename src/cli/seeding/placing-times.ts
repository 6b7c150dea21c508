const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const SPAN_DAYS = 730
/** Orders that are still open at the end were placed within this time: none of them is overdue yet. */
const OPEN_MINUTES = 40
/** One in a hundred is still open, within these bounds. */
const OPEN_SHARE = 0.01
const OPEN_MIN = 3
const OPEN_MAX = 300
/** Below 1: the shop grows. */
const GROWTH = 0.7

export interface Placing {
  readonly atMs: number
  /** Placed just now: nothing has happened to it yet. */
  readonly isOpen: boolean
}

/** When a shop with such orders was opened. */
export function firstPlacingMs(nowMs: number): number {
  return nowMs - SPAN_DAYS * DAY_MS
}

/** When each of `count` orders is placed: over two years that end now, ever more of them, and a few just now. Oldest first. */
export function* placingTimes(count: number, nowMs: number): Generator<Placing> {
  const open = Math.min(Math.max(Math.ceil(count * OPEN_SHARE), OPEN_MIN), OPEN_MAX, count)
  const ended = count - open
  const openFromMs = nowMs - OPEN_MINUTES * MINUTE_MS
  const fromMs = firstPlacingMs(nowMs)
  for (let index = 0; index < ended; index += 1)
    yield { atMs: Math.floor(fromMs + (openFromMs - fromMs) * (index / ended) ** GROWTH), isOpen: false }
  for (let index = 0; index < open; index += 1)
    yield { atMs: Math.floor(openFromMs + (OPEN_MINUTES * MINUTE_MS * index) / open), isOpen: true }
}
