import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import type { Sql } from '../sqlite/connection.ts'
import { ValueDamaged } from '../sqlite/errors.ts'
import { sqliteVaultFile } from './sqlite-vault-file.ts'
import { CustomerIdTaken, checkCandidate, checkCustomerIds } from './vault-input.ts'
import { VaultAway } from './vault.ts'
import type { CustomerKey, Erasure, PasswordHash, Vault } from './vault.ts'

const WAIT_MS_DEFAULT = 5_000
/** A turn of the event loop takes microseconds while nothing else is going on, and while much is, so long that more come along. */
const GATHERING_TURNS = 6
const CUSTOMERS_WAITING_MAX = 10_000
const CUSTOMERS_PER_TRANSACTION_MAX = 500

interface CustomerRow {
  readonly customerId: string
  /** Dashes where it was wiped, so that the row keeps its length. */
  readonly emailHmac: string
  readonly isAttached: 0 | 1
  /** Zeros where it was wiped. */
  readonly key: Uint8Array
  readonly isErased: 0 | 1
}

interface StoredCustomer extends CustomerRow {
  readonly checksum: string
}

interface ErasureRow extends Erasure {
  readonly customerId: string
  readonly isDecided: 0 | 1
}

interface StoredErasure extends ErasureRow {
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

interface StoredMark {
  readonly name: string
  readonly value: string
  readonly checksum: string
}

interface Unknown {
  readonly emailHmac: string
  readonly candidate: CustomerKey
  readonly resolve: (customer: CustomerKey) => void
  readonly reject: (reason: unknown) => void
}

interface SqliteVaultOptions {
  /** How long a locked file is waited for. */
  readonly waitMs?: number
  /** OFF does not wait for the disk: only for a folder that can be filled again. */
  readonly synchronous?: 'FULL' | 'OFF'
}

/**
 * The vault in one SQLite file, for any number of processes of one machine. Nothing is remembered between calls, so that what another
 * process erases is gone here too. A locked file is waited for, at most `waitMs`.
 */
export function sqliteVault(
  file: string,
  { waitMs = WAIT_MS_DEFAULT, synchronous = 'FULL' }: SqliteVaultOptions = {},
): Vault {
  const vault = sqliteVaultFile(file, { waitMs, synchronous })
  const unanswered = new Set<Promise<unknown>>()
  const unknown: Unknown[] = []
  let isInserting = false
  let isClosed = false

  async function inserted(emailHmac: string, candidate: CustomerKey): Promise<CustomerKey> {
    return new Promise((resolve, reject) => {
      unknown.push({ emailHmac, candidate, resolve, reject })
      if (!isInserting) void insertUnknown()
    })
  }

  async function insertUnknown(): Promise<void> {
    isInserting = true
    while (unknown.length > 0) {
      // Whoever is not found meanwhile comes along: they share one transaction, and its one wait for the disk.
      for (let turn = 0; turn < GATHERING_TURNS; turn += 1) await setImmediate()
      const customers = unknown.splice(0, CUSTOMERS_PER_TRANSACTION_MAX)
      try {
        const rows = await vault.write((sql) => customers.map((customer) => insertedOrKnown(sql, customer)))
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

  /** The file stays open until a call of several steps has come to its end. */
  async function toItsEnd<T>(call: () => Promise<T>): Promise<T> {
    if (isClosed) throw new VaultAway(`The vault ${file} is closed`)
    const answer = call()
    unanswered.add(answer)
    return answer.finally(() => unanswered.delete(answer))
  }

  return {
    async customerByEmail(emailHmac, candidate) {
      checkCandidate(candidate)
      if (unanswered.size >= CUSTOMERS_WAITING_MAX) throw new VaultAway(`Too many customers wait for ${file}`)
      return toItsEnd(async () => {
        const known = await vault.read((sql) => customerByEmail(sql, emailHmac))
        return known ?? inserted(emailHmac, candidate)
      })
    },

    async keysOf(customerIds) {
      checkCustomerIds(customerIds)
      return vault.read((sql) => {
        const rows = customerIds.map((customerId) => customerById(sql, customerId))
        const absent = customerIds.filter((_, index) => !rows[index])
        if (absent.length > 0) refuseIfOverlooked(sql, absent)
        const present = rows.filter((row) => row !== undefined).map(intactCustomer)
        return new Map(present.map(({ customerId, key, isErased }) => [customerId, isErased ? 'erased' : key]))
      })
    },

    async customersByEmail(emailHmac) {
      return vault.read((sql) => {
        const attached = customerByEmail(sql, emailHmac)
        const detached = allErasures(sql).flatMap(({ customerId }) => customerById(sql, customerId) ?? [])
        const same = detached.map(intactCustomer).filter((row) => row.emailHmac === emailHmac)
        return [...(attached ? [attached] : []), ...same].map(({ customerId }) => customerId)
      })
    },

    async detachEmail(customerId, erasure) {
      return vault.write((sql) => {
        const row = customerById(sql, customerId)
        if (!row || intactCustomer(row).isErased) return false
        if (row.isAttached) overwrite(sql, { ...row, isAttached: 0 })
        keepErasure(sql, { customerId, ...erasure, isDecided: erasureOf(sql, customerId)?.isDecided ?? 0 })
        return true
      })
    },

    async attachEmail(customerId, erasureId) {
      return vault.write((sql) => {
        const erasure = erasureOf(sql, customerId)
        const row = customerById(sql, customerId)
        if (!row || erasure?.erasureId !== erasureId || erasure.isDecided) return false
        if (customerByEmail(sql, intactCustomer(row).emailHmac)) return false
        overwrite(sql, { ...row, isAttached: 1 })
        forgetErasure(sql, customerId)
        return true
      })
    },

    async decideErasure(customerId, erasureId) {
      return vault.write((sql) => {
        const erasure = erasureOf(sql, customerId)
        if (erasure?.erasureId !== erasureId) return false
        keepErasure(sql, { ...erasure, isDecided: 1 })
        return true
      })
    },

    async detached({ before, limit }) {
      const erasures = await vault.read(allErasures)
      const due = erasures.filter(({ at }) => at < before).toSorted((a, b) => a.at - b.at)
      return due.slice(0, limit).map(({ customerId }) => customerId)
    },

    async deleteCustomers(customerIds) {
      checkCustomerIds(customerIds)
      await toItsEnd(async () => {
        const left = await vault.read((sql) => notErased(sql, customerIds))
        if (left.length > 0) await vault.write((sql) => erase(sql, notErased(sql, left)))
        // Also where nothing was to be deleted: the call before this one may have crashed here.
        if (customerIds.length > 0) await vault.wipe()
        // Last: until it is wiped, it is listed as not done.
        const done = await vault.read((sql) => customerIds.filter((customerId) => erasureOf(sql, customerId)))
        if (done.length > 0) await vault.write((sql) => done.forEach((customerId) => forgetErasure(sql, customerId)))
      })
    },

    async secret(name, candidate) {
      return toItsEnd(async () => {
        const kept = await vault.read((sql) => secretNamed(sql, name))
        return kept ?? vault.write((sql) => secretNamed(sql, name) ?? insertedSecret(sql, name, candidate))
      })
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

    async readMark(name) {
      return vault.read((sql) => markNamed(sql, name))
    },

    async raiseMark(name, value) {
      await vault.write((sql) => {
        if (value > (markNamed(sql, name) ?? '')) keepMark(sql, name, value)
      })
    },

    async setMark(name, value) {
      await vault.write((sql) => keepMark(sql, name, value))
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
  if (overlooked) throw new ValueDamaged('A customer is missing in the index')
}

/** Nearly always nobody was faster; undefined where the id belongs to somebody else. */
function insertedOrKnown(sql: Sql, { emailHmac, candidate: { customerId, key } }: Unknown): CustomerKey | undefined {
  const isInserted = insertCustomer(sql, { customerId, emailHmac, isAttached: 1, key, isErased: 0 })
  return isInserted ? { customerId, key: key.slice() } : customerByEmail(sql, emailHmac)
}

/** Says whether id and e-mail were free. */
function insertCustomer(sql: Sql, row: CustomerRow): boolean {
  const { customerId, emailHmac, isAttached, key, isErased } = row
  const { changes } = sql(`
    INSERT INTO customers (customer_id, email_hmac, is_attached, key, is_erased, checksum) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING`).run(customerId, emailHmac, isAttached, key, isErased, customerChecksum(row))
  return changes === 1
}

function notErased(sql: Sql, customerIds: readonly string[]): string[] {
  return customerIds.filter((customerId) => {
    const row = customerById(sql, customerId)
    // A damaged row is erased like any other.
    return !row || row.isErased !== 1 || row.checksum !== customerChecksum(row)
  })
}

function erase(sql: Sql, customerIds: readonly string[]): void {
  for (const customerId of customerIds) {
    const row = customerById(sql, customerId)
    const erased = {
      ...(row ?? { customerId, emailHmac: '', key: new Uint8Array(0) }),
      isAttached: 0,
      isErased: 1,
    } as const
    const wiped = { ...erased, emailHmac: '-'.repeat(erased.emailHmac.length), key: new Uint8Array(erased.key.length) }
    if (row) overwrite(sql, wiped)
    else insertCustomer(sql, wiped)
  }
  // The index does delete and move its entries; only when built anew it is free of what that leaves behind.
  sql('REINDEX customers_by_email').run()
}

/** The few whose erasing is under way. */
function allErasures(sql: Sql): ErasureRow[] {
  const rows = sql(`
    SELECT customer_id AS customerId, erasure_id AS erasureId, at, is_decided AS isDecided, checksum
    FROM erasures`).all() as unknown as StoredErasure[]
  for (const row of rows) refuseDamaged(row.checksum, erasureChecksum(row))
  return rows
}

function erasureOf(sql: Sql, customerId: string): ErasureRow | undefined {
  return allErasures(sql).find((erasure) => erasure.customerId === customerId)
}

function keepErasure(sql: Sql, erasure: ErasureRow): void {
  const { customerId, erasureId, at, isDecided } = erasure
  const checksum = erasureChecksum(erasure)
  sql('INSERT OR REPLACE INTO erasures VALUES (?, ?, ?, ?, ?)').run(customerId, erasureId, at, isDecided, checksum)
}

function forgetErasure(sql: Sql, customerId: string): void {
  sql('DELETE FROM erasures WHERE customer_id = ?').run(customerId)
}

function erasureChecksum({ customerId, erasureId, at, isDecided }: ErasureRow): string {
  return checksumOf(customerId, erasureId, at, isDecided)
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

/** All are read, since a name with a flipped bit would not be found. */
function markNamed(sql: Sql, name: string): string | undefined {
  const rows = sql('SELECT name, value, checksum FROM marks').all() as unknown as StoredMark[]
  for (const row of rows) refuseDamaged(row.checksum, checksumOf(row.name, row.value))
  return rows.find((row) => row.name === name)?.value
}

function keepMark(sql: Sql, name: string, value: string): void {
  sql('INSERT OR REPLACE INTO marks VALUES (?, ?, ?)').run(name, value, checksumOf(name, value))
}

function intactCustomer(row: StoredCustomer): CustomerRow {
  refuseDamaged(row.checksum, customerChecksum(row))
  return row
}

function refuseDamaged(stored: string, computed: string): void {
  if (stored !== computed) throw new ValueDamaged('A row does not match its checksum')
}

function customerChecksum({ customerId, emailHmac, isAttached, key, isErased }: CustomerRow): string {
  return checksumOf(customerId, emailHmac, isAttached, key, isErased)
}

/** Always eight characters, since a customer's row must keep its length. */
function checksumOf(...fields: readonly (string | number | Uint8Array)[]): string {
  const texts = fields.map((field) => (field instanceof Uint8Array ? field.toHex() : field))
  return crc32(JSON.stringify(texts)).toString(16).padStart(8, '0')
}
