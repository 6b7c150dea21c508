import { readFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { provisionWith } from './engine-sets.ts'
import { METRICS_TOKEN, startShopProcess } from './shop-process.ts'

/** Written out by Prometheus' own scrape, not by the shop. */
const OF_PROMETHEUS = 'up'

it('the alerts use only series that /metrics serves', { timeout: 60_000 }, async () => {
  const place = await provisionWith({})
  onTestFinished(() => place.remove())
  const shop = await startShopProcess({
    ...place.env,
    PAYMENTS: 'live',
    NOWPAYMENTS_URL: 'http://127.0.0.1:9/v1',
    NOWPAYMENTS_API_KEY: 'key',
    NOWPAYMENTS_IPN_SECRET: 'secret',
  })
  onTestFinished(() => shop.kill())
  const text = await (
    await fetch(`${shop.url}/metrics`, { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } })
  ).text()
  const served = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type]) => ({ name, type }))
  const series = new Set([
    OF_PROMETHEUS,
    ...served.flatMap(({ name, type }) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  ])

  const rules = readFileSync(new URL('../../docs/prometheus-rules.yml', import.meta.url), 'utf8')
  const asked = new Set(rules.match(/\b(coinshop|nodejs|process)_\w+|\bup(?=\{)/g))
  expect(asked.size).toBeGreaterThan(10)
  expect([...asked].filter((name) => !series.has(name))).toEqual([])
})
