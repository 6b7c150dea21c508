const EVERY_MS = 60_000

/** Counts events too frequent to log one by one, and reports the counts after a minute. The returned function is true for the first of its kind. */
export function minuteCounts(report: (counts: Readonly<Record<string, number>>) => void): (kind: string) => boolean {
  const counts = new Map<string, number>()
  return (kind) => {
    if (counts.size === 0)
      setTimeout(() => {
        const counted = Object.fromEntries(counts)
        counts.clear()
        report(counted)
      }, EVERY_MS).unref()
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return count === 1
  }
}
