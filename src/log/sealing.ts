import { createCipheriv, createDecipheriv, createSecretKey } from 'node:crypto'

// Ciphers get key objects: in Node 24, a key of bytes costs 15 us more.

const VERSION = 'v1'
export const NONCE_BYTES = 12
const TAG_BYTES = 16
const CUSTOMER_ID = /^[\w-]+$/

/** A sealed text does not open with this key and context: it was changed, moved, or sealed under another key. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken'
}

/**
 * Seals a text under a customer's key as `v1.<customerId>.<base64url>` (AES-256-GCM). `context` names its place: a copy elsewhere does not open.
 * `nonce` is 12 random bytes, never used twice under one key.
 */
export function seal(
  { customerId, key }: { customerId: string; key: Uint8Array },
  plain: string,
  context: string,
  nonce: Uint8Array,
): string {
  if (nonce.length !== NONCE_BYTES) throw new RangeError(`a nonce has ${NONCE_BYTES} bytes`)
  // Otherwise it could not be opened, or would open as another text.
  if (!CUSTOMER_ID.test(customerId)) throw new RangeError('not a customer id')
  if (!plain.isWellFormed()) throw new RangeError('only well-formed text can be sealed')
  const cipher = createCipheriv('aes-256-gcm', createSecretKey(key), nonce).setAAD(place(customerId, context))
  const sealed = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${VERSION}.${customerId}.${sealed.toString('base64url')}`
}

/** Throws `SealBroken` for another key, another context or changed bytes. */
export function unseal(sealed: string, key: Uint8Array, context: string): string {
  const { customerId, bytes } = parts(sealed)
  try {
    const decipher = createDecipheriv('aes-256-gcm', createSecretKey(key), bytes.subarray(0, NONCE_BYTES))
      .setAAD(place(customerId, context))
      .setAuthTag(bytes.subarray(-TAG_BYTES))
    const plain = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
    // Throws if the tag is wrong; `update` has returned all the text.
    decipher.final()
    return plain.toString('utf8')
  } catch {
    throw new SealBroken('a sealed text does not open with this key, or not in this place')
  }
}

/** An id has no dot, so id and context join unambiguously. */
function place(customerId: string, context: string): Buffer {
  return Buffer.from(`${VERSION}.${customerId}.${context}`)
}

function parts(sealed: string): { customerId: string; bytes: Buffer } {
  const [version, customerId = '', blob = '', ...rest] = sealed.split('.')
  if (version !== VERSION || !CUSTOMER_ID.test(customerId) || rest.length > 0)
    throw new SealBroken('this is not a sealed text of this shop')
  const bytes = Buffer.from(blob, 'base64url')
  // base64url can encode the same bytes in several ways; only the canonical one is valid.
  if (bytes.toString('base64url') !== blob) throw new SealBroken('a sealed text is not base64url')
  if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new SealBroken('a sealed text is cut short')
  return { customerId, bytes }
}
