import { receiptStreamOf } from '../domain/stream-names.ts'
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hash } from 'node:crypto'
import type { BlockKind } from '../domain/words.ts'
import { orderNumberOf, type RoundFunction } from '../domain/order-number.ts'
import type { Vault } from '../engines/vault/vault.ts'

/** Uses of the shop's root secret, which never leaves this file. */
export interface ShopKeys {
  /** The order id of an Idempotency-Key; keys never expire. */
  orderIdFor(idempotencyKey: string): string
  /** Distinguishes a repeated request from another one without storing its content. */
  fingerprint(text: string): string
  /** A customer's lookup key, the same for every spelling of the e-mail. */
  emailHmac(email: string): string
  /** The lookup key of what is blocked. */
  blockHmac(kind: BlockKind, text: string): string
  /** The product id of an Idempotency-Key. */
  productIdFor(idempotencyKey: string): string
  orderNumber(serial: number): string
  /** Our name of an attempt at a provider: 30 base32 characters. */
  reference(orderId: string, attempt: number): string
  /** The order and attempt of a reference of ours; undefined for any other text. */
  referred(reference: string): { orderId: string; attempt: number } | undefined
  /** A secret of its own for each purpose. */
  secretFor(purpose: string): Uint8Array
}

const SECRET_BYTES = 32
/** AES. */
const BLOCK_BYTES = 16

export async function shopKeys(vault: Vault, randomBytes: (count: number) => Uint8Array): Promise<ShopKeys> {
  const root = await vault.secret('shop-key', randomBytes(SECRET_BYTES))
  const secretFor = (purpose: string): Uint8Array => createHmac('sha256', root).update(purpose).digest()
  const orderIdHmac = hmacWith(secretFor('order-id'))
  const productIdHmac = hmacWith(secretFor('product-id'))
  const fingerprintHmac = hmacWith(secretFor('fingerprint'))
  const emailHmac = hmacWith(secretFor('email'))
  const blockHmac = hmacWith(secretFor('block'))
  const referenceKey = createSecretKey(secretFor('reference').subarray(0, BLOCK_BYTES))
  const referenceHmac = hmacWith(secretFor('reference-check'))
  const orderNumberKey = Buffer.from(secretFor('order-number')).toString('hex')

  // An HMAC costs six times as much, and is needed only where the hash is shown: an attacker could extend that.
  const round: RoundFunction = (index, half) =>
    Number.parseInt(hash('sha256', `${orderNumberKey}:${index}:${half}`, 'hex').slice(0, 8), 16) & 0x3ffff

  /** A webhook with an invented reference fails this check and causes no call to its provider. */
  const checkOf = (named: string): string =>
    base32(Buffer.from(referenceHmac(named, 'hex').slice(0, 4), 'hex')).slice(0, 3)

  return {
    orderIdFor: (idempotencyKey) => uuidText(orderIdHmac(idempotencyKey, 'hex')),
    fingerprint: (text) => fingerprintHmac(text, 'base64url'),
    emailHmac: (email) => emailHmac(normalisedEmail(email), 'base64url'),
    blockHmac: (kind, text) => blockHmac(`${kind} ${text}`, 'base64url'),
    productIdFor: (idempotencyKey) => uuidText(productIdHmac(idempotencyKey, 'hex')),
    orderNumber: (serial) => orderNumberOf(serial, round),
    reference(orderId, attempt) {
      const id = Buffer.from(orderId.replaceAll('-', ''), 'hex')
      if (id.length !== BLOCK_BYTES) throw new TypeError('not an order id')
      const named = base32(createCipheriv('aes-128-ecb', referenceKey, null).update(id)) + BASE32.charAt(attempt)
      return named + checkOf(named)
    },
    referred(reference) {
      const [, named = '', check] = /^([A-Z2-7]{27})([A-Z2-7]{3})$/.exec(reference) ?? []
      if (check !== checkOf(named)) return undefined
      const block = fromBase32(named.slice(0, -1))
      if (block?.length !== BLOCK_BYTES) return undefined
      const decipher = createDecipheriv('aes-128-ecb', referenceKey, null).setAutoPadding(false)
      return { orderId: uuidFormat(decipher.update(block)), attempt: BASE32.indexOf(named.slice(-1)) }
    },
    secretFor,
  }
}

/** Prepares a key object once: with raw bytes, each call takes Node 24 15 us longer. */
function hmacWith(bytes: Uint8Array): (text: string, encoding: 'hex' | 'base64url') => string {
  const key = createSecretKey(bytes)
  return (text, encoding) => createHmac('sha256', key).update(text).digest(encoding)
}

/** Composed and decomposed letters give the same address. */
export function normalisedEmail(email: string): string {
  return email.trim().toLowerCase().normalize('NFC')
}

/** A receipt's stream. The provider's id is hashed, since it may not fit into a stream name. */
export function receiptStream(provider: string, receiptId: string): string {
  return receiptStreamOf({ provider, receiptHash: hash('sha256', receiptId, 'hex').slice(0, 40) })
}

// Sets version and variant bits, to make it a valid UUID.
function uuidText(digestHex: string): string {
  const bytes = Buffer.from(digestHex.slice(0, 32), 'hex')
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return uuidFormat(bytes)
}

function uuidFormat(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function base32(bytes: Uint8Array): string {
  let text = ''
  let rest = 0
  let restBits = 0
  for (const byte of bytes) {
    rest = ((rest & 31) << 8) | byte
    restBits += 8
    while (restBits >= 5) {
      restBits -= 5
      text += BASE32.charAt((rest >> restBits) & 31)
    }
  }
  return restBits === 0 ? text : text + BASE32.charAt((rest << (5 - restBits)) & 31)
}

function fromBase32(text: string): Buffer | undefined {
  let value = 0n
  for (const character of text.split('')) value = (value << 5n) | BigInt(BASE32.indexOf(character))
  if ((value & 3n) !== 0n) return undefined
  return Buffer.from((value >> 2n).toString(16).padStart(32, '0'), 'hex')
}
