import { DURABILITY, machineLines } from '../machine.ts'
import type { Records, Run } from '../results.ts'
import type { Chart } from './charts.ts'
import { shown } from './numbers.ts'
import { markdownTable } from './table.ts'
import { budgetTable, goalsTable, listsTable, measuresTable, sizesTable, soakTable, type Table } from './tables.ts'

/** `docs/benchmarks.md`, with its charts in the folder `charts` beside it. */
export function pageOf(records: Records, charts: readonly Chart[], folder: string): string {
  const { latest, large } = records
  const picture = (file: string): string[] => {
    const chart = charts.find((one) => one.file === file)
    return chart ? [`![${chart.alt}](${folder}/${file})`] : []
  }
  const sections = [
    '# Benchmarks',
    'Written by `npm run bench`; every figure of a section is of one run on one machine. Ratios compare with a bare Express 5 server that answers ' +
      '`{"hello":"world"}`, on the same Node, driven by the same generator in the same round.',
    '## What has to be reached',
    table(goalsTable(records)),
    ...picture('ratios.svg'),
    '## How it was measured',
    list([...runLines(latest.run), ...eventLines(records), DURABILITY, CONDITIONS]),
    '## Figures',
    'The median of the rounds; in brackets from the lowest round to the highest, and how far these lie apart: the noise.',
    table(measuresTable(latest.measures)),
    ...picture('placing.svg'),
    ...picture('placing-latency.svg'),
    ...(latest.budgets.length === 0 ? [] : budgetSection(records, picture('budget.svg'))),
    ...(large ? largeSections(records, picture) : []),
  ]
  return `${sections.join('\n\n')}\n`
}

const CONDITIONS =
  'one process of the shop with all its roles and its production middleware, as `npm start` runs it, but `RATE_LIMIT=off` and `DELIVERY=instant`; every order by a buyer of its own, after some thousand that warm it up; ' +
  'a load of orders counts every answer, the last one too; after every load the books are balanced'

const ONCE_AT_EACH_SIZE =
  'at each size the shop is started (without its snapshot only where that is quick), and its list and analytics are asked for, in every round; it is seeded, built and loaded once'

function budgetSection({ latest }: Records, chart: readonly string[]): string[] {
  return [
    '## Where the time of an order goes',
    'While orders are placed, the shop is profiled (the profile itself costs some of the speed). What the main thread was seen doing is told per order, by the part of ' +
      'the code that it was in; what is left of the time from one order to the next is waiting. The views are folded beside it: no order waits for them.',
    table(budgetTable(latest.budgets)),
    ...chart,
  ]
}

function largeSections(records: Records, picture: (file: string) => readonly string[]): string[] {
  const { large } = records
  if (!large) return []
  return [
    '## By size of the log',
    list([...runLines(large.run), ONCE_AT_EACH_SIZE]),
    table(sizesTable(large)),
    ...['sizes.svg', 'start.svg', 'memory.svg'].flatMap((file) => [...picture(file)]),
    '### The order list',
    'Milliseconds at p95 at the largest log, in brackets at the smallest: every single filter and search, by each sort; the median of the rounds.',
    table(listsTable(large)),
    ...picture('lists.svg'),
    ...(large.soak ? soakSection(records, picture) : []),
  ]
}

function soakSection({ large }: Records, picture: (file: string) => readonly string[]): string[] {
  if (!large?.soak) return []
  return [
    '### Soak',
    `${shown(large.soak.perSecond)} orders/s, half of what can be delivered, placed evenly, paid and delivered, in the largest log; ${large.soak.leftOut === 0 ? 'none was' : `${shown(large.soak.leftOut)} were`} left out for being too late.`,
    table(soakTable(large)),
    ...['soak-latency.svg', 'soak-memory.svg'].flatMap((file) => [...picture(file)]),
  ]
}

function runLines({ machine, command, at, rounds, seconds }: Run): string[] {
  return [
    `\`${command}\`, ${at.slice(0, 'yyyy-mm-dd'.length)}: ${rounds === 1 ? '1 round' : `${rounds} rounds`}, about ${seconds} s for each load`,
    ...machineLines(machine),
  ]
}

function eventLines({ latest }: Records): string[] {
  if (latest.bytesPerEvent === undefined) return []
  return [
    `an event takes ${shown(latest.bytesPerEvent)} bytes of the log's file, with its index and its share of the heads of streams`,
  ]
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n')
}

function table({ columns, rows }: Table): string {
  return markdownTable(columns, rows)
}
