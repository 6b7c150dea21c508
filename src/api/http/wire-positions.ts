import { createCipheriv, createDecipheriv, createSecretKey } from 'node:crypto'

/** Positions as callers see them: equal ones are equal, and nothing else can be read from them. */
export interface WirePositions {
  seal(position: string): string
  /** Undefined for any other text. */
  open(text: string): string | undefined
}

/** Of a position, in every engine. */
const DIGITS = 20
/** AES. */
const BLOCK_BYTES = 16
/** The first half of a block is zeros, which an invented text has by chance in one of 2^64 cases. */
const POSITION_OFFSET = 8

/** A position counts the log's events or bytes: two of them would tell a visitor how much is sold. All processes of a shop share the secret. */
export function wirePositions(secret: Uint8Array): WirePositions {
  const key = createSecretKey(secret.subarray(0, BLOCK_BYTES))
  // ECB keeps nothing from one block to the next.
  const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false)
  const decipher = createDecipheriv('aes-128-ecb', key, null).setAutoPadding(false)
  return {
    seal(position) {
      const block = Buffer.alloc(BLOCK_BYTES)
      block.writeBigUInt64BE(BigInt(position), POSITION_OFFSET)
      return cipher.update(block).toString('base64url')
    },
    open(text) {
      const sealed = /^[\w-]{22}$/.test(text) ? Buffer.from(text, 'base64url') : undefined
      if (!sealed) return undefined
      const block = decipher.update(sealed)
      if (block.readBigUInt64BE(0) !== 0n) return undefined
      return String(block.readBigUInt64BE(POSITION_OFFSET)).padStart(DIGITS, '0')
    },
  }
}
