import { expect, it } from 'vitest'
import { report } from './report.ts'

it('a report shows medians, and ratios within each round', () => {
  const rounds = [
    [1_000, 1_100],
    [2_000, 2_100],
    [100, 200],
  ]
  const lines = report(['9fa925b', 'this'], [{ name: 'place, us', rounds, hello: [100, 100, 100] }])
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' '))
  expect(lines[0]).toBe('| figure | 9fa925b | this | this : 9fa925b | this : hello |')
  expect(lines[2]).toBe('| place, us | 1,000 | 1,100 | 1.10 | 11.00 |')
})

it('a report without earlier commits shows only this checkout', () => {
  const lines = report(['this'], [{ name: 'rebuild, events/s', rounds: [[40_000], [50_000]] }]).split('\n')
  expect(lines.at(-1)?.replaceAll(/\s+/g, ' ')).toBe('| rebuild, events/s | 45,000 | |')
})
