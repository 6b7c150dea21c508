import { hash } from 'node:crypto'

const BLOCK_BYTES = 64
const DIGEST_BYTES = 32
/** Longer texts cost so much anyway that a buffer of their own is no matter. */
const TEXT_BYTES = 1_024
/** Texts below this many bytes, nearly all, find their view of the buffer made. */
const VIEWS = 64

/**
 * HMAC-SHA-256 of text (RFC 2104), made of two plain hashes: an order takes some 15 of them, and Node builds and collects an object for each `createHmac`,
 * which costs twice as much as the hashing.
 */
export function hmacOf(key: Uint8Array): (text: string, encoding: 'hex' | 'base64url') => string {
  if (key.length > BLOCK_BYTES) throw new RangeError(`a key of ${key.length} bytes would have to be hashed first`)
  const inner = padded(key, 0x36, TEXT_BYTES)
  const outer = padded(key, 0x5c, DIGEST_BYTES)
  const shorter = Array.from({ length: VIEWS }, (_, bytes) => inner.subarray(0, BLOCK_BYTES + bytes))

  function messageOf(text: string): Uint8Array {
    const bytes = Buffer.byteLength(text)
    if (bytes > TEXT_BYTES) return Buffer.concat([inner.subarray(0, BLOCK_BYTES), Buffer.from(text)])
    inner.write(text, BLOCK_BYTES)
    return shorter[bytes] ?? inner.subarray(0, BLOCK_BYTES + bytes)
  }

  return (text, encoding) => {
    outer.write(hash('sha256', messageOf(text), 'latin1'), BLOCK_BYTES, 'latin1')
    return hash('sha256', outer, encoding)
  }
}

function padded(key: Uint8Array, pad: number, roomBytes: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES + roomBytes)
  block.fill(pad, 0, BLOCK_BYTES)
  for (const [index, byte] of key.entries()) block.writeUInt8(byte ^ pad, index)
  return block
}
