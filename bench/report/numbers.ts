import { noisePercent, type Spread } from '../statistics.ts'

/** A number as people read it: thousands apart, and no more digits than tell something. */
export function shown(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '-'
  const size = Math.abs(value)
  if (size >= 100) return Math.round(value).toLocaleString('en-US')
  if (size >= 10) return value.toFixed(1)
  return size >= 1 || size === 0 ? value.toFixed(2) : value.toFixed(3)
}

/** The median, and how far the rounds lie apart. */
export function shownSpread(spread: Spread | undefined): string {
  if (!spread) return '-'
  const { median, low, high } = spread
  if (low === high) return shown(median)
  return `${shown(median)} (${shown(low)}-${shown(high)}, ${Math.round(noisePercent(spread))} %)`
}
