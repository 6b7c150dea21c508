const BAR_MIN_PERCENT = 10

/** Each month's bar in percent of the largest. */
export function barWidths(revenues: readonly number[]): number[] {
  const largest = Math.max(0, ...revenues)
  return revenues.map((revenue) =>
    largest === 0 ? BAR_MIN_PERCENT : Math.max(BAR_MIN_PERCENT, Math.round((revenue / largest) * 1000) / 10),
  )
}
