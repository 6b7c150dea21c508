/** What a vault keeps, as its rules read and write it: each row is replaced as a whole, and only if it is unchanged. */
export interface VaultRow {
  readonly kind: 'customer' | 'secret' | 'password' | 'mark'
  /** Unique among the rows of its kind. */
  readonly id: string
  /** Another name, as unique: one word, or that word, a blank and a second one. */
  readonly alias: string | undefined
  /** When its erasure began, while that is unfinished. */
  readonly since: number | undefined
  /** JSON. */
  readonly value: string
  /** Counts its replacements, from 1. */
  readonly version: number
  readonly checksum: number
}

/** Promised: an answered write survives a crash; of concurrent writes of one row one succeeds. Deliberately not: looking into rows. */
export interface VaultRows {
  /** Those that are there. */
  read(kind: VaultRow['kind'], ids: readonly string[]): Promise<VaultRow[]>
  /** All whose alias is this word, or begins with it: of one moment, and with what was just answered to another process. */
  byAlias(kind: VaultRow['kind'], word: string): Promise<VaultRow[]>
  /** Rows with a `since` before this: at most `limit`, the oldest first. */
  since(kind: VaultRow['kind'], options: { before: number; limit: number }): Promise<VaultRow[]>
  /** Replaces the row of this version, or adds one; false, with no change, where another stands there or the alias is taken. */
  write(row: VaultRow, was: number | 'absent'): Promise<boolean>
  /** Resolves once replaced bytes are in none of the files, where the engine can do that. */
  wipe(): Promise<void>
  close(): Promise<void>
}

/** From which alias, and up to before which, those of a word lie. */
export function aliasesOf(word: string): [from: string, to: string] {
  // The character behind the blank.
  return [word, `${word}!`]
}
