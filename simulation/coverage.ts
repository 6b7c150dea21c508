/** Counts what the seeds have reached. */
export class Coverage {
  readonly counts = new Map<string, Map<string, number>>()

  reach(table: string, row: string, times = 1): void {
    const rows = this.counts.get(table) ?? new Map<string, number>()
    rows.set(row, (rows.get(row) ?? 0) + times)
    this.counts.set(table, rows)
  }

  add(other: Coverage): void {
    for (const [table, rows] of other.counts) for (const [row, times] of rows) this.reach(table, row, times)
  }

  of(table: string, row: string): number {
    return this.counts.get(table)?.get(row) ?? 0
  }

  text(expected: Readonly<Record<string, readonly string[]>>): string {
    const tables = new Set([...Object.keys(expected), ...this.counts.keys()])
    return [...tables]
      .map((table) => {
        const rows = new Set([...(expected[table] ?? []), ...(this.counts.get(table)?.keys() ?? [])])
        const lines = [...rows].map((row) => {
          const times = this.of(table, row)
          return `  ${row.padEnd(40)} ${times === 0 ? 'NEVER' : times}`
        })
        return [table, ...lines].join('\n')
      })
      .join('\n\n')
  }
}
