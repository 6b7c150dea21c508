import { FileNotPrivate } from './private-file.ts'

/** What a port calls the two ways in which its file can fail. A message is one line and names the file. */
export interface SqliteErrors {
  /** Cannot be opened, read or written now; nothing was written. */
  readonly away: (message: string, cause?: unknown) => Error
  /** Damaged, of another program, or of a newer release. */
  readonly damaged: (message: string, cause?: unknown) => Error
  /** A commit failed in a way that leaves open whether it counts. Without this it is `away`, for writes that may be repeated. */
  readonly uncertain?: (message: string, cause?: unknown) => Error
}

/** How `explained` speaks of a file. */
export interface FileWords {
  readonly file: string
  readonly errors: SqliteErrors
  /** What to do about a damaged file. */
  readonly remedy: string
  /** Its tables do not change while it is open: a statement or constraint that fails shows a damaged file. */
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
const CONSTRAINT = 19
const NOTADB = 26
const AWAY = new Set<number | undefined>([NOMEM, READONLY, IOERR, FULL, CANTOPEN])

/** A stored value is not what was written, though SQLite found nothing wrong. */
export class ValueDamaged extends Error {
  override readonly name = 'ValueDamaged'
}

/** The disk did not say whether a commit counts. */
export class CommitUncertain extends Error {
  override readonly name = 'CommitUncertain'
}

/** A reader, mostly of another process, still uses pages of the write-ahead log. */
export class LogInUse extends Error {
  override readonly name = 'LogInUse'
}

export function isBusy(error: unknown): boolean {
  const code = resultCode(error)
  return code === BUSY || code === LOCKED || error instanceof LogInUse
}

export function isFull(error: unknown): boolean {
  return resultCode(error) === FULL
}

/** SQLite's error as the port's own; any other error as it is. */
export function explained(error: unknown, { file, errors, remedy, hasFixedTables }: FileWords): unknown {
  if (!(error instanceof Error)) return error
  if (error instanceof FileNotPrivate)
    return errors.away(`${error.message}. Check that the folder exists, is this user's, and has room`, error)
  if (error instanceof LogInUse)
    return errors.away(`${file} is read by another process, so deleted bytes are not wiped yet`, error)
  if (error instanceof CommitUncertain) return (errors.uncertain ?? errors.away)(`${file}: ${error.message}`, error)
  if (isBusy(error)) return errors.away(`${file} is locked by another process`, error)
  if (AWAY.has(resultCode(error))) return errors.away(`${file} cannot be used now: ${error.message}`, error)
  if (isDamage(error, hasFixedTables)) return errors.damaged(`${file} is damaged (${error.message}): ${remedy}`, error)
  return error
}

function isDamage(error: Error, hasFixedTables: boolean): boolean {
  // Node reads no integer beyond 2^53, and none is ever written.
  if (error instanceof ValueDamaged || ('code' in error && error.code === 'ERR_OUT_OF_RANGE')) return true
  const code = resultCode(error)
  if (code === CORRUPT || code === NOTADB) return true
  return hasFixedTables && (code === ERROR || code === CONSTRAINT)
}

/** SQLite's primary result code, or undefined for another error. The higher bits are details. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined
  return error.errcode & 0xff
}
