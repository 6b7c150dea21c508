import { setImmediate } from 'node:timers/promises'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { expect, it } from 'vitest'
import { ProviderAway } from './payment-provider.ts'
import { type CallKind, type Pace, providerPace } from './provider-pace.ts'
import { begunAtOnce } from './testing/begun-at-once.ts'

/** Runs five times as fast. */
const fastPace = () =>
  providerPace('provider', (options) => new RateLimiterMemory({ ...options, duration: options.duration / 5 }))

it('each kind of call has its own share', async () => {
  const pace = providerPace('provider')
  expect(await begunAtOnce([pace], 10)).toBe(2)
  await expect(pace('checks')).resolves.toBeUndefined()
})

it('a burst of buyers’ checks goes before waiting polls, which keep a share', async () => {
  const pace = fastPace()
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

/** Names in the order in which their calls begin or are rejected. */
function ordered(pace: Pace) {
  const begun: string[] = []
  const rejected: string[] = []
  const call = async (name: string, kind: CallKind, network?: string) =>
    pace(kind, network).then(
      () => void begun.push(name),
      () => void rejected.push(name),
    )
  return { begun, rejected, call }
}

it('networks take turns, and a newcomer is next', async () => {
  const { begun, call } = ordered(fastPace())
  const flood = Array.from({ length: 12 }, async (_, index) => call('flood', 'payments', `net-${index % 3}`))
  await flood[4]
  const before = begun.length
  await call('buyer', 'payments', 'home')
  expect(begun.indexOf('buyer') - before).toBeLessThanOrEqual(2)
})

it('a network that fills the waiting line gives up its last call for another network', async () => {
  const { begun, rejected, call } = ordered(fastPace())
  const flood = Array.from({ length: 30 }, async (_, index) => call(`flood-${index}`, 'payments', 'net'))
  const buyer = call('buyer', 'payments', 'home')
  await flood[0]
  expect(rejected).toHaveLength(11)
  await buyer
  expect(begun).toContain('buyer')
})

it('captures begin before first payments, and these before further ones', async () => {
  const { begun, call } = ordered(fastPace())
  await Promise.all([call('one', 'payments', 'home'), call('two', 'payments', 'home')])
  const calls = [
    call('further', 'replacements', 'net'),
    call('first', 'payments', 'net'),
    call('newcomer’s further', 'replacements', 'office'),
    call('newcomer’s first', 'payments', 'school'),
    call('capture', 'captures', 'home'),
  ]
  await Promise.all(calls)
  expect(begun.slice(2)).toEqual(['capture', 'first', 'newcomer’s first', 'newcomer’s further', 'further'])
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
