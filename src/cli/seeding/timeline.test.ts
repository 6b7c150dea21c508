import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../testing/clock.ts'
import { Timeline } from './timeline.ts'

describe('the timeline', () => {
  it('gives what happens in the order in which it happens', () => {
    const random = seededRandom(7)
    const times = Array.from({ length: 500 }, () => Math.floor(random.fraction() * 100))
    const timeline = new Timeline<number>()
    for (const at of times) timeline.add(at, at)
    const taken = []
    for (let next = timeline.take(100); next; next = timeline.take(100)) taken.push(next.item)
    expect(taken).toStrictEqual(times.toSorted((a, b) => a - b))
    expect(timeline.size).toBe(0)
  })

  it('keeps what is still ahead', () => {
    const timeline = new Timeline<string>()
    timeline.add(5, 'later')
    timeline.add(3, 'now')
    expect(timeline.take(2)).toBeUndefined()
    expect(timeline.take(3)).toStrictEqual({ at: 3, item: 'now' })
    expect(timeline.take(4)).toBeUndefined()
    expect(timeline.size).toBe(1)
  })
})
