import { timingSafeEqual } from 'node:crypto'

/** Compares secrets of equal length in constant time. */
export function isSameText(given: string, right: string): boolean {
  const [givenBytes, rightBytes] = [Buffer.from(given), Buffer.from(right)]
  return givenBytes.length === rightBytes.length && timingSafeEqual(givenBytes, rightBytes)
}
