import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { memoryLimitStore } from './limit-store.ts'
import { loginLimit } from './login-limit.ts'

const DAY_MS = 86_400_000
const OWNER = { networks: ['192.0.2.1'], browserId: undefined } as const

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

it('knows the address of an owner for fourteen days from the last login, whatever strangers try', async () => {
  const limit = loginLimit(memoryLimitStore())
  await limit.reset(OWNER)
  await vi.advanceTimersByTimeAsync(13 * DAY_MS)
  await limit.reset(OWNER)
  await vi.advanceTimersByTimeAsync(13 * DAY_MS)
  for (let stranger = 0; stranger < 100; stranger += 1)
    await limit.count({ networks: [`198.51.100.${stranger}`], browserId: undefined }, 'owner@localhost')
  await limit.count(OWNER, 'owner@localhost')
  await vi.advanceTimersByTimeAsync(2 * DAY_MS)
  for (let stranger = 0; stranger < 100; stranger += 1)
    await limit.count({ networks: [`203.0.113.${stranger}`], browserId: undefined }, 'owner@localhost')
  await expect(limit.count(OWNER, 'owner@localhost')).rejects.toMatchObject({ code: 'request/too-many' })
})
