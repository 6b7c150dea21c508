import { expect, it } from 'vitest'
import { backOffMs } from './back-off.ts'

const pauses = (random?: () => number) => [1, 2, 3, 4, 2_000].map((n) => backOffMs(n, { from: 50, max: 300 }, random))

it('the pause doubles with each failure up to a limit, and is drawn from its upper half', () => {
  expect(pauses()).toEqual([50, 100, 200, 300, 300])
  expect(pauses(() => 0)).toEqual([25, 50, 100, 150, 150])
})
