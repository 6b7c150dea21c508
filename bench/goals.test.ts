import { describe, expect, it } from 'vitest'
import { goalsOf, reached, worstGrowth } from './goals.ts'
import { largeResults, records, sizeResult } from './testing/records.ts'

describe('a goal', () => {
  const atLeast = { name: '', must: 10, goal: 20, unit: '', better: 'higher' } as const
  const atMost = { name: '', must: 20, goal: 10, unit: 'ms', better: 'lower' } as const

  it.for([
    [20, 'goal'],
    [19.9, 'must'],
    [10, 'must'],
    [9.9, 'missed'],
    [undefined, 'not measured'],
  ] as const)('upwards is at %s: %s', ([measured, what]) => expect(reached({ ...atLeast, measured })).toBe(what))

  it.for([
    [10, 'goal'],
    [10.1, 'must'],
    [20, 'must'],
    [20.1, 'missed'],
  ] as const)('downwards is at %s: %s', ([measured, what]) => expect(reached({ ...atMost, measured })).toBe(what))
})

const measured = (name: RegExp, from = records()) => goalsOf(from).find((goal) => name.test(goal.name))?.measured

describe('the goals of the shop', () => {
  it('compare placing with the bare server, and delivering with placing', () => {
    expect(measured(/placed at 64/)).toBeCloseTo(0.1)
    expect(measured(/placed to delivered/)).toBeCloseTo(0.4)
  })

  it('take what grows with the log from the largest one', () => {
    expect(measured(/^start to first answer, 1,000,000 orders/)).toBe(900)
    expect(measured(/^order list, slowest/)).toBe(30)
    expect(measured(/^memory/)).toBe(250)
  })

  it('see the memory of the soak too', () => {
    const large = largeResults({ megabytes: 400 })
    expect(measured(/^memory/, { ...records(), large })).toBe(400)
  })

  it('are not measured without large logs', () => {
    const without = { ...records(), large: undefined }
    expect(measured(/^start to first answer/, without)).toBeUndefined()
    expect(goalsOf(without)).toHaveLength(goalsOf(records()).length)
  })

  it('ask every question of the list how much it has grown', () => {
    const small = sizeResult({ orders: 1_000, p95s: [5, 10] })
    expect(worstGrowth(small, sizeResult({ orders: 1_000_000, p95s: [15, 20] }))).toBe(3)
    expect(worstGrowth(small, small)).toBeUndefined()
  })
})
