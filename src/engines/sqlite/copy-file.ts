import { closeSync, openSync, rmSync } from 'node:fs'
import { backup } from 'node:sqlite'
import { connect, type SqliteOptions } from './connection.ts'
import { toPortError, isFull } from './errors.ts'
import { untilUnlocked } from './until-unlocked.ts'

/** About 4 MB between two progress reports. */
const PAGES_PER_STEP = 1_000

/**
 * Copies a snapshot of a file that may be in use to `target`, a new file that only this user can read, removed on failure.
 * Neither blocks writers nor waits for them. `onProgress` gets the share copied so far, from 0 to 1.
 */
export async function copyFile(
  file: string,
  target: string,
  options: SqliteOptions,
  onProgress: (share: number) => void = () => undefined,
): Promise<void> {
  try {
    const { database } = await untilUnlocked(() => connect(file, { ...options, isReadOnly: true }))
    try {
      // With an open snapshot, other connections' writes do not restart SQLite's online backup.
      await untilUnlocked(() => {
        if (!database.isTransaction) database.exec('BEGIN')
        database.exec('SELECT 1 FROM sqlite_schema')
      })
      closeSync(openSync(target, 'wx', 0o600))
      const progress = ({ totalPages, remainingPages }: { totalPages: number; remainingPages: number }): void =>
        onProgress(1 - remainingPages / totalPages)
      await backup(database, target, { rate: PAGES_PER_STEP, progress }).catch((error: unknown) => {
        for (const made of [target, `${target}-journal`]) rmSync(made, { force: true })
        throw error
      })
    } finally {
      database.close()
    }
  } catch (error) {
    if (isFull(error)) throw options.errors.away(`${target} cannot be written: its disk is full`, error)
    throw toPortError(error, { file, ...options })
  }
}
