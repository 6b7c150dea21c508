import { TryAgain } from '../ports/try-again.ts'

/**
 * One collection of documents: `orders@3`. A new version of a projection has a new name, so two can stand side by side.
 */
export interface Collection {
  /** `[a-z]+@[0-9]+`, and perhaps another `@[0-9]+`. */
  readonly name: string
  /** What documents can be found by, none of them called `id`. A `terms` field is an array of text, each entry found by its beginning. */
  readonly fields: Readonly<Record<string, 'text' | 'number' | 'boolean' | 'terms'>>
  /** Each names fields in order and holds the documents that have its first field. The document's id always comes last by itself. */
  readonly indexes: readonly (readonly string[])[]
  /** Its documents hold personal data: wiped from the engine's files after deletion, where the engine can. */
  readonly isPersonal?: boolean
}

/** Enough to know where a collection lies. */
export type CollectionName = Pick<Collection, 'name' | 'isPersonal'>

export interface ViewDocument<Body = unknown> {
  readonly id: string
  /** Position of the last event that changed it; sorts as text. */
  readonly position: string
  /** Write-only: the position that it was loaded at; undefined where it did not exist. */
  readonly over?: string | undefined
  /** Plain JSON; undefined for a tombstone, which keeps its position for ever. */
  readonly body: Body | undefined
  /** Write-only: index values that are not in the body. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** Set when an event could not be folded at this position: later ones are not either, until a new version is built. */
  readonly broken?: { readonly position: string; readonly reason: string }
}

export type FieldValue = string | number | boolean

/** A condition on a field, or on any of its terms; `id` is the document's own. A document without the field does not match. */
export type Condition =
  | { readonly field: string; readonly anyOf: readonly FieldValue[] }
  /** Of text, compared as it stands: store it lower-case. */
  | { readonly field: string; readonly beginsWith: string }
  /** `from` inclusive, `below` exclusive; both undefined: it has the field. Not of terms. */
  | { readonly field: string; readonly from?: FieldValue | undefined; readonly below?: FieldValue | undefined }

/** A query of one collection, planned by its engine. */
export interface Query {
  /** All of these hold; an index begins with the fields of some of them. */
  readonly where: readonly Condition[]
  /** These hold too, but are only checked on the first `SCAN_MAX` documents that match `where`. */
  readonly filter?: readonly Condition[]
  /**
   * Ties are broken by id in the same direction. Without `field`: by id alone. Where no index has this order, `SCAN_MAX` of the documents that match
   * `where` are sorted, and the others are not found.
   */
  readonly sort?: { readonly field?: string; readonly direction: 'asc' | 'desc' }
  /** Value fields that are returned with each id. */
  readonly select?: readonly string[]
}

/** Of keyset pagination: the value that is sorted by (the id where there is no other), and the id. */
export interface SortKey {
  readonly value: FieldValue
  readonly id: string
}

export interface FoundRow extends SortKey {
  /** The fields of `select`; undefined where the document lacks one. */
  readonly selected: readonly (FieldValue | undefined)[]
}

export interface Found {
  readonly rows: readonly FoundRow[]
  /** Set when the scan stopped at SCAN_MAX before `limit` matches: continue after it. */
  readonly scannedTo: SortKey | undefined
}

/** Documents of one collection, and how far its projection has come with them. */
export interface Write {
  readonly collection: Collection
  /** Each is written only over the position that it was loaded at. */
  readonly documents: readonly ViewDocument[]
  /** Moved from one value to the other when all documents are written, never before. */
  readonly mark?: { readonly name: string; readonly from: string | undefined; readonly value: string }
}

/** Small texts under names, e.g. checkpoints. */
export interface Marks {
  read(name: string): Promise<string | undefined>
  /** Moves a mark, upward only (compared as text). */
  raise(name: string, value: string): Promise<void>
  /** Sets a mark to a value whatever it was, e.g. which version of a projection serves. */
  set(name: string, value: string): Promise<void>
  /** Moves a mark from one value to another; false, and nothing is changed, where it has another one. */
  replace(name: string, values: { readonly from: string; readonly to: string }): Promise<boolean>
}

/** How many documents a query scans where no index answers all of it. */
export const SCAN_MAX = 5_000
export const LOAD_MAX = 10_000
export const FIND_MAX = 5_000
export const ANY_OF_MAX = 1_000

/**
 * Documents that can be thrown away and built again from the log.
 *
 * Promised: one document is written whole or not at all, and only over the one that it was folded from; what was answered as written is read by everyone
 * who asks later. Deliberately not: two documents at once, notifications, that a server keeps what it answered: it may lose its end, in the order of the
 * writes. Tombstones are never found, but are loaded.
 */
export interface ViewStore {
  /** Makes the collection and its indexes ready. Repeating it changes nothing. */
  open(collection: Collection): Promise<void>

  /** Those of the documents that exist, tombstones too. At most 10,000 ids. */
  load(collection: Collection, ids: readonly string[]): Promise<Map<string, ViewDocument>>

  /**
   * Writes in the order given; in one transaction where available (faster, not promised). Rejects with `WriteConflict`, some of
   * the documents perhaps written, where one of them or a mark is not what it was folded from.
   */
  write(writes: readonly Write[]): Promise<void>

  /** Documents (no tombstones) that match the query, after `after`, at most `limit` (1 to 5,000). */
  find(collection: Collection, query: Query, page: { limit: number; after?: SortKey | undefined }): Promise<Found>

  /** How many `find` could find, counting no further than `limit`. */
  count(collection: Collection, query: Query, limit: number): Promise<number>

  /** How many documents of this collection are marked broken, at most 1,000. */
  countBroken(collection: Collection): Promise<number>

  /** How much room this collection takes with its indexes, in bytes; undefined where the engine does not tell. */
  bytes(collection: CollectionName): Promise<number | undefined>

  /** The marks that are dropped with this collection, or without one those of the store. */
  marks(collection?: CollectionName): Marks

  /** All collections that exist, in the order of their names. */
  collections(): Promise<CollectionName[]>

  drop(collection: CollectionName): Promise<void>

  /** Wipes the bytes of deleted or dropped personal documents, where the engine can; rejects with `ViewStoreAway` while it cannot. */
  wipe(): Promise<void>

  close(): Promise<void>
}

/** Condition: the field has this value. */
export function is(field: string, value: FieldValue): Condition {
  return { field, anyOf: [value] }
}

/** A document or a mark was moved since it was loaded: load and fold again. */
export class WriteConflict extends Error {
  override readonly name = 'WriteConflict'
}

/** The view database cannot be reached. Readers must retry; the projector waits. */
export class ViewStoreAway extends TryAgain {
  override readonly name = 'ViewStoreAway'
  readonly code = 'view-store-away'
}
