import { createHmac, createSecretKey } from 'node:crypto'
import { isSameSecret } from './same-secret.ts'

/** Signs texts, so that the shop recognizes its own values in a cookie or a link. A signature for one purpose is not valid for another. */
export function signer(secret: Uint8Array, purpose: string) {
  const key = createSecretKey(secret)
  const sign = (text: string): string => createHmac('sha256', key).update(`${purpose} ${text}`).digest('base64url')
  return {
    sign,
    isSigned: (text: string, signature: string | undefined): boolean =>
      signature !== undefined && isSameSecret(signature, sign(text)),
  }
}
