import { expect, it } from 'vitest'
import { requestTimes } from './request-times.ts'

it('are told by method, route and status class, in buckets that each hold what is quicker', () => {
  const times = requestTimes()
  for (const [status, ms] of [
    [200, 0.5],
    [201, 1],
    [204, 7],
    [200, 60_000],
    [404, 3],
  ] as const)
    times.count('GET', '/api/orders/:id', status, ms)
  times.count('POST', '/api/orders/:id', 200, 3)
  const lines = times.text().split('\n')
  const of = (method: string, status: string, rest: string) =>
    lines.find((line) =>
      line.startsWith(
        `coinshop_request_duration_seconds${rest.replace('{', `{method="${method}",route="/api/orders/:id",status="${status}"`)}`,
      ),
    )
  expect(
    ['0.001', '0.0025', '0.01', '10', '+Inf'].map((le) => value(of('GET', '2xx', `_bucket{,le="${le}"}`))),
  ).toEqual([2, 2, 3, 3, 4])
  expect(value(of('GET', '2xx', '_count{'))).toBe(4)
  expect(value(of('GET', '2xx', '_sum{'))).toBeCloseTo(60.0085)
  expect(value(of('GET', '4xx', '_count{'))).toBe(1)
  expect(value(of('POST', '2xx', '_count{'))).toBe(1)
  expect(lines.filter((line) => line.startsWith('# TYPE'))).toEqual([
    '# TYPE coinshop_request_duration_seconds histogram',
  ])
})

function value(line: string | undefined): number {
  return Number(line?.split(' ').at(-1))
}
