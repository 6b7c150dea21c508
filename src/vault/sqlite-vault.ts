import { crc32 } from 'node:zlib'
import { RowDamaged, sqliteVaultFile } from './sqlite-vault-file.ts'
import type { Sql } from './sqlite-vault-file.ts'
import { CustomerIdTaken, checkCandidate, checkCustomerIds } from './vault-input.ts'
import { VaultAway } from './vault.ts'
import type { CustomerKey, PasswordHash, Vault } from './vault.ts'

const WAIT_MS_DEFAULT = 5_000
const CUSTOMERS_WAITING_MAX = 10_000
const CUSTOMERS_PER_TRANSACTION_MAX = 500

interface CustomerRow {
  readonly customerId: string
  /** Dashes where it was taken off, so that the row keeps its length. */
  readonly emailHmac: string
  readonly isAttached: 0 | 1
  /** Zeros where it was wiped. */
  readonly key: Uint8Array
  readonly isErased: 0 | 1
}

interface StoredCustomer extends CustomerRow {
  readonly checksum: string
}

interface StoredSecret {
  readonly name: string
  readonly value: Uint8Array
  readonly checksum: string
}

interface StoredPassword extends PasswordHash {
  readonly adminId: string
  readonly checksum: string
}

interface Asked {
  readonly emailHmac: string
  readonly candidate: CustomerKey
  readonly resolve: (customer: CustomerKey) => void
  readonly reject: (reason: unknown) => void
}

/**
 * The vault in one SQLite file, for any number of processes of one machine. Nothing is remembered between calls, so that what another
 * process erases is gone here too. A locked file is waited for, at most `waitMs`.
 */
export function sqliteVault(file: string, { waitMs = WAIT_MS_DEFAULT }: { waitMs?: number } = {}): Vault {
  const vault = sqliteVaultFile(file, { waitMs })
  const unanswered = new Set<Promise<CustomerKey>>()
  let asked: Asked[] = []
  const unknown: Asked[] = []
  let isInserting = false
  let isClosed = false

  async function answerAsked(): Promise<void> {
    const customers = asked
    asked = []
    await Promise.all(customers.map(answerIfKnown))
    if (!isInserting) await insertUnknown()
  }

  async function answerIfKnown(customer: Asked): Promise<void> {
    try {
      const known = await vault.read((sql) => customerByEmail(sql, customer.emailHmac))
      if (known) customer.resolve(known)
      else unknown.push(customer)
    } catch (error) {
      customer.reject(error)
    }
  }

  async function insertUnknown(): Promise<void> {
    isInserting = true
    while (unknown.length > 0) {
      const customers = unknown.splice(0, CUSTOMERS_PER_TRANSACTION_MAX)
      try {
        const rows = await vault.write((sql) => customers.map((customer) => knownOrInserted(sql, customer)))
        for (const [index, { candidate, resolve, reject }] of customers.entries()) {
          const row = rows[index]
          if (row) resolve(row)
          else reject(new CustomerIdTaken(`There is a customer ${candidate.customerId} already`))
        }
      } catch (error) {
        for (const { reject } of customers) reject(error)
      }
    }
    isInserting = false
  }

  return {
    async customerByEmail(emailHmac, candidate) {
      checkCandidate(candidate)
      if (isClosed) throw new VaultAway(`The vault ${file} is closed`)
      if (unanswered.size >= CUSTOMERS_WAITING_MAX) throw new VaultAway(`Too many customers wait for ${file}`)
      const { promise, resolve, reject } = Promise.withResolvers<CustomerKey>()
      // Requests that came in together share one transaction, and its one wait for the disk.
      if (asked.length === 0) setImmediate(() => void answerAsked())
      asked.push({ emailHmac, candidate, resolve, reject })
      unanswered.add(promise)
      return promise.finally(() => unanswered.delete(promise))
    },

    async keysOf(customerIds) {
      checkCustomerIds(customerIds)
      return vault.read((sql) => {
        const rows = customerIds.map((customerId) => customerById(sql, customerId))
        const absent = customerIds.filter((_, index) => !rows[index])
        if (absent.length > 0) refuseIfOverlooked(sql, absent)
        const present = rows.filter((row) => row !== undefined).map(intactCustomer)
        return new Map(present.filter((row) => !row.isErased).map(({ customerId, key }) => [customerId, key]))
      })
    },

    async detachEmail(customerId) {
      return vault.write((sql) => {
        const row = customerById(sql, customerId)
        if (!row || !intactCustomer(row).isAttached) return undefined
        overwrite(sql, { ...row, ...withoutEmail(row) })
        return row.emailHmac
      })
    },

    async attachEmail(customerId, emailHmac) {
      return vault.write((sql) => {
        const row = customerById(sql, customerId)
        if (!row || intactCustomer(row).isErased) return false
        if (row.isAttached) return row.emailHmac === emailHmac
        if (customerByEmail(sql, emailHmac)) return false
        overwrite(sql, { ...row, emailHmac, isAttached: 1 })
        return true
      })
    },

    async deleteCustomer(customerId) {
      const row = await vault.read((sql) => customerById(sql, customerId))
      if (row && !isErased(row)) await vault.write((sql) => erase(sql, customerId))
      // Also where nothing was to be deleted: the call before this one may have crashed here.
      await vault.wipe()
    },

    async secret(name, candidate) {
      const kept = await vault.read((sql) => secretNamed(sql, name))
      return kept ?? vault.write((sql) => secretNamed(sql, name) ?? insertedSecret(sql, name, candidate))
    },

    async passwordHash(adminId) {
      return vault.read((sql) => passwordOf(sql, adminId))
    },

    async setPasswordHash(adminId, { passwordId, hash }, { replaces }) {
      return vault.write((sql) => {
        if (passwordOf(sql, adminId)?.passwordId !== replaces) return false
        const checksum = checksumOf(adminId, passwordId, hash)
        sql('INSERT OR REPLACE INTO passwords VALUES (?, ?, ?, ?)').run(adminId, passwordId, hash, checksum)
        return true
      })
    },

    async close() {
      isClosed = true
      await Promise.allSettled(unanswered)
      await vault.close()
    },
  }
}

const CUSTOMERS = `
  SELECT customer_id AS customerId, email_hmac AS emailHmac, is_attached AS isAttached, key, is_erased AS isErased, checksum
  FROM customers`

function customerByEmail(sql: Sql, emailHmac: string): CustomerKey | undefined {
  const row = sql(`${CUSTOMERS} WHERE email_hmac = ? AND is_attached = 1`).get(emailHmac) as StoredCustomer | undefined
  if (!row) return undefined
  const { customerId, key } = intactCustomer(row)
  return { customerId, key }
}

function customerById(sql: Sql, customerId: string): StoredCustomer | undefined {
  return sql(`${CUSTOMERS} WHERE customer_id = ?`).get(customerId) as StoredCustomer | undefined
}

/** The erased have a row that says so. An id without any row may stand behind a damaged index, and must not pass for erased. */
function refuseIfOverlooked(sql: Sql, customerIds: readonly string[]): void {
  const overlooked = sql(`
    SELECT customer_id FROM customers NOT INDEXED
    WHERE customer_id IN (SELECT value FROM json_each(?)) LIMIT 1`).get(JSON.stringify(customerIds))
  if (overlooked) throw new RowDamaged('A customer is missing in the index')
}

function knownOrInserted(sql: Sql, { emailHmac, candidate: { customerId, key } }: Asked): CustomerKey | undefined {
  const known = customerByEmail(sql, emailHmac)
  if (known) return known
  const checksum = customerChecksum({ customerId, emailHmac, isAttached: 1, key, isErased: 0 })
  const { changes } = sql(`
    INSERT INTO customers (customer_id, email_hmac, is_attached, key, is_erased, checksum) VALUES (?, ?, 1, ?, 0, ?)
    ON CONFLICT (customer_id) DO NOTHING`).run(customerId, emailHmac, key, checksum)
  return changes === 1 ? { customerId, key: key.slice() } : undefined
}

function erase(sql: Sql, customerId: string): void {
  const row = customerById(sql, customerId)
  // A damaged row is erased like any other.
  if (!row || isErased(row)) return
  overwrite(sql, { ...row, ...withoutEmail(row), key: new Uint8Array(row.key.length), isErased: 1 })
  // The index does delete and move its entries; only when built anew it is free of what that leaves behind.
  sql('REINDEX customers_by_email').run()
}

function isErased(row: StoredCustomer): boolean {
  return row.isErased === 1 && row.checksum === customerChecksum(row)
}

function withoutEmail({ emailHmac }: CustomerRow): Pick<CustomerRow, 'emailHmac' | 'isAttached'> {
  return { emailHmac: '-'.repeat(emailHmac.length), isAttached: 0 }
}

function overwrite(sql: Sql, row: CustomerRow): void {
  const { customerId, emailHmac, isAttached, key, isErased } = row
  sql(`
    UPDATE customers SET email_hmac = ?, is_attached = ?, key = ?, is_erased = ?, checksum = ?
    WHERE customer_id = ?`).run(emailHmac, isAttached, key, isErased, customerChecksum(row), customerId)
}

/** All are read, since a name with a flipped bit would not be found, and another secret be made in its place. They are a handful. */
function secretNamed(sql: Sql, name: string): Uint8Array | undefined {
  const rows = sql('SELECT name, value, checksum FROM secrets').all() as unknown as StoredSecret[]
  for (const row of rows) refuseDamaged(row.checksum, checksumOf(row.name, row.value))
  return rows.find((row) => row.name === name)?.value
}

function insertedSecret(sql: Sql, name: string, value: Uint8Array): Uint8Array {
  sql('INSERT INTO secrets VALUES (?, ?, ?)').run(name, value, checksumOf(name, value))
  return value.slice()
}

/** All are read here too, for the same reason. */
function passwordOf(sql: Sql, adminId: string): PasswordHash | undefined {
  const all = 'SELECT admin_id AS adminId, password_id AS passwordId, hash, checksum FROM passwords'
  const rows = sql(all).all() as unknown as StoredPassword[]
  for (const row of rows) refuseDamaged(row.checksum, checksumOf(row.adminId, row.passwordId, row.hash))
  const row = rows.find((row) => row.adminId === adminId)
  return row && { passwordId: row.passwordId, hash: row.hash }
}

function intactCustomer(row: StoredCustomer): CustomerRow {
  refuseDamaged(row.checksum, customerChecksum(row))
  return row
}

function refuseDamaged(stored: string, computed: string): void {
  if (stored !== computed) throw new RowDamaged('A row does not match its checksum')
}

function customerChecksum({ customerId, emailHmac, isAttached, key, isErased }: CustomerRow): string {
  return checksumOf(customerId, emailHmac, isAttached, key, isErased)
}

/** Always eight characters, since a customer's row must keep its length. */
function checksumOf(...fields: readonly (string | number | Uint8Array)[]): string {
  const texts = fields.map((field) => (field instanceof Uint8Array ? Buffer.from(field).toString('hex') : field))
  return crc32(JSON.stringify(texts)).toString(16).padStart(8, '0')
}
