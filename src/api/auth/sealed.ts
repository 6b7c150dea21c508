import { createHmac, createSecretKey } from 'node:crypto'
import { isSameText } from './same-text.ts'

/** Seals of texts, by which the shop recognizes in a cookie what it has given out. They grant nothing else. */
export interface Sealed {
  of(text: string): string
  isOf(text: string, seal: string | undefined): boolean
}

export function sealed(secret: Uint8Array, use: string): Sealed {
  const key = createSecretKey(secret)
  const of = (text: string): string => createHmac('sha256', key).update(`${use} ${text}`).digest('base64url')
  return { of, isOf: (text, seal) => seal !== undefined && isSameText(seal, of(text)) }
}
