import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { VaultAway } from '../../engines/vault/vault.ts'
import { placingQueue } from './placing-queue.ts'

const MORE_THAN_AT_ONCE = 100

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

/** Orders at a vault that is away, each of which waits for the same answer. */
async function placedWhileAway(waitMs: number): Promise<{ tried: number; outcomes: PromiseSettledResult<string>[] }> {
  const place = placingQueue()
  const answer = Promise.withResolvers<string>()
  let tried = 0
  const orders = Array.from({ length: MORE_THAN_AT_ONCE }, async (_, order) =>
    place(`key-${order}`, async () => {
      tried += 1
      return answer.promise
    }),
  )
  await Promise.resolve()
  vi.advanceTimersByTime(waitMs)
  answer.reject(new VaultAway('locked'))
  const outcomes = await Promise.allSettled(orders)
  // Only those that waited fail with the others.
  expect(await place('later', async () => 'placed')).toBe('placed')
  return { tried, outcomes }
}

it('orders that wait while an engine is away fail with those that have found it away', async () => {
  const { tried, outcomes } = await placedWhileAway(5_000)
  expect(tried).toBeLessThan(MORE_THAN_AT_ONCE)
  const refused = outcomes.filter((one) => one.status === 'rejected' && one.reason instanceof VaultAway)
  expect(refused).toHaveLength(MORE_THAN_AT_ONCE)
})

it('after a failure that took no time, each order that waits is tried', async () => {
  expect(await placedWhileAway(10)).toMatchObject({ tried: MORE_THAN_AT_ONCE })
})
