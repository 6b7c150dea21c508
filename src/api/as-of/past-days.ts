import { RECORDED_LATE_MS } from '../../domain/clocks-apart.ts'
import { TryAgain } from '../../ports/try-again.ts'
import { dayAfter, daysIn, startOfDay } from '../../projections/calendar.ts'
import { type FoldPast, OutOfMemory, type PastViews, type Reached } from '../../projections/past-views.ts'
import type { FoldProgress } from '../contract/as-of.ts'
import { RequestError } from '../http/errors.ts'

const DROP_AFTER_UNREAD_MS = 600_000
/** A fold requested this recently is still wanted. */
const STILL_WANTED_MS = 5_000
const RETRY_AFTER_S = 2

/** The shop at the end of a day. */
export interface PastDay extends Pick<PastViews, 'views' | 'reached' | 'openM'> {
  /** When the day ended. */
  readonly endsAt: string
}

/** One past day at a time: folded on request, dropped after ten minutes without a read. */
interface PastDays {
  /** Returns the day, or its fold's progress. Throws `RequestError` for a day that cannot be shown, `OutOfMemory` or `TryAgain`. */
  look(day: string): Promise<PastDay | FoldProgress>
  /** Resolves when the thread has ended. */
  close(): Promise<void>
}

interface PastDaysOptions {
  readonly foldPast: FoldPast
  readonly timeZone: string
  readonly now: () => number
  /** When the first event of the log was recorded; undefined if none. */
  readonly beganAt: () => Promise<number | undefined>
  readonly onFailed: (error: unknown) => void
}

interface Entry {
  readonly day: string
  /** Undefined while folding. */
  result: { readonly day: PastDay } | { readonly error: unknown } | undefined
  askedAt: number
  progress(): FoldProgress
  end(): Promise<void>
}

/** Time span of the log to read. */
interface Span {
  /** Time of the first event. */
  readonly fromMs: number
  readonly beforeMs: number
}

export function pastDays(options: PastDaysOptions): PastDays {
  let current: Entry | undefined
  let timer: NodeJS.Timeout | undefined
  let ending: Promise<void> = Promise.resolve()
  let isClosed = false

  function drop(): void {
    clearTimeout(timer)
    const dropped = current
    current = undefined
    if (dropped) ending = Promise.all([ending, dropped.end()]).then(() => undefined)
  }

  async function entryOf(day: string): Promise<Entry> {
    const span = current?.day === day ? undefined : await spanOf(day, options)
    if (isClosed) throw notKept()
    if (span && current?.day !== day) {
      refuseOther(current)
      drop()
      current = beginFold(day, span, options)
    }
    const entry = current
    if (!entry) throw notKept()
    entry.askedAt = performance.now()
    clearTimeout(timer)
    timer = setTimeout(drop, DROP_AFTER_UNREAD_MS).unref()
    return entry
  }

  return {
    async look(day) {
      const entry = await entryOf(day)
      const { result } = entry
      if (result === undefined) return entry.progress()
      if ('day' in result) return result.day
      drop()
      return asProblem(result.error)
    },

    async close() {
      isClosed = true
      drop()
      await ending
    },
  }
}

function refuseOther(entry: Entry | undefined): void {
  if (entry === undefined || entry.result !== undefined || performance.now() - entry.askedAt >= STILL_WANTED_MS) return
  throw new RequestError(
    'as-of/too-many-days',
    `The shop is being read up to ${entry.day} for somebody else. Choose that day, or try again in a moment.`,
    { retryAfterS: RETRY_AFTER_S },
  )
}

function beginFold(day: string, span: Span, { foldPast, onFailed }: PastDaysOptions): Entry {
  const { beforeMs } = span
  const cancelling = new AbortController()
  let reached: Reached | undefined
  const folding = foldPast({ beforeMs, signal: cancelling.signal, onProgress: (now) => (reached = now) })
  const entry: Entry = {
    day,
    result: undefined,
    askedAt: performance.now(),
    progress: () => progressOf(reached, span),
    async end() {
      cancelling.abort(notKept())
      const past = await folding.catch(() => undefined)
      await past?.close()
    },
  }
  folding.then(
    (past) => (entry.result = { day: { ...past, endsAt: new Date(beforeMs).toISOString() } }),
    (error: unknown) => {
      entry.result = { error }
      if (!(error instanceof RequestError)) onFailed(error)
    },
  )
  return entry
}

function progressOf(reached: Reached | undefined, { fromMs, beforeMs }: Span): FoldProgress {
  if (reached === undefined || reached.events === 0) return { events: 0, upTo: null, part: 0 }
  const { events, recordedAt } = reached
  const part = beforeMs > fromMs ? Math.min(Math.max((recordedAt - fromMs) / (beforeMs - fromMs), 0), 1) : 1
  return { events, upTo: new Date(recordedAt).toISOString(), part }
}

/** From the first event to the end of the day. Throws `RequestError` for a day that is not past or precedes it. */
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

/** Any other error comes from the thread, and was logged. */
function asProblem(error: unknown): never {
  if (error instanceof RequestError || error instanceof OutOfMemory || error instanceof TryAgain) throw error
  throw new RequestError('as-of/failed', 'The log could not be read up to this day. Please try again later.')
}
