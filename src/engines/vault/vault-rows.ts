import type { NoteKind } from './vault.ts'

/** A vault's stored row. A write replaces the whole row, and only if its version is unchanged. */
export interface VaultRow {
  readonly kind: 'customer' | 'secret' | 'password' | 'mark' | NoteKind
  /** Unique among the rows of its kind. */
  readonly id: string
  /** A second unique name: one word, or two with a space between. */
  readonly alias: string | undefined
  /** Start of an unfinished erasure; for a note, when it is due. */
  readonly since: number | undefined
  /** JSON. */
  readonly value: string
  /** Counts the row's writes, from 1. */
  readonly version: number
  readonly checksum: number
}

export type AliasedRow = VaultRow & { readonly alias: string }

/** Promised: an acknowledged write survives a crash; of concurrent writes to one row one succeeds. Deliberately not: interpreting rows. */
export interface VaultRows {
  /** Returns only rows that exist. */
  read(kind: VaultRow['kind'], ids: readonly string[]): Promise<VaultRow[]>
  /** Rows whose alias is this word or begins with it, from one snapshot with every acknowledged write. */
  byAlias(kind: VaultRow['kind'], word: string): Promise<VaultRow[]>
  /** Rows with `since` below `before`: at most `limit`, oldest first. */
  since(kind: VaultRow['kind'], options: { before: number; limit: number }): Promise<VaultRow[]>
  /** Replaces the row of version `was`, or inserts it. Returns false, without a change, on another version or if the alias is in use. */
  write(row: VaultRow, was: number | 'absent'): Promise<boolean>
  /** Removes the row of this version; returns whether it did. */
  delete(kind: VaultRow['kind'], id: string, version: number): Promise<boolean>
  /** The row with this row's alias; if there is none, inserts and returns this one. Undefined, without a change, if the id, or by now the alias, is in use. */
  findOrInsert(row: AliasedRow): Promise<VaultRow | undefined>
  /** Removes replaced bytes from all files, if the engine can. */
  wipe(): Promise<void>
  close(): Promise<void>
}

/** The range of a word's aliases; `to` is exclusive. */
export function aliasesOf(word: string): [from: string, to: string] {
  // `!` is the character after the space.
  return [word, `${word}!`]
}

export async function findByAlias(
  rows: VaultRows,
  { kind, alias }: Pick<AliasedRow, 'kind' | 'alias'>,
): Promise<VaultRow | undefined> {
  return (await rows.byAlias(kind, alias)).find((row) => row.alias === alias)
}

/** `findOrInsert` in two calls, for engines that have no single one. */
export async function findThenInsert(rows: VaultRows, row: AliasedRow): Promise<VaultRow | undefined> {
  return (await findByAlias(rows, row)) ?? ((await rows.write(row, 'absent')) ? row : undefined)
}
