import { expect, it } from 'vitest'
import { type MetricSources, shopMetrics } from './metrics.ts'

const orders = { name: 'orders', isServing: true, events: 12, seconds: 3.5, broken: 2 }
const sources: MetricSources = {
  build: { version: '1.2.3', commit: 'abcdef' },
  views: async () => [orders, { ...orders, name: 'analytics', isServing: false }],
  jobs: async () => ({ waiting: 5, running: 2, failed: 1, unknown: 3, untakenMs: 31_000 }),
  attention: async () => 4,
  unplaced: async () => 6,
  toDeliver: async () => ({ count: 3, oldestSeconds: 90 }),
  providers: async () => [],
  engines: {
    log: async () => undefined,
    queue: async () => 'is away',
    vault: async () => Promise.reject(new Error('inside')),
  },
  log: () => ({ damagedReads: 0 }),
}

async function figures(): Promise<Record<string, number>> {
  const lines = (await shopMetrics(sources)()).split('\n').filter((line) => line.startsWith('coinshop_'))
  return Object.fromEntries(lines.map((line) => [line.split(' ')[0], Number(line.split(' ')[1])]))
}

it('the metrics report views, jobs, engines and orders that need a person', async () => {
  expect(await figures()).toEqual({
    'coinshop_view_lag_seconds{view="orders"}': 3.5,
    'coinshop_view_lag_seconds{view="analytics"}': 3.5,
    'coinshop_view_lag_events{view="orders"}': 12,
    'coinshop_view_lag_events{view="analytics"}': 12,
    'coinshop_view_serving{view="orders"}': 1,
    'coinshop_view_serving{view="analytics"}': 0,
    'coinshop_view_broken_documents{view="orders"}': 2,
    'coinshop_view_broken_documents{view="analytics"}': 2,
    'coinshop_jobs{state="waiting"}': 5,
    'coinshop_jobs{state="running"}': 2,
    'coinshop_jobs{state="unknown"}': 3,
    coinshop_jobs_untaken_seconds: 31,
    'coinshop_build_info{version="1.2.3",commit="abcdef"}': 1,
    coinshop_jobs_failed_total: 1,
    coinshop_log_damaged_reads_total: 0,
    coinshop_log_foreign_events: 0,
    coinshop_orders_needing_attention: 4,
    coinshop_payments_without_order: 6,
    coinshop_orders_to_deliver: 3,
    coinshop_orders_to_deliver_oldest_seconds: 90,
    'coinshop_engine_up{engine="log"}': 1,
    'coinshop_engine_up{engine="queue"}': 0,
    'coinshop_engine_up{engine="vault"}': 0,
  })
})

it('the metrics leave out what fails, rather than report an old figure or an error', async () => {
  let isAway = false
  const answer = async <Figures>(value: Figures): Promise<Figures> => {
    if (isAway) throw new Error('inside')
    return value
  }
  const text = shopMetrics({
    ...sources,
    views: async () => answer([orders]),
    jobs: async () => answer({ waiting: 5, running: 2, failed: 1 }),
    attention: async () => answer(4),
    toDeliver: async () => answer({ count: 3, oldestSeconds: 90 }),
  })
  expect(await text()).toContain('coinshop_orders_needing_attention 4')
  isAway = true
  const after = await text()
  expect(after).not.toMatch(/^coinshop_(view|jobs\{|orders)\S* \d/m)
  expect(after).not.toContain('inside')
  expect(after).toContain('process_cpu_seconds_total')
})

it('concurrent scrapes share one reading', async () => {
  let asked = 0
  const text = shopMetrics({
    ...sources,
    attention: async () => {
      asked += 1
      return asked
    },
  })
  const [one, other] = await Promise.all([text(), text()])
  for (const text of [one, other]) expect(text).toContain('coinshop_orders_needing_attention 1')
  expect(await text()).toContain('coinshop_orders_needing_attention 2')
})
