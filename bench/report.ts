import type { Figure, Round } from './figures.ts'
import { median } from './statistics.ts'

/** Below this share of its speed before, a figure is marked as slower. */
const SLOWER_BELOW = 0.85
const CHART_WIDTH = 40
/** The chart ends here, so that one figure far above its goal does not flatten all others. */
const CHART_MAX = 1.5

/** One line of the chart: 1 is the goal, or the speed before. */
interface Bar {
  readonly name: string
  readonly share: number
  readonly mark: number
}

/** What one checkout reached: each figure against its bounds, then a chart of those that have some. */
export function report(figures: readonly Figure[], rounds: readonly Round[]): string {
  const bars: Bar[] = []
  const rows = figures.flatMap((figure) => {
    const { name, better, must, goal } = figure
    const values = valuesOf(figure, rounds)
    if (values.length === 0) return []
    const measured = median(values)
    const share = (of: number, to: number): number => (better === 'higher' ? of / to : to / of)
    const isReached = (bound: number): boolean => share(measured, bound) >= 1
    const spread = `${shown(Math.min(...values))} to ${shown(Math.max(...values))}`
    const cells = [name, withUnit(figure, measured), values.length > 1 ? spread : '']
    if (must === undefined || goal === undefined) return [[...cells, '', '', '']]
    bars.push({ name, share: share(measured, goal), mark: share(must, goal) })
    const reached = isReached(goal) ? 'goal' : isReached(must) ? 'must' : 'missed'
    return [[...cells, bound(figure, must), bound(figure, goal), reached]]
  })
  const titles = ['figure', 'median', 'rounds', 'must', 'goal', 'reached']
  return `${table(titles, rows)}\n\n${chart('share of the goal (| must)', bars)}`
}

/** Two checkouts measured in the same rounds; above 1 the one after is faster (or smaller). */
export function comparison(figures: readonly Figure[], before: readonly Round[], after: readonly Round[]): string {
  const sides = [
    { name: 'before', rounds: before },
    { name: 'after', rounds: after },
  ] as const
  return quotients(figures, sides, SLOWER_BELOW)
}

/** The shop beside the bare clients of its servers, measured in the same rounds. */
export function besideClients(figures: readonly Figure[], alone: readonly Round[], shop: readonly Round[]): string {
  return quotients(figures, [
    { name: 'client alone', rounds: alone },
    { name: 'shop', rounds: shop },
  ])
}

interface Side {
  readonly name: string
  readonly rounds: readonly Round[]
}

function quotients(figures: readonly Figure[], [base, other]: readonly [Side, Side], slowerBelow?: number): string {
  const mark = slowerBelow ?? 1
  const bars: Bar[] = []
  const rows = figures.flatMap((figure) => {
    const { name, better, unit } = figure
    // A ratio says nothing that its two parts do not say here.
    if (unit === '') return []
    const pairs = base.rounds.flatMap((round, index) => {
      const [was, is] = [figure.of(round), figure.of(other.rounds[index] ?? {})]
      return was === undefined || is === undefined ? [] : [{ was, is }]
    })
    if (pairs.length === 0) return []
    // Of each round its own quotient: what slows the machine down for a while slows both.
    const shares = pairs.map(({ was, is }) => (better === 'higher' ? is / was : was / is))
    const share = median(shares)
    bars.push({ name, share, mark })
    return [
      [
        name,
        withUnit(figure, median(pairs.map(({ was }) => was))),
        withUnit(figure, median(pairs.map(({ is }) => is))),
        `${share.toFixed(2)}${share < (slowerBelow ?? 0) ? ' slower' : ''}`,
        shares.length > 1 ? `${Math.min(...shares).toFixed(2)} to ${Math.max(...shares).toFixed(2)}` : '',
      ],
    ]
  })
  const titles = ['figure', base.name, other.name, `${other.name} : ${base.name}`, 'rounds']
  return `${table(titles, rows)}\n\n${chart(`speed ${other.name} : ${base.name} (| ${mark})`, bars)}`
}

function valuesOf({ of }: Figure, rounds: readonly Round[]): number[] {
  return rounds.flatMap((round) => of(round) ?? [])
}

function bound({ better, unit }: Figure, value: number): string {
  return `${better === 'higher' ? 'at least' : 'at most'} ${value.toLocaleString('en-US')} ${unit}`.trimEnd()
}

function withUnit({ unit }: Figure, value: number): string {
  return `${shown(value)} ${unit}`.trimEnd()
}

/** Thousands apart, and no more digits than mean something. */
export function shown(value: number): string {
  const size = Math.abs(value)
  if (size >= 100) return Math.round(value).toLocaleString('en-US')
  if (size >= 10) return value.toFixed(1)
  return value.toFixed(size >= 1 || size === 0 ? 2 : 3)
}

/** Markdown, with columns as wide as their longest cell. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = titles.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, at) => (cells[at] ?? '').padEnd(width)).join(' | ')} |`
  return [line(titles), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join('\n')
}

function chart(title: string, bars: readonly Bar[]): string {
  const nameWidth = Math.max(title.length, ...bars.map(({ name }) => name.length))
  const lines = bars.map(({ name, share, mark }) => {
    const cells: string[] = Array.from({ length: CHART_WIDTH }, (_, at) => (at < place(share) ? '#' : ' '))
    cells[place(mark)] = '|'
    return `${name.padEnd(nameWidth)}  ${share.toFixed(2)}  ${cells.join('')}`.trimEnd()
  })
  return [title, ...lines].join('\n')
}

function place(share: number): number {
  return Math.round((Math.min(share, CHART_MAX) / CHART_MAX) * CHART_WIDTH)
}
