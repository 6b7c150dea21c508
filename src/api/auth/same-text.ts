import { timingSafeEqual } from 'node:crypto'

/** Compares a secret in constant time for texts of one length. */
export function isSameText(given: string, right: string): boolean {
  const [givenBytes, rightBytes] = [Buffer.from(given), Buffer.from(right)]
  return givenBytes.length === rightBytes.length && timingSafeEqual(givenBytes, rightBytes)
}
