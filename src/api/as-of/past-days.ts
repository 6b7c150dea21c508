import { RECORDED_LATE_MS } from '../../domain/clocks-apart.ts'
import { TryAgain } from '../../ports/try-again.ts'
import { dayAfter, daysIn, startOfDay } from '../../projections/calendar.ts'
import { shopViews, type ShopViews } from '../answers/shop-views.ts'
import type { Progress } from '../contract/as-of.ts'
import { type Folded, type FoldPast, OutOfMemory, type PastViews } from './past-views.ts'
import { progressOf, type Span } from './progress.ts'
import { RequestError } from '../http/errors.ts'

/** Each has a thread and its views. */
const DAYS_MAX = 2
/** After its last reader has left: a page that is loaded anew finds it. */
const LEFT_MS = 60_000
/** After the last read, while a page holds it. */
const UNREAD_MS = 1_800_000
const RETRY_AFTER_S = 2

/** What can be asked of orders and figures. */
export type PastShopViews = Pick<
  ShopViews,
  'listOrders' | 'pageOfOrders' | 'newestOrders' | 'analytics' | 'undelivered' | 'toDeliver' | 'unplaced'
>

/** The shop at the end of a day. */
export interface PastDay extends Pick<PastViews, 'reached' | 'openM' | 'revenue' | 'ended'> {
  /** When the day ended. */
  readonly endsAt: string
  readonly views: PastShopViews
}

export interface Hold {
  /** Rejects when the day cannot be folded, or with the reason of the holder's signal. */
  readonly folded: Promise<PastDay>
  /** How far the fold has come. */
  reached(): Progress
}

/** Folds past days when they are asked for, and keeps them while they are read. */
export interface PastDays {
  /** Until the signal is aborted. Throws `RequestError` for a day that cannot be shown, and for one too many. */
  hold(day: string, signal: AbortSignal): Promise<Hold>
  /** Resolves when their threads have ended. */
  close(): Promise<void>
}

export interface PastDaysOptions {
  readonly foldPast: FoldPast
  readonly timeZone: string
  readonly now: () => number
  /** When the first event of the log was recorded; undefined without any. */
  readonly beganAt: () => Promise<number | undefined>
  readonly customersNamed: ShopViews['customersNamed']
  /** A fold failed, or its views were lost while they were read. */
  readonly onFailed: (error: unknown) => void
}

interface Fold {
  readonly folded: Promise<PastDay>
  readonly reached: () => Progress
  /** Cancels it, or drops its views. */
  readonly end: () => Promise<void>
}

interface Entry extends Fold {
  readonly day: string
  holders: number
  isFolded: boolean
  /** Drops it. */
  timer: NodeJS.Timeout | undefined
}

export function pastDays(options: PastDaysOptions): PastDays {
  const { onFailed } = options
  const entries = new Map<string, Entry>()
  const ending = new Set<Promise<void>>()
  let isClosed = false

  function drop(entry: Entry): void {
    clearTimeout(entry.timer)
    if (entries.get(entry.day) !== entry) return
    entries.delete(entry.day)
    const ended = entry.end().finally(() => ending.delete(ended))
    ending.add(ended)
  }

  function dropIn(ms: number, entry: Entry): void {
    clearTimeout(entry.timer)
    entry.timer = setTimeout(() => drop(entry), ms).unref()
  }

  async function dropOnceEnded(entry: Entry): Promise<void> {
    try {
      const { ended } = await entry.folded
      entry.isFolded = true
      const lost = await ended
      if (lost) onFailed(lost)
    } catch (error) {
      if (!(error instanceof RequestError)) onFailed(error)
    } finally {
      drop(entry)
    }
  }

  function begin(day: string, span: Span): Entry {
    makeRoom(entries, drop)
    const entry: Entry = { ...beginFold(span, options), day, holders: 0, isFolded: false, timer: undefined }
    entries.set(day, entry)
    void dropOnceEnded(entry)
    return entry
  }

  function leave(entry: Entry): void {
    entry.holders -= 1
    if (entry.holders > 0 || entries.get(entry.day) !== entry) return
    if (entry.isFolded) dropIn(LEFT_MS, entry)
    else drop(entry)
  }

  return {
    async hold(day, signal) {
      signal.throwIfAborted()
      let entry = entries.get(day)
      if (!entry) {
        const span = await spanOf(day, options)
        signal.throwIfAborted()
        if (isClosed) throw notKept()
        entry = entries.get(day) ?? begin(day, span)
      }
      entry.holders += 1
      dropIn(UNREAD_MS, entry)
      return holdOf(entry, signal, leave)
    },

    async close() {
      isClosed = true
      for (const entry of entries.values()) drop(entry)
      await Promise.all(ending)
    },
  }
}

function holdOf(entry: Entry, signal: AbortSignal, leave: (entry: Entry) => void): Hold {
  const left = Promise.withResolvers<never>()
  signal.addEventListener(
    'abort',
    () => {
      left.reject(signal.reason as Error)
      leave(entry)
    },
    { once: true },
  )
  const folded = Promise.race([entry.folded.catch(asProblem), left.promise])
  // It may be left before anybody asks for it.
  folded.catch(() => undefined)
  return { folded, reached: entry.reached }
}

/** Drops a day without readers where there are too many. */
function makeRoom(entries: ReadonlyMap<string, Entry>, drop: (entry: Entry) => void): void {
  if (entries.size < DAYS_MAX) return
  const unread = [...entries.values()].find(({ holders }) => holders === 0)
  if (unread) return drop(unread)
  const others = [...entries.keys()].join(' and ')
  throw new RequestError(
    'as-of/too-many-days',
    `The shop keeps ${DAYS_MAX} past days at once, and others are looking at ${others}. Choose one of these, or try again later.`,
    { retryAfterS: RETRY_AFTER_S },
  )
}

function beginFold(span: Span, { foldPast, timeZone, customersNamed }: PastDaysOptions): Fold {
  const { beforeMs } = span
  const cancelling = new AbortController()
  let reached: Folded | undefined
  const folding = foldPast({ beforeMs, signal: cancelling.signal, onProgress: (now) => (reached = now) })
  const dayOf = async (): Promise<PastDay> => {
    const { views, ...past } = await folding
    return {
      ...past,
      endsAt: new Date(beforeMs).toISOString(),
      views: shopViews({ views, timeZone, areLocal: false, customersNamed }),
    }
  }
  return {
    folded: dayOf(),
    reached: () => progressOf(reached, span),
    async end() {
      cancelling.abort(notKept())
      const past = await folding.catch(() => undefined)
      await past?.close()
    },
  }
}

/** From the first event to the end of the day. Throws `RequestError` for a day that is not past, or before the shop. */
async function spanOf(day: string, { timeZone, now, beganAt }: PastDaysOptions): Promise<Span> {
  const end = startOfDay(day, timeZone) === undefined ? undefined : startOfDay(dayAfter(day), timeZone)
  if (end === undefined) throw wrongDay('There is no such day')
  const beforeMs = Date.parse(end)
  const agoMs = now() - beforeMs
  if (agoMs < 0) throw wrongDay(`${day} is not over yet in ${timeZone}. Choose an earlier day`)
  if (agoMs < RECORDED_LATE_MS) throw justOver(day, timeZone, Math.ceil((RECORDED_LATE_MS - agoMs) / 1000))
  const fromMs = await beganAt()
  if (fromMs === undefined || fromMs >= beforeMs) {
    const first = fromMs === undefined ? '' : ` It begins on ${daysIn(timeZone)(new Date(fromMs).toISOString())}`
    throw wrongDay(`The shop's log has nothing before the end of ${day}.${first}`)
  }
  return { fromMs, beforeMs }
}

function notKept(): RequestError {
  return new RequestError('as-of/ended', 'This day is no longer kept. Please try again in a moment.', {
    retryAfterS: RETRY_AFTER_S,
  })
}

function justOver(day: string, timeZone: string, retryAfterS: number): RequestError {
  const message = `${day} has just ended in ${timeZone}, and its last events may still be written: try again in ${retryAfterS} s.`
  return new RequestError('as-of/just-over', message, { retryAfterS })
}

function wrongDay(message: string): RequestError {
  return new RequestError('request/invalid', `${message}.`, { details: { errors: [{ path: 'asOf', message }] } })
}

/** What else can fail is the thread's own: its error is in the log. */
function asProblem(error: unknown): never {
  if (error instanceof RequestError || error instanceof OutOfMemory || error instanceof TryAgain) throw error
  throw new RequestError('as-of/failed', 'The log could not be read up to this day. Please try again later.')
}
