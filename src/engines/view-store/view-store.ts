import { TryAgain } from '../../ports/try-again.ts'

/** One kind of documents of a set. */
export interface Collection {
  /** `[a-z]+` */
  readonly name: string
  /** What documents can be found by, none of them called `id`. A `terms` field is an array of text, each entry found by its beginning. */
  readonly fields: Readonly<Record<string, 'text' | 'number' | 'boolean' | 'terms'>>
  /** Each names fields in order and holds the documents that have its first field. The document's id always comes last by itself. */
  readonly indexes: readonly (readonly string[])[]
  /** Its documents hold personal data: they lie apart, and erased ones are wiped from the engine's files, where the engine can. */
  readonly isPersonal?: boolean
}

export interface ViewDocument<Body = unknown> {
  readonly id: string
  /** Position of the last event that changed it; sorts as text. */
  readonly position: string
  /** Plain JSON; undefined for a tombstone, which keeps its position for ever. */
  readonly body: Body | undefined
  /** Write-only: index values that are not in the body. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** Set when an event could not be folded at this position: later ones are not either. */
  readonly broken?: { readonly position: string; readonly reason: string }
}

/** What a set is begun with, and keeps. */
export interface SetBegun {
  /** What its documents look like: folding code and configuration. */
  readonly shape: string
  readonly logId: string
  /** The log's head when it was begun: it may answer from there on. */
  readonly beginHead: string
}

/** The main marker of a set. */
export interface SetState extends SetBegun {
  /** The position up to which all its documents are folded. */
  readonly checkpoint: string
  /** Raised by whoever folds it. */
  readonly beats: number
}

/** A page of the log on its way into a set. */
export interface PageFold {
  /** The checkpoint that the page follows. */
  readonly after: string
  /** The checkpoint after it. */
  readonly to: string
  readonly parts: readonly {
    readonly collection: Collection
    /** The documents that the page touches. */
    readonly ids: readonly string[]
    /** Those to be written, folded from those that were loaded above `checkpoint`. Pure: may be called again. */
    readonly folded: (loaded: ReadonlyMap<string, ViewDocument>, checkpoint: string) => readonly ViewDocument[]
  }[]
}

/** What is read: a collection of a set. */
export interface Source {
  readonly set: string
  readonly collection: Collection
  /** Called with the checkpoint at which was read; refuses the answer by throwing. */
  readonly onRead?: (checkpoint: string) => void
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

/** Small texts under names, shared by all processes; they may be lost. */
export interface SharedTexts {
  read(name: string): Promise<string | undefined>
  /** Sets a text that is still `from`; false, and nothing is changed, where it is another one. */
  replace(name: string, values: { readonly from: string | undefined; readonly to: string }): Promise<boolean>
}

/** How many documents a query scans where no index answers all of it. */
export const SCAN_MAX = 5_000
export const LOAD_MAX = 10_000
export const FIND_MAX = 5_000
export const ANY_OF_MAX = 1_000

/**
 * Sets of documents that can be thrown away and built again from the log.
 *
 * Promised: a document is written whole or not at all, and never over a higher position; what was answered as written is read by everyone who asks later; a read
 * of a set, or of a collection, that is gone is refused, never empty. Deliberately not: that a server keeps what it answered. It may lose its end, in the order of
 * the writes. Tombstones are never found, but are loaded.
 */
export interface ViewStore {
  readonly texts: SharedTexts

  /** Makes a set under a new id, without the indexes of its collections. Its main marker comes last. */
  create(set: string, begun: SetBegun, collections: readonly Collection[]): Promise<void>

  /** Undefined where it is gone, or a part of it. */
  stateOf(set: string): Promise<SetState | undefined>

  /** Makes the indexes that queries need; repeating it changes nothing. */
  index(set: string, collections: readonly Collection[]): Promise<void>

  /**
   * Folds a page, and moves the checkpoint from `after` to `to`; answers the checkpoint after it. Where that is another one, another process was faster or the
   * store lost its end: go on from there. Throws `SetGone`.
   */
  fold(set: string, page: PageFold): Promise<string>

  /** Says that the set is kept up. */
  beat(set: string): Promise<void>

  /** Drops all of it, the main marker first. With `beats` only a set that still has these; says whether it did. */
  drop(set: string, only?: { readonly beats: number }): Promise<boolean>

  /** The ids of all sets of which something is there, also those without a marker. */
  found(): Promise<string[]>

  /** Wipes the bytes of erased documents, where the engine can and some are due; rejects with `ViewStoreAway` while it cannot. */
  wipe(set: string): Promise<void>

  /** How much room it takes, in bytes; undefined where the engine does not tell. */
  bytes(set: string): Promise<number | undefined>

  /** Those of the documents that exist, tombstones too. At most 10,000 ids. As all reads: throws `SetGone`. */
  load(source: Source, ids: readonly string[]): Promise<Map<string, ViewDocument>>

  /** Documents (no tombstones) that match the query, after `after`, at most `limit` (1 to 5,000). */
  find(source: Source, query: Query, page: { limit: number; after?: SortKey | undefined }): Promise<Found>

  /** How many `find` could find, counting no further than `limit`. */
  count(source: Source, query: Query, limit: number): Promise<number>

  /** The documents that are marked broken, at most 1,000. */
  broken(source: Source): Promise<BrokenDocument[]>

  close(): Promise<void>
}

export interface BrokenDocument {
  readonly id: string
  readonly position: string
  readonly reason: string
}

/** Condition: the field has this value. */
export function is(field: string, value: FieldValue): Condition {
  return { field, anyOf: [value] }
}

/** The set was dropped or wiped, or a part of it. Readers must retry; the projector begins another one. */
export class SetGone extends TryAgain {
  override readonly name = 'SetGone'
  readonly code = 'view-behind'
  constructor(set: string) {
    super(`The views '${set}' are not there any more.`)
  }
}

/** The view database cannot be reached. Readers must retry; the projector waits. */
export class ViewStoreAway extends TryAgain {
  override readonly name = 'ViewStoreAway'
  readonly code = 'view-store-away'
}
