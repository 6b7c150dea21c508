import { median } from './statistics.ts'

export interface Figure {
  readonly name: string
  /** For each round the value of each checkout. */
  readonly rounds: readonly (readonly number[])[]
  /** For each round the value of the bare Express server. */
  readonly hello?: readonly number[]
}

/** Medians of the rounds, and of the quotients within each round, since what slows the machine for a while slows both sides. `names` are those of the checkouts, this one last. */
export function report(names: readonly string[], figures: readonly Figure[]): string {
  const own = names.length - 1
  const bases = names.slice(0, own)
  const rows = figures.map(({ name, rounds, hello }) => {
    const values = (at: number): number[] => rounds.map((round) => round[at] ?? Number.NaN)
    const shareOf = (others: readonly number[]): string =>
      median(values(own).map((value, round) => value / (others[round] ?? Number.NaN))).toFixed(2)
    return [
      name,
      ...names.map((_, at) => shown(median(values(at)))),
      ...bases.map((_, at) => shareOf(values(at))),
      hello ? shareOf(hello) : '',
    ]
  })
  return table(['figure', ...names, ...bases.map((base) => `this : ${base}`), 'this : hello'], rows)
}

/** Thousands apart, and no more digits than mean something. */
export function shown(value: number): string {
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
