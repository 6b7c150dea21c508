import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { Config } from '../../config.ts'
import { EVENTS_FILE, isLogFile, logAddress, VAULT_FILE } from '../../engines/open-engines.ts'
import { UsageError } from '../program.ts'

export const FILE_OF = { log: EVENTS_FILE, vault: VAULT_FILE } as const
export type Part = keyof typeof FILE_OF

/** Present in the root of a file system. */
const OF_THE_DISK = new Set(['lost+found'])
const NAMED_MAX = 3

/** The path of a folder, existing or not, without symbolic links. */
export function placeOf(folder: string): string {
  const path = resolve(folder)
  try {
    return realpathSync(path)
  } catch {
    return dirname(path) === path ? path : join(placeOf(dirname(path)), basename(path))
  }
}

/** Whether one equals or contains the other. */
export function areNested(one: string, other: string): boolean {
  return isWithin(one, other) || isWithin(other, one)
}

function isWithin(inner: string, outer: string): boolean {
  const path = relative(outer, inner)
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)
}

/** Makes the folder if there is none. Throws if it is not empty. */
export function ensureEmptyFolder(folder: string, wayOut: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const names = readdirSync(folder).filter((name) => !OF_THE_DISK.has(name))
  if (names.length === 0) return
  const more = names.length > NAMED_MAX ? ', …' : ''
  throw new Error(`${folder} is not empty (${names.slice(0, NAMED_MAX).join(', ')}${more}): ${wayOut}`)
}

export function assertLogIsFile(config: Config, how: string): void {
  if (!isLogFile(config))
    throw new UsageError(
      `the log is at ${logAddress(config).variable}, and this command copies files: ${how} (docs/servers.md)`,
    )
}

/** Makes writes to a file, or renames in a folder, survive a power loss. */
export function sync(path: string): void {
  if (process.platform === 'win32') return
  const opened = openSync(path, 'r')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}
