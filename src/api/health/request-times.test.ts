import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { requestTimes } from './request-times.ts'

it('counts by method, route and status class, in buckets from 1 ms to 10 s', async () => {
  const registry = new Registry()
  const times = requestTimes(registry)
  const labels = { method: 'GET', route: '/api/orders/:id' }
  for (const [status, seconds] of [
    ['2xx', 0.001],
    ['2xx', 0.007],
    ['2xx', 60],
    ['4xx', 0.003],
  ] as const)
    times.observe({ ...labels, status }, seconds)
  const text = await registry.metrics()
  const valueOf = (part: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.includes(part))
        ?.split(' ')
        .at(-1),
    )
  const bucket = (le: string) => valueOf(`coinshop_request_duration_seconds_bucket{le="${le}",${ofLabels('2xx')}`)
  expect(['0.001', '0.005', '0.01', '10', '+Inf'].map(bucket)).toEqual([1, 1, 2, 2, 3])
  expect(valueOf(`_sum{${ofLabels('2xx')}`)).toBeCloseTo(60.008)
  expect(valueOf(`_count{${ofLabels('4xx')}`)).toBe(1)
})

function ofLabels(status: string): string {
  return `method="GET",route="/api/orders/:id",status="${status}"}`
}
