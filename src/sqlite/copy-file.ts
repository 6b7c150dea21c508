import { closeSync, openSync, rmSync } from 'node:fs'
import { backup } from 'node:sqlite'
import { connectExisting, connectReader, type SqliteOptions, valueOf } from './connection.ts'
import { explained, isFull, ValueDamaged } from './errors.ts'

/** Some 4 MB between two reports of progress. */
const PAGES_PER_STEP = 1_000

/**
 * Copies one committed snapshot of a file that may be in use into `target`, a new private file, or leaves none. Holds up no writer, waits for none, and leaves the file in
 * its format. `onProgress` is called with the share that is done.
 */
export async function copyFile(
  file: string,
  target: string,
  options: SqliteOptions,
  onProgress: (share: number) => void = () => undefined,
): Promise<void> {
  try {
    const { database } = connectExisting(file, options)
    try {
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
    throw explained(error, { file, ...options })
  }
}

/** Looks at every page of a file that no other process uses. Blocks. Throws as for a damaged file. */
export function checkFile(file: string, options: SqliteOptions): void {
  try {
    const { database, sql } = connectReader(file, options)
    try {
      const found = valueOf(sql, 'integrity_check(1)', 'integrity_check')
      if (found !== 'ok') throw new ValueDamaged(String(found))
    } finally {
      database.close()
    }
  } catch (error) {
    throw explained(error, { file, ...options })
  }
}
