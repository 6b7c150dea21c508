import { TryAgain } from '../../ports/try-again.ts'

/** A customer's row. Deleting it makes everything sealed under its key unreadable for ever. */
export interface CustomerKey {
  /** Random; the log's only reference to a customer. */
  readonly customerId: string
  /** 32 bytes, AES-256-GCM. */
  readonly key: Uint8Array
}

/**
 * Data that must be kept but must not be in the log: customers' keys, secrets, password hashes.
 *
 * Promised: an answered write survives a crash; an e-mail HMAC has one row at any moment, even with concurrent callers; a name has one secret.
 * Deliberately not: searching, listing by anything but id, history.
 */
export interface Vault {
  /** The row with this HMAC; if there is none, `candidate` is inserted. Concurrent callers get the same row. */
  customerByEmail(emailHmac: string, candidate: CustomerKey): Promise<CustomerKey>

  /** Keys of these customers, or `erased`. An id missing from the answer was never in this vault. At most 1,000 ids. */
  keysOf(customerIds: readonly string[]): Promise<Map<string, Uint8Array | 'erased'>>

  /** All rows with this HMAC: at most one attached, and those whose erasure is unfinished. */
  customersByEmail(emailHmac: string): Promise<string[]>

  /**
   * Begins an erasure: detaches the row's HMAC, so that a later order with this e-mail gets a new customer. `erasureId` supersedes an earlier
   * erasure. False if there is no such row.
   */
  detachEmail(customerId: string, erasure: Erasure): Promise<boolean>

  /**
   * Cancels an erasure: attaches the HMAC again. False, with no change, when another erasure has superseded it, when it is decided, or when a newer
   * row has the e-mail by now.
   */
  attachEmail(customerId: string, erasureId: string): Promise<boolean>

  /** Decides an erasure: from now on the row can only be deleted. False when another erasure has superseded it, or it was cancelled. */
  decideErasure(customerId: string, erasureId: string): Promise<boolean>

  /** Unfinished erasures that began before `before`: at most `limit`, the oldest first. */
  detached(options: { before: number; limit: number }): Promise<string[]>

  /** Deletes the rows and wipes their bytes. Afterwards all these ids count as erased, even one that was never here. At most 1,000 ids. */
  deleteCustomers(customerIds: readonly string[]): Promise<void>

  /** The secret of this name; if there is none, `candidate` is stored. Concurrent callers get the same one. */
  secret(name: string, candidate: Uint8Array): Promise<Uint8Array>

  passwordHash(adminId: string): Promise<PasswordHash | undefined>

  /** Replaces the hash with id `replaces` (undefined: there must be none yet); returns whether it did. */
  setPasswordHash(adminId: string, hash: PasswordHash, options: { replaces: string | undefined }): Promise<boolean>

  /** A small text by name, such as the log's head. */
  readMark(name: string): Promise<string | undefined>

  /** Moves a mark, upward only (compared as text). */
  raiseMark(name: string, value: string): Promise<void>

  /** Sets a mark unconditionally. */
  setMark(name: string, value: string): Promise<void>

  close(): Promise<void>
}

/** One attempt to erase a customer. */
export interface Erasure {
  /** Random; only the attempt that began last may decide or cancel. */
  readonly erasureId: string
  /** Milliseconds since 1970, by the caller's clock. */
  readonly at: number
}

export interface PasswordHash {
  /** Random; the log's AdminPasswordSet carries it, so that both can be matched after a crash. */
  readonly passwordId: string
  /** PHC text: `$argon2id$v=19$m=...` */
  readonly hash: string
}

/** The vault cannot be reached or cannot write. Callers wait or fail; nothing ever counts as erased because of this. */
export class VaultAway extends TryAgain {
  override readonly name = 'VaultAway'
  readonly code = 'vault-away'
}

/** The vault is not the one that this log belongs to, or its file is damaged. */
export class VaultDamaged extends Error {
  override readonly name = 'VaultDamaged'
}
