import { describe, expect, it } from 'vitest'
import { median, noisePercent, percentile, percentilesOf, spreadOf } from './statistics.ts'

describe('percentiles', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)

  it('are values that were measured, by nearest rank', () =>
    expect(percentilesOf(hundred)).toStrictEqual({ p50: 50, p95: 95, p99: 99 }))
  it('of few values are the highest of them', () =>
    expect(percentilesOf([3, 1, 2])).toStrictEqual({ p50: 2, p95: 3, p99: 3 }))
  it('sort by number', () => expect(percentilesOf([9, 10, 100]).p50).toBe(10))
  it('of nothing are no number', () => expect(percentile([], 0.5)).toBeNaN())
})

describe('rounds', () => {
  it('are told by the one in the middle', () => expect(median([30, 4, 100])).toBe(30))
  it('are told by the mean of two where none is in the middle', () => expect(median([1, 4, 2, 100])).toBe(3))
  it('span from the lowest to the highest', () => {
    const spread = spreadOf([90, 110, 100])
    expect(spread).toStrictEqual({ median: 100, low: 90, high: 110 })
    expect(spread && noisePercent(spread)).toBe(20)
  })
  it('say nothing where there was none', () => expect(spreadOf([])).toBeUndefined())
})
