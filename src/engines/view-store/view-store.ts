import { TryAgain } from '../../ports/try-again.ts'

/** One kind of document of a set. */
export interface Collection {
  /** `[a-z]+` */
  readonly name: string
  /** Fields for queries, none of them named `id`. A `terms` field is an array of text, found by the prefix of any entry. */
  readonly fields: Readonly<Record<string, 'text' | 'number' | 'boolean' | 'terms'>>
  /** Each lists fields in order and holds only documents with its first field. The document's id is always added at the end. */
  readonly indexes: readonly (readonly string[])[]
  /** Documents with personal data: stored apart, and wiped from the engine's files when erased, if the engine can. */
  readonly isPersonal?: boolean
}

export interface ViewDocument<Body = unknown> {
  readonly id: string
  /** Position of the last event that changed the document; sorts as text. */
  readonly position: string
  /** Plain JSON; undefined for a tombstone, which keeps its position forever. */
  readonly body: Body | undefined
  /** Write-only: index values that are not in the body. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** Set if the event at this position could not be folded; later ones are skipped. */
  readonly broken?: { readonly position: string; readonly reason: string }
}

/** Facts of a set that never change. */
export interface SetOrigin {
  /** Identifies the folding code and its configuration. */
  readonly shape: string
  readonly logId: string
  /** The log's head at its creation: the set may be read from there on. */
  readonly beginHead: string
}

/** The main marker of a set. */
export interface SetState extends SetOrigin {
  /** All documents are folded up to this position. */
  readonly checkpoint: string
}

/** A page of the log to fold into a set. */
export interface PageFold {
  /** The checkpoint before the page. */
  readonly after: string
  /** The checkpoint after the page. */
  readonly to: string
  readonly parts: readonly {
    readonly collection: Collection
    /** The documents that the page touches. */
    readonly ids: readonly string[]
    /** Returns the documents to write, given the stored ones and the set's checkpoint. Pure: may be called again. */
    readonly fold: (loaded: ReadonlyMap<string, ViewDocument>, checkpoint: string) => readonly ViewDocument[]
  }[]
}

/** A collection of a set, to read from. */
export interface Source {
  readonly set: string
  readonly collection: Collection
  /** Called with the checkpoint of the read; throws to reject the result. */
  readonly onRead?: (checkpoint: string) => void
}

export type FieldValue = string | number | boolean

/** Documents with these values, in the order of one index: an index must have the fields of `equal`, in any order, then that of `range`. */
export interface Query {
  readonly equal?: Readonly<Record<string, FieldValue>>
  /** By default all documents, by id. */
  readonly range?: Range
  /** Of the range's field; ties are broken by id in the same direction. */
  readonly direction?: 'asc' | 'desc'
  /** Value fields that are returned with each id. */
  readonly select?: readonly string[]
}

/**
 * Documents that have this field (by default the id): `from` inclusive, `below` exclusive; the beginning of a text is case-sensitive. A `terms` field takes
 * `beginsWith` alone, and returns documents in no order.
 */
export type Range = { readonly field?: string } & (
  { readonly beginsWith: string } | { readonly from?: FieldValue | undefined; readonly below?: FieldValue | undefined }
)

/** Cursor of keyset pagination: the value of the range's field (by default the id), and the id. */
export interface SortKey {
  readonly value: FieldValue
  readonly id: string
}

export interface FoundRow extends SortKey {
  /** The values of `select`; undefined if the document lacks one. */
  readonly selected: readonly (FieldValue | undefined)[]
}

/** Small named texts, shared by all processes; they may be lost. */
export interface SharedTexts {
  read(name: string): Promise<string | undefined>
  /** Sets a text that is still `from`; otherwise returns false and changes nothing. */
  replace(name: string, values: { readonly from: string | undefined; readonly to: string }): Promise<boolean>
}

export const LOAD_MAX = 10_000
export const FIND_MAX = 5_000

/**
 * Sets of documents that can be deleted and rebuilt from the log.
 *
 * Promised: a document is written whole or not at all, and never over a higher position; later reads see every acknowledged write; a read of a dropped set or
 * collection is rejected, never empty. Deliberately not: durability. A server may lose its newest writes, in their order. Queries never find tombstones; `load`
 * returns them.
 */
export interface ViewStore {
  readonly texts: SharedTexts

  /** Creates a set under a new id, without indexes. Writes its main marker last. */
  create(set: string, origin: SetOrigin, collections: readonly Collection[]): Promise<void>

  /** Undefined if the set or a part of it is missing. */
  stateOf(set: string): Promise<SetState | undefined>

  /** Creates the indexes that queries need. Idempotent. */
  index(set: string, collections: readonly Collection[]): Promise<void>

  /**
   * Folds a page, moves the checkpoint from `after` to `to`, and returns the new checkpoint. If that is not `to`, another process was faster or the store lost
   * its newest writes: continue from there. Throws `SetGone`.
   */
  fold(set: string, page: PageFold): Promise<string>

  /** Drops the set, its main marker first. */
  drop(set: string): Promise<void>

  /** Ids of all sets with any data, even without a marker. */
  found(): Promise<string[]>

  /** Wipes the bytes of erased documents, if the engine supports it and any are due; rejects with `ViewStoreAway` while it cannot. */
  wipe(set: string): Promise<void>

  /** The set's size; undefined if the engine does not report it. */
  bytes(set: string): Promise<number | undefined>

  /** The documents that exist, tombstones too. At most 10,000 ids. Like all reads, throws `SetGone`. */
  load(source: Source, ids: readonly string[]): Promise<Map<string, ViewDocument>>

  /** Documents (no tombstones) that match the query, after `after`, at most `limit` (1 to 5,000). Rejects a query that no index answers. */
  find(source: Source, query: Query, page: { limit: number; after?: SortKey | undefined }): Promise<FoundRow[]>

  /** How many documents match the query, counted up to `limit`. */
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

/** The set or a part of it was dropped or wiped. Readers must retry; the projector begins a new set. */
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
