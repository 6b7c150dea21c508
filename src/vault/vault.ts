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

  /** Keys of those that exist (detached ones too). A missing id means that the person was erased, or never was. At most 1,000 ids. */
  keysOf(customerIds: readonly string[]): Promise<Map<string, Uint8Array>>

  /** Takes the HMAC off the row, so that a later order with this e-mail gets a new customer. Answers the HMAC, or undefined where there was none. */
  detachEmail(customerId: string): Promise<string | undefined>

  /** Puts the HMAC back, unless the row is gone or another row has it by now; says whether it did. */
  attachEmail(customerId: string, emailHmac: string): Promise<boolean>

  /** Deletes the row and wipes its bytes. Nothing happens when there is none. */
  deleteCustomer(customerId: string): Promise<void>

  /** The secret of this name; when there is none, `candidate` is kept and answered. Concurrent callers get the same one. */
  secret(name: string, candidate: Uint8Array): Promise<Uint8Array>

  passwordHash(adminId: string): Promise<PasswordHash | undefined>

  /** Puts a hash in place of the one with `replaces` (undefined: there must be none yet); says whether it did. */
  setPasswordHash(adminId: string, hash: PasswordHash, options: { replaces: string | undefined }): Promise<boolean>

  close(): Promise<void>
}

export interface PasswordHash {
  /** Random; the log's AdminPasswordSet names it, so that both can be matched after a crash. */
  readonly passwordId: string
  /** PHC text: `$argon2id$v=19$m=...` */
  readonly hash: string
}

/** The vault cannot be reached or cannot write. Whoever needs it waits or fails; nothing is ever treated as erased because of this. */
export class VaultAway extends Error {
  override readonly name = 'VaultAway'
}

/** The vault is not the one that this log belongs to, or its file is damaged. */
export class VaultDamaged extends Error {
  override readonly name = 'VaultDamaged'
}
