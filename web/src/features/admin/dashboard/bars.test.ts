import { expect, it } from 'vitest'
import { barWidths } from './bars.tsx'

it('each bar is proportional to the largest, and at least 10 percent wide', () => {
  expect(barWidths([50, 200, 1, -100, 0])).toEqual([25, 100, 10, 50, 10])
  expect(barWidths([0, 0])).toEqual([10, 10])
})
