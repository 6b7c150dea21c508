import { chmodSync, closeSync, openSync, statSync } from 'node:fs'

/** A database file cannot be created or protected from other users. */
export class FileNotPrivate extends Error {
  override readonly name = 'FileNotPrivate'
}

const OTHERS = 0o077

/** Makes a new file that only this user may read. An existing one is not opened: closing it again would drop SQLite's locks on it. Throws `FileNotPrivate`. */
export function makePrivateFile(file: string): void {
  if (exists(file)) return
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    // Another process may have created it in between.
    if (!exists(file)) throw new FileNotPrivate(`${file} cannot be made`, { cause: error })
  }
}

/**
 * Restricts a database file, and SQLite's two files beside it, to this user: a restored file may be too open. Later ones get the mode of the first.
 * Throws `FileNotPrivate`.
 */
export function keepFilePrivate(file: string): void {
  if (process.platform === 'win32') return
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0
    if ((mode & OTHERS) === 0) continue
    try {
      chmodSync(path, 0o600)
    } catch (error) {
      throw new FileNotPrivate(`${path} can be read by others, and this user may not change that`, { cause: error })
    }
  }
}

function exists(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined
}
