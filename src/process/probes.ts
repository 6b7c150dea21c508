import { statfs } from 'node:fs/promises'
import type { Build, Probe } from '../api/api.ts'
import type { MetricSources, ProviderFigures } from '../api/health/metrics.ts'
import type { EventLog } from '../log/event-log.ts'
import type { JobQueue } from '../engines/job-queue/job-queue.ts'
import { lagText, viewLag } from '../projector/lag.ts'
import { calledProviders } from '../shop/providers.ts'
import type { PaymentProviders } from '../shop/command-context.ts'
import { countNeedingAttention, countPolled } from '../projections/orders.ts'
import { countUnplaced } from '../projections/payments.ts'
import { countToDeliver } from '../projections/to-deliver.ts'
import type { Projection } from '../projections/projection.ts'
import type { Views } from '../projections/shop-views.ts'
import type { Vault } from '../engines/vault/vault.ts'
import type { ViewStore } from '../engines/view-store/view-store.ts'

/** The views are not ready if they do not reach the log's head within this time. */
const BEHIND_MS = 1_500

interface EngineParts {
  readonly log: EventLog
  readonly vault: Vault
  readonly viewStore: Pick<ViewStore, 'texts'>
  readonly queue: Pick<JobQueue, 'counts'>
  /** Set if rate limits are counted outside this process. */
  readonly limits?: { ping(): Promise<void> } | undefined
  /** Says that the engine's disk is full; undefined if not, and for a server. */
  readonly fullDisk: Readonly<Record<'log' | 'vault', () => Promise<string | undefined>>>
}

interface Parts extends EngineParts {
  readonly views: Views
  readonly projections: readonly Projection[]
  readonly providers: PaymentProviders
  readonly now: () => number
}

/** Jobs wait that long only if Redis or the workers do not work. */
const UNTAKEN_MS = 30_000
/** SQLite needs room for its write-ahead log before it can answer a write. */
const ROOM_BYTES_MIN = 16e6

/** Checks the disk of an engine's folder; a server's disk cannot be checked. */
export function fullDiskOf(folder: string | undefined): () => Promise<string | undefined> {
  return async () => {
    if (folder === undefined) return undefined
    const { bavail, bsize } = await statfs(folder)
    const room = bavail * bsize
    return room < ROOM_BYTES_MIN ? `the disk is full (${(room / 1e6).toFixed(1)} MB left)` : undefined
  }
}

/** Check that each engine answers this process, by its cheapest call. */
export function engineProbes({ log, vault, viewStore, queue, limits, fullDisk }: EngineParts): Record<string, Probe> {
  return {
    log: async () => log.head().then(fullDisk.log),
    vault: async () => vault.keysOf([]).then(fullDisk.vault),
    views: async () => viewStore.texts.read('registry').then(nothing),
    queue: async () => queue.counts().then(nothing),
    ...(limits && { limits: async () => limits.ping().then(nothing) }),
  }
}

/** Why this process cannot serve, by part and by view, for `/readyz`. Lag is measured against the log's head. */
export function shopProbes(
  parts: Parts & {
    /** This process's projector, if any. */
    readonly projector: { trouble(): string | undefined } | undefined
    /** Whether the owner can log in; the API answers slightly earlier. */
    readonly isStarted: () => boolean
  },
): Record<string, Probe> {
  const { log, views, projections, projector, isStarted } = parts

  /** Shared by the probes of all views, which have the same lag. */
  let asked: Promise<string | undefined> | undefined

  async function lag(): Promise<string | undefined> {
    asked ??= lagNow().finally(() => (asked = undefined))
    return asked
  }

  async function lagNow(): Promise<string | undefined> {
    const head = await log.head()
    if ((await views.position()) !== undefined && (await views.waitFor(head, BEHIND_MS))) return undefined
    return lagText(await viewLag({ ...parts, projections: [] }))
  }

  return {
    ...engineProbes(parts),
    start: async () => (isStarted() ? undefined : 'is not finished'),
    projector: async () => projector?.trouble(),
    ...Object.fromEntries(projections.map(({ name }) => [`view ${name}`, lag])),
  }
}

/** What does not work while this process serves, for `/readyz`. */
export function shopWarnings({ queue }: Pick<EngineParts, 'queue'>): Record<string, Probe> {
  return {
    async jobs() {
      const { untakenMs = 0 } = await queue.counts()
      if (untakenMs < UNTAKEN_MS) return undefined
      return `jobs have waited for ${Math.round(untakenMs / 1_000)} s without one being taken`
    },
  }
}

/** The sources of `/metrics`, for this process and for the whole shop. */
export function metricSources(parts: Parts & { readonly build: Build }): MetricSources {
  const { log, views, projections, queue, now, build } = parts
  return {
    build,
    async views() {
      const { broken, ...lag } = await viewLag({ log, views, projections, now })
      return projections.map(({ name }) => ({ name, ...lag, broken: broken.get(name) ?? 0 }))
    },
    jobs: async () => queue.counts(),
    attention: async () => countNeedingAttention(views),
    unplaced: async () => countUnplaced(views),
    async toDeliver() {
      const { count, oldestSince } = await countToDeliver(views)
      return {
        count,
        oldestSeconds: oldestSince === undefined ? 0 : Math.max(0, now() - Date.parse(oldestSince)) / 1000,
      }
    },
    providers: async () => providerFigures(parts),
    engines: engineProbes(parts),
    log: () => log.figures(),
  }
}

async function providerFigures({ views, providers, now }: Parts): Promise<readonly ProviderFigures[]> {
  return Promise.all(
    calledProviders({ providers }).map(async ({ provider: { name }, health }) => {
      const { awaySince, failing } = health.state()
      const polled = await countPolled(views, name).catch(() => undefined)
      const awaySeconds = awaySince === undefined ? 0 : Math.max(0, now() - awaySince) / 1000
      return { name, polled, failing, awaySeconds, webhookAt: health.webhookAt, ...health.calls }
    }),
  )
}

function nothing(): undefined {}
