import { expect, it } from 'vitest'
import { barWidths } from './trend.ts'

it('draws each month in proportion to the largest, and none below 10 percent', () => {
  expect(barWidths([50, 200, 1, 0])).toEqual([25, 100, 10, 10])
})

it('draws months without revenue alike', () => {
  expect(barWidths([0, 0])).toEqual([10, 10])
  expect(barWidths([])).toEqual([])
})
