import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Stop, stopAll } from './stops.ts'

const PROMISED_MS = 10_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const never = async () => new Promise<never>(() => undefined)

it('a stop ends work first, then what it waits for, and the engines last', async () => {
  const ended: string[] = []
  const part = (phase: Stop['phase'], name: string): Stop => ({ phase, name, stop: async () => ended.push(name) })
  expect(await stopAll([part('engines', 'the log'), part('followers', 'the projector'), part('work', 'jobs')])).toEqual(
    [],
  )
  expect(ended).toEqual(['jobs', 'the projector', 'the log'])
})

it('a stop names parts that hang or fail, and ends the rest within the promised time', async () => {
  let hasEnded = false
  const stopping = stopAll([
    { phase: 'work', name: 'requests', stop: never },
    { phase: 'work', name: 'jobs', stop: async () => Promise.reject(new Error('no disk')) },
    { phase: 'followers', name: 'the projector', stop: never },
    { phase: 'engines', name: 'the vault', stop: never },
    { phase: 'engines', name: 'the log', stop: async () => (hasEnded = true) },
  ])
  await vi.advanceTimersByTimeAsync(PROMISED_MS - 1)
  expect(await stopping).toEqual(['requests', 'jobs (no disk)', 'the projector', 'the vault'])
  expect(hasEnded).toBe(true)
})
