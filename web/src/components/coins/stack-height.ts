export const COINS_MAX = 15

/** Three coins for every tenfold, so that 1M and 1,000M both look right: 1 → 1, 10 → 4, 100 → 7, 1,000 → 10, 50,000 → 15. */
export function coinsFor(quantityM: number): number {
  if (!(quantityM >= 1)) return 0
  return Math.min(COINS_MAX, 1 + Math.round(3 * Math.log10(quantityM)))
}
