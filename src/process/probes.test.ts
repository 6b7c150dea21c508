import { afterEach, expect, it } from 'vitest'
import { healthServer } from '../api/health/health.ts'
import type { ShopServer } from '../api/http/shop-server.ts'
import { shopMetrics } from '../api/health/metrics.ts'
import type { ShopEvent } from '../domain/events.ts'
import { inProcessJobQueue } from '../engines/job-queue/in-process-job-queue.ts'
import { ProviderHealth } from '../payments/provider-health.ts'
import { sandboxProviders } from '../payments/sandbox/sandbox.ts'
import { projectionRunner } from '../projector/runner.ts'
import { samples } from '../projections/testing/samples.ts'
import { shopLog } from '../projections/testing/shop-log.ts'
import { shopProjections } from '../projections/shop-projections.ts'
import { viewReader } from '../projector/view-reader.ts'
import { metricSources, shopProbes } from './probes.ts'
import { engineErrors, failingEngine } from '../engines/testing/interposed.ts'
import { METRICS_TOKEN } from '../testing/shop-process.ts'
import { temporaryViewStore } from '../engines/view-store/sqlite-view-store.ts'

const READY = { status: 200, ready: true, reasons: {} }
const names = ['orders', 'customers', 'analytics', 'payments']

let server: ShopServer | undefined

afterEach(async () => server?.close())

async function watched() {
  const shop = shopLog()
  const failing = { log: failingEngine(), vault: failingEngine(), views: failingEngine(), queue: failingEngine() }
  const plainStore = temporaryViewStore()
  const projections = shopProjections({ timeZone: 'Asia/Kolkata' })
  const shape = 'shape'
  const clock = { now: () => Date.now(), sleep: async () => undefined }
  const runner = projectionRunner({ log: shop.log, logId: 'log', store: plainStore, shape, projections, clock })
  const log = failing.log.wrap(shop.log)
  const store = failing.views.wrap(plainStore)
  let time = 0
  const now: { full?: string; isStarted: boolean } = { isStarted: true }
  const sandbox = sandboxProviders({ delayMs: 0, now: clock.now, inrPerUsd: 86.5 })
  const health = new ProviderHealth(clock.now)
  health.webhookAt = clock.now()
  const parts = {
    log,
    vault: failing.vault.wrap(shop.vault),
    views: viewReader({ store, shape, projections, now: () => (time += 1_001) }),
    viewStore: store,
    queue: failing.queue.wrap(inProcessJobQueue()),
    projections,
    providers: { paypal: [{ ...sandbox.paypal, health }], crypto: [], upi: [] },
    fullDisk: { log: async () => now.full, vault: async () => now.full },
    now: clock.now,
  }
  const probes = shopProbes({ ...parts, projector: { trouble: () => undefined }, isStarted: () => now.isStarted })
  const build = { version: '1.2.3', commit: 'abcdef' }
  server = healthServer({
    build,
    probes,
    metrics: shopMetrics(metricSources({ ...parts, build })),
    metricsToken: METRICS_TOKEN,
  })
  const url = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`
  const get = async (path: string) => fetch(`${url}${path}`, { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } })
  return {
    record: async (...events: ShopEvent[]) => shop.record(...events),
    failing,
    now,
    get,
    project: async () => {
      while (await runner.runOnce());
    },
    ready: async () => {
      const response = await get('/readyz')
      return { status: response.status, ...((await response.json()) as { reasons: Record<string, string> }) }
    },
  }
}

it('readyz names each view that cannot be read, and its lag behind the log; each metric has a value', async () => {
  const { record, project, ready, get } = await watched()
  await record(samples.StockSet)
  const building = Object.fromEntries(names.map((name) => [`view ${name}`, 'is being built']))
  expect(await ready()).toEqual({ status: 503, ready: false, reasons: building })
  await project()
  expect(await ready()).toEqual(READY)
  await record(samples.StockReserved, samples.StockReleased)
  const { status, reasons } = await ready()
  expect(status).toBe(503)
  expect(Object.keys(reasons)).toEqual(names.map((name) => `view ${name}`))
  expect(reasons['view orders']).toMatch(/^behind the log by 2 events, \d+\.\d s$/)
  const text = await (await get('/metrics')).text()
  for (const name of names) expect(text).toContain(`coinshop_view_lag_events{view="${name}"} 2`)
  const declared = [...text.matchAll(/^# TYPE (coinshop_\w+)/gm)].map(([, name = '']) => name)
  expect(declared.length).toBeGreaterThan(10)
  expect(declared.filter((name) => !new RegExp(`^${name}[ {]`, 'm').test(text))).toEqual([])
})

it.for([
  ['log', engineErrors.logAway],
  ['vault', engineErrors.vaultAway],
  ['views', engineErrors.viewsAway],
  ['queue', engineErrors.viewsAway],
] as const)('readyz and metrics report that the %s is away, while healthz stays green', async ([engine, error]) => {
  const { record, project, ready, failing, get } = await watched()
  await record(samples.StockSet)
  await project()
  failing[engine].fail(error)
  const { status, reasons } = await ready()
  expect({ status, reason: reasons[engine] }).toEqual({ status: 503, reason: 'cannot be reached or used now' })
  expect((await get('/healthz')).status).toBe(200)
  const metrics = await (await get('/metrics')).text()
  expect(metrics).toContain(`coinshop_engine_up{engine="${engine}"} 0`)
  expect(metrics).not.toContain('inside')
  failing[engine].fail(undefined)
  expect(await ready()).toEqual(READY)
})

it('readyz reports an unfinished start, and a full disk of log and vault', async () => {
  const { record, project, ready, now } = await watched()
  await record(samples.StockSet)
  await project()
  now.isStarted = false
  now.full = 'the disk is full'
  const reasons = { start: 'is not finished', log: 'the disk is full', vault: 'the disk is full' }
  expect(await ready()).toEqual({ status: 503, ready: false, reasons })
})
