import { constants, existsSync } from 'node:fs'
import { access, type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Position, START } from '../../event-store/event-store.ts'
import { momentFrom } from '../../history/moment.ts'
import { UsageError } from '../command-line.ts'

/** Where rows go. */
export interface Sink {
  /** The last event whose rows the file already has. */
  readonly after: Position
  write(text: string): Promise<void>
  close(): Promise<void>
}

/** Longer than the rows of any one event. */
const EVENT_BYTES = 4_194_304
const PRIVATE = 0o600

/** Throws `UsageError` where the file is there already, or its folder takes none. */
export async function assertNew(file: string): Promise<void> {
  if (existsSync(file)) throw refused(file, 'EEXIST')
  await access(dirname(file), constants.W_OK).catch((error: unknown) => {
    throw refused(file, codeOf(error))
  })
}

export async function newFile(file: string, { first, after }: { first: string; after: Position }): Promise<Sink> {
  return sinkOf(await opened(file, 'wx'), { file, first, after })
}

/** What an export has written to a file. */
export interface Begun {
  /** The part that needs no rewriting. */
  readonly bytes: number
  /** The last event in it. */
  readonly after: Position
  /** The event whose rows may be cut short, and are written again; `START` without one. */
  readonly last: Position
}

/** How a file of an export begins. */
interface Beginning {
  readonly first: string
  /** Whether a file that begins like this is of the same export. */
  readonly isOwn: (beginning: string) => boolean
}

/** Changes nothing. Throws `UsageError` where it is not the file of this export, or cannot be written. */
export async function begunIn(file: string, { first, isOwn }: Beginning): Promise<Begun> {
  const handle = await opened(file, 'r+')
  try {
    const beginning = await bytesAt(handle, 0, EVENT_BYTES)
    if (!isOwn(beginning)) throw new UsageError(`${file} has other columns: name the file of this very export`)
    return await begunOf(handle, { file, first })
  } finally {
    await handle.close()
  }
}

/** Goes on with a file that an export has begun: its last line, and all rows of its last event, are written again. */
export async function resumedFile(file: string, { first, begun }: { first: string; begun: Begun }): Promise<Sink> {
  const handle = await opened(file, 'a')
  await handle.truncate(begun.bytes)
  return sinkOf(handle, { file, first: begun.bytes === 0 ? first : '', after: begun.after })
}

async function begunOf(handle: FileHandle, { file, first }: { file: string; first: string }): Promise<Begun> {
  const { size } = await handle.stat()
  if (size < first.length) return { bytes: 0, after: START, last: START }
  const from = Math.max(first.length, size - EVENT_BYTES)
  const lines = (await bytesAt(handle, from, size - from)).split('\n').slice(0, -1)
  const last = positionIn(lines.at(-1))
  const kept = lines.findLastIndex((line) => positionIn(line) !== last)
  if (kept < 0 && from > first.length) throw new UsageError(`${file} is no export of this command`)
  const bytes = lines.slice(0, kept + 1).reduce((sum, line) => sum + line.length + 1, from)
  return { bytes, after: positionIn(lines[kept]), last }
}

async function sinkOf(
  handle: FileHandle,
  { file, first, after }: { file: string; first: string; after: Position },
): Promise<Sink> {
  const write = async (text: string): Promise<void> =>
    handle.appendFile(text).catch((error: unknown) => {
      throw new Error(`${file} cannot be written to its end (${codeOf(error)}): make room, then go on by --resume`)
    })
  await write(first)
  return { after, write, close: async () => handle.close() }
}

async function opened(file: string, how: 'wx' | 'r+' | 'a'): Promise<FileHandle> {
  try {
    return await open(file, how, PRIVATE)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' && how === 'r+') throw new UsageError(`there is no ${file}: leave out --resume to begin it`)
    throw refused(file, code)
  }
}

function refused(file: string, code: string): UsageError {
  if (code === 'EEXIST') return new UsageError(`${file} is there already: --resume goes on with it, or name another`)
  return new UsageError(`${file} cannot be written (${code})`)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}

/** A character for each byte. */
async function bytesAt(handle: FileHandle, from: number, length: number): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, from)
  return buffer.toString('latin1', 0, bytesRead)
}

/** Each row begins with its position, in both formats. */
function positionIn(line: string | undefined): Position {
  const [, digits] = /^(?:\{"position":)?(\d+)/.exec(line ?? '') ?? []
  const moment = digits === undefined ? undefined : momentFrom(digits, 'UTC')
  return moment && 'position' in moment ? moment.position : START
}
