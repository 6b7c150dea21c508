import { beforeEach, expect, it } from 'vitest'
import { ProviderAway } from './payment-provider.ts'
import { ProviderHealth } from './provider-health.ts'

let now: number
let health: ProviderHealth
beforeEach(() => {
  now = 1_000
  health = new ProviderHealth(() => now)
})
const away = new ProviderAway('the provider answered 500')
const failsAfter = (...pauses: number[]): void => {
  for (const ms of pauses) {
    now += ms
    health.recordFailure(away)
  }
}

it('a provider is away once its calls have failed for half a minute, until it answers', () => {
  failsAfter(0, 20_000)
  expect(health.state().awaySince).toBeUndefined()
  failsAfter(10_000)
  expect(health.state()).toEqual({ awaySince: 1_000, reason: 'the provider answered 500', failing: 3 })
  health.recordReply()
  expect(health.state()).toMatchObject({ awaySince: undefined, reason: undefined })
  expect(health.calls).toEqual({ answered: 1, failed: 3 })
})

it('a provider that was not called for five minutes is not away', () => {
  failsAfter(0, 30_000, 5 * 60_000)
  expect(health.state()).toMatchObject({ awaySince: undefined, failing: 1 })
})

it('calls that fail together pause a provider once, for as long as it asks', () => {
  for (let call = 0; call < 32; call += 1) health.recordFailure(away, 5_000)
  now += 4_999
  expect(health.isPaused).toBe(true)
  now += 1
  expect(health.isPaused).toBe(false)
  failsAfter(0)
  now += 1_999
  expect(health.isPaused).toBe(true)
  now += 1
  health.recordReply()
  health.recordFailure(away, 3_600_000)
  now += 60_000
  expect(health.isPaused).toBe(false)
})
