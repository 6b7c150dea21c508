import { expect, it } from 'vitest'
import { barWidths } from './bars.tsx'

it('draws each bar in proportion to the largest, and none below 10 percent', () => {
  expect(barWidths([50, 200, 1, -100, 0])).toEqual([25, 100, 10, 50, 10])
  expect(barWidths([0, 0])).toEqual([10, 10])
})
