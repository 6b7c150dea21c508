/** The value below which `share` of all values lie (nearest rank). NaN without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.max(Math.ceil(sorted.length * share), 1) - 1] ?? Number.NaN
}

/** The middle value; of an even number of them the mean of the two in the middle. NaN without values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length / 2
  const upper = sorted[Math.floor(half)] ?? Number.NaN
  return Number.isInteger(half) ? ((sorted[half - 1] ?? Number.NaN) + upper) / 2 : upper
}
