import { TryAgain } from '../ports/try-again.ts'

/**
 * One collection of documents: `orders@3`. A new version of a projection has a new name, so two can stand side by side.
 */
export interface Collection {
  /** `[a-z]+@[0-9]+`, and perhaps another `@[0-9]+`. */
  readonly name: string
  /** The fields of a document that queries may use, none of them called `id`. A `terms` field is an array of text, each entry found by its beginning. */
  readonly fields: Readonly<Record<string, 'text' | 'number' | 'boolean' | 'terms'>>
  /** Each names fields in order; `find` is served by a prefix of one of them. The document's id always comes last by itself. */
  readonly indexes: readonly (readonly string[])[]
  /** Text and boolean fields that few documents have, or have as true: an index over one needs to hold only these documents. */
  readonly rare?: readonly string[]
  /** Text fields that are so many characters, the same number in each, and another text field behind them: who has the one has the other. */
  readonly tails?: Readonly<Record<string, { readonly behind: number; readonly field: string }>>
  /** Its documents name people: no byte of them may be left where it cannot be wiped. */
  readonly isPersonal?: boolean
}

export interface ViewDocument<Body = unknown> {
  readonly id: string
  /** Position of the last event that changed it; sorts as text. */
  readonly position: string
  /** Plain JSON; undefined for a tombstone, which keeps its position for ever. */
  readonly body: Body | undefined
  /** Given when it is written and never answered: what it is found by, where this does not stand in its body. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** Set when an event could not be folded at this position: later ones are not either, until a new version is built. */
  readonly broken?: { readonly position: string; readonly reason: string }
}

export type FieldValue = string | number | boolean

export interface Query {
  readonly equals?: Readonly<Record<string, FieldValue>>
  /** Field is any of these, at most 1,000. */
  readonly anyOf?: { readonly field: string; readonly values: readonly FieldValue[] }
  /** Text or terms field, or with `id` the document's own, begins with this (compared as it stands: store it lower-case). */
  readonly beginsWith?: { readonly field: string; readonly text: string }
  /** `from` inclusive, `to` exclusive. */
  readonly range?: { readonly field: string; readonly from?: FieldValue; readonly to?: FieldValue }
  /** Ties are broken by id in the same direction. Without `field`: by id alone. */
  readonly sort?: { readonly field?: string; readonly direction: 'asc' | 'desc' }
  /** Continue behind the document with this sort value and id. */
  readonly after?: { readonly value?: FieldValue; readonly id: string }
  /** 1 to 2,000. */
  readonly limit: number
}

/** What a document has in the fields asked for, in their order; undefined where it lacks one (null counts as none). */
export interface FoundFields {
  readonly id: string
  readonly values: readonly (FieldValue | undefined)[]
}

export type Conditions = Pick<Query, 'equals' | 'anyOf' | 'beginsWith' | 'range'>

export interface Page {
  readonly documents: ViewDocument[]
  /** Where a store stopped looking, which had looked far and found fewer than `limit`: the next page goes on behind it. */
  readonly stoppedAt: { readonly value: FieldValue; readonly id: string } | undefined
  /** How many match all conditions, on this page or another. */
  readonly count: number
}

/**
 * Documents that can be thrown away and built again from the log.
 *
 * Promised: one document is written whole or not at all, and only over a lower position; what was answered as written is read by everyone
 * who asks later. Deliberately not: two documents at once, transactions, notifications. Tombstones are never found, but are loaded.
 */
export interface ViewStore {
  /** Makes the collection and its indexes ready. Repeating it changes nothing. */
  open(collection: Collection): Promise<void>

  /** Those of the documents that exist, tombstones too. At most 10,000 ids. */
  load(collection: Collection, ids: readonly string[]): Promise<Map<string, ViewDocument>>

  /** Writes each document whose position is higher than the stored one's; leaves the others as they are. */
  write(collection: Collection, documents: readonly ViewDocument[]): Promise<void>

  /** Documents (no tombstones) that match all conditions. */
  find(collection: Collection, query: Query): Promise<ViewDocument[]>

  /** The same documents in the same order, but only these fields of each, terms not among them: their bodies are not read. */
  findFields(collection: Collection, query: Query, fields: readonly string[]): Promise<FoundFields[]>

  /** As `find`, but it may stop early; and as `count`, no further than `countMax` (0: not at all), which costs less than one after the other. */
  findPage(collection: Collection, query: Query, countMax: number): Promise<Page>

  /** How many match, counting no further than `limit`. */
  count(collection: Collection, query: Conditions, limit: number): Promise<number>

  /** The ids of those that match, in no order; at most `limit`, 1 to 2,000, and while nothing is written always the same ones. */
  findIds(collection: Collection, query: Conditions, limit: number): Promise<string[]>

  /** How many documents of this collection are marked broken, at most 1,000. */
  countBroken(collection: Collection): Promise<number>

  /** A small text under a name, e.g. a checkpoint. */
  readMark(name: string): Promise<string | undefined>

  /** Moves a mark, upward only (compared as text). */
  raiseMark(name: string, value: string): Promise<void>

  /** Sets a mark to a value whatever it was, e.g. which version of a projection serves. */
  setMark(name: string, value: string): Promise<void>

  /** Sets a mark to another value if it still has the one that it is given; of several who do so with the same one only one succeeds. Says whether it did. */
  replaceMark(name: string, value: { readonly from: string; readonly to: string }): Promise<boolean>

  /** Names of all collections that exist. */
  collections(): Promise<string[]>

  /** Drops a collection; its bytes are wiped where the engine can. */
  drop(name: string): Promise<void>

  /** Runs `work` as one transaction where the engine has them and as it is where not: only ever a matter of speed. */
  batch<T>(work: () => Promise<T>): Promise<T>

  close(): Promise<void>
}

/** The view database cannot be reached. Readers are told to come again; the projector waits. */
export class ViewStoreAway extends TryAgain {
  override readonly name = 'ViewStoreAway'
  readonly code = 'view-store-away'
}
