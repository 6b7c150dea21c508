import { TryAgain } from '../../ports/try-again.ts'

/** A customer's row. Deleting it makes everything sealed under its key unreadable forever. */
export interface CustomerKey {
  /** Random; the log's only reference to a customer. */
  readonly customerId: string
  /** 32 bytes, AES-256-GCM. */
  readonly key: Uint8Array
}

/**
 * Stores what must not be in the log: customers' keys, secrets, password hashes.
 *
 * Promised: an acknowledged write survives a crash; an e-mail HMAC has one attached row, even with concurrent callers; a name has one secret.
 * Deliberately not: searching, listing by anything but id, history.
 */
export interface Vault {
  /** The row with this HMAC; if there is none, `candidate` is inserted. Concurrent callers get the same row. */
  customerByEmail(emailHmac: string, candidate: CustomerKey): Promise<CustomerKey>

  /** Keys of these customers, or `erased`. An id missing from the result was never in this vault. At most 1,000 ids. */
  keysOf(customerIds: readonly string[]): Promise<Map<string, Uint8Array | 'erased'>>

  /** Ids of all rows with this HMAC: at most one attached, and those in an unfinished erasure. */
  customersByEmail(emailHmac: string): Promise<string[]>

  /**
   * Starts an erasure: detaches the row's HMAC, so that a later order with this e-mail gets a new customer. Supersedes an earlier erasure.
   * Returns false if there is no such row.
   */
  detachEmail(customerId: string, erasure: Erasure): Promise<boolean>

  /**
   * Cancels an erasure: attaches the HMAC again. Returns false, without a change, if the erasure is superseded or decided, or if a newer row has
   * the e-mail.
   */
  attachEmail(customerId: string, erasureId: string): Promise<boolean>

  /** Decides an erasure: from now on the row can only be deleted. Returns false if the erasure is superseded or cancelled. */
  decideErasure(customerId: string, erasureId: string): Promise<boolean>

  /** Customers whose erasure began before `before` and is unfinished: at most `limit`, oldest first. */
  detached(options: { before: number; limit: number }): Promise<string[]>

  /** Deletes the rows and wipes their bytes. Afterwards all these ids count as erased, even unknown ones. At most 1,000 ids. */
  deleteCustomers(customerIds: readonly string[]): Promise<void>

  /** The secret of this name; if there is none, `candidate` is stored. Concurrent callers get the same one. */
  secret(name: string, candidate: Uint8Array): Promise<Uint8Array>

  passwordHash(adminId: string): Promise<PasswordHash | undefined>

  /** Replaces the hash with id `replaces` (undefined: there must be none yet); returns whether it did. */
  setPasswordHash(adminId: string, hash: PasswordHash, options: { replaces: string | undefined }): Promise<boolean>

  /** A small text by name, such as the log's head. */
  readMark(name: string): Promise<string | undefined>

  /** Raises a mark, never lowers it (compared as text). */
  raiseMark(name: string, value: string): Promise<void>

  /** Sets a mark unconditionally. */
  setMark(name: string, value: string): Promise<void>

  /** The notes with these ids that exist. At most 1,000 ids. */
  notes(kind: NoteKind, ids: readonly string[]): Promise<VaultNote[]>

  /** Notes that are due before `before`: at most `limit`, the earliest first. */
  dueNotes(kind: NoteKind, options: { before: number; limit: number }): Promise<VaultNote[]>

  /** Replaces the note of version `was`, or inserts it; returns whether it did. */
  writeNote(kind: NoteKind, note: Omit<VaultNote, 'version'>, was: number | 'absent'): Promise<boolean>

  /** Deletes the note of this version; returns whether it did. */
  deleteNote(kind: NoteKind, note: Pick<VaultNote, 'id' | 'version'>): Promise<boolean>

  /** Removes the bytes of deleted and replaced notes from all files, if the engine can. */
  wipe(): Promise<void>

  close(): Promise<void>
}

/**
 * `message`: one that could not be sent. `state`: what is sent and said. `lease`: who sends. `second-factor`: the owner's. `session`: where one of the
 * owner's is. `block`: a blocked buyer.
 */
export type NoteKind = 'message' | 'state' | 'lease' | 'second-factor' | 'session' | 'block'

/** A small value that is changed by version, and deleted when it is done. */
export interface VaultNote {
  readonly id: string
  /** Any JSON. Of buyers' data only the order and remark of a block, which an erasure removes. */
  readonly value: unknown
  /** Milliseconds since 1970. */
  readonly due: number | undefined
  readonly version: number
}

/** One attempt to erase a customer. */
export interface Erasure {
  /** Random; only the latest attempt may decide or cancel. */
  readonly erasureId: string
  /** Milliseconds since 1970, by the caller's clock. */
  readonly at: number
}

export interface PasswordHash {
  /** Random; the log's AdminPasswordSet has it, too, to match both after a crash. */
  readonly passwordId: string
  /** PHC text: `$argon2id$v=19$m=...` */
  readonly hash: string
}

/** The vault cannot be reached or cannot write. Callers wait or fail; no customer counts as erased because of this. */
export class VaultAway extends TryAgain {
  override readonly name = 'VaultAway'
  readonly code = 'vault-away'
}

/** The vault belongs to another log, or is damaged. */
export class VaultDamaged extends Error {
  override readonly name = 'VaultDamaged'
}
