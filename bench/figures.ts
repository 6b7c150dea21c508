/** What one round has measured of one checkout, by the ids of the figures. */
export type Round = Readonly<Record<string, number>>

export interface Figure {
  readonly name: string
  readonly unit: '' | 'MB' | 'ms' | 'events/s' | 'orders/s' | 'requests/s' | '/s'
  readonly better: 'higher' | 'lower'
  /** Its value in a round; undefined where the round has not measured it. */
  readonly of: (round: Round) => number | undefined
  readonly must?: number
  readonly goal?: number
}

/** Every figure in the order in which it is reported, with what has to be reached. */
export function figuresFor(sizes: readonly number[]): Figure[] {
  const [smallest, largest] = [Math.min(...sizes), Math.max(...sizes)]
  return [
    rate('hello-world, 64 connections', 'hello', 'requests/s'),
    rate('GET /api/pricing', 'pricing', 'requests/s'),
    ratio('GET pricing : hello-world', 'pricing', 'hello', { must: 0.5, goal: 0.8 }),
    rate('GET /api/payment-settings', 'settings', 'requests/s'),
    ratio('GET settings : hello-world', 'settings', 'hello', { must: 0.5, goal: 0.8 }),
    rate('GET /api/orders/:id', 'order', 'requests/s'),
    ratio('GET order : hello-world', 'order', 'hello', { must: 0.3, goal: 0.5 }),
    rate('POST /api/orders, 64 connections', 'place', 'orders/s'),
    ratio('placing : hello-world', 'place', 'hello', { must: 0.08, goal: 0.15 }),
    cost('placing, p99', 'place-p99', 'ms', { must: 100, goal: 50 }),
    cost('placing, memory (RSS)', 'place-memory', 'MB'),
    rate('placed, paid and delivered', 'deliver', 'orders/s'),
    ratio('delivering : placing', 'deliver', 'place', { must: 0.35, goal: 0.5 }),
    cost('delivering, memory (RSS)', 'deliver-memory', 'MB'),
    cost('append to visible in the list, unloaded, p95', 'visible', 'ms', { must: 50, goal: 20 }),
    ...sizes.flatMap((orders) => logFigures(orders, orders === largest)),
    ...(smallest === largest
      ? []
      : [growth(`slowest list, ${text(largest)} : ${text(smallest)} orders`, { smallest, largest })]),
  ]
}

function logFigures(orders: number, isLargest: boolean): Figure[] {
  const name = (what: string): string => `${text(orders)} orders: ${what}`
  const bounds = (must: number, goal: number): Bounds => (isLargest ? { must, goal } : {})
  return [
    {
      ...rate(name('rebuild of all views'), `rebuild-${orders}`, 'events/s'),
      ...bounds(60_000, 150_000),
    },
    cost(name('start to first answer'), `start-${orders}`, 'ms', bounds(2_000, 1_000)),
    cost(name('order list, slowest question, p95'), `lists-${orders}`, 'ms', bounds(50, 20)),
    cost(name('order list, middle question, p50'), `lists-middle-${orders}`, 'ms'),
    cost(name('analytics, p95'), `analytics-${orders}`, 'ms', bounds(5, 2)),
    cost(name('rebuild and lists, memory (RSS)'), `memory-${orders}`, 'MB', bounds(300, 200)),
  ]
}

/** Of a shop on servers; each beside the figure of the bare client on the same server in the same round. */
export const figuresOnServers: readonly Figure[] = [
  rate('orders placed, 64 connections; client: appends of one event, 64 at once', 'place', '/s'),
  rate('appends of one event, 64 at once', 'append', '/s'),
  cost('append, one after another, p50', 'append-p50', 'ms'),
  cost('append, one after another, p99', 'append-p99', 'ms'),
  rate('catch-up; client: one read of all', 'read', 'events/s'),
  rate('catch-up; client: a subscription to all', 'subscribed', 'events/s'),
  rate('rebuild of all views; client: bulk insert of their documents', 'rebuild', 'events/s'),
]

interface Bounds {
  readonly must?: number
  readonly goal?: number
}

function rate(name: string, id: string, unit: Figure['unit']): Figure {
  return { name, unit, better: 'higher', of: (round) => round[id] }
}

function cost(name: string, id: string, unit: Figure['unit'], bounds: Bounds = {}): Figure {
  return { name, unit, better: 'lower', of: (round) => round[id], ...bounds }
}

function ratio(name: string, id: string, base: string, bounds: Bounds): Figure {
  return { name, unit: '', better: 'higher', of: (round) => quotient(round[id], round[base]), ...bounds }
}

function growth(name: string, { smallest, largest }: { smallest: number; largest: number }): Figure {
  const of = (round: Round) => quotient(round[`lists-${largest}`], round[`lists-${smallest}`])
  return { name, unit: '', better: 'lower', of, must: 2, goal: 1.3 }
}

function quotient(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one / other
}

function text(orders: number): string {
  return orders.toLocaleString('en-US')
}
