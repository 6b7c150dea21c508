import { TryAgain } from '../ports/try-again.ts'

/** A customer's row. Deleting it makes everything sealed under its key unreadable for ever. */
export interface CustomerKey {
  /** Random; the only name that the log knows a customer by. */
  readonly customerId: string
  /** 32 bytes, AES-256-GCM. */
  readonly key: Uint8Array
}

/**
 * What must be kept but must not stand in the log: customers' keys, secrets, password hashes.
 *
 * Promised: an answered write survives a crash; one e-mail HMAC has one row at any moment, whoever asks at the same time; one name has one secret.
 * Deliberately not: searching, listing by anything but id, history.
 */
export interface Vault {
  /** The row with this HMAC; when there is none, `candidate` is inserted and answered. Concurrent callers get the same row. */
  customerByEmail(emailHmac: string, candidate: CustomerKey): Promise<CustomerKey>

  /**
   * Keys of these customers, `erased` for those whose key is gone. An id that is missing in the answer was never in this vault. At most 1,000 ids.
   */
  keysOf(customerIds: readonly string[]): Promise<Map<string, Uint8Array | 'erased'>>

  /** All who have this HMAC: one at most who can order, and those whose erasing has begun and is not done. */
  customersByEmail(emailHmac: string): Promise<string[]>

  /**
   * Begins to erase: the row's HMAC is found by nobody any more, so that a later order with this e-mail gets a new customer. `erasureId` takes over
   * from whoever erased before. False where there is no such row, or none any more.
   */
  detachEmail(customerId: string, erasure: Erasure): Promise<boolean>

  /**
   * Gives an erasure up: the HMAC is found again. False, and nothing happens, when another erasure has taken over, when it is decided, or when a newer
   * row has the e-mail by now; the row stays detached then.
   */
  attachEmail(customerId: string, erasureId: string): Promise<boolean>

  /** Decides an erasure: from now on the row can only be deleted. False when another erasure has taken over, or this one was given up. */
  decideErasure(customerId: string, erasureId: string): Promise<boolean>

  /** Whose erasing has begun before `before` and is not done: at most `limit`, the oldest first. */
  detached(options: { before: number; limit: number }): Promise<string[]>

  /** Deletes the rows and wipes their bytes. Afterwards all these are known as erased, also one that never was here. At most 1,000 ids. */
  deleteCustomers(customerIds: readonly string[]): Promise<void>

  /** The secret of this name; when there is none, `candidate` is kept and answered. Concurrent callers get the same one. */
  secret(name: string, candidate: Uint8Array): Promise<Uint8Array>

  passwordHash(adminId: string): Promise<PasswordHash | undefined>

  /** Puts a hash in place of the one with `replaces` (undefined: there must be none yet); says whether it did. */
  setPasswordHash(adminId: string, hash: PasswordHash, options: { replaces: string | undefined }): Promise<boolean>

  /** A small text under a name, such as how far the log had come. */
  readMark(name: string): Promise<string | undefined>

  /** Moves a mark, upward only (compared as text). */
  raiseMark(name: string, value: string): Promise<void>

  /** Sets a mark whatever it was. */
  setMark(name: string, value: string): Promise<void>

  close(): Promise<void>
}

/** One attempt to erase a customer. */
export interface Erasure {
  /** Random; whoever began last is the only one who may decide it or give it up. */
  readonly erasureId: string
  /** Milliseconds since 1970, by the caller's clock. */
  readonly at: number
}

export interface PasswordHash {
  /** Random; the log's AdminPasswordSet names it, so that both can be matched after a crash. */
  readonly passwordId: string
  /** PHC text: `$argon2id$v=19$m=...` */
  readonly hash: string
}

/** The vault cannot be reached or cannot write. Whoever needs it waits or fails; nothing is ever treated as erased because of this. */
export class VaultAway extends TryAgain {
  override readonly name = 'VaultAway'
  readonly code = 'vault-away'
}

/** The vault is not the one that this log belongs to, or its file is damaged. */
export class VaultDamaged extends Error {
  override readonly name = 'VaultDamaged'
}
