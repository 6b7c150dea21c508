const REPORT_AFTER_MS = 60_000

/**
 * Counts things too frequent to log one by one, and reports the counts a minute after the first. The returned function
 * returns true for the first of a kind since the last report.
 */
export function minuteCounts(report: (counts: Readonly<Record<string, number>>) => void): (kind: string) => boolean {
  const counts = new Map<string, number>()
  return (kind) => {
    if (counts.size === 0)
      setTimeout(() => {
        const counted = Object.fromEntries(counts)
        counts.clear()
        report(counted)
      }, REPORT_AFTER_MS).unref()
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return count === 1
  }
}
