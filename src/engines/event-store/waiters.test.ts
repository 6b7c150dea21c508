import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { waiters } from './waiters.ts'

const timeoutMs = 1_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('only a later position wakes a waiting reader', async () => {
  const waiting = waiters()
  const { signal } = new AbortController()
  let woken = 0
  const waits = ['01', '02', '03'].map((after) => waiting.wait({ after, timeoutMs, signal }).then(() => woken++))
  waiting.wake('02')
  await waits[0]
  expect(woken).toBe(1)
  waiting.wakeAll()
  await Promise.all(waits)
})

it.for(['event', 'abort', 'time-out'])('a wait leaves no timer and no listener behind after an %s', async (end) => {
  const waiting = waiters()
  const reader = new AbortController()
  const wait = waiting.wait({ after: '01', timeoutMs, signal: reader.signal })
  if (end === 'event') waiting.wake('02')
  if (end === 'abort') reader.abort()
  if (end === 'time-out') vi.advanceTimersByTime(timeoutMs)
  await wait
  expect(vi.getTimerCount()).toBe(0)
  expect(getEventListeners(reader.signal, 'abort')).toEqual([])
})

it('the first and the last waiting reader are announced', async () => {
  const seen: string[] = []
  const waiting = waiters(
    () => seen.push('some'),
    () => seen.push('none'),
  )
  const { signal } = new AbortController()
  const waits = ['01', '02'].map((after) => waiting.wait({ after, timeoutMs, signal }))
  waiting.wake('02')
  await waits[0]
  expect(seen).toEqual(['some'])
  waiting.wake('03')
  await waits[1]
  expect(seen).toEqual(['some', 'none'])
})
