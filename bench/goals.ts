import { figure, type Quantity } from './notebook.ts'
import type { Records } from './results.ts'
import { DELIVER_ID } from './scenarios/delivering.ts'
import { CONNECTIONS, placeId } from './scenarios/bench.ts'
import type { SizeResult } from './scenarios/sizes.ts'

export interface Goal {
  readonly name: string
  readonly must: number
  readonly goal: number
  readonly unit: '' | 'ms' | '×' | 'MB' | 'events/s'
  readonly better: 'higher' | 'lower'
  /** Undefined where it was not measured. */
  readonly measured: number | undefined
}

export type Reached = 'goal' | 'must' | 'missed' | 'not measured'

export function reached({ must, goal, better, measured }: Goal): Reached {
  if (measured === undefined) return 'not measured'
  const isAsGoodAs = (bound: number): boolean => (better === 'higher' ? measured >= bound : measured <= bound)
  if (isAsGoodAs(goal)) return 'goal'
  return isAsGoodAs(must) ? 'must' : 'missed'
}

/** What this shop has to reach, and what it did. */
export function goalsOf({ latest, large }: Records): Goal[] {
  const of = (id: string, quantity: Quantity): number | undefined => figure(latest.measures, id, quantity)?.median
  const { smallest, largest } = ends(large?.sizes ?? [])
  const atLargest = (id: string, quantity: Quantity): number | undefined =>
    largest && figure(largest.measures, id, quantity)?.median
  const placed = placeId(CONNECTIONS)
  const atSize = largest ? `${largest.orders.toLocaleString('en-US')} orders` : '1,000,000 orders'
  return [
    higher('orders/s placed at 64 connections : hello-world', 0.08, 0.15, '', of(placed, 'ratio')),
    higher(
      'orders/s from placed to delivered : placed alone',
      0.35,
      0.5,
      '',
      quotient(of(DELIVER_ID, 'perSecond'), of(placed, 'perSecond')),
    ),
    higher('GET pricing : hello-world', 0.5, 0.8, '', of('pricing', 'ratio')),
    higher('GET settings : hello-world', 0.5, 0.8, '', of('settings', 'ratio')),
    higher('GET order : hello-world', 0.3, 0.5, '', of('order', 'ratio')),
    lower('p99 of placing at 64 connections', 100, 50, 'ms', of(placed, 'p99')),
    lower('append to visible, unloaded, p95', 50, 20, 'ms', of('visible', 'p95')),
    higher('rebuild of all views', 60_000, 150_000, 'events/s', of('rebuild', 'perSecond')),
    lower(`start to first answer, ${atSize}`, 2_000, 1_000, 'ms', atLargest('start', 'ms')),
    lower(`order list, slowest filter, search and sort, p95, ${atSize}`, 50, 20, 'ms', slowestList(largest)),
    lower('the same against the smallest log, worst of all', 2, 1.3, '×', worstGrowth(smallest, largest)),
    lower(`analytics, p95, ${atSize}`, 5, 2, 'ms', atLargest('analytics', 'p95')),
    lower(`memory (RSS) through ${atSize}`, 300, 200, 'MB', mostMemory(largest, large?.soak?.windows ?? [])),
  ]
}

type Of = (name: string, must: number, goal: number, unit: Goal['unit'], measured: number | undefined) => Goal
const higher: Of = (name, must, goal, unit, measured) => ({ name, must, goal, unit, better: 'higher', measured })
const lower: Of = (name, must, goal, unit, measured) => ({ name, must, goal, unit, better: 'lower', measured })

function quotient(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one / other
}

function ends(sizes: readonly SizeResult[]): { smallest: SizeResult | undefined; largest: SizeResult | undefined } {
  const sorted = sizes.toSorted((a, b) => a.orders - b.orders)
  return { smallest: sorted[0], largest: sorted.at(-1) }
}

function slowestList(size: SizeResult | undefined): number | undefined {
  return size && Math.max(...size.lists.map(({ p95 }) => p95))
}

/** How many times slower the list is that suffers most from a larger log. */
export function worstGrowth(smallest: SizeResult | undefined, largest: SizeResult | undefined): number | undefined {
  if (!smallest || !largest || smallest === largest) return undefined
  const growths = largest.lists.flatMap(({ filter, sort, p95 }) => {
    const before = smallest.lists.find((list) => list.filter === filter && list.sort === sort)
    return before ? [p95 / before.p95] : []
  })
  return Math.max(...growths)
}

function mostMemory(
  size: SizeResult | undefined,
  windows: readonly { readonly megabytes: number | undefined }[],
): number | undefined {
  const seen = (size?.measures ?? []).flatMap(({ samples }) => samples.flatMap(({ megabytes }) => megabytes ?? []))
  const all = [...seen, ...windows.flatMap(({ megabytes }) => megabytes ?? [])]
  return all.length === 0 ? undefined : Math.max(...all)
}
