import { readFileSync } from 'node:fs'

/** What k6 has measured, as `handleSummary` writes it. */
export interface Figures {
  p95(trend: string): number
  /** Checks that were made, right or wrong. */
  readonly checks: number
  /** One sentence for each threshold that was crossed. */
  readonly broken: readonly string[]
}

interface Metric {
  readonly values: Readonly<Record<string, number>>
  readonly thresholds?: Readonly<Record<string, { ok: boolean }>>
}

export function figuresIn(file: string): Figures {
  const { metrics } = JSON.parse(readFileSync(file, 'utf8')) as { metrics: Readonly<Record<string, Metric>> }
  const valueOf = (metric: string, name: string): number => metrics[metric]?.values[name] ?? Number.NaN
  return {
    p95: (trend) => valueOf(trend, 'p(95)'),
    checks: (valueOf('checks', 'passes') || 0) + (valueOf('checks', 'fails') || 0),
    broken: Object.entries(metrics).flatMap(([metric, { thresholds = {} }]) =>
      Object.entries(thresholds).flatMap(([promise, { ok }]) => (ok ? [] : [`${metric} is not ${promise}`])),
    ),
  }
}
