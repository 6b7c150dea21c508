import { setImmediate } from 'node:timers/promises'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { expect, it } from 'vitest'
import { ProviderAway } from './payment-provider.ts'
import { providerPace } from './provider-pace.ts'
import { begunAtOnce } from './testing/begun-at-once.ts'

it('each kind of call has its own share', async () => {
  const pace = providerPace('provider')
  expect(await begunAtOnce([pace], 10)).toBe(2)
  await expect(pace('checks')).resolves.toBeUndefined()
})

it('a burst of buyers’ checks goes before waiting polls, which keep a share', async () => {
  // Runs five times as fast.
  const pace = providerPace(
    'provider',
    (options) => new RateLimiterMemory({ ...options, duration: options.duration / 5 }),
  )
  const begun: string[] = []
  const begin = async (kind: 'looks' | 'checks') => pace(kind).then(() => begun.push(kind))
  const polls = Array.from({ length: 12 }, async () => begin('checks'))
  await polls[3]
  const looks = Array.from({ length: 50 }, async () => begin('looks'))
  await looks[9]
  const more = Array.from({ length: 10 }, async () => begin('looks'))
  await Promise.all([...polls, ...looks, ...more])
  const pollsBefore = (last: number) => begun.slice(0, last).filter((kind) => kind === 'checks').length
  // The four that had begun before.
  expect(pollsBefore(54)).toBe(4)
  expect(pollsBefore(begun.lastIndexOf('looks'))).toBeGreaterThan(4)
})

it('the most urgent call gets the next turn', async () => {
  const pace = providerPace('provider')
  await Promise.all(Array.from({ length: 6 }, async () => pace('looks')))
  const begun: string[] = []
  const begin = async (kind: 'payments' | 'checks') => pace(kind).then(() => begun.push(kind))
  const poll = begin('checks')
  await setImmediate()
  await Promise.all([poll, begin('payments')])
  expect(begun).toEqual(['payments', 'checks'])
})

it('a call that would wait too long is rejected', async () => {
  const pace = providerPace('provider')
  const calls = Array.from({ length: 12 }, async () => pace('rates'))
  for (const call of calls) call.catch(() => undefined)
  await expect(calls.at(-1)).rejects.toThrow(ProviderAway)
})

it('only polls are rejected while the shop is stopping', async () => {
  const stopping = new AbortController()
  const pace = providerPace('provider', undefined, stopping.signal)
  const polls = Array.from({ length: 12 }, async () => pace('checks'))
  await polls[3]
  stopping.abort()
  const ends = await Promise.allSettled(polls)
  expect(ends.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(0)
  await expect(pace('checks')).rejects.toThrow('the shop is stopping')
  await pace('payments')
})
