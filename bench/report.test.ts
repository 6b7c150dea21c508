import { describe, expect, it } from 'vitest'
import { figuresFor, figuresOnServers } from './figures.ts'
import { besideClients, comparison, report, shown } from './report.ts'

const figures = figuresFor([100_000])

function lineOf(text: string, start: string): string {
  const line = text.split('\n').find((one) => one.startsWith(start))
  return line?.replaceAll(/\s+/g, ' ') ?? ''
}

describe('the report of one checkout', () => {
  const rounds = [
    { hello: 40_000, place: 4_000, 'place-p99': 60 },
    { hello: 20_000, place: 3_000, 'place-p99': 40 },
    { hello: 40_000, place: 2_000, 'place-p99': 120 },
  ]
  const text = report(figures, rounds)

  it('shows the median and the spread of the rounds', () =>
    expect(lineOf(text, '| POST /api/orders')).toBe(
      '| POST /api/orders, 64 connections | 3,000 orders/s | 2,000 to 4,000 | | | |',
    ))

  it('divides within a round, and says what was reached', () => {
    expect(lineOf(text, '| placing : hello-world')).toBe(
      '| placing : hello-world | 0.100 | 0.050 to 0.150 | at least 0.08 | at least 0.15 | must |',
    )
    expect(lineOf(text, '| placing, p99')).toContain(
      '| 60.0 ms | 40.0 to 120 | at most 100 ms | at most 50 ms | must |',
    )
  })

  it('leaves out what was not measured', () => expect(text).not.toContain('rebuild'))

  it('draws the share of each goal', () => expect(lineOf(text, 'placing : hello-world')).toMatch(/ 0\.67 #+\|?#*/))
})

describe('the comparison of two checkouts', () => {
  const before = [{ place: 1_000, visible: 10 }, { place: 2_000, visible: 10 }, { place: 100 }]
  const after = [{ place: 1_100, visible: 20 }, { place: 2_100, visible: 5 }, { place: 200 }]
  const text = comparison(figures, before, after)

  it('is the median of the quotients of the rounds', () =>
    expect(lineOf(text, '| POST /api/orders')).toBe(
      '| POST /api/orders, 64 connections | 1,000 orders/s | 1,100 orders/s | 1.10 | 1.05 to 2.00 |',
    ))

  it('is above 1 where less time was taken, and marks what is slower', () => {
    expect(lineOf(text, '| append to visible')).toContain('| 1.25 | 0.50 to 2.00 |')
    expect(lineOf(comparison(figures, [{ visible: 10 }], [{ visible: 20 }]), '| append to')).toContain(
      '| 0.50 slower |',
    )
  })
})

describe('a shop beside the clients of its servers', () => {
  const alone = [{ append: 4_000, 'append-p50': 1 }, { append: 2_000 }]
  const text = besideClients(figuresOnServers, alone, [{ append: 1_000, 'append-p50': 2 }, { append: 1_500 }])

  it('is shown as a share of each, and marks nothing as slower', () => {
    expect(lineOf(text, '| figure')).toBe('| figure | client alone | shop | shop : client alone | rounds |')
    expect(lineOf(text, '| appends of one event')).toBe(
      '| appends of one event, 64 at once | 3,000 /s | 1,250 /s | 0.50 | 0.25 to 0.75 |',
    )
    expect(lineOf(text, '| append, one after another, p50')).toContain('| 1.00 ms | 2.00 ms | 0.50 |')
  })
})

it('numbers have no more digits than mean something', () =>
  expect([1_234.5, 12.34, 1.234, 0.1234, 0].map(shown)).toStrictEqual(['1,235', '12.3', '1.23', '0.123', '0.00']))
