import { type Goal, goalsOf, reached } from '../goals.ts'
import { figure, type Measure, type Quantity } from '../notebook.ts'
import type { Budget } from '../profile/budget.ts'
import type { LargeResults, Records } from '../results.ts'
import type { ListFigure } from '../scenarios/lists.ts'
import { placeId } from '../scenarios/bench.ts'
import { placeConnections } from '../scenarios/placing.ts'
import { connectionsText } from '../scenarios/reads.ts'
import { shown, shownSpread } from './numbers.ts'
import type { Column, Row } from './table.ts'

export interface Table {
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
}

const left = (title: string): Column => ({ title, align: 'left' })
const right = (title: string): Column => ({ title, align: 'right' })

export function goalsTable(records: Records): Table {
  return {
    columns: [left('figure'), right('must'), right('goal'), right('measured'), left('reached')],
    rows: goalsOf(records).map((goal) => {
      const { name, measured } = goal
      return [name, bound(goal, goal.must), bound(goal, goal.goal), withUnit(goal, measured), reached(goal)]
    }),
  }
}

function bound({ better, unit }: Goal, value: number): string {
  return `${better === 'higher' ? 'at least' : 'at most'} ${shownBound(value)}${unit === '' ? '' : ` ${unit}`}`
}

/** As it was set, without digits that were never there. */
function shownBound(value: number): string {
  return value.toLocaleString('en-US')
}

function withUnit({ unit }: Goal, value: number | undefined): string {
  return value === undefined ? '-' : `${shown(value)}${unit === '' ? '' : ` ${unit}`}`
}

/** Every measure with what its rounds say; a figure in brackets spans them from lowest to highest. */
export function measuresTable(measures: readonly Measure[]): Table {
  return {
    columns: [
      left('what'),
      right('per second'),
      right(': hello-world'),
      right('p50 ms'),
      right('p95 ms'),
      right('p99 ms'),
      right('RSS MB'),
    ],
    rows: measures.flatMap(({ id, name, unit }) => {
      const of = (quantity: Quantity) => figure(measures, id, quantity)
      const perSecond = of('perSecond')
      if (!perSecond && !of('p50')) return []
      const rate = perSecond ? `${shownSpread(perSecond)} ${unit}` : '-'
      return [
        [
          name,
          rate,
          shownSpread(of('ratio')),
          shownSpread(of('p50')),
          shownSpread(of('p95')),
          shownSpread(of('p99')),
          shown(of('megabytes')?.high),
        ],
      ]
    }),
  }
}

/** Each step of placing an order, at every load that was profiled; the columns add up. */
export function budgetTable(budgets: readonly Budget[]): Table {
  const names = [...new Set(budgets.flatMap(({ lines }) => lines.map(({ step }) => step)))]
  const cells = (find: (budget: Budget) => number | undefined): string[] =>
    budgets.map((budget) => shown(find(budget) ?? 0))
  // What is waiting stands last in every budget.
  const steps = names.toSorted((a, b) => Number(a.startsWith('waiting')) - Number(b.startsWith('waiting')))
  const besides = [...new Set(budgets.flatMap(({ beside }) => beside.map(({ step }) => step)))]
  return {
    columns: [left('step'), ...budgets.map(({ name }) => right(`µs at ${name}`))],
    rows: [
      ...steps.map((step) => [step, ...cells(({ lines }) => lines.find((line) => line.step === step)?.microseconds)]),
      ['**the whole**', ...cells(({ wholeMicroseconds }) => wholeMicroseconds)],
      ...besides.map((step) => [
        `beside it, in another thread: ${step}`,
        ...cells(({ beside }) => beside.find((line) => line.step === step)?.microseconds),
      ]),
    ],
  }
}

export function sizesTable({ sizes }: LargeResults): Table {
  const row = (name: string, tell: (size: LargeResults['sizes'][number]) => string): Row => [name, ...sizes.map(tell)]
  const spread = (name: string, id: string, quantity: Quantity): Row =>
    row(name, ({ measures }) => shownSpread(figure(measures, id, quantity)))
  return {
    columns: [left('orders in the log'), ...sizes.map(({ orders }) => right(orders.toLocaleString('en-US')))],
    rows: [
      row('events in the log', ({ events }) => events.toLocaleString('en-US')),
      row('bytes per event', ({ bytesPerEvent }) => shown(bytesPerEvent)),
      row('seeded, orders/s', ({ seededPerSecond }) => shown(seededPerSecond)),
      spread('rebuild of all views, events/s', 'rebuild', 'perSecond'),
      spread('start to first answer, ms', 'start', 'ms'),
      spread('the same without snapshot, ms', 'start-without', 'ms'),
      row('order list, slowest question, p95 ms', ({ lists }) => shown(Math.max(...lists.map(({ p95 }) => p95)))),
      spread('analytics, p95 ms', 'analytics', 'p95'),
      spread('GET pricing per second', 'pricing', 'perSecond'),
      spread('GET settings per second', 'settings', 'perSecond'),
      spread('GET order per second', 'order', 'perSecond'),
      ...placeConnections.map((connections) =>
        spread(`orders placed per second, ${connectionsText(connections)}`, placeId(connections), 'perSecond'),
      ),
      spread('memory (RSS) through the rebuild, MB', 'rebuild', 'megabytes'),
      spread('memory (RSS) through lists and loads, MB', 'memory', 'megabytes'),
    ],
  }
}

/** For each filter and search its p95 by each sort, at the largest log; in brackets at the smallest. */
export function listsTable({ sizes }: LargeResults): Table {
  const sorted = sizes.toSorted((a, b) => a.orders - b.orders)
  const largest = sorted.at(-1)?.lists ?? []
  const smallest = sorted[0]?.lists ?? []
  const sorts = [...new Set(largest.map(({ sort }) => sort))]
  const filters = [...new Set(largest.map(({ filter }) => filter))]
  return {
    columns: [left('filter or search'), ...sorts.map(right)],
    rows: filters.map((filter) => [
      filter,
      ...sorts.map((sort) => `${p95Of(largest, filter, sort)} (${p95Of(smallest, filter, sort)})`),
    ]),
  }
}

export function soakTable({ soak }: LargeResults): Table {
  return {
    columns: [right('seconds'), right('orders'), right('p50 ms'), right('p99 ms'), right('RSS MB')],
    rows: (soak?.windows ?? []).map(({ seconds, orders, p50, p99, megabytes }) => [
      String(Math.round(seconds)),
      shown(orders),
      shown(p50),
      shown(p99),
      shown(megabytes),
    ]),
  }
}

function p95Of(lists: readonly ListFigure[], filter: string, sort: string): string {
  return shown(lists.find((one) => one.filter === filter && one.sort === sort)?.p95)
}
