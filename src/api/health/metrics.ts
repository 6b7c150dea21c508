import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Build, Probe } from '../api.ts'
import { inTime } from '../../ports/in-time.ts'
import { answerOf } from '../routes/health.ts'

/** A source that does not answer in time is left out of that scrape. */
const SOURCE_MS = 2_000

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
  /** Of this process. */
  readonly answered: number
  readonly failed: number
}

/** Sources of the figures; each is optional. Figures of the shop as a whole are the same in every process. */
export interface MetricSources {
  readonly build?: Build
  readonly views?: () => Promise<readonly ViewMetrics[]>
  readonly jobs?: () => Promise<{ waiting: number; running: number; failed: number }>
  /** Orders that need attention. */
  readonly attention?: () => Promise<number>
  /** Payments whose order is not in the log. */
  readonly unplaced?: () => Promise<number>
  /** Orders that staff must deliver, and the wait of the oldest. */
  readonly toDeliver?: () => Promise<{ count: number; oldestSeconds: number }>
  /** The payment providers that are asked. */
  readonly providers?: () => Promise<readonly ProviderFigures[]>
  /** An engine is up if its probe answers no reason why not. */
  readonly engines?: Readonly<Record<string, Probe>>
  /** Of the log, as this process has read it. */
  readonly log?: () => { readonly damagedReads: number }
}

/** The figures of `/metrics` beside the API's own, collected per scrape and never during a buyer's request. */
export function shopMetrics(sources: MetricSources): () => Promise<string> {
  const { views, jobs, attention, unplaced, toDeliver, providers, ...own } = sources
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  if (own.build) sayBuild(own.build, registry)
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name: `coinshop_${name}`, help, labelNames, registers: [registry] })

  const lagSeconds = gauge('view_lag_seconds', 'Age of the oldest event that a view has not seen.', ['view'])
  const lagEvents = gauge('view_lag_events', 'Events of the log that a view has not seen, counted up to 1,000.', [
    'view',
  ])
  const serving = gauge('view_serving', '1 once a view has been built and answers.', ['view'])
  const broken = gauge('view_broken_documents', 'Documents that an event has broken, at most 1,000.', ['view'])
  const queued = gauge('jobs', 'Jobs of all processes that share the queue.', ['state'])
  const failed = gauge('jobs_failed_total', 'Jobs that failed in this process since its start.')
  const needing = gauge('orders_needing_attention', 'Orders that need a person, counted up to 10,000.')
  const withoutOrder = gauge('payments_without_order', 'Payments whose order is not in the log, counted up to 10,000.')
  const waiting = gauge('orders_to_deliver', 'Orders whose coins staff are to give, counted up to 10,000.')
  const oldest = gauge('orders_to_deliver_oldest_seconds', 'How long the first of them has waited; 0 where none waits.')
  const up = gauge('engine_up', '1 while an engine answers this process.', ['engine'])

  const countLog = logGauges(registry, own.log)
  const askProviders = providerGauges(registry, providers)

  async function askViews(): Promise<void> {
    for (const one of [lagSeconds, lagEvents, serving, broken]) one.reset()
    for (const { name: view, isServing, ...figures } of (await figuresOf(views)) ?? []) {
      lagSeconds.set({ view }, figures.seconds)
      lagEvents.set({ view }, figures.events)
      serving.set({ view }, isServing ? 1 : 0)
      broken.set({ view }, figures.broken)
    }
  }

  async function askJobs(): Promise<void> {
    queued.reset()
    const counts = await figuresOf(jobs)
    if (!counts) return
    queued.set({ state: 'waiting' }, counts.waiting)
    queued.set({ state: 'running' }, counts.running)
    failed.set(counts.failed)
  }

  async function askCounts(): Promise<void> {
    await Promise.all([setOrRemove(needing, attention), setOrRemove(withoutOrder, unplaced)])
  }

  async function askToDeliver(): Promise<void> {
    const figures = await figuresOf(toDeliver)
    for (const one of [waiting, oldest]) one.remove()
    if (!figures) return
    waiting.set(figures.count)
    oldest.set(figures.oldestSeconds)
  }

  async function askEngines(): Promise<void> {
    await Promise.all(
      Object.entries(own.engines ?? {}).map(async ([engine, probe]) => {
        up.set({ engine }, (await answerOf(probe)) === undefined ? 1 : 0)
      }),
    )
  }

  async function look(): Promise<string> {
    countLog()
    await Promise.all([askViews, askJobs, askCounts, askToDeliver, askEngines, askProviders].map(async (ask) => ask()))
    return registry.metrics()
  }

  let looking: Promise<string> | undefined
  return async () => {
    looking ??= look().finally(() => {
      looking = undefined
    })
    return looking
  }
}

/** Of the log as this process reads it. */
function logGauges(registry: Registry, source: MetricSources['log']): () => void {
  const registers = [registry]
  const damaged = new Gauge({
    name: 'coinshop_log_damaged_reads_total',
    help: 'Reads of the log by this process that found a damaged event.',
    registers,
  })
  return () => setOrRemoveNow(damaged, source?.().damagedReads)
}

/** By provider, as this process knows. */
function providerGauges(registry: Registry, source: MetricSources['providers']): () => Promise<void> {
  const gauge = <Label extends string = 'provider'>(name: string, help: string, more: Label[] = []) => {
    const labelNames = ['provider', ...more] as ('provider' | Label)[]
    return new Gauge({ name: `coinshop_provider_${name}`, help, labelNames, registers: [registry] })
  }
  const polled = gauge('polled_orders', 'Orders with payments that the provider is asked about, counted up to 10,000.')
  const failing = gauge('failing_calls', 'Calls to the provider that failed in the last minute.')
  const away = gauge('away_seconds', 'How long this process has had no answer of the provider; 0 while it answers.')
  const webhook = gauge('last_webhook_timestamp_seconds', 'When the last signed webhook of the provider came.')
  const calls = gauge('calls_total', 'Calls of this process to the provider since its start.', ['result'])
  return async () => {
    for (const one of [polled, failing, away, webhook, calls]) one.reset()
    for (const { name: provider, ...figures } of (await figuresOf(source)) ?? []) {
      if (figures.polled !== undefined) polled.set({ provider }, figures.polled)
      failing.set({ provider }, figures.failing)
      away.set({ provider }, figures.awaySeconds)
      if (figures.webhookAt !== undefined) webhook.set({ provider }, figures.webhookAt / 1000)
      calls.set({ provider, result: 'answered' }, figures.answered)
      calls.set({ provider, result: 'failed' }, figures.failed)
    }
  }
}

async function setOrRemove(gauge: Gauge, source: (() => Promise<number>) | undefined): Promise<void> {
  setOrRemoveNow(gauge, await figuresOf(source))
}

function setOrRemoveNow(gauge: Gauge, count: number | undefined): void {
  if (count === undefined) gauge.remove()
  else gauge.set(count)
}

function sayBuild(build: Build, registry: Registry): void {
  const labelNames = ['version', 'commit'] as const
  const info = new Gauge({
    name: 'coinshop_build_info',
    help: 'Which release runs; always 1.',
    labelNames,
    registers: [registry],
  })
  info.set({ ...build }, 1)
}

/** Undefined if it is away or too slow. */
async function figuresOf<Figures>(source: (() => Promise<Figures>) | undefined): Promise<Figures | undefined> {
  try {
    return source && (await inTime(source(), SOURCE_MS, undefined))
  } catch {
    return undefined
  }
}
