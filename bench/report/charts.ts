import { goalsOf } from '../goals.ts'
import { figure, type Measure, type Quantity } from '../notebook.ts'
import type { Budget } from '../profile/budget.ts'
import type { LargeResults, Records, Results } from '../results.ts'
import { placeId } from '../scenarios/bench.ts'
import { placeConnections } from '../scenarios/placing.ts'
import { connectionsText } from '../scenarios/reads.ts'
import { shown } from './numbers.ts'
import { type Bar, barChart, lineChart } from './svg.ts'

export interface Chart {
  /** In the folder of the charts. */
  readonly file: string
  readonly alt: string
  readonly svg: string
}

/** Pictures of everything that was measured. */
export function chartsOf(records: Records): Chart[] {
  const { latest, large } = records
  return [
    ...(latest.measures.some(({ id }) => id === placeId(1)) ? [throughput(latest), latencies(latest)] : []),
    ...ratios(records),
    ...latest.budgets.slice(0, 1).map(budgetChart),
    ...(large && large.sizes.length > 1 ? bySize(large) : []),
    ...(large?.soak && large.soak.windows.length > 1 ? soakCharts(large) : []),
  ]
}

function throughput({ measures }: Results): Chart {
  const bars = placeConnections.flatMap((connections) => {
    const spread = figure(measures, placeId(connections), 'perSecond')
    if (!spread) return []
    const { median, low, high } = spread
    return [{ label: connectionsText(connections), value: median, low, high, text: `${shown(median)} orders/s` }]
  })
  const title = 'Orders placed per second'
  const subtitle = 'POST /api/orders, median of the rounds; the line spans lowest to highest'
  return { file: 'placing.svg', alt: title, svg: barChart({ title, subtitle, bars }) }
}

function latencies({ measures }: Results): Chart {
  const series = (['p50', 'p95', 'p99'] as const).map((quantity) => ({
    name: quantity,
    values: placeConnections.map((connections) => figure(measures, placeId(connections), quantity)?.median),
  }))
  const title = 'How long placing an order takes'
  const subtitle = 'milliseconds, by connections that place at the same time'
  const places = placeConnections.map(String)
  return { file: 'placing-latency.svg', alt: title, svg: lineChart({ title, subtitle, places, series }) }
}

function ratios(records: Records): Chart[] {
  const bars = goalsOf(records).flatMap(({ name, measured, must, goal, unit }): Bar[] =>
    unit !== '' || measured === undefined
      ? []
      : [
          {
            label: name.replace(/^orders\/s (from )?| : hello-world$/g, ''),
            value: measured,
            must,
            goal,
            text: shown(measured),
          },
        ],
  )
  if (bars.length === 0) return []
  const title = 'Against a bare Express hello-world, and against placing alone'
  const subtitle = 'ratio of what is done per second; red: must be reached, green: goal'
  return [{ file: 'ratios.svg', alt: title, svg: barChart({ title, subtitle, bars }) }]
}

function budgetChart({ name, lines, wholeMicroseconds }: Budget): Chart {
  const title = `Where the ${shown(wholeMicroseconds)} microseconds of an order go`
  const subtitle = `microseconds per order at ${name}, by CPU profile of the main thread`
  const bars = lines.map(({ step, microseconds }) => ({
    label: step.split(' (')[0]?.split(': for')[0] ?? step,
    value: microseconds,
    text: `${shown(microseconds)} µs`,
  }))
  return { file: 'budget.svg', alt: title, svg: barChart({ title, subtitle, bars }) }
}

function bySize({ sizes }: LargeResults): Chart[] {
  const places = sizes.map(({ orders }) => orders.toLocaleString('en-US'))
  const of = (id: string, quantity: Quantity) =>
    sizes.map(({ measures }: { measures: readonly Measure[] }) => figure(measures, id, quantity)?.median)
  const chart = (file: string, title: string, subtitle: string, series: Parameters<typeof lineChart>[0]['series']) => ({
    file,
    alt: title,
    svg: lineChart({ title, subtitle, places, series }),
  })
  const slowest = sizes.map(({ lists }) => Math.max(...lists.map(({ p95 }) => p95)))
  const middle = sizes.map(({ lists }) => lists.map(({ p95 }) => p95).toSorted((a, b) => a - b)[lists.length >> 1])
  return [
    chart('lists.svg', 'Order list by size of the log', 'milliseconds at p95, by orders in the log', [
      { name: 'slowest question', values: slowest },
      { name: 'middle question', values: middle },
      { name: 'analytics', values: of('analytics', 'p95') },
    ]),
    chart('start.svg', 'Start to first answer by size of the log', 'milliseconds, by orders in the log', [
      { name: 'with snapshot', values: of('start', 'ms') },
      { name: 'without', values: of('start-without', 'ms') },
    ]),
    chart('sizes.svg', 'Requests and orders per second by size of the log', 'per second at 64 connections', [
      { name: 'GET pricing', values: of('pricing', 'perSecond') },
      { name: 'GET order', values: of('order', 'perSecond') },
      { name: 'POST orders', values: of(placeId(64), 'perSecond') },
    ]),
    chart('memory.svg', 'Memory by size of the log', 'RSS at most, in megabytes', [
      { name: 'lists and loads', values: of('memory', 'megabytes') },
      { name: 'rebuild', values: of('rebuild', 'megabytes') },
    ]),
  ]
}

function soakCharts({ soak }: LargeResults): Chart[] {
  if (!soak) return []
  const { windows, perSecond } = soak
  const places = windows.map(({ seconds }) => `${Math.round(seconds)} s`)
  const rate = `${shown(perSecond)} orders/s placed, paid and delivered`
  const latency = 'Placing through the soak'
  const memory = 'Memory through the soak'
  const p50 = { name: 'p50', values: windows.map((window) => window.p50) }
  const p99 = { name: 'p99', values: windows.map((window) => window.p99) }
  const megabytes = { name: 'RSS', values: windows.map((window) => window.megabytes) }
  return [
    {
      file: 'soak-latency.svg',
      alt: latency,
      svg: lineChart({ title: latency, subtitle: `milliseconds; ${rate}`, places, series: [p50, p99] }),
    },
    {
      file: 'soak-memory.svg',
      alt: memory,
      svg: lineChart({ title: memory, subtitle: `megabytes; ${rate}`, places, series: [megabytes] }),
    },
  ]
}
