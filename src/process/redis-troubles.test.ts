import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { redisTroubles } from './redis-troubles.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('trouble with Redis is logged once per outage with its reason and the way out, then counted', () => {
  const said: unknown[] = []
  const note = redisTroubles({ warn: (line: object) => said.push(line) } as never)
  const outage = (): void => {
    for (let times = 0; times < 50; times += 1)
      note(new Error('READONLY You can not write against a read only replica.'))
    note(new Error('passed on', { cause: Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }) }))
    vi.advanceTimersByTime(60_000)
  }
  outage()
  const lines = [
    { reason: 'it is a replica, which takes no writes: set REDIS_URL to its primary' },
    { reason: 'nothing answers (EPIPE): start it, or correct its address' },
    { times: 51 },
  ]
  expect(said).toEqual(lines)
  outage()
  expect(said).toEqual([...lines, ...lines])
})
