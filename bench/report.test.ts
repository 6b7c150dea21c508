import { expect, it } from 'vitest'
import { figuresFor } from './figures.ts'
import { comparison, report } from './report.ts'

const figures = figuresFor([100_000])

function lineOf(text: string, start: string): string | undefined {
  const line = text.split('\n').find((one) => one.startsWith(start))
  return line?.replaceAll(/\s+/g, ' ')
}

it('a report shows the median and the spread of the rounds, divided within a round, beside the goal', () => {
  const rounds = [
    { hello: 40_000, place: 4_000 },
    { hello: 20_000, place: 3_000 },
    { hello: 40_000, place: 2_000 },
  ]
  const text = report(figures, rounds)
  const placed = '| POST /api/orders, 64 connections | 3,000 orders/s | 2,000 to 4,000 | | | |'
  const share = '| placing : hello-world | 0.100 | 0.050 to 0.150 | at least 0.08 | at least 0.15 | must |'
  expect([lineOf(text, '| POST /api/orders'), lineOf(text, '| placing : hello')]).toEqual([placed, share])
  expect(text).not.toContain('rebuild')
})

it('a comparison is the median of the quotients of the rounds, above 1 where less time was taken', () => {
  const before = [{ place: 1_000, visible: 10 }, { place: 2_000, visible: 10 }, { place: 100 }]
  const after = [{ place: 1_100, visible: 20 }, { place: 2_100, visible: 5 }, { place: 200 }]
  const text = comparison(figures, before, after)
  expect(lineOf(text, '| POST /api/orders')).toContain('| 1,000 orders/s | 1,100 orders/s | 1.10 | 1.05 to 2.00 |')
  expect(lineOf(text, '| append to visible')).toContain('| 1.25 | 0.50 to 2.00 |')
  expect(lineOf(comparison(figures, [{ visible: 10 }], [{ visible: 20 }]), '| append to')).toContain('| 0.50 slower |')
})
