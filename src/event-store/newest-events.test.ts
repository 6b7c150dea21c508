import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StoredEvent } from './event-store.ts'
import { positionOf } from './limits.ts'
import { newestEvents } from './newest-events.ts'

const DATA_CHARACTERS = 10

function eventOf(stream: string, log: readonly StoredEvent[]): StoredEvent {
  return {
    stream,
    revision: log.filter((event) => event.stream === stream).length,
    position: positionOf(log.length + 1),
    id: `id-${log.length + 1}`,
    type: 'OrderPlaced',
    version: 1,
    data: 'x'.repeat(DATA_CHARACTERS),
    metadata: '',
    recordedAt: 0,
  }
}

const streams = fc.constantFrom('order-1', 'order-2', 'stock-main')
const commits = fc.array(
  fc.record({
    to: fc.array(streams, { minLength: 1, maxLength: 4 }),
    by: fc.constantFrom('this connection', 'this connection', 'this connection', 'another one', 'nobody knows'),
  }),
  { maxLength: 12 },
)
const questions = fc.record({ stream: streams, from: fc.nat({ max: 20 }), limit: fc.integer({ min: 1, max: 10 }) })

describe('the newest events of the log', () => {
  it('are those of the file, or it has to be asked', () =>
    fc.assert(
      fc.property(commits, questions, (written, { stream, from, limit }) => {
        const newest = newestEvents(8 * DATA_CHARACTERS)
        const log: StoredEvent[] = []
        let version = 1
        for (const { to, by } of written) {
          const past = log.length
          for (const one of to) log.push(eventOf(one, log))
          if (by === 'another one') version += 1
          else if (by === 'nobody knows') newest.forget()
          else newest.add(past, log.slice(past), version)
          const ofStream = log.filter((event) => event.stream === stream)
          const answers: [unknown, unknown][] = [
            [newest.after(from, limit, version), log.slice(from, from + limit)],
            [newest.ofStream(stream, from, limit, version), ofStream.slice(from, from + limit)],
            [newest.head(version), positionOf(log.length)],
          ]
          for (const [answer, truth] of answers) if (answer !== undefined) expect(answer).toEqual(truth)
          if (by !== 'this connection') continue
          const [last] = log.slice(-1)
          expect(newest.after(past, limit, version)).toEqual(log.slice(past, past + limit))
          expect(newest.ofStream(last?.stream ?? '', last?.revision ?? 0, 1, version)).toEqual([last])
          expect(newest.head(version)).toBe(positionOf(log.length))
        }
      }),
    ))

  it('are forgotten from the oldest on, when they are too many', () => {
    const newest = newestEvents(8 * DATA_CHARACTERS)
    const log: StoredEvent[] = []
    for (let past = 0; past < 9; past += 1) {
      log.push(eventOf('order-1', log))
      newest.add(past, log.slice(past), 1)
    }
    expect(newest.after(4, 10, 1)).toBeUndefined()
    expect(newest.ofStream('order-1', 4, 10, 1)).toBeUndefined()
    expect(newest.after(5, 10, 1)).toEqual(log.slice(5))
    expect(newest.ofStream('order-1', 5, 10, 1)).toEqual(log.slice(5))
  })
})
