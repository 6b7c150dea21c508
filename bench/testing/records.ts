import type { Measure } from '../notebook.ts'
import type { LargeResults, Records, Run } from '../results.ts'
import type { SizeResult } from '../scenarios/sizes.ts'

export const run: Run = {
  machine: {
    processor: 'A processor',
    cores: 2,
    memoryGigabytes: 8,
    system: 'linux 6',
    node: '26.0.0',
    sqlite: '3.50.0',
    express: '5.0.0',
    autocannon: '9.0.0',
    commit: 'abcdef0',
  },
  command: 'npm run bench',
  at: '2026-01-02T03:04:05.000Z',
  rounds: 3,
  seconds: 3,
}

const measure = (id: string, ...samples: Measure['samples']): Measure => ({
  id,
  name: `name of ${id}`,
  unit: 'orders',
  samples,
})

/** A log of so many orders; the p95 of its list, one for each question. */
export function sizeResult({ orders, p95s }: { orders: number; p95s: readonly number[] }): SizeResult {
  return {
    orders,
    events: orders * 9,
    bytesPerEvent: 600,
    seededPerSecond: 5_000,
    measures: [
      measure('start', { ms: 900 }),
      measure('start-without', { ms: 9_000 }),
      measure('analytics', { p50: 1, p95: 2, p99: 3 }),
      measure('memory', { megabytes: 250 }),
      measure('pricing', { perSecond: 900 }),
    ],
    lists: p95s.map((p95, index) => ({ filter: `filter ${index}`, sort: 'createdAt asc', p50: 1, p95, p99: 50 })),
  }
}

export function largeResults({ megabytes }: { megabytes: number }): LargeResults {
  const window = { seconds: 30, orders: 3_000, p50: 2, p99: 9, megabytes }
  return {
    run,
    sizes: [sizeResult({ orders: 1_000, p95s: [10, 20] }), sizeResult({ orders: 1_000_000, p95s: [12, 30] })],
    soak: { perSecond: 100, leftOut: 7, windows: [window, { ...window, seconds: 60 }] },
  }
}

/** As a full run leaves them. */
export function records(): Records {
  const placed = [1, 16, 64, 256].map((connections) =>
    measure(
      `place-${connections}`,
      { perSecond: 1_000, ratio: 0.1, p50: 1, p95: 2, p99: 3 },
      { perSecond: 900, ratio: 0.1 },
    ),
  )
  return {
    latest: {
      run,
      measures: [measure('hello-64', { perSecond: 10_000 }), ...placed, measure('deliver', { perSecond: 380 })],
      budgets: [
        {
          name: '64 connections',
          orders: 1_000,
          wholeMicroseconds: 1_000,
          lines: [
            { step: 'sealing (AES-256-GCM)', microseconds: 100 },
            { step: 'waiting: for requests', microseconds: 900 },
          ],
          beside: [{ step: 'views: fold and write', microseconds: 300 }],
        },
      ],
      bytesPerEvent: 600,
    },
    large: largeResults({ megabytes: 200 }),
  }
}
