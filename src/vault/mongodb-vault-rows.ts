import { hash } from 'node:crypto'
import { Binary } from 'mongodb'
import { type Erasure, type PasswordHash, VaultDamaged } from './vault.ts'

/** A customer's row is one document, so that each step of an erasure is one write. It is replaced as a whole, and only if unchanged since it was read. */
export interface KeptCustomer {
  readonly _id: string
  readonly emailHmac: string
  /** The HMAC again while the row is attached: unique. */
  readonly attachedTo?: string
  readonly key: Binary
  readonly erasure?: Erasure & { readonly isDecided: boolean }
}

/** What remains after an erasure. */
export interface ErasedCustomer {
  readonly _id: string
  readonly isErased: true
}

export interface StoredSecret {
  readonly _id: string
  readonly value: Binary
}

export interface StoredPassword extends PasswordHash {
  readonly _id: string
}

export interface StoredMark {
  readonly _id: string
  readonly value: string
}

/** As stored. */
export type Checked<Row> = Row & { readonly checksum: string }

export type StoredCustomer = Checked<KeptCustomer> | Checked<ErasedCustomer>

export function isErased(customer: StoredCustomer): customer is Checked<ErasedCustomer> {
  return 'isErased' in customer
}

export function checked<Row extends { readonly _id: string }>(row: Row): Checked<Row> {
  return { ...row, checksum: checksumOf(row) }
}

/** Throws `VaultDamaged`, which names the document, if a field is missing or changed. */
export function intact<Row extends { readonly _id: string; readonly checksum: string }>(kind: string, row: Row): Row {
  const { checksum, ...content } = row
  if (checksum === checksumOf(content)) return row
  const wayOut = 'stop the shop, keep the database (its keys are nowhere else) and restore a backup of the vault'
  throw new VaultDamaged(`The vault's ${kind} ${JSON.stringify(row._id)} is damaged: ${wayOut}`)
}

export function storedBytes(bytes: Uint8Array): Binary {
  return new Binary(bytes.slice())
}

export function bytesOf(stored: Binary): Uint8Array {
  return new Uint8Array(stored.value())
}

/** Over names and values in sorted order, since a server may reorder fields. */
function checksumOf(row: object): string {
  return hash('sha256', JSON.stringify(canonical(row)), 'hex')
}

function canonical(value: unknown): unknown {
  if (value instanceof Binary) return { bytes: value.toString('hex') }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, inner]) => [name, canonical(inner)] as const)
  return entries.toSorted(([a], [b]) => (a < b ? -1 : 1))
}
