export interface Figure {
  readonly name: string
  /** For each round the value of each checkout. */
  readonly rounds: readonly (readonly number[])[]
  /** For each round the value of the bare Express server. */
  readonly hello?: readonly number[]
}

/** Medians of the rounds, and of the ratios within each round, since a temporary slowdown of the machine affects both sides. `names` are the checkouts, this one last. */
export function report(names: readonly string[], figures: readonly Figure[]): string {
  const own = names.length - 1
  const bases = names.slice(0, own)
  const rows = figures.map(({ name, rounds, hello }) => {
    const values = (at: number): number[] => rounds.map((round) => round[at] ?? Number.NaN)
    const shareOf = (others: readonly number[]): string =>
      median(values(own).map((value, round) => value / (others[round] ?? Number.NaN))).toFixed(2)
    return [
      name,
      ...names.map((_, at) => format(median(values(at)))),
      ...bases.map((_, at) => shareOf(values(at))),
      hello ? shareOf(hello) : '',
    ]
  })
  return table(['figure', ...names, ...bases.map((base) => `this : ${base}`), 'this : hello'], rows)
}

/** Groups thousands, and keeps only meaningful digits. */
function format(value: number): string {
  const size = Math.abs(value)
  if (size >= 100) return Math.round(value).toLocaleString('en-US')
  if (size >= 10) return value.toFixed(1)
  return value.toFixed(size >= 1 || size === 0 ? 2 : 3)
}

/** Markdown, with columns as wide as their longest cell. */
function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = titles.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, at) => (cells[at] ?? '').padEnd(width)).join(' | ')} |`
  return [line(titles), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join('\n')
}

/** NaN without values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = sorted.length / 2
  const upper = sorted[Math.floor(half)] ?? Number.NaN
  return Number.isInteger(half) ? ((sorted[half - 1] ?? Number.NaN) + upper) / 2 : upper
}

/** The value below which `share` of all values lie (nearest rank). NaN without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(Math.ceil(sorted.length * share), 1) - 1] ?? Number.NaN
}
