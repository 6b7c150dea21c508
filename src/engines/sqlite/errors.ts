import { FileNotPrivate } from './private-file.ts'

/** A port's errors for a failing file. A message is one line and names the file. */
export interface SqliteErrors {
  /** The file cannot be opened, read or written now; nothing was written. */
  readonly away: (message: string, cause?: unknown) => Error
  /** The file is damaged, of another program, or of a newer release. */
  readonly damaged: (message: string, cause?: unknown) => Error
  /** A commit's outcome is unknown. Default: `away`, for writes that may be repeated. */
  readonly uncertain?: (message: string, cause?: unknown) => Error
}

/** Words for the messages of `toPortError`. */
export interface FileWords {
  readonly file: string
  readonly errors: SqliteErrors
  /** What to do about a damaged file. */
  readonly remedy: string
  /** Tables never change while the file is open, so a failing statement or constraint means damage. */
  readonly hasFixedTables: boolean
}

const ERROR = 1
const BUSY = 5
const LOCKED = 6
const NOMEM = 7
const READONLY = 8
const IOERR = 10
const CORRUPT = 11
const FULL = 13
const CANTOPEN = 14
/** SQLite itself waited in vain for the locks of the write-ahead log, some 10 s. */
const PROTOCOL = 15
const CONSTRAINT = 19
const NOTADB = 26
const AWAY = new Set<number | undefined>([NOMEM, READONLY, IOERR, FULL, CANTOPEN, PROTOCOL])

/** A stored value is damaged, and SQLite did not notice. */
export class ValueDamaged extends Error {
  override readonly name = 'ValueDamaged'
}

/** The outcome of a commit is unknown. */
export class CommitUncertain extends Error {
  override readonly name = 'CommitUncertain'
}

/** A reader, usually in another process, still uses pages of the write-ahead log. */
export class LogInUse extends Error {
  override readonly name = 'LogInUse'
}

export function isLocked(error: unknown): boolean {
  const code = resultCode(error)
  return code === BUSY || code === LOCKED
}

export function isFull(error: unknown): boolean {
  return resultCode(error) === FULL
}

/** Turns SQLite's error into the port's; returns any other unchanged. */
export function toPortError(error: unknown, { file, errors, remedy, hasFixedTables }: FileWords): unknown {
  if (!(error instanceof Error)) return error
  if (error instanceof FileNotPrivate)
    return errors.away(`${error.message}: give it and its folder to this user`, error)
  if (error instanceof LogInUse)
    return errors.away(`${file} is read by another process, so deleted bytes are not wiped yet`, error)
  if (error instanceof CommitUncertain) return (errors.uncertain ?? errors.away)(`${file}: ${error.message}`, error)
  if (isLocked(error)) return errors.away(`${file} is locked by another process`, error)
  if (AWAY.has(resultCode(error)))
    return errors.away(`${file} cannot be used now: ${error.message}${wayOutOf(error)}`, error)
  if (isDamage(error, hasFixedTables)) return errors.damaged(`${file} is damaged (${error.message}): ${remedy}`, error)
  return error
}

function wayOutOf(error: Error): string {
  if (resultCode(error) === CANTOPEN) return ". Check that the folder exists, is this user's, and has room"
  if (resultCode(error) !== READONLY) return ''
  return ': let this user write there (SQLite makes files beside one that it reads), or work on a copy of the folder'
}

function isDamage(error: Error, hasFixedTables: boolean): boolean {
  // Node cannot read integers beyond 2^53; none is ever written, so one means damage.
  if (error instanceof ValueDamaged || ('code' in error && error.code === 'ERR_OUT_OF_RANGE')) return true
  const code = resultCode(error)
  if (code === CORRUPT || code === NOTADB) return true
  return hasFixedTables && (code === ERROR || code === CONSTRAINT)
}

/** SQLite's primary result code, or undefined for another error. The higher bits are its extended code. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined
  return error.errcode & 0xff
}
