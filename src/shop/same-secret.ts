import { timingSafeEqual } from 'node:crypto'

/** Compares secrets in a time that does not depend on where two of one length differ. */
export function isSameSecret(given: string, expected: string): boolean {
  const [givenBytes, expectedBytes] = [Buffer.from(given), Buffer.from(expected)]
  return givenBytes.length === expectedBytes.length && timingSafeEqual(givenBytes, expectedBytes)
}
