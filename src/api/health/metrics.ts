import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Build, Probe } from '../api.ts'
import { inTime } from '../../ports/in-time.ts'
import { failureOf } from './health.ts'

/** A slower source is left out of that scrape. Longer than a probe's timeout. */
const SOURCE_MS = 3_000

interface ViewMetrics {
  readonly name: string
  readonly isServing: boolean
  readonly events: number
  readonly seconds: number
  readonly broken: number
}

export interface ProviderFigures {
  readonly name: string
  readonly polled: number | undefined
  readonly failing: number
  readonly awaySeconds: number
  readonly webhookAt: number | undefined
  /** Calls of this process. */
  readonly answered: number
  readonly failed: number
}

interface JobFigures {
  readonly waiting: number
  readonly running: number
  readonly failed: number
  /** Of types that no worker takes. */
  readonly unknown?: number | undefined
  readonly untakenMs?: number | undefined
}

/** Sources of the metrics. Metrics of the whole shop are the same in every process. */
export interface MetricSources {
  readonly build: Build
  readonly views: () => Promise<readonly ViewMetrics[]>
  readonly jobs: () => Promise<JobFigures>
  /** Orders that need attention. */
  readonly attention: () => Promise<number>
  /** Payments whose order is not in the log. */
  readonly unplaced: () => Promise<number>
  /** Orders that staff must deliver, and the wait of the oldest. */
  readonly toDeliver: () => Promise<{ count: number; oldestSeconds: number }>
  /** Payment providers called over the network. */
  readonly providers: () => Promise<readonly ProviderFigures[]>
  /** An engine is up if its probe returns undefined. */
  readonly engines: Readonly<Record<string, Probe>>
  /** Reads of the log by this process. */
  readonly log: () => { readonly damagedReads: number; readonly foreign?: { readonly events: number } | undefined }
}

/** A gauge with label names exports no value before it is set, so every gauge declares all of them. */
const labelNames = ['view', 'state', 'engine', 'provider', 'result', 'version', 'commit'] as const
type Labels = Partial<Record<(typeof labelNames)[number], string>>
/** One value of a source, or one for each set of labels. */
type Show<Figures> = (figures: Figures) => number | readonly (readonly [Labels, number | undefined])[]

/** The metrics of `/metrics` without the API's own; collected per scrape, never during a buyer's request. */
export function shopMetrics({ build, log, engines, ...sources }: MetricSources): () => Promise<string> {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })

  const release = gaugesOf(registry, async () => build)
  release('build_info', 'Which release runs; always 1.', (labels) => [[{ ...labels }, 1]])

  const views = gaugesOf(registry, sources.views)
  views('view_lag_seconds', 'Age of the oldest event that a view has not seen.', byView('seconds'))
  views('view_lag_events', 'Events of the log that a view has not seen, counted up to 1,000.', byView('events'))
  views('view_serving', '1 once a view has been built and answers.', byView('isServing'))
  views('view_broken_documents', 'Documents that an event has broken, at most 1,000.', byView('broken'))

  const jobs = gaugesOf(registry, sources.jobs)
  jobs('jobs', 'Jobs of all processes that share the queue.', (counts) =>
    (['waiting', 'running', 'unknown'] as const).map((state) => [{ state }, counts[state] ?? 0]),
  )
  const untaken = 'How long jobs have waited without one being taken; 0 if none waits.'
  jobs('jobs_untaken_seconds', untaken, ({ untakenMs = 0 }) => untakenMs / 1_000)
  jobs('jobs_failed_total', 'Jobs that failed in this process since its start.', ({ failed }) => failed)

  const attention = gaugesOf(registry, sources.attention)
  attention('orders_needing_attention', 'Orders that need a person, counted up to 10,000.', (count) => count)
  const unplaced = gaugesOf(registry, sources.unplaced)
  unplaced('payments_without_order', 'Payments whose order is not in the log, counted up to 10,000.', (count) => count)
  const toDeliver = gaugesOf(registry, sources.toDeliver)
  toDeliver('orders_to_deliver', 'Orders whose coins staff are to give, counted up to 10,000.', ({ count }) => count)
  const oldest = 'How long the first of them has waited; 0 if none waits.'
  toDeliver('orders_to_deliver_oldest_seconds', oldest, ({ oldestSeconds }) => oldestSeconds)

  const ups = gaugesOf(registry, async () =>
    Promise.all(Object.entries(engines).map(async ([name, probe]) => ({ name, why: await failureOf(probe) }))),
  )
  ups('engine_up', '1 while an engine answers this process.', (all) =>
    all.map(({ name: engine, why }) => [{ engine }, why === undefined ? 1 : 0]),
  )
  const reads = gaugesOf(registry, async () => log())
  const damaged = 'Reads of the log by this process that found a damaged event.'
  reads('log_damaged_reads_total', damaged, ({ damagedReads }) => damagedReads)

  const foreign = 'Events of other applications in streams with names of the shop, passed over by this process.'
  reads('log_foreign_events', foreign, (figures) => figures.foreign?.events ?? 0)

  addProviders(registry, sources.providers)
  return async () => registry.metrics()
}

function byView(figure: Exclude<keyof ViewMetrics, 'name'>) {
  return (all: readonly ViewMetrics[]) => all.map((view) => [{ view: view.name }, Number(view[figure])] as const)
}

function addProviders(registry: Registry, source: MetricSources['providers']): void {
  const gauge = gaugesOf(registry, source)
  const each = (name: string, help: string, figure: (of: ProviderFigures) => number | undefined) =>
    gauge(`provider_${name}`, help, (all) => all.map((one) => [{ provider: one.name }, figure(one)]))
  const polled = 'Orders whose payments are polled at the provider, counted up to 10,000.'
  each('polled_orders', polled, (of) => of.polled)
  each('failing_calls', 'Calls of this process to the provider that failed in the last minute.', (of) => of.failing)
  const away = 'How long the provider has not answered this process; 0 while it answers.'
  each('away_seconds', away, (of) => of.awaySeconds)
  const webhook = 'When the last signed webhook of the provider came.'
  each('last_webhook_timestamp_seconds', webhook, ({ webhookAt }) => webhookAt && webhookAt / 1000)
  gauge('provider_calls_total', 'Calls of this process to the provider since its start.', (all) =>
    all.flatMap((of) => (['answered', 'failed'] as const).map((result) => [{ provider: of.name, result }, of[result]])),
  )
}

/** Makes gauges of one source, which is read at each scrape. */
function gaugesOf<Figures>(registry: Registry, source: () => Promise<Figures>) {
  const ask = sharedRead(source)
  return (name: string, help: string, show: Show<Figures>): void => {
    const gauge: Gauge<keyof Labels> = new Gauge({
      name: `coinshop_${name}`,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const figures = await ask()
        gauge.reset()
        if (figures === undefined) return
        const shown = show(figures)
        for (const [labels, value] of typeof shown === 'number' ? [[{}, shown] as const] : shown)
          if (value !== undefined) gauge.set(labels, value)
      },
    })
  }
}

/** Shares one read among all gauges of a source and concurrent scrapes. Undefined if it fails or is too slow. */
function sharedRead<Figures>(source: () => Promise<Figures>): () => Promise<Figures | undefined> {
  let reading: Promise<Figures | undefined> | undefined
  return async () => {
    reading ??= inTime(source(), SOURCE_MS, undefined)
      .catch(() => undefined)
      .finally(() => (reading = undefined))
    return reading
  }
}
