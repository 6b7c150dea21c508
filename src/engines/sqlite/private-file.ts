import { chmodSync, statSync } from 'node:fs'

/** A database file cannot be protected from other users. */
export class FileNotPrivate extends Error {
  override readonly name = 'FileNotPrivate'
}

const OTHERS = 0o077

/**
 * Restricts a database file, its -wal and its -shm to this user: a restored file may be readable by others. SQLite gives new -wal and -shm files
 * the mode of the database. Throws `FileNotPrivate`.
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
