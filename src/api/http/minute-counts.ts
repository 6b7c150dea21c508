const EVERY_MS = 60_000

/** Counts what may come too often for a line each, and says the counts of a minute. Answers whether it is the first of its kind in that minute. */
export function minuteCounts(say: (counts: Readonly<Record<string, number>>) => void): (what: string) => boolean {
  const counts = new Map<string, number>()
  return (what) => {
    if (counts.size === 0)
      setTimeout(() => {
        const counted = Object.fromEntries(counts)
        counts.clear()
        say(counted)
      }, EVERY_MS).unref()
    const count = (counts.get(what) ?? 0) + 1
    counts.set(what, count)
    return count === 1
  }
}
