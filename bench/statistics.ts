/** What several rounds say together. */
export interface Spread {
  readonly median: number
  readonly low: number
  readonly high: number
}

/** The value below which `share` of all values lie (nearest rank). NaN without values. */
export function percentile(sorted: Float64Array | readonly number[], share: number): number {
  const rank = Math.max(Math.ceil(sorted.length * share), 1)
  return sorted[rank - 1] ?? Number.NaN
}

export interface Percentiles {
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

export function percentilesOf(values: readonly number[]): Percentiles {
  const sorted = Float64Array.from(values).sort()
  return { p50: percentile(sorted, 0.5), p95: percentile(sorted, 0.95), p99: percentile(sorted, 0.99) }
}

/** The middle value; of an even number of them the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length / 2
  const upper = sorted[Math.floor(half)] ?? Number.NaN
  return Number.isInteger(half) ? ((sorted[half - 1] ?? Number.NaN) + upper) / 2 : upper
}

/** Undefined where nothing was measured. */
export function spreadOf(values: readonly number[]): Spread | undefined {
  if (values.length === 0) return undefined
  return { median: median(values), low: Math.min(...values), high: Math.max(...values) }
}

/** How far the rounds lie apart, in percent of their median. */
export function noisePercent({ median, low, high }: Spread): number {
  return median === 0 ? 0 : (100 * (high - low)) / median
}
