import { createHmac, createSecretKey } from 'node:crypto'
import { isSameText } from './same-text.ts'

/** Signs texts, so that the shop recognizes its own values in a cookie. A signature grants nothing else. */
interface Signer {
  sign(text: string): string
  isSigned(text: string, signature: string | undefined): boolean
}

export function signer(secret: Uint8Array, use: string): Signer {
  const key = createSecretKey(secret)
  const sign = (text: string): string => createHmac('sha256', key).update(`${use} ${text}`).digest('base64url')
  return { sign, isSigned: (text, signature) => signature !== undefined && isSameText(signature, sign(text)) }
}
