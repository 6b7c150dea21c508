import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StoredEvent } from './event-store.ts'
import { positionOf } from './limits.ts'
import { newestEvents } from './newest-events.ts'

const eventAt = (count: number): StoredEvent => ({
  stream: 'order-1',
  revision: count - 1,
  position: positionOf(count),
  id: `id-${count}`,
  type: 'OrderPlaced',
  version: 1,
  data: '{}',
  metadata: '{}',
  recordedAt: 0,
})

const commits = fc.array(
  fc.record({
    count: fc.integer({ min: 1, max: 4 }),
    by: fc.constantFrom('this connection', 'this connection', 'another one', 'nobody knows'),
  }),
  { maxLength: 12 },
)

describe('the newest events of the log', () => {
  it('are those of the file, or it has to be asked', () =>
    fc.assert(
      fc.property(commits, fc.nat({ max: 20 }), fc.integer({ min: 1, max: 10 }), (written, after, limit) => {
        const newest = newestEvents()
        const log: StoredEvent[] = []
        let version = 1
        for (const { count, by } of written) {
          const past = log.length
          const events = Array.from({ length: count }, (_, index) => eventAt(past + 1 + index))
          log.push(...events)
          if (by === 'another one') version += 1
          else if (by === 'nobody knows') newest.forget()
          else newest.add({ past, events }, version)
          const asked = newest.after(after, limit, version)
          if (asked !== undefined) expect(asked).toEqual(log.slice(after, after + limit))
          const head = newest.head(version)
          if (head !== undefined) expect(head).toBe(positionOf(log.length))
          if (by !== 'this connection') continue
          expect(newest.after(past, limit, version)).toEqual(events.slice(0, limit))
          expect(newest.head(version)).toBe(positionOf(log.length))
        }
      }),
    ))

  it('are kept for the last few commits only', () => {
    const newest = newestEvents()
    for (let past = 0; past < 10; past += 1) newest.add({ past, events: [eventAt(past + 1)] }, 1)
    expect(newest.after(6, 10, 1)).toHaveLength(4)
    expect(newest.after(5, 10, 1)).toBeUndefined()
  })
})
