import { crc32 } from 'node:zlib'
import type { Sql } from '../sqlite/connection.ts'
import { ValueDamaged } from '../sqlite/errors.ts'
import type { CustomerKey, Erasure, PasswordHash } from './vault.ts'

interface CustomerRow {
  readonly customerId: string
  /** Dashes once wiped, so that the row keeps its length. */
  readonly emailHmac: string
  readonly isAttached: 0 | 1
  /** Zeros once wiped. */
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

export interface NewCustomer {
  readonly emailHmac: string
  readonly candidate: CustomerKey
}

const CUSTOMERS = `
  SELECT customer_id AS customerId, email_hmac AS emailHmac, is_attached AS isAttached, key, is_erased AS isErased, checksum
  FROM customers`

export function customerByEmail(sql: Sql, emailHmac: string): CustomerKey | undefined {
  const row = sql(`${CUSTOMERS} WHERE email_hmac = ? AND is_attached = 1`).get(emailHmac) as StoredCustomer | undefined
  if (!row) return undefined
  const { customerId, key } = intactCustomer(row)
  return { customerId, key }
}

function customerById(sql: Sql, customerId: string): StoredCustomer | undefined {
  return sql(`${CUSTOMERS} WHERE customer_id = ?`).get(customerId) as StoredCustomer | undefined
}

export function keysIn(sql: Sql, customerIds: readonly string[]): Map<string, Uint8Array | 'erased'> {
  const rows = customerIds.map((customerId) => customerById(sql, customerId))
  const absent = customerIds.filter((_, index) => !rows[index])
  if (absent.length > 0) refuseIfOverlooked(sql, absent)
  const present = rows.filter((row) => row !== undefined).map(intactCustomer)
  return new Map(present.map(({ customerId, key, isErased }) => [customerId, isErased ? 'erased' : key]))
}

/** The attached one, and those whose erasure is in progress. */
export function idsByEmail(sql: Sql, emailHmac: string): string[] {
  const attached = customerByEmail(sql, emailHmac)
  const detached = allErasures(sql).flatMap(({ customerId }) => customerById(sql, customerId) ?? [])
  const same = detached.map(intactCustomer).filter((row) => row.emailHmac === emailHmac)
  return [...(attached ? [attached] : []), ...same].map(({ customerId }) => customerId)
}

export function detach(sql: Sql, customerId: string, erasure: Erasure): boolean {
  const row = customerById(sql, customerId)
  if (!row || intactCustomer(row).isErased) return false
  if (row.isAttached) overwrite(sql, { ...row, isAttached: 0 })
  keepErasure(sql, { customerId, ...erasure, isDecided: erasureOf(sql, customerId)?.isDecided ?? 0 })
  return true
}

export function attach(sql: Sql, customerId: string, erasureId: string): boolean {
  const erasure = erasureOf(sql, customerId)
  const row = customerById(sql, customerId)
  if (!row || erasure?.erasureId !== erasureId || erasure.isDecided) return false
  if (customerByEmail(sql, intactCustomer(row).emailHmac)) return false
  overwrite(sql, { ...row, isAttached: 1 })
  forgetErasure(sql, customerId)
  return true
}

export function decide(sql: Sql, customerId: string, erasureId: string): boolean {
  const erasure = erasureOf(sql, customerId)
  if (erasure?.erasureId !== erasureId) return false
  keepErasure(sql, { ...erasure, isDecided: 1 })
  return true
}

export function replacePassword(
  sql: Sql,
  adminId: string,
  { passwordId, hash }: PasswordHash,
  replaces: string | undefined,
): boolean {
  if (passwordOf(sql, adminId)?.passwordId !== replaces) return false
  const checksum = checksumOf(adminId, passwordId, hash)
  sql('INSERT OR REPLACE INTO passwords VALUES (?, ?, ?, ?)').run(adminId, passwordId, hash, checksum)
  return true
}

/** An erased customer keeps a row. An id without one may be behind a damaged index, and must not count as erased. */
function refuseIfOverlooked(sql: Sql, customerIds: readonly string[]): void {
  const overlooked = sql(`
    SELECT customer_id FROM customers NOT INDEXED
    WHERE customer_id IN (SELECT value FROM json_each(?)) LIMIT 1`).get(JSON.stringify(customerIds))
  if (overlooked) throw new ValueDamaged('A customer is missing in the index')
}

/** Undefined if the id belongs to another customer. */
export function insertedOrKnown(
  sql: Sql,
  { emailHmac, candidate: { customerId, key } }: NewCustomer,
): CustomerKey | undefined {
  const isInserted = insertCustomer(sql, { customerId, emailHmac, isAttached: 1, key, isErased: 0 })
  return isInserted ? { customerId, key: key.slice() } : customerByEmail(sql, emailHmac)
}

/** Whether id and e-mail were free. */
function insertCustomer(sql: Sql, row: CustomerRow): boolean {
  const { customerId, emailHmac, isAttached, key, isErased } = row
  const { changes } = sql(`
    INSERT INTO customers (customer_id, email_hmac, is_attached, key, is_erased, checksum) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT DO NOTHING`).run(customerId, emailHmac, isAttached, key, isErased, customerChecksum(row))
  return changes === 1
}

export function notErased(sql: Sql, customerIds: readonly string[]): string[] {
  return customerIds.filter((customerId) => {
    const row = customerById(sql, customerId)
    // A damaged row is erased like any other.
    return !row || row.isErased !== 1 || row.checksum !== customerChecksum(row)
  })
}

export function erase(sql: Sql, customerIds: readonly string[]): void {
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
  // The index deletes and moves its entries and so leaves copies; only a rebuilt one has none.
  sql('REINDEX customers_by_email').run()
}

/** The oldest first. */
export function detachedIn(sql: Sql, { before, limit }: { before: number; limit: number }): string[] {
  const due = allErasures(sql).filter(({ at }) => at < before)
  return due
    .toSorted((a, b) => a.at - b.at)
    .slice(0, limit)
    .map(({ customerId }) => customerId)
}

/** Erasures in progress, which are few. */
function allErasures(sql: Sql): ErasureRow[] {
  const rows = sql(`
    SELECT customer_id AS customerId, erasure_id AS erasureId, at, is_decided AS isDecided, checksum
    FROM erasures`).all() as unknown as StoredErasure[]
  for (const row of rows) refuseDamaged(row.checksum, erasureChecksum(row))
  return rows
}

export function erasureOf(sql: Sql, customerId: string): ErasureRow | undefined {
  return allErasures(sql).find((erasure) => erasure.customerId === customerId)
}

function keepErasure(sql: Sql, erasure: ErasureRow): void {
  const { customerId, erasureId, at, isDecided } = erasure
  const checksum = erasureChecksum(erasure)
  sql('INSERT OR REPLACE INTO erasures VALUES (?, ?, ?, ?, ?)').run(customerId, erasureId, at, isDecided, checksum)
}

export function forgetErasure(sql: Sql, customerId: string): void {
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

/** Reads all (a handful): a name with a flipped bit would not be found, and another secret would replace it. */
export function secretNamed(sql: Sql, name: string): Uint8Array | undefined {
  const rows = sql('SELECT name, value, checksum FROM secrets').all() as unknown as StoredSecret[]
  for (const row of rows) refuseDamaged(row.checksum, checksumOf(row.name, row.value))
  return rows.find((row) => row.name === name)?.value
}

export function insertedSecret(sql: Sql, name: string, value: Uint8Array): Uint8Array {
  sql('INSERT INTO secrets VALUES (?, ?, ?)').run(name, value, checksumOf(name, value))
  return value.slice()
}

/** Reads all, for the same reason. */
export function passwordOf(sql: Sql, adminId: string): PasswordHash | undefined {
  const all = 'SELECT admin_id AS adminId, password_id AS passwordId, hash, checksum FROM passwords'
  const rows = sql(all).all() as unknown as StoredPassword[]
  for (const row of rows) refuseDamaged(row.checksum, checksumOf(row.adminId, row.passwordId, row.hash))
  const row = rows.find((row) => row.adminId === adminId)
  return row && { passwordId: row.passwordId, hash: row.hash }
}

/** Reads all, since a name with a flipped bit would not be found. */
export function markNamed(sql: Sql, name: string): string | undefined {
  const rows = sql('SELECT name, value, checksum FROM marks').all() as unknown as StoredMark[]
  for (const row of rows) refuseDamaged(row.checksum, checksumOf(row.name, row.value))
  return rows.find((row) => row.name === name)?.value
}

export function keepMark(sql: Sql, name: string, value: string): void {
  sql('INSERT OR REPLACE INTO marks VALUES (?, ?, ?)').run(name, value, checksumOf(name, value))
}

export function raiseMark(sql: Sql, name: string, value: string): void {
  if (value > (markNamed(sql, name) ?? '')) keepMark(sql, name, value)
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

/** Always eight characters, so that a customer's row keeps its length. */
function checksumOf(...fields: readonly (string | number | Uint8Array)[]): string {
  const texts = fields.map((field) => (field instanceof Uint8Array ? Buffer.from(field).toString('hex') : field))
  return crc32(JSON.stringify(texts)).toString(16).padStart(8, '0')
}
